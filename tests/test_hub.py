"""Models from a Hub: what is fetched, what is fetched again, which commit, and what is found without a network."""

import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import hub_fixtures
import pytest
from hub_fixtures import noise, repository, sharded
from hub_server import git_hash

from agentloop_widgets.backends import BackendError, hub_cache
from agentloop_widgets.backends.hub import Snapshot, download
from agentloop_widgets.backends.hub_cache import ModelsFolder
from agentloop_widgets.trace.settings_file import settings

ends, hub, folder = hub_fixtures.ends, hub_fixtures.hub, hub_fixtures.folder
EMBEDDED = Path(hub_cache.__file__).parent.parent / "models" / "qwen3_5"


def bring(model_id: str, folder: Path, revision: str | None = None, **options) -> Snapshot:
    return download(model_id, revision, folder=folder, progress=False, **options)


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


# What is fetched.


def test_a_downloaded_model_loads_and_answers(hub, folder):
    from agentloop_widgets.backends.folder import load_folder

    files = {path.name: path.read_bytes() for path in EMBEDDED.iterdir()}
    commit = hub.add("Tiny/Qwen3.5", files)
    found = bring("Tiny/Qwen3.5", folder)
    assert (found.revision, found.model_type, found.model_id) == (commit, "qwen3_5", "Tiny/Qwen3.5")
    assert {path.name: path.read_bytes() for path in found.folder.iterdir()} == files
    llm = load_folder(found.folder, model_id=found.model_id)
    prompt = llm.render([{"role": "user", "content": "What is 2 + 2?"}])
    tokens = [event for event in llm.generate(llm.encode(prompt)) if event.type == "token"]
    assert tokens and tokens[0].piece


def test_a_turn_says_which_commit_it_ran_on(hub, folder, monkeypatch):
    from agentloop_widgets import Turn, load_backend

    monkeypatch.setitem(settings._set, "models_folder", settings.look_up("models_folder"))
    settings.models_folder = folder
    commit = hub.add("Tiny/Qwen3.5", {path.name: path.read_bytes() for path in EMBEDDED.iterdir()})
    llm = load_backend("Tiny/Qwen3.5", device="cpu")
    assert llm.model_id == "Tiny/Qwen3.5" and llm.card()["revision"] == commit
    assert Turn(llm, "Hi").trace.header["revision"] == commit


def test_config_comes_first_and_the_weights_last(hub, folder):
    hub.add("A/model", repository())
    bring("A/model", folder)
    fetched = [path.rsplit("/", 1)[-1] for _, path, _ in hub.asked("/resolve/")]
    assert fetched[0] == "config.json" and fetched[-1] == "model.safetensors"
    assert len(fetched) == len(repository()) and len(hub.asked("/api/")) == 1


def test_a_model_of_another_type_is_refused_before_any_weight(hub, folder):
    hub.add("A/llama", repository("llama"))
    with pytest.raises(BackendError, match=r"A/llama.*llama.*qwen3_5"):
        bring("A/llama", folder)
    assert hub.asked(".safetensors") == [] and hub.asked("tokenizer") == []


def test_a_caller_names_the_types_it_takes(hub, folder):
    hub.add("A/assistant", repository("gemma4_assistant"))
    assert (
        bring("A/assistant", folder, supported=["gemma4_assistant"]).model_type
        == "gemma4_assistant"
    )
    with pytest.raises(BackendError, match=r"gemma4_assistant.*gemma4_other"):
        bring("A/assistant", folder, supported=["gemma4_other"])


def test_only_what_transformers_reads_is_fetched(hub, folder):
    files = sharded()
    hub.add("A/many", files)
    found = bring("A/many", folder)
    assert names(found.folder) == {
        *(name for name in repository() if name != "model.safetensors"),
        "model.safetensors.index.json",
        "model-00001-of-00002.safetensors",
        "model-00002-of-00002.safetensors",
        "vocab.json",
        "merges.txt",
        "additional_chat_templates/tool.jinja",
    }
    assert all((found.folder / name).read_bytes() == files[name] for name in names(found.folder))


