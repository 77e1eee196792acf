"""settings.ini: one file in two places, every key documented, found upwards, overridden, and its mistakes named by line."""

import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from agentloop_widgets import Turn, load_backend
from agentloop_widgets.trace import settings_file, strings
from agentloop_widgets.trace.settings_file import (
    KEYS,
    MAY_BE_EMPTY,
    Settings,
    SettingsError,
    read_settings,
)

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
        ("top_p = 2", "at most 1"),
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


NUMBERS_AS_WANTED = [
    ("top_p = 0", "above 0 and at most 1"),
    ("temperature = -1", "at least 0"),
    ("temperature = inf", "at least 0"),
    ("timeout = 0", "above 0"),
    ("margin = 2", "from 0 to 1"),
    ("seed = 99999999999999999999999", "from 0 to 18446744073709551615"),
    ("seed = " + "9" * 5000, "from 0 to 18446744073709551615"),
    ("traces_folder = ~nobody-of-this-name/traces", "nobody-of-this-name"),
]


@pytest.mark.parametrize("line, wanted", NUMBERS_AS_WANTED, ids=[str(n) for n in range(8)])
def test_a_bound_is_said_as_it_is(tmp_path, line, wanted):
    with pytest.raises(SettingsError, match="line 2") as caught:
        write(tmp_path, f"[agentloop_widgets]\n{line}\n").reload()
    assert wanted in str(caught.value) and "inf" not in str(caught.value).replace("= inf", "")


# An empty value: the model's own or no limit where there is such a thing, else the package's.


def own_value(key):
    return read_settings(ROOT / "agentloop_widgets" / "settings.ini")[key].value


def check_empty(settings: Settings, key: str) -> None:
    assert settings.look_up(key).value == (None if key in MAY_BE_EMPTY else own_value(key))
    assert key in MAY_BE_EMPTY or settings.look_up(key).value is not None


@pytest.mark.parametrize("key", KEYS)
def test_every_key_may_be_left_empty(tmp_path, key, monkeypatch):
    settings = write(tmp_path, f"[agentloop_widgets]\n{key} =\n")
    check_empty(settings, key)
    (tmp_path / "settings.ini").unlink()
    monkeypatch.setenv(f"AGENTLOOP_{key.upper()}", "")
    check_empty(settings.reload(), key)
    monkeypatch.delenv(f"AGENTLOOP_{key.upper()}")
    setattr(settings.reload(), key, None)
    check_empty(settings, key)


@pytest.mark.parametrize("key", sorted(set(KEYS) - {"model", "permission", "max_steps"}))
def test_a_turn_is_made_whatever_is_left_empty(llm, tmp_path, monkeypatch, key):
    monkeypatch.setattr("agentloop_widgets.harness.turn.settings", empty := Settings(tmp_path))
    write(tmp_path, f"[agentloop_widgets]\n{key} =\n")
    assert Turn(llm, "Hi").thinking is True and empty.given(permission=None) == {
        "permission": "sandboxed"
    }


# Other tools' files, and files that are not UTF-8.


def test_another_tools_file_may_be_in_any_encoding(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "settings.ini").write_text("[agentloop_widgets]\nmax_steps = 3\n")
    (inner / "settings.ini").write_bytes("[DEFAULT]\nauthor = Müller\n".encode("latin-1"))
    assert Settings(inner).max_steps == 3


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_our_file_in_another_encoding_is_named(tmp_path, encoding):
    text = "[agentloop_widgets]\nmax_steps = 3\nmodel = Müller\n"
    (tmp_path / "settings.ini").write_bytes(text.encode(encoding))
    with pytest.raises(SettingsError, match=r"settings\.ini.*UTF-8"):
        Settings(tmp_path).reload()


