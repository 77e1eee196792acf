"""The table of models: what is pinned, what is here, what can be loaded and why not."""

import subprocess
import sys
from pathlib import Path

import hub_fixtures
import pytest
from hub_fixtures import repository, sharded
from test_hub import bring

from agentloop_widgets.backends import BackendError
from agentloop_widgets.backends.embedded import EMBEDDED
from agentloop_widgets.backends.hub import is_hub_id, models
from agentloop_widgets.backends.hub_cache import DRAFTERS, KNOWN, REVISIONS, ModelsFolder
from agentloop_widgets.backends.models_table import ModelRow
from agentloop_widgets.trace.strings import language, size_text

ends, hub, folder = hub_fixtures.ends, hub_fixtures.hub, hub_fixtures.folder


def row(folder: Path, model_id: str) -> ModelRow:
    (found,) = [row for row in models(folder) if row.model_id == model_id]
    return found


def test_what_is_known_before_anything_is_downloaded(folder):
    table = models(folder)
    assert [row.model_id for row in table] == [*EMBEDDED, *KNOWN]
    names = [*EMBEDDED, *KNOWN]
    assert [row.pinned for row in table] == [name in REVISIONS for name in names]
    assert [row.revision for row in table] == [REVISIONS.get(name) for name in names]
    assert [row.whole for row in table] == [name in EMBEDDED for name in names]
    assert all(row.supported for row in table[:3])
    assert [row.model_type for row in table[:3]] == ["qwen3_5", "gemma4", "qwen3_5"]
    assert {row.model_id: row.part_of for row in table if row.part_of} == DRAFTERS
    assert not folder.exists()


def test_the_known_types_are_what_transformers_calls_them():
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

    assert set(KNOWN.values()) <= set(CONFIG_MAPPING_NAMES)


def test_a_download_is_listed_with_its_commit_and_size(hub, folder):
    files = repository()
    commit = hub.add("A/model", files)
    bring("A/model", folder)
    found = row(folder, "A/model")
    assert (found.revision, found.recorded, found.pinned, found.whole) == (
        commit,
        True,
        False,
        True,
    )
    assert found.here == found.total == sum(map(len, files.values()))
    assert found.supported and found.model_type == "qwen3_5"
    cells = found.cells()
    assert commit[:8] in cells[1] and cells[2] == size_text(found.here)


def test_a_part_of_a_download_is_counted(hub, folder):
    hub.add("A/model", sharded())
    second = "model-00002-of-00002.safetensors"
    hub.faults.cut = {second: [30_000] + [0] * 20}
    with pytest.raises(BackendError):
        bring("A/model", folder)
    found = row(folder, "A/model")
    assert not found.whole and found.total - found.here == 20_000
    with language("en"):
        assert found.cells()[2] == f"{size_text(found.here)} of {size_text(found.total)}"


def test_config_alone_is_a_part(hub, folder):
    hub.add("A/model", sharded())
    bring("A/model", folder, only_config=True)
    found = row(folder, "A/model")
    assert not found.whole and 0 < found.here < 100 and found.total > 100_000


def test_what_cannot_be_loaded_says_why(hub, folder):
    hub.add("A/llama", repository("llama"))
    with pytest.raises(BackendError):
        bring("A/llama", folder)
    found = row(folder, "A/llama")
    assert not found.supported and "llama" in found.reason and found.model_type == "llama"


def test_another_commit_is_another_row(hub, folder):
    old = hub.add("A/model", repository(weights=30_000), "main", "v1")
    bring("A/model", folder, "v1")
    new = hub.add("A/model", repository())
    bring("A/model", folder)
    rows = [row for row in models(folder) if row.model_id == "A/model"]
    assert [(row.revision, row.recorded) for row in rows] == [(new, True), (old, False)]


def test_another_programs_download_is_judged_by_what_it_needs(hub, folder):
    from huggingface_hub import snapshot_download

    hub.add("A/model", sharded())
    options = {"cache_dir": folder, "endpoint": hub.url, "token": False}
    where = Path(snapshot_download("A/model", **options))
    found = row(folder, "A/model")
    assert found.whole and found.total is None and found.recorded
    (where / "model-00001-of-00002.safetensors").unlink()
    assert not row(folder, "A/model").whole
    for name in ("model.safetensors.index.json", "config.json"):
        (where / name).write_text("{")
    found = row(folder, "A/model")
    assert not found.whole and "config.json" in found.reason


def test_it_asks_no_network(hub, folder):
    hub.add("A/model", repository())
    bring("A/model", folder)
    hub.requests.clear()
    assert str(models(folder)) and hub.requests == []


@pytest.mark.parametrize("tongue, word", [("en", "not downloaded"), ("zh-TW", "還沒下載")])
def test_the_table_in_both_languages(folder, tongue, word):
    with language(tongue):
        table = models(folder)
        assert word in str(table) and word in table._repr_html_() and str(folder) in str(table)
        assert str(table) == repr(table) == table.to_text()


def test_the_html_is_escaped(hub, folder):
    hub.add("A/model", repository("<script>alert(1)</script>"))
    with pytest.raises(BackendError):
        bring("A/model", folder)
    html = models(folder).to_html()
    assert "<script>" not in html and "&lt;script&gt;" in html


def test_strange_things_in_the_folder_are_passed_over(folder):
    for name in ("models--a", "datasets--a--b", ".locks", "models--a--b/snapshots/no-commit"):
        (folder / name).mkdir(parents=True)
    (folder / "models--a--c").write_text("a file")
    assert [row.model_id for row in models(folder)] == [*EMBEDDED, *KNOWN]
    assert ModelsFolder(folder).ids() == ["a/b"]


def test_a_folder_here_is_no_id(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert is_hub_id("A/model")
    (tmp_path / "A" / "model").mkdir(parents=True)
    assert not is_hub_id("A/model")


def test_the_hubs_library_is_only_loaded_when_it_is_needed():
    code = "import sys, agentloop_widgets.backends.hub; print({'huggingface_hub', 'torch', 'transformers'} & set(sys.modules))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=50)
    assert said.stdout.strip() == "set()", said.stderr
