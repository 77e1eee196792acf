"""Device, type of numbers, and memory handed back, without a GPU at hand: what would be called, in which order."""

import pytest
import torch

from agentloop_widgets import Sampling, load_backend
from agentloop_widgets.backends import BackendError, devices
from agentloop_widgets.backends.devices import hand_back, pick_device, pick_dtype


@pytest.mark.parametrize(
    "cuda, mps, device",
    [(True, False, "cuda"), (False, True, "mps"), (False, False, "cpu"), (True, True, "cuda")],
)
def test_the_best_device_there_is(monkeypatch, cuda, mps, device):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert pick_device() == device


@pytest.mark.parametrize(
    "device, stored, dtype",
    [
        ("cuda", torch.bfloat16, "bfloat16"),
        ("mps", torch.float16, "float16"),
        ("cuda:1", None, "bfloat16"),
        ("cpu", torch.bfloat16, "float32"),
        ("cuda", torch.float32, "float32"),
    ],
)
def test_the_files_own_type_on_a_gpu_and_float32_on_a_cpu(device, stored, dtype):
    assert pick_dtype(device, stored) == dtype


def test_cublas_workspaces_go_before_the_cache(monkeypatch):
    called = []
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: called.append("synchronize"))
    monkeypatch.setattr(
        torch._C, "_cuda_clearCublasWorkspaces", lambda: called.append("workspaces"), raising=False
    )
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: called.append("cache"))
    hand_back("cuda:0")
    assert called == ["synchronize", "workspaces", "cache"]


def test_on_apple_the_cache_goes(monkeypatch):
    called = []
    monkeypatch.setattr(torch.mps, "empty_cache", lambda: called.append("cache"))
    hand_back("mps")
    assert called == ["cache"]


def test_a_released_model_says_so(checkpoints):
    with load_backend(checkpoints["qwen3_5"]) as llm:
        encoded = llm.encode("Hi")
        assert len(list(llm.generate(encoded, Sampling(temperature=0, max_new_tokens=2)))) == 4
    assert llm.model is None and llm.card()["parameters"] > 0  # what it was can still be seen
    with pytest.raises(BackendError, match="load_backend"):
        list(llm.generate(encoded))
    llm.release()  # again is nothing


def test_a_model_on_a_gpu_that_nobody_refers_to_hands_its_memory_back(checkpoints, monkeypatch):
    from agentloop_widgets.backends import transformers

    handed = []
    monkeypatch.setattr(transformers, "hand_back", handed.append)
    llm = load_backend(checkpoints["qwen3_5"])
    llm.device = "cuda:0"
    del llm
    assert handed == ["cuda:0"]


def test_full_memory_says_what_to_do(checkpoints, monkeypatch):
    llm = load_backend(checkpoints["qwen3_5"])

    def full(**_):
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(llm.passes, "forward", lambda *_, **__: full())
    with pytest.raises(BackendError, match="release"):
        list(llm.generate(llm.encode("Hi")))


def test_the_types_that_can_be_asked_for():
    assert devices.check_dtype("float16") == "float16"
    with pytest.raises(BackendError, match="float33"):
        devices.check_dtype("float33")


class Held:
    """A backend as `make_room` sees it, on a device with a certain number of bytes."""

    def __init__(self, name, device="cuda:0", size=60):
        self.model_id, self.device, self.size, self.model = name, device, size, object()

    def release(self):
        self.model = None


@pytest.fixture
def gpu(monkeypatch):
    """100 bytes, of which what is held is taken."""
    held = [
        Held("first", size=30),
        Held("second", size=40),
        Held("elsewhere", device="mps", size=0),
    ]
    monkeypatch.setattr(devices, "hand_back", lambda device: None)
    monkeypatch.setattr(
        devices,
        "free_bytes",
        lambda device: 100 - sum(each.size for each in held if each.model is not None),
    )
    return held, [lambda each=each: each for each in held]


def test_models_stay_where_there_is_room(gpu):
    held, references = gpu
    devices.make_room("cuda", 20, references)
    assert all(each.model is not None for each in held)


def test_the_oldest_goes_first_and_only_as_many_as_must(gpu):
    held, references = gpu
    with pytest.warns(UserWarning, match="first was released"):
        devices.make_room("cuda", 50, references)
    assert [each.model is not None for each in held] == [False, True, True]


def test_all_go_where_all_must_but_none_on_another_device(gpu):
    held, references = gpu
    with pytest.warns(UserWarning, match="released"):
        devices.make_room("cuda", 500, references)
    assert [each.model is not None for each in held] == [False, False, True]


def test_what_the_weights_take(checkpoints, tmp_path):
    folder = checkpoints["qwen3_5"]
    assert (
        devices.weights_bytes(folder, "float32")
        == 2 * devices.weights_bytes(folder, "bfloat16")
        > 1_000_000
    )
    assert devices.weights_bytes(tmp_path, "float32") == 0


def test_what_was_made_of_media_goes_with_the_model(checkpoints, media_files):
    import gc
    import weakref

    llm = load_backend(checkpoints["qwen3_5"], device="cpu")
    part = {"type": "image", "path": str(media_files["photo"])}
    encoded = llm.encode(llm.render([{"role": "user", "content": [part]}]), [part])
    pixels = weakref.ref(encoded.inputs["pixel_values"])
    llm.release()
    del encoded
    gc.collect()
    assert pixels() is None


def test_a_card_that_cannot_be_made_keeps_no_memory(checkpoints, monkeypatch):
    from agentloop_widgets.backends import transformers

    def broken(backend):
        raise OSError("a file went away")

    monkeypatch.setattr(transformers, "model_card", broken)
    with pytest.raises(KeyError), load_backend(checkpoints["qwen3_5"], device="cpu") as llm:
        raise KeyError("the user's own")
    assert llm.model is None and llm.card()["family"] == "qwen3_5"


def test_a_generation_that_goes_on_after_release_says_so(checkpoints):
    llm = load_backend(checkpoints["qwen3_5"], device="cpu")
    events = llm.generate(llm.encode("Hi"), Sampling(temperature=0, max_new_tokens=5))
    next(events), next(events)
    llm.release()
    with pytest.raises(BackendError, match="load_backend"):
        list(events)


@pytest.mark.parametrize("device", ["gpu", "cuda:x", "", "cuda:99"])
def test_a_device_that_is_none_is_told_before_anything_is_read(checkpoints, device):
    with pytest.raises(BackendError, match=r"cpu"):
        load_backend(checkpoints["qwen3_5"], device=device)