def test_a_file_that_cannot_be_opened_is_named(tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    write(tmp_path, "[agentloop_widgets]\nmax_steps = 3\n")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(SettingsError, match=r"Permission denied.*settings\.ini"):
        Settings(tmp_path).reload()


def test_a_default_section_beside_ours_is_another_tools(tmp_path):
    settings = write(
        tmp_path, "[DEFAULT]\nlib_name = another\nseed = 1\n[agentloop_widgets]\nmax_steps = 3\n"
    )
    assert settings.max_steps == 3 and settings.seed is None


def test_an_indented_key_has_its_line(tmp_path):
    settings = write(tmp_path, "[agentloop_widgets]\n\n  max_steps = 3\n")
    assert settings.look_up("max_steps").source.endswith("line 3")


# Values set in a notebook.


def test_a_value_set_holds_for_every_reader_until_reload(tmp_path, monkeypatch):
    settings = write(tmp_path, "[agentloop_widgets]\nmax_steps = 3\n")
    monkeypatch.setenv("AGENTLOOP_MAX_STEPS", "5")
    settings.max_steps = 2
    assert settings.max_steps == 2 and settings.given(max_steps=None) == {"max_steps": 2}
    assert settings.look_up("max_steps").value == 2 and settings.given(max_steps=7) == {
        "max_steps": 7
    }
    assert "max_steps = 2  (set in this session)" in repr(settings)
    assert settings.reload().max_steps == 5


def test_a_value_set_holds_in_a_turn(llm, tmp_path, monkeypatch):
    monkeypatch.setattr("agentloop_widgets.harness.turn.settings", settings := Settings(tmp_path))
    settings.max_steps, settings.top_k, settings.permission = (
        2,
        np.int64(7),
        lambda name, given: True,
    )
    turn = Turn(llm, "Hi")
    assert (turn.max_steps, turn.sampling.top_k) == (2, 7) and callable(turn.permission)


GIVEN = [
    ("temperature", np.float32(0.5), 0.5),
    ("temperature", Fraction(1, 2), 0.5),
    ("temperature", 0, 0.0),
    ("top_k", np.int64(20), 20),
    ("max_steps", "4", 4),
    ("thinking", False, False),
    ("thinking", "no", False),
    ("traces_folder", Path("runs"), Path("runs")),
    ("traces_folder", "runs", Path("runs")),
    ("model", Path("a/folder"), "a/folder"),
    ("seed", None, None),
]


@pytest.mark.parametrize("key, value, kept", GIVEN)
def test_a_value_set_is_read_like_a_files(tmp_path, key, value, kept):
    settings = Settings(tmp_path)
    setattr(settings, key, value)
    assert getattr(settings, key) == kept and type(getattr(settings, key)) is type(kept)


REFUSED = [
    ("max_steps", 0, "at least 1"),
    ("max_steps", 2.0, "whole number"),
    ("max_steps", True, "whole number"),
    ("temperature", [0.5], "number"),
    ("temperature", True, "number"),
    ("thinking", 0.5, "yes or no"),
    ("language", "fr", "zh-TW"),
    ("permission", "never", "sandboxed"),
    ("model", 5, "text"),
    ("traces_folder", ["runs"], "text"),
]


@pytest.mark.parametrize("key, value, wanted", REFUSED)
def test_a_value_set_is_checked(tmp_path, key, value, wanted):
    settings = Settings(tmp_path)
    before = getattr(settings, key)
    with pytest.raises(SettingsError, match=rf"settings\.{key} = ") as caught:
        setattr(settings, key, value)
    assert wanted in str(caught.value) and getattr(settings, key) == before


@pytest.mark.parametrize("key", ["max_step", "reload", "given"])
def test_an_unknown_key_is_not_set(tmp_path, key):
    settings = Settings(tmp_path)
    with pytest.raises(AttributeError, match=f"no setting {key}.*max_steps"):
        setattr(settings, key, 3)
    assert settings.reload() is settings


# The language of texts.


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Settings as a new process would find them in a folder whose settings.ini says zh-TW."""
    write(tmp_path, "[agentloop_widgets]\nlanguage = zh-TW\n")
    fresh = Settings(tmp_path)
    monkeypatch.setattr(settings_file, "settings", fresh)
    monkeypatch.setattr(strings, "_default_language", [])
    return fresh


def test_the_files_language_counts_from_the_first_text_on(here):
    assert strings.say("channel.thought") == "思考"
    with pytest.raises(FileNotFoundError, match="找不到資料夾"):
        load_backend("./nope")


def test_a_language_that_was_set_stays_when_the_settings_are_read(here):
    strings.set_language("en")
    assert here.max_steps and here.reload().language == "zh-TW"
    assert strings.say("channel.thought") == "thinking"
    strings.set_language(None)
    assert strings.say("channel.thought") == "思考"


def test_of_two_languages_that_were_set_the_later_counts(here):
    strings.set_language("zh-TW")
    here.language = "en"
    assert strings.current_language() == "en"
    strings.set_language("zh-TW")
    assert strings.current_language() == "zh-TW"
    strings.set_language(None)
    here.reload()
    assert strings.current_language() == "zh-TW"


def test_other_settings_do_not_change_the_language(here, tmp_path):
    other = Settings(Path("/"))
    other.language = "en"
    assert other.reload().language == "en" and strings.current_language() == "zh-TW"


def test_a_broken_file_fails_no_text_and_is_read_once_for_it(here, tmp_path, monkeypatch):
    write(tmp_path, "[agentloop_widgets]\nlanguage = zh-TW\ntop_k = many\n")
    reads = []
    read = settings_file.read_settings
    monkeypatch.setattr(
        settings_file, "read_settings", lambda path: reads.append(path) or read(path)
    )
    assert [strings.say("channel.thought") for _ in range(3)] == ["thinking"] * 3
    assert reads.count(tmp_path / "settings.ini") == 1
    with pytest.raises(SettingsError, match=r"top_k.*whole number"):
        here.top_k  # noqa: B018
    write(tmp_path, "[agentloop_widgets]\nlanguage = zh-TW\n")
    assert here.top_k is None and strings.say("channel.thought") == "思考"


def test_the_variable_gives_the_language_of_a_broken_files_error(here, tmp_path, monkeypatch):
    write(tmp_path, "[agentloop_widgets]\ntop_k = many\n")
    monkeypatch.setenv("AGENTLOOP_LANGUAGE", "zh-TW")
    with pytest.raises(SettingsError, match="整數"):
        here.reload()


def test_where_a_value_is_from_is_said_in_the_language_in_force(here):
    here.max_steps = 2
    assert "第 2 行" in repr(here) and "這次執行" in repr(here)
    with strings.language("en"):
        assert "line 2" in repr(here) and "set in this session" in repr(here)


def test_a_new_process_speaks_the_files_language_first(tmp_path):
    write(tmp_path, "[agentloop_widgets]\nlanguage = zh-TW\n")
    code = "from agentloop_widgets import replay\ntry: replay('nope')\nexcept OSError as e: print(ascii(e))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ascii("沒有紀錄檔")[1:-1] in done.stdout
