"""Gemma 4's architecture in small: sliding and full attention in turn, per-layer embeddings, a vision and an audio tower."""

import torch
from transformers import Gemma4Config, Gemma4ForConditionalGeneration, PreTrainedTokenizerBase

from .tokenizer import MEDIA

HIDDEN = 128
LAYERS = ("sliding_attention", "full_attention") * 2
WINDOW = 128
CONTEXT_LENGTH = 4096
STOP = ("<eos>", "<turn|>", "<|tool_response>")


def configuration(tokenizer: PreTrainedTokenizerBase) -> Gemma4Config:
    """Four layers, every second one full attention: copying needs two (one that finds the token before, one that finds where it was before)."""
    token_id = tokenizer.convert_tokens_to_ids
    text = {
        "model_type": "gemma4_text",
        "vocab_size": len(tokenizer),
        "vocab_size_per_layer_input": len(tokenizer),
        "hidden_size": HIDDEN,
        "hidden_size_per_layer_input": 16,
        "intermediate_size": HIDDEN * 5 // 2,
        "num_hidden_layers": len(LAYERS),
        "layer_types": list(LAYERS),
        "num_attention_heads": 4,
        "num_key_value_heads": 1,
        "head_dim": 32,
        "global_head_dim": 64,
        "num_kv_shared_layers": 0,
        "use_double_wide_mlp": False,
        "sliding_window": WINDOW,
        "max_position_embeddings": CONTEXT_LENGTH,
        "final_logit_softcapping": 30.0,
        "pad_token_id": token_id("<pad>"),
        "eos_token_id": token_id("<eos>"),
        "bos_token_id": token_id("<bos>"),
        "tie_word_embeddings": True,
        "rope_parameters": {
            "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
            "full_attention": {
                "rope_type": "proportional",
                "partial_rotary_factor": 0.25,
                "rope_theta": 10000.0,
            },
        },
    }
    vision = {
        "model_type": "gemma4_vision",
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "pooling_kernel_size": 3,
        "patch_size": 16,
        "position_embedding_size": 1024,
        "default_output_length": 70,  # tokens of an image: vLLM reads it here
    }
    audio = {
        "hidden_size": 32,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "output_proj_dims": 48,
        "subsampling_conv_channels": [128, 32],
    }
    ids = {f"{name}_token_id": token_id(piece) for name, piece in MEDIA.items() if name != "eoa"}
    return Gemma4Config(
        text_config=text,
        vision_config=vision,
        audio_config=audio,
        eoa_token_index=token_id(MEDIA["eoa"]),
        video_token_id=token_id("<|video|>"),
        tie_word_embeddings=True,
        **ids,
    )


def new_model(tokenizer: PreTrainedTokenizerBase, seed: int) -> Gemma4ForConditionalGeneration:
    """A model to train, its towers in place and frozen."""
    torch.manual_seed(seed)
    model = Gemma4ForConditionalGeneration(configuration(tokenizer))
    for name, parameter in model.named_parameters():
        if name.startswith("model.language_model"):
            if parameter.dim() == 2:  # wider than transformers' 0.02: a small model learns faster
                torch.nn.init.normal_(parameter, std=0.05)
        elif not name.startswith("lm_head"):
            parameter.requires_grad_(False)
    token_id = tokenizer.convert_tokens_to_ids
    model.generation_config.update(
        eos_token_id=[token_id(piece) for piece in STOP],
        pad_token_id=token_id("<pad>"),
        bos_token_id=token_id("<bos>"),
        do_sample=True,
        temperature=1.0,
        top_k=64,
        top_p=0.95,
    )
    return model


def masks(model, size: int, start: int, length: int) -> dict:
    """What each kind of layer may see of `start` tokens that were read before and `length` new ones."""
    query, key = torch.arange(length)[:, None] + start, torch.arange(start + length)[None]
    full = key <= query
    near = full & (key > query - WINDOW)
    shape = (size, 1, length, start + length)
    return {
        "full_attention": full[None, None].expand(shape),
        "sliding_attention": near[None, None].expand(shape),
    }


def logits_of(model, hidden: torch.Tensor) -> torch.Tensor:
    cap = model.config.text_config.final_logit_softcapping
    return torch.tanh(model.lm_head(hidden) / cap) * cap
