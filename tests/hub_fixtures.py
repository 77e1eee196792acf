"""What the tests of the Hub share: a server, a models folder, waits that take no time, and an end to a test that hangs."""

import json
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hub_server import Hub, serving

from agentloop_widgets.backends import hub_transfer

SECONDS = 60  # a test that takes longer hangs


@pytest.fixture(autouse=True)
def ends():
    """A test that hangs fails."""

    def fail(*_):
        raise TimeoutError(f"the test took more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def hub(monkeypatch) -> Iterator[Hub]:
    """A Hub on loopback that this process takes for the Hub, and no account of whoever runs the test."""
    with serving() as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        for name in ("HF_HUB_OFFLINE", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")
        monkeypatch.setattr("huggingface_hub.get_token", lambda: None)
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_IMPLICIT_TOKEN", True)
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
        monkeypatch.setattr(hub_transfer, "WAITS", (0.01, 0.01, 0.01))
        yield server


@pytest.fixture
def folder(tmp_path) -> Path:
    """A models folder that is not there yet, of a name outside ASCII."""
    return tmp_path / "模型 mødèles"


def noise(size: int, seed: int = 0) -> bytes:
    return random.Random(seed).randbytes(size)


def repository(
    model_type: str = "qwen3_5", weights: int = 300_000, **more: bytes
) -> dict[str, bytes]:
    """A repository of a model type, with weights that are noise."""
    return {
        ".gitattributes": b"*.safetensors filter=lfs\n",
        "README.md": b"# A model\n",
        "config.json": json.dumps({"model_type": model_type}).encode(),
        "tokenizer.json": b'{"version": "1.0"}',
        "tokenizer_config.json": b"{}",
        "model.safetensors": noise(weights),
        **more,
    }


def sharded(**more: bytes) -> dict[str, bytes]:
    """A repository whose weights are in two shards, with files beside them that nothing here reads."""
    names = [f"model-0000{number}-of-00002.safetensors" for number in (1, 2)]
    index = {"weight_map": {"a": names[0], "b": names[1], "c": names[1]}}
    files = repository()
    del files["model.safetensors"]
    return {
        **files,
        "model.safetensors.index.json": json.dumps(index).encode(),
        **{name: noise(50_000, seed) for seed, name in enumerate(names)},
        "model.fp16.safetensors": noise(30_000, 3),
        "consolidated.safetensors": noise(30_000, 4),
        "pytorch_model.bin": noise(30_000, 5),
        "pytorch_model.bin.index.json": b"{}",
        "original/consolidated.00.pth": noise(30_000, 6),
        "original/params.json": b"{}",
        "model-Q4_K_M.gguf": noise(30_000, 7),
        "onnx/model.onnx": noise(30_000, 8),
        "vocab.json": b"{}",
        "merges.txt": b"#version: 0.2\n",
        "additional_chat_templates/tool.jinja": b"{{ messages }}",
        **more,
    }