def test_old_weights_are_taken_where_there_are_no_others(hub, folder):
    files = repository()
    files["pytorch_model.bin"] = files.pop("model.safetensors")
    hub.add("A/old", files)
    assert "pytorch_model.bin" in names(bring("A/old", folder).folder)


def test_config_alone(hub, folder):
    hub.add("A/model", repository())
    found = bring("A/model", folder, only_config=True)
    assert names(found.folder) == {"config.json"} and found.model_type == "qwen3_5"
    bring("A/model", folder)
    assert (
        len(hub.asked("config.json")) == 2 and len(hub.asked("/api/")) == 1
    )  # config, tokenizer_config


def test_a_repository_that_is_no_checkpoint_is_refused(hub, folder):
    files = repository()
    del files["model.safetensors"]
    hub.add("A/gguf", {**files, "model.gguf": noise(30_000)})
    with pytest.raises(BackendError, match=r"A/gguf.*no model\.safetensors.*README\.md"):
        bring("A/gguf", folder)
    hub.add("A/notes", {"README.md": b"x"})
    with pytest.raises(BackendError, match=r"config\.json"):
        bring("A/notes", folder)
    assert hub.asked("/resolve/") == []


def test_a_shard_that_the_repository_lacks_is_named(hub, folder):
    files = sharded()
    del files["model-00002-of-00002.safetensors"]
    hub.add("A/broken", files)
    with pytest.raises(BackendError, match="model-00002-of-00002"):
        bring("A/broken", folder)


def test_a_folder_is_taken_as_it_is(hub, tmp_path):
    own = tmp_path / "my model"
    own.mkdir()
    assert download(own, folder=tmp_path / "models") == Snapshot(own, "my model")
    assert hub.requests == [] and not (tmp_path / "models").exists()


def test_a_name_that_would_leave_the_folder_is_not_written(hub, folder):
    hub.add("A/model", {**repository(), "../../../../evil.json": b"{}", "sub/config.json": b"{}"})
    found = bring("A/model", folder)
    assert not list(folder.parent.rglob("evil.json"))
    assert names(found.folder) == set(repository())


def test_the_bar_is_shown_only_where_it_is_asked_for(hub, folder, capfd):
    hub.add("A/model", repository())
    bring("A/model", folder / "quiet")
    assert capfd.readouterr() == ("", "")
    download("A/model", folder=folder / "shown")
    assert "A/model" in capfd.readouterr().err


def test_the_models_folder_is_the_settings(hub, folder, monkeypatch):
    hub.add("A/model", repository())
    monkeypatch.setitem(settings._set, "models_folder", settings.look_up("models_folder"))
    settings.models_folder = folder
    assert download("A/model", progress=False).folder.is_relative_to(folder)


# Again, and without a network.


def test_a_whole_model_is_loaded_without_asking(hub, folder, monkeypatch):
    hub.add("A/model", repository())
    first = bring("A/model", folder)
    hub.requests.clear()
    assert bring("A/model", folder) == first and hub.requests == []
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert bring("A/model", folder) == first
    assert bring("A/model", folder, first.revision) == first and hub.requests == []


def test_a_branch_that_cannot_be_asked_is_what_it_was(hub, folder, monkeypatch):
    hub.add("A/model", repository())
    first = bring("A/model", folder)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.warns(UserWarning, match="main"):
        assert bring("A/model", folder, "main") == first


@pytest.mark.parametrize(
    "gone", ["tokenizer.json", "model-00002-of-00002.safetensors", "merges.txt"]
)
def test_offline_a_missing_file_is_named(hub, folder, monkeypatch, gone):
    hub.add("A/model", sharded())
    found = bring("A/model", folder)
    (found.folder / gone).resolve().unlink()
    (found.folder / gone).unlink()
    for name, value in {"HF_HUB_OFFLINE": "1", "HF_ENDPOINT": "http://127.0.0.1:9"}.items():
        monkeypatch.setenv(name, value)
        with pytest.raises(BackendError, match=f"missing: {gone}\\."):
            bring("A/model", folder)
        monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    hub.requests.clear()
    bring("A/model", folder)
    assert [path.rsplit("/", 1)[-1] for _, path, _ in hub.asked("/resolve/")] == [gone]


