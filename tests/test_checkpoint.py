"""A checkpoint folder that is not whole is refused by the name of what is wrong with it."""

import shutil

import pytest

from agentloop_widgets import load_backend
from agentloop_widgets.backends import BackendError


@pytest.fixture
def folder(llm, tmp_path):
    return shutil.copytree(llm.folder, tmp_path / "copy")


@pytest.mark.parametrize(
    "name, word",
    [
        ("tokenizer.json", "tokenizer.json"),
        ("model.safetensors", "model.safetensors"),
        ("chat_template.jinja", "chat_template"),
    ],
)
def test_a_missing_file_is_named(folder, name, word):
    (folder / name).unlink()
    with pytest.raises(BackendError, match=word):
        load_backend(folder)


@pytest.mark.parametrize(
    "name, content, word",
    [
        ("config.json", "{", "config"),
        ("tokenizer.json", "{", "tokenizer"),
        ("model.safetensors", "nothing", "weights"),
    ],
)
def test_a_broken_file_is_named(folder, name, content, word):
    (folder / name).write_text(content)
    with pytest.raises(BackendError, match=word):
        load_backend(folder)


@pytest.mark.parametrize(
    "options, error, word",
    [
        ({"dtype": "float33"}, BackendError, "float33"),
        ({"device": "gpu"}, BackendError, "gpu"),
        ({"colour": 1}, TypeError, "colour"),
    ],
)
def test_a_wrong_option_is_named(folder, options, error, word):
    with pytest.raises(error, match=word):
        load_backend(folder, **options)


def test_the_embedded_model_takes_no_options():
    with pytest.raises(TypeError, match="embedded"):
        load_backend("embedded", device="cuda")
    with pytest.raises(TypeError, match="int"):
        load_backend(3)


def test_quiet_over_threads_restores_what_was_set():
    import threading

    from transformers.utils import logging

    from agentloop_widgets.backends.checkpoint import quiet_transformers

    before, barrier = logging.get_verbosity(), threading.Barrier(8)

    def work():
        for _ in range(50):
            with quiet_transformers():
                pass
        barrier.wait()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert logging.get_verbosity() == before
