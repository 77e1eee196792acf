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

    monkeypatch.setattr(llm, "_forward", lambda *_: full())
    with pytest.raises(BackendError, match="release"):
        list(llm.generate(llm.encode("Hi")))


def test_the_types_that_can_be_asked_for():
    assert devices.check_dtype("float16") == "float16"
    with pytest.raises(BackendError, match="float33"):
        devices.check_dtype("float33")
