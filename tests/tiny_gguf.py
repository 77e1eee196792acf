"""A tiny Llama with random weights in a GGUF file, written by the package `gguf` as llama.cpp's converter writes one."""

from pathlib import Path

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] "
    "+ '<|im_end|>' + '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
CONTROL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MERGES = ("h e", "l l", "he ll", "hell o", "i n")
HEADS, KEY_VALUE_HEADS, LAYERS = 4, 2, 2
NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
}


def vocabulary() -> list[str]:
    """The control tokens, every byte in GPT-2's spelling, and what the merges make."""
    from transformers.convert_slow_tokenizer import bytes_to_unicode

    return [*CONTROL, *bytes_to_unicode().values(), *(merge.replace(" ", "") for merge in MERGES)]


def tiny_llama():
    """A LlamaForCausalLM of some 30,000 parameters, the same each time."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=len(vocabulary()),
        hidden_size=64,
        intermediate_size=96,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=KEY_VALUE_HEADS,
        max_position_embeddings=512,
        tie_word_embeddings=True,
        rope_theta=10000.0,
        rms_norm_eps=1e-5,
        bos_token_id=1,
        eos_token_id=2,
    )
    with torch.random.fork_rng():
        torch.manual_seed(5)
        model = LlamaForCausalLM(config).eval()
        for weight in model.parameters():
            weight.data = torch.randn_like(weight) * 0.3 + (weight.dim() == 1)
    return model


def interleaved(weight, heads: int):
    """A query's or key's weight [out, in] with its rows in llama.cpp's order: the two halves of each head in turn."""
    out, inner = weight.shape
    return weight.reshape(heads, 2, out // heads // 2, inner).swapaxes(1, 2).reshape(out, inner)


def write_tiny_gguf(path: Path, model, template: str | None = CHATML, marked: bool = True) -> None:
    """Write `model` to `path`. template: its chat template, None for none; marked: whether the control tokens are marked as such."""
    import gguf
    import numpy as np

    config, tokens = model.config, vocabulary()
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("Tiny")
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_VALUE_HEADS)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(10000.0)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(tokens)
    kinds = gguf.TokenType.CONTROL if marked else gguf.TokenType.NORMAL, gguf.TokenType.NORMAL
    writer.add_token_types([kinds[token not in CONTROL] for token in tokens])
    writer.add_token_merges(list(MERGES))
    if marked:
        writer.add_bos_token_id(1)
        writer.add_eos_token_id(2)
        writer.add_unk_token_id(0)
        writer.add_pad_token_id(2)
    if template is not None:
        writer.add_chat_template(template)
    weights = {name: value.numpy().astype(np.float32) for name, value in model.state_dict().items()}
    writer.add_tensor("token_embd.weight", weights["model.embed_tokens.weight"])
    writer.add_tensor("output_norm.weight", weights["model.norm.weight"])
    for layer in range(config.num_hidden_layers):
        for theirs, ours in NAMES.items():
            weight = weights[f"model.layers.{layer}.{theirs}.weight"]
            heads = {"attn_q": HEADS, "attn_k": KEY_VALUE_HEADS}.get(ours)
            weight = interleaved(weight, heads) if heads else weight
            writer.add_tensor(f"blk.{layer}.{ours}.weight", np.ascontiguousarray(weight))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
