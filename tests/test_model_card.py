"""The card says what was loaded, from the files and the weights themselves."""

import json
import shutil

import pytest

from agentloop_widgets import load_backend
from agentloop_widgets.backends.card import (
    drafter_card,
    file_rows,
    layer_rows,
    parameter_parts,
    tokenizer_card,
)
from agentloop_widgets.backends.tensors import tensor_sizes


def test_it_is_json(tiny, llm):
    for backend in (*tiny.values(), llm):
        assert json.loads(json.dumps(backend.card())) == backend.card()


def test_qwens_layers(tiny):
    card = tiny["qwen3_5"].card()
    assert (card["architecture"], card["model_type"], card["family"]) == (
        "Qwen3_5ForConditionalGeneration",
        "qwen3_5",
        "qwen3_5",
    )
    assert [row["kind"] for row in card["text"]["layers"]] == ["linear_attention"] * 3 + [
        "full_attention"
    ]
    assert (
        card["text"]["window"] is None and card["vision"]["layers"] == 1 and card["audio"] is None
    )
    assert [(row["kind"], row["taken"]) for row in card["media"]] == [
        ("image", True),
        ("audio", False),
        ("video", True),
    ]
    assert (
        "encoder" in card["media"][1]["reason"]["en"]
        and "編碼器" in card["media"][1]["reason"]["zh-TW"]
    )
    assert [row["piece"] for row in card["stop"]] == ["<|endoftext|>", "<|im_end|>"]
    assert card["recommended"] == {"temperature": 1.0, "top_p": 1.0, "top_k": 20}


def test_gemmas_layers_that_share_keys_and_values(tiny):
    card = tiny["gemma4"].card()
    layers = card["text"]["layers"]
    assert [row["shares"] for row in layers] == [None, None, None, None, 3, 2]
    assert (
        layers[4]["kind"] == layers[3]["kind"] == "sliding_attention"
        and card["text"]["window"] == 32
    )
    assert (card["text"]["head_dim"], card["text"]["head_dim_full"]) == (16, 32)
    assert card["vision"]["tokens_per_image"] == 280 and card["audio"] == {
        "layers": 1,
        "hidden_size": 32,
    }
    assert {row["piece"] for row in card["stop"]} == {"<eos>", "<turn|>", "<|tool_response>"}
    assert card["recommended"] == {"temperature": 1.0, "top_p": 0.95, "top_k": 64}
    assert all(row["taken"] for row in card["media"])


def test_every_parameter_is_in_one_part(tiny):
    for llm in tiny.values():
        rows = llm.card()["parts"]
        total = sum(parameter.numel() for parameter in llm.model.parameters())
        assert sum(row["parameters"] for row in rows) == llm.card()["parameters"] == total
        assert all(row["bytes"] == 4 * row["parameters"] for row in rows)
    parts = {row["part"] for row in tiny["gemma4"].card()["parts"]}
    assert parts == {"embedding", "per_layer_embedding", "layers", "vision", "audio"}


def test_a_tied_output_is_counted_once_and_an_own_one_is_a_part(tmp_path):
    from tiny_models import qwen_checkpoint
    from transformers import AutoModelForMultimodalLM

    model = AutoModelForMultimodalLM.from_pretrained(qwen_checkpoint(tmp_path / "tied"))
    assert "output" not in {row["part"] for row in parameter_parts(model)}


def test_files_and_what_each_is_for(checkpoints, tmp_path):
    folder = shutil.copytree(checkpoints["qwen3_5"], tmp_path / "copy")
    for name in ("README.md", "LICENSE", ".gitattributes", "vocab.json", "merges.txt", "notes.xyz"):
        (folder / name).write_text("{}")
    rows = {row["name"]: (row["purpose"], row["read"]) for row in file_rows(folder)}
    assert rows["README.md"] == ("documentation", False) and rows["LICENSE"] == ("license", False)
    assert rows["vocab.json"] == ("vocabulary", False) and rows["merges.txt"] == ("merges", False)
    assert rows["model.safetensors"] == ("weights", True) and rows["config.json"] == (
        "config",
        True,
    )
    assert rows["notes.xyz"] == ("other", False) and rows[".gitattributes"] == ("git", False)
    (folder / "tokenizer.json").unlink()
    rows = {row["name"]: row["read"] for row in file_rows(folder)}
    assert rows["vocab.json"] and rows["merges.txt"]  # then these are what the tokenizer is made of


def test_an_mtp_layer_that_transformers_does_not_load(checkpoints, tmp_path):
    import torch
    from safetensors.torch import load_file, save_file

    folder = shutil.copytree(checkpoints["qwen3_5"], tmp_path / "copy")
    tensors = load_file(folder / "model.safetensors")
    tensors |= {"mtp.fc.weight": torch.zeros(8, 16), "mtp.norm.weight": torch.zeros(8)}
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text())
    config["text_config"]["mtp_num_hidden_layers"] = 1
    (folder / "config.json").write_text(json.dumps(config))
    drafter = load_backend(folder).card()["drafter"]
    assert drafter == {
        "kind": "mtp_layer",
        "layers": 1,
        "parameters": 136,
        "model": None,
        "loaded": False,
    }


def test_gemmas_drafter_is_a_checkpoint_of_its_own():
    drafter = drafter_card({}, "google/gemma-4-E2B-it", None)["drafter"]
    assert drafter["model"] == "google/gemma-4-E2B-it-assistant" and not drafter["loaded"]


def test_a_damaged_weights_file_is_named(tmp_path):
    (tmp_path / "a.safetensors").write_bytes(b"\xff" * 20)
    with pytest.raises(ValueError, match=r"a\.safetensors"):
        tensor_sizes(tmp_path / "a.safetensors")


def test_layers_of_a_config_that_names_no_kinds():
    class Plain:
        num_hidden_layers = 2

    assert layer_rows(Plain()) == [{"kind": "full_attention", "shares": None}] * 2


def test_a_checkpoint_without_processor_settings_reads_text_alone(checkpoints, tmp_path):
    folder = shutil.copytree(checkpoints["gemma4"], tmp_path / "copy")
    (folder / "processor_config.json").unlink()
    llm = load_backend(folder)
    assert llm.modalities == ()
    assert "processor_config.json" in llm.card()["media"][0]["reason"]["en"]
    (folder / "processor_config.json").write_text("{")
    llm = load_backend(folder)
    assert llm.modalities == () and llm.card()["media"][0]["reason"]


def test_the_vocabulary_and_what_is_added_behind_it(tiny, tmp_path):
    """Control tokens lie in the vocabulary (Gemma) or behind it (Qwen as published)."""
    rows = {family: llm.card()["tokenizer"] for family, llm in tiny.items()}
    assert {family: (row["tokens"], row["added"]) for family, row in rows.items()} == {
        "qwen3_5": (1536, 0),
        "gemma4": (len(tiny["gemma4"].tokenizer), 0),
    }
    assert rows["qwen3_5"]["merges"] == 1266 and rows["gemma4"]["merges"] == 1160
    file = {"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}}
    (tmp_path / "tokenizer.json").write_text(json.dumps(file))
    card = tokenizer_card(tiny["qwen3_5"].tokenizer, tmp_path)
    assert card == {"kind": "BPE", "tokens": 3, "added": 14, "merges": 1}


def test_a_drafter_that_nobody_knows_is_not_said_to_be_none(tiny):
    assert "drafter" not in tiny["gemma4"].card() and tiny["qwen3_5"].card()["drafter"] is None
