"""A Hub that fails: cut connections go on where they stopped, and every failure is told in words that say what to do."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import hub_fixtures
import pytest
from hub_fixtures import noise, repository, sharded
from test_hub import bring, names

from agentloop_widgets.backends import BackendError, hub_transfer
from agentloop_widgets.backends.hub_cache import RECORD, ModelsFolder

ends, hub, folder = hub_fixtures.ends, hub_fixtures.hub, hub_fixtures.folder
SIZE = 300_000


def ranges(hub) -> list[str]:
    """The ranges asked of the weights."""
    return [wanted for _, _, wanted in hub.asked("/cdn/")]


# Cut connections.


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
def test_a_cut_connection_goes_on_from_where_it_stopped(hub, folder, reset):
    hub.add("A/model", repository())
    hub.faults.cut, hub.faults.reset = {"model.safetensors": [100_000, 50_000]}, reset
    found = bring("A/model", folder)
    assert (found.folder / "model.safetensors").read_bytes() == noise(SIZE)
    first, *later = ranges(hub)
    assert first == "" and len(later) == 2 and all(wanted.startswith("bytes=") for wanted in later)
    if not reset:  # a reset may drop what was on its way
        assert later == ["bytes=100000-", "bytes=150000-"] and hub.sent["model.safetensors"] == SIZE


def test_a_connection_cut_for_good_is_told_and_the_next_run_goes_on(hub, folder):
    commit = hub.add("A/model", sharded())
    second = "model-00002-of-00002.safetensors"
    hub.faults.cut = {second: [30_000] + [0] * 20}
    with pytest.raises(BackendError, match=rf"missing: {second}\. .*network.* Run it again then"):
        bring("A/model", folder)
    assert not (ModelsFolder(folder).snapshot("A/model", commit) / second).exists()
    hub.faults.cut = {}
    hub.requests.clear()
    found = bring("A/model", folder)
    assert (found.folder / second).read_bytes() == noise(50_000, 1)
    assert [wanted for _, _, wanted in hub.asked("/cdn/")] == ["bytes=30000-"]


def test_a_connection_that_is_cut_before_anything_comes_is_not_tried_for_long(hub, folder):
    hub.add("A/model", repository())
    hub.faults.cut = {"config.json": [0] * 20}
    with pytest.raises(BackendError, match=r"missing: config\.json"):
        bring("A/model", folder)
    assert len(hub.asked("/resolve/")) == 2


def test_an_interrupted_download_goes_on(hub, folder, monkeypatch):
    hub.add("A/model", repository(weights=2_000_000))

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(hub_transfer, "_wait", interrupt)
    hub.faults.cut = {"model.safetensors": [900_000]}
    with pytest.raises(KeyboardInterrupt):
        bring("A/model", folder)
    bring("A/model", folder)
    assert ranges(hub) == ["", "bytes=900000-"]


def test_a_server_without_ranges_sends_the_file_anew(hub, folder):
    hub.add("A/model", repository())
    hub.faults.cut, hub.faults.no_range = {"model.safetensors": [100_000]}, True
    found = bring("A/model", folder)
    assert (found.folder / "model.safetensors").read_bytes() == noise(SIZE)
    assert hub.sent["model.safetensors"] == SIZE + 100_000


def test_a_silent_server_is_told(hub, folder, monkeypatch):
    hub.add("A/model", repository())
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DOWNLOAD_TIMEOUT", 0.2)
    hub.faults.silence = {"api": 1}
    with pytest.raises(BackendError, match="in time"):
        bring("A/model", folder)
    hub.faults.silence = {"model.safetensors": 1}
    with pytest.raises(BackendError, match=r"missing: model\.safetensors\. .*in time"):
        bring("A/model", folder)


# Files that come out wrong.


@pytest.mark.parametrize("name", ["model.safetensors", "config.json"])
def test_a_file_of_other_content_is_thrown_away(hub, folder, name):
    hub.add("A/model", repository())
    hub.faults.spoilt = {name}
    with pytest.raises(BackendError, match=f"{name} came out different"):
        bring("A/model", folder)
    hub.faults.spoilt = set()
    assert (bring("A/model", folder).folder / name).read_bytes() == repository()[name]


@pytest.mark.parametrize("more", [100, -100], ids=["longer", "shorter"])
def test_a_file_of_another_size_than_listed_is_thrown_away(hub, folder, more):
    hub.add("A/model", repository())
    hub.faults.size = {"model.safetensors": more}
    with pytest.raises(BackendError, match=r"model\.safetensors came out different"):
        bring("A/model", folder)
    assert "model.safetensors" not in {path.rsplit("/", 1)[-1] for path in names(folder)}


def test_an_unfinished_file_that_is_not_its_beginning_is_noticed(hub, folder):
    hub.add("A/model", repository())
    hub.faults.cut = {"model.safetensors": [30_000] + [0] * 20}
    with pytest.raises(BackendError):
        bring("A/model", folder)
    unfinished = next(folder.rglob("*.incomplete"))
    unfinished.write_bytes(b"x" * 30_000)
    hub.faults.cut = {}
    with pytest.raises(BackendError, match="came out different"):
        bring("A/model", folder)
    assert bring("A/model", folder).folder.is_dir()


def test_an_index_that_cannot_be_read_is_named(hub, folder):
    hub.add("A/model", sharded(**{"model.safetensors.index.json": b"{}"}))
    with pytest.raises(BackendError, match=r"model\.safetensors\.index\.json"):
        bring("A/model", folder)


@pytest.mark.parametrize("content", [b"{", b"[]", b"{}", b"\xff"])
def test_a_config_that_cannot_be_read_is_named(hub, folder, content):
    hub.add("A/model", repository(**{"config.json": content}))
    with pytest.raises(BackendError, match=r"config\.json"):
        bring("A/model", folder)
    assert hub.asked("safetensors") == []


# The disk.


def test_a_disk_with_too_little_room_is_told_before_the_weights(hub, folder, monkeypatch):
    hub.add("A/model", repository())
    usage = shutil.disk_usage(folder.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=100_000))
    with pytest.raises(BackendError, match=r"A/model needs 300 kB more.* has 100 kB"):
        bring("A/model", folder)
    assert hub.asked("safetensors") == []


def test_what_has_come_needs_no_more_room(hub, folder, monkeypatch):
    hub.add("A/model", repository())
    hub.faults.cut = {"model.safetensors": [250_000] + [0] * 20}
    with pytest.raises(BackendError):
        bring("A/model", folder)
    usage = shutil.disk_usage(folder)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=100_000))
    hub.faults.cut = {}
    assert bring("A/model", folder)


@pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="only Linux has a disk that is always full"
)
def test_a_disk_that_fills_up_is_told(hub, folder):
    hub.add("A/model", repository())
    found = bring("A/model", folder)
    blob = (found.folder / "model.safetensors").resolve()
    blob.unlink()
    blob.with_name(f"{blob.name}.incomplete").symlink_to("/dev/full")
    with pytest.raises(BackendError, match="disk is full"):
        bring("A/model", folder)


def test_a_models_folder_that_is_a_file_is_told(hub, folder):
    hub.add("A/model", repository())
    folder.write_text("no folder")
    with pytest.raises(BackendError, match="is a file"):
        bring("A/model", folder)
    with pytest.warns(UserWarning, match=RECORD), pytest.raises(BackendError, match="is a file"):
        bring("A/model", folder / "below")


READ_ONLY = """
import sys, warnings
from pathlib import Path
from agentloop_widgets.backends.base import BackendError
from agentloop_widgets.backends.hub import download
warnings.simplefilter("ignore")
try:
    print(download(sys.argv[2], folder=Path(sys.argv[1]), progress=False).revision)
