"""settings.ini: one file in two places, every key documented, found upwards, overridden, and its mistakes named by line."""

import re
from pathlib import Path

import pytest

from agentloop_widgets.trace.settings_file import KEYS, Settings, SettingsError, read_settings

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def no_variables(monkeypatch):
    for key in KEYS:
        monkeypatch.delenv(f"AGENTLOOP_{key.upper()}", raising=False)


def test_the_package_carries_the_root_file():
    assert (ROOT / "settings.ini").read_text() == (
        ROOT / "agentloop_widgets" / "settings.ini"
    ).read_text()


def test_every_key_is_in_the_file_behind_a_comment_that_explains_it():
    found = read_settings(ROOT / "settings.ini")
    assert set(found) == set(KEYS)
    blocks = re.split(
        r"\n\s*\n", (ROOT / "settings.ini").read_text().split("[agentloop_widgets]\n")[1]
    )
    assert all(block.lstrip().startswith("#") for block in blocks if "=" in block)


def write(folder: Path, text: str) -> Settings:
    (folder / "settings.ini").write_text(text)
    return Settings(folder)


@pytest.mark.parametrize(
    "line, wanted",
    [
        ("top_p = 2", "0 to 1"),
        ("top_k = 1.5", "whole number"),
        ("thinking = perhaps", "yes or no"),
        ("language = xx", "zh-TW"),
        ("temperature = nan", "number"),
        ("max_steps = 0", "at least 1"),
        ("modle = embedded", "modle"),
        ("permission = never", "sandboxed"),
    ],
)
def test_a_mistake_is_named_by_its_line(tmp_path, line, wanted):
    with pytest.raises(SettingsError, match="line 3") as caught:
        write(tmp_path, f"[agentloop_widgets]\n# mine\n{line}\n").reload()
    assert wanted in str(caught.value) and str(tmp_path) in str(caught.value)


@pytest.mark.parametrize(
    "text", ["[agentloop_widgets]\nno value here\n", "[agentloop_widgets]\ntop_k = 1\ntop_k = 2\n"]
)
def test_a_broken_file_is_named(tmp_path, text):
    with pytest.raises(SettingsError, match=r"settings\.ini"):
        write(tmp_path, text).reload()


def test_another_tools_file_is_passed_over(tmp_path):
    inner = tmp_path / "course" / "notebooks"
    inner.mkdir(parents=True)
    (tmp_path / "settings.ini").write_text("[agentloop_widgets]\nmax_steps = 3\n")
    (tmp_path / "course" / "settings.ini").write_text("[DEFAULT]\nlib_name = another\n")
    assert Settings(inner).max_steps == 3


def test_a_variable_comes_before_the_file_and_an_argument_before_both(tmp_path, monkeypatch):
    monkeypatch.setenv("AGENTLOOP_MAX_STEPS", "5")
    settings = write(tmp_path, "[agentloop_widgets]\nmax_steps = 3\n")
    assert settings.max_steps == 5 and settings.look_up("max_steps").source == "AGENTLOOP_MAX_STEPS"
    assert settings.given(max_steps=7) == {"max_steps": 7}
    monkeypatch.setenv("AGENTLOOP_MAX_STEPS", "five")
    with pytest.raises(SettingsError, match="AGENTLOOP_MAX_STEPS"):
        settings.reload()


def test_percent_signs_semicolons_and_byte_order_marks_are_read(tmp_path):
    (tmp_path / "settings.ini").write_bytes(
        "\ufeff[agentloop_widgets]\nmodel = a%20b; c\n".encode()
    )
    assert Settings(tmp_path).model == "a%20b; c"