def test_another_programs_download_is_used_as_it_is(hub, folder, monkeypatch):
    from huggingface_hub import snapshot_download

    files = sharded()
    commit = hub.add("A/model", files)
    options = {"cache_dir": folder, "endpoint": hub.url, "token": False}
    snapshot_download("A/model", **options)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # main could not be asked
        found = bring("A/model", folder)
        assert found.revision == commit
        (found.folder / "model-00001-of-00002.safetensors").unlink()
        with pytest.raises(BackendError, match="missing: model-00001-of-00002"):
            bring("A/model", folder)
        (found.folder / "tokenizer.json").unlink()
        (found.folder / "merges.txt").unlink()
        with pytest.raises(BackendError, match=r"missing: merges\.txt"):
            bring("A/model", folder)


def test_another_program_finds_the_download(hub, folder):
    from huggingface_hub import scan_cache_dir, snapshot_download

    commit = hub.add("A/model", repository())
    found = bring("A/model", folder)
    hub.requests.clear()
    options = {"cache_dir": folder, "endpoint": hub.url, "token": False}
    assert Path(snapshot_download("A/model", revision=commit, **options)) == found.folder.resolve()
    assert hub.asked("/resolve/") == []
    assert [repo.repo_id for repo in scan_cache_dir(folder).repos] == ["A/model"]


def test_a_file_shared_by_two_commits_is_fetched_once(hub, folder):
    hub.add("A/model", repository(), "main", "v1")
    bring("A/model", folder)
    hub.add("A/model", repository(**{"README.md": b"# Another\n"}))
    hub.requests.clear()
    bring("A/model", folder, "main")
    assert [path.rsplit("/", 1)[-1] for _, path, _ in hub.asked("/resolve/")] == ["README.md"]


def test_a_file_cut_short_on_the_disk_is_fetched_anew(hub, folder):
    hub.add("A/model", repository())
    found = bring("A/model", folder)
    blob = (found.folder / "model.safetensors").resolve()
    blob.write_bytes(blob.read_bytes()[:1000])
    bring("A/model", folder)
    assert (found.folder / "model.safetensors").read_bytes() == noise(300_000)


def test_a_disk_without_links_holds_the_files_themselves(hub, folder, monkeypatch):
    def refuse(*_, **__):
        raise OSError("no links here")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    hub.add("A/model", repository())
    found = bring("A/model", folder)
    hub.requests.clear()
    assert bring("A/model", folder) == found and hub.requests == []
    assert git_hash((found.folder / "config.json").read_bytes()) == git_hash(
        repository()["config.json"]
    )


# Two at once.

ANOTHER = textwrap.dedent("""
    import sys
    from pathlib import Path
    from agentloop_widgets.backends.hub import download
    print("ready", flush=True)
    sys.stdin.readline()
    print(download("A/model", folder=Path(sys.argv[1]), progress=False).revision)
""")


def test_two_processes_download_the_same_model_once(hub, folder):
    commit = hub.add("A/model", repository(weights=2_000_000))
    hub.faults.silence = {"model.safetensors": 0.5}
    command = [sys.executable, "-c", ANOTHER, str(folder)]
    both = [subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1, text=True) for _ in range(2)]
    assert [process.stdout.readline() for process in both] == ["ready\n"] * 2
    for process in both:
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=50) for process in both]
    assert [out.strip() for out, _ in said] == [commit, commit], said
    assert len(hub.asked("/cdn/A/model")) == 1 and hub.sent["model.safetensors"] == 2_000_000
    assert ModelsFolder(folder).commit_of("A/model", "main") == commit