except BackendError as error:
    print(error)
"""


def without_roots_rights(*command: str) -> str:
    """What a process says that file modes hold for, whoever runs the tests."""
    drop = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    return subprocess.run(
        [*drop, *command], capture_output=True, text=True, timeout=50, check=True
    ).stdout


@pytest.mark.skipif(
    os.name == "nt" or (os.geteuid() == 0 and not shutil.which("setpriv")), reason="needs setpriv"
)
def test_a_folder_that_may_not_be_written_to(hub, folder):
    commit = hub.add("A/model", repository())
    bring("A/model", folder)
    (folder / RECORD).unlink()
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        code = [sys.executable, "-c", READ_ONLY, str(folder)]
        assert (
            without_roots_rights(*code, "A/model").strip() == commit
        )  # whole: nothing has to be written
        hub.add("A/other", repository())
        assert "may not be written to" in without_roots_rights(*code, "A/other")
    finally:
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755)


def test_any_other_error_of_the_disk_is_told(hub, folder, monkeypatch):
    def fail(*_):
        raise OSError(errno.EIO, "Input/output error")

    hub.add("A/model", repository())
    monkeypatch.setattr(os, "replace", fail)
    with (
        pytest.warns(UserWarning, match="Input/output"),
        pytest.raises(BackendError, match="Input/output"),
    ):
        bring("A/model", folder)
