"""Which commit of a model is meant, and the record of it in the models folder."""

import json
import subprocess
import sys
import textwrap

import hub_fixtures
import pytest
from hub_fixtures import repository
from test_hub import bring

from agentloop_widgets.backends.hub import REVISIONS
from agentloop_widgets.backends.hub_cache import RECORD

ends, hub, folder = hub_fixtures.ends, hub_fixtures.hub, hub_fixtures.folder


def test_main_is_looked_up_once_and_recorded(hub, folder):
    first = hub.add("A/model", repository())
    assert bring("A/model", folder).revision == first
    record = json.loads((folder / RECORD).read_text())
    assert record["A/model"]["revisions"] == {"main": first}
    second = hub.add("A/model", repository(weights=40_000))
    hub.requests.clear()
    assert bring("A/model", folder).revision == first and hub.requests == []
    assert bring("A/model", folder, "main").revision == second
    assert bring("A/model", folder).revision == second


def test_a_branch_a_tag_and_a_commit_are_taken_as_asked(hub, folder):
    old = hub.add("A/model", repository(weights=30_000), "main", "v1", "refs/pr/1")
    new = hub.add("A/model", repository(weights=40_000))
    assert [
        bring("A/model", folder, name).revision for name in ("v1", "refs/pr/1", old, "main")
    ] == [old, old, old, new]
    assert bring("A/model", folder).revision == new


def test_a_pinned_id_is_loaded_at_its_commit(hub, folder, monkeypatch):
    pin = hub.add("A/model", repository())
    newer = hub.add("A/model", repository(weights=40_000))
    monkeypatch.setitem(REVISIONS, "A/model", pin)
    assert bring("A/model", folder).revision == pin
    assert bring("A/model", folder, "main").revision == newer
    assert bring("A/model", folder).revision == pin


def test_a_damaged_record_is_told_and_set_aside(hub, folder):
    commit = hub.add("A/model", repository())
    bring("A/model", folder)
    (folder / RECORD).write_text('{"A/model": [')
    with pytest.warns(UserWarning, match=RECORD):
        assert bring("A/model", folder).revision == commit
    assert (folder / f"{RECORD}.damaged").is_file()
    assert json.loads((folder / RECORD).read_text())["A/model"]["revisions"] == {"main": commit}


@pytest.mark.parametrize("text", ["[]", '{"A/model": 3}', '{"A/model": {"files": []}}', "\xff\x00"])
def test_a_record_of_another_shape_is_damaged_too(hub, folder, text):
    hub.add("A/model", repository())
    folder.mkdir()
    (folder / RECORD).write_text(text, encoding="latin-1")
    with pytest.warns(UserWarning, match=RECORD):
        bring("A/model", folder)


def test_a_recorded_entry_that_cannot_be_one_is_asked_anew(hub, folder):
    commit = hub.add("A/model", repository())
    folder.mkdir()
    entry = {"revisions": {"main": "../.."}, "files": {commit: {"../x": [1, "a" * 40]}}}
    (folder / RECORD).write_text(json.dumps({"A/model": entry}))
    assert bring("A/model", folder).revision == commit and len(hub.asked("/api/")) == 1


def test_two_processes_record_two_models(folder):
    code = textwrap.dedent("""
        import sys
        from pathlib import Path
        from agentloop_widgets.backends.hub_cache import HubFile, ModelsFolder
        for number in range(15):
            file = HubFile("config.json", number, "c" * 40)
            ModelsFolder(Path(sys.argv[1])).record(f"{sys.argv[2]}/{number}", "main", "1" * 40, {"config.json": file})
    """)
    both = [subprocess.Popen([sys.executable, "-c", code, str(folder), owner]) for owner in "ab"]
    assert [process.wait(timeout=50) for process in both] == [0, 0]
    assert len(json.loads((folder / RECORD).read_text())) == 30
