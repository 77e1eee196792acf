"""Whole checkpoints of both architectures, a few hundred thousand random weights each, with the published processors' settings.

Every file that a published checkpoint has is there: AutoProcessor, AutoTokenizer and AutoModelForMultimodalLM load them as they load the real
ones. What they read is real; what they write is noise.
"""

import json
import shutil
from importlib.resources import files
from pathlib import Path

EMBEDDED = Path(str(files("agentloop_widgets").joinpath("models")))
TEXT_FILES = ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja")
MEAN = {"image_mean": [0.5] * 3, "image_std": [0.5] * 3}

# The published settings: 16-pixel patches, 2 x 2 of them a token; an image of 65,536 to 16,777,216 pixels; 2 frames a second, in pairs.
QWEN_PATCHES = {"patch_size": 16, "temporal_patch_size": 2, "merge_size": 2, **MEAN}
QWEN_IMAGE = {
    "size": {"shortest_edge": 65536, "longest_edge": 16777216},
    "image_processor_type": "Qwen2VLImageProcessorFast",
    "processor_class": "Qwen3VLProcessor",
}
QWEN_VIDEO = {
    "size": {"shortest_edge": 4096, "longest_edge": 25165824},
    "video_processor_type": "Qwen3VLVideoProcessor",
    "processor_class": "Qwen3VLProcessor",
}
# An image of at most 280 tokens (patches pooled 3 x 3); sound at 16 kHz in 128 mel bands, 40 ms a token, at most 750; 32 frames of at most 70 tokens.
GEMMA_PROCESSOR = {
    "processor_class": "Gemma4Processor",
    "image_seq_length": 280,
    "audio_seq_length": 750,
    "audio_ms_per_token": 40,
    "image_processor": {
        "image_processor_type": "Gemma4ImageProcessor",
        "patch_size": 16,
        "pooling_kernel_size": 3,
        "max_soft_tokens": 280,
    },
    "video_processor": {
        "video_processor_type": "Gemma4VideoProcessor",
        "patch_size": 16,
        "pooling_kernel_size": 3,
        "max_soft_tokens": 70,
        "num_frames": 32,
    },
    "feature_extractor": {
        "feature_extractor_type": "Gemma4AudioFeatureExtractor",
        "feature_size": 128,
        "sampling_rate": 16000,
    },
}


def text_files(folder: Path, key: str) -> dict[str, int]:
    """Copy the embedded model's tokenizer and template into `folder`; {token: id}."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in TEXT_FILES:
        shutil.copyfile(EMBEDDED / key / name, folder / name)
    return json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]


def write_json(path: Path, value: dict) -> None:
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")


def random_weights(model, seed: int):
    """Weights large enough that the best two tokens are rarely close."""
    import torch

    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.ndim > 1:
                wide = 0.02 if "embed_tokens_per_layer" in name else 0.12
                parameter.normal_(0.0, wide, generator=generator)
    return model.eval()


def saved(model, folder: Path) -> None:
    """Save a model without a progress bar."""
    from transformers.utils import logging

    was_shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    model.save_pretrained(folder)
    if was_shown:
        logging.enable_progress_bar()


def qwen_checkpoint(folder: str | Path, seed: int = 0, **text) -> Path:
    """A Qwen3.5 of four layers with its vision tower."""
    from transformers import Qwen3_5Config, Qwen3_5ForConditionalGeneration

    folder = Path(folder)
    ids = text_files(folder, "qwen3_5")
    vision = {
        "depth": 1,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_heads": 2,
        "num_position_embeddings": 64,
        "out_hidden_size": 64,
    }
    settings = {
        "vocab_size": len(ids),
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 4,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 32,
        "layer_types": [
            "linear_attention",
            "linear_attention",
            "linear_attention",
            "full_attention",
        ],
        "linear_key_head_dim": 64,
        "linear_value_head_dim": 64,
        "linear_num_key_heads": 1,
        "linear_num_value_heads": 2,
        "max_position_embeddings": 32768,
        "eos_token_id": 0,
        "tie_word_embeddings": True,
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": 10000.0,
            "partial_rotary_factor": 0.5,
            "mrope_section": [4, 2, 2],
            "mrope_interleaved": True,
        },
    }
    config = Qwen3_5Config(
        text_config={**settings, **text},
        vision_config=vision,
        image_token_id=ids["<|image_pad|>"],
        video_token_id=ids["<|video_pad|>"],
        vision_start_token_id=ids["<|vision_start|>"],
        vision_end_token_id=ids["<|vision_end|>"],
        tie_word_embeddings=True,
    )
    saved(random_weights(Qwen3_5ForConditionalGeneration(config), seed), folder)
    (folder / "generation_config.json").unlink(missing_ok=True)  # as published: there is none
    write_json(folder / "preprocessor_config.json", {**QWEN_PATCHES, **QWEN_IMAGE})
    write_json(folder / "video_preprocessor_config.json", {**QWEN_PATCHES, **QWEN_VIDEO})
    return folder


def gemma_checkpoint(folder: str | Path, seed: int = 0, **text) -> Path:
    """A Gemma 4 of six layers with its vision and audio towers, per-layer embeddings and shared keys and values."""
    from transformers import Gemma4Config, Gemma4ForConditionalGeneration

    folder = Path(folder)
    ids = text_files(folder, "gemma4")
    settings = {
        "vocab_size": len(ids),
        "vocab_size_per_layer_input": len(ids),
        "hidden_size": 64,
        "hidden_size_per_layer_input": 8,
        "intermediate_size": 128,
        "num_hidden_layers": 6,
        "num_attention_heads": 4,
        "num_key_value_heads": 1,
        "head_dim": 16,
        "global_head_dim": 32,
        "layer_types": [*["sliding_attention"] * 2, "full_attention"] * 2,
        "num_kv_shared_layers": 2,
        "sliding_window": 32,
        "max_position_embeddings": 32768,
        "final_logit_softcapping": 30.0,
    }
    vision = {
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "head_dim": 16,
    }
    audio = {
        "hidden_size": 32,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "output_proj_dims": 48,
        "subsampling_conv_channels": [128, 32],
    }
    names = {
        "boi": "<|image>",
        "eoi": "<image|>",
        "image": "<|image|>",
        "boa": "<|audio>",
        "audio": "<|audio|>",
    }
    config = Gemma4Config(
        text_config={**settings, **text},
        vision_config=vision,
        audio_config=audio,
        eoa_token_index=ids["<audio|>"],
        video_token_id=ids["<|video|>"],
        **{f"{name}_token_id": ids[piece] for name, piece in names.items()},
    )
    saved(random_weights(Gemma4ForConditionalGeneration(config), seed), folder)
    stop = [ids[piece] for piece in ("<eos>", "<turn|>", "<|tool_response>")]
    recommended = {"do_sample": True, "temperature": 1.0, "top_p": 0.95, "top_k": 64}
    write_json(
        folder / "generation_config.json",
        {"eos_token_id": stop, "pad_token_id": 0, "bos_token_id": 2, **recommended},
    )
    write_json(folder / "processor_config.json", GEMMA_PROCESSOR)
    return folder


MAKERS = {"qwen3_5": qwen_checkpoint, "gemma4": gemma_checkpoint}
