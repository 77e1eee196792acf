"""Qwen3.5's architecture, about a million parameters, with an initialisation that its Gated DeltaNet layers can learn from."""

import math

import torch
from transformers import PreTrainedTokenizerBase, Qwen3_5Config, Qwen3_5ForConditionalGeneration

HIDDEN = 128
LAYERS = ("linear_attention", "full_attention", "linear_attention", "full_attention")
HEAD_DIM = 32
LINEAR_HEAD_DIM = 64  # vLLM's CPU engine refuses a Gated DeltaNet of smaller heads
CONTEXT_LENGTH = 4096


def configuration(tokenizer: PreTrainedTokenizerBase) -> Qwen3_5Config:
    """Four layers, every second one full attention: two of them are what copying needs (an induction head is two layers)."""
    token_id = tokenizer.convert_tokens_to_ids
    text = {
        "model_type": "qwen3_5_text",
        "vocab_size": len(tokenizer),
        "hidden_size": HIDDEN,
        "intermediate_size": HIDDEN * 5 // 2,
        "num_hidden_layers": len(LAYERS),
        "layer_types": list(LAYERS),
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": HEAD_DIM,
        "linear_num_key_heads": HIDDEN // LINEAR_HEAD_DIM,
        "linear_num_value_heads": HIDDEN // LINEAR_HEAD_DIM,
        "linear_key_head_dim": LINEAR_HEAD_DIM,
        "linear_value_head_dim": LINEAR_HEAD_DIM,
        "linear_conv_kernel_dim": 4,
        "max_position_embeddings": CONTEXT_LENGTH,
        "tie_word_embeddings": True,
        "rms_norm_eps": 1e-6,
        "pad_token_id": token_id("<|endoftext|>"),
        "eos_token_id": token_id("<|im_end|>"),
        "bos_token_id": None,
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": 10000.0,
            "partial_rotary_factor": 0.5,
            "mrope_section": [4, 2, 2],  # adds up to HEAD_DIM * partial_rotary_factor / 2
            "mrope_interleaved": True,
        },
    }
    vision = {
        "model_type": "qwen3_5_vision",
        "depth": 1,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_heads": 2,
        "out_hidden_size": HIDDEN,
        "num_position_embeddings": 64,
        "patch_size": 16,
        "spatial_merge_size": 2,
        "temporal_patch_size": 2,
    }
    ids = {
        "image_token_id": "<|image_pad|>",
        "video_token_id": "<|video_pad|>",
        "vision_start_token_id": "<|vision_start|>",
        "vision_end_token_id": "<|vision_end|>",
    }
    return Qwen3_5Config(
        text_config=text,
        vision_config=vision,
        tie_word_embeddings=True,
        **{name: token_id(piece) for name, piece in ids.items()},
    )


def new_model(tokenizer: PreTrainedTokenizerBase, seed: int = 0) -> Qwen3_5ForConditionalGeneration:
    """A model to train, its vision tower in place and frozen."""
    torch.manual_seed(seed)
    model = Qwen3_5ForConditionalGeneration(configuration(tokenizer))
    with torch.no_grad():
        for name, parameter in model.model.language_model.named_parameters():
            initialise(name, parameter)
    model.model.visual.requires_grad_(False)
    text = model.config.text_config
    model.generation_config.update(
        eos_token_id=text.eos_token_id,
        pad_token_id=text.pad_token_id,
        do_sample=True,
        temperature=1.0,
        top_k=20,
        top_p=1.0,
    )
    return model


def masks(model, size: int, start: int, length: int) -> dict:
    """What each kind of layer may see of `start` tokens that were read before and `length` new ones; None: all that came before."""
    visible = None
    if start:
        visible = torch.ones(length, start + length, dtype=torch.bool).tril(start)
        visible = visible[None, None].expand(size, 1, length, start + length)
    return {"full_attention": visible, "linear_attention": None}


def logits_of(model, hidden: torch.Tensor) -> torch.Tensor:
    return model.lm_head(hidden)


def initialise(name: str, parameter: torch.Tensor) -> None:
    """Wider matrices than transformers' 0.02, and time steps log-uniform in [1e-3, 1e-1] (as Mamba-2 has them): transformers' own forget a state within a token."""
    if parameter.dim() == 2:
        torch.nn.init.normal_(parameter, std=0.05)
    if name.endswith("dt_bias"):
        step = torch.exp(torch.empty_like(parameter).uniform_(math.log(1e-3), math.log(0.1)))
        parameter.copy_(step + torch.log(-torch.expm1(-step)))  # the inverse of softplus
    if name.endswith("A_log"):
        parameter.copy_(torch.empty_like(parameter).uniform_(1, 16).log())
