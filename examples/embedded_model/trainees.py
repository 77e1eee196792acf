"""The networks of the two drafters, as they are trained: each guesses several tokens ahead from every place at once."""

import json
from dataclasses import dataclass
from pathlib import Path

import torch
from architectures import SHIPPED
from lessons import Batch
from prefixed import PrefixCache, forward
from torch import nn

AHEAD = 4  # tokens that a drafter learns to guess from one place


@dataclass(frozen=True)
class Read:
    """What the frozen model made of a batch. ids, parts: [batch, length]; before: [batch, length, hidden], its hidden state in front of each token; logits: [batch, length, vocabulary] behind each;
    prefix: ids [1, start] of the system turn, with prefix_hidden [1, start, hidden]; shared: {kind of layer: (keys, values)} of its last layers."""

    ids: torch.Tensor
    parts: torch.Tensor
    before: torch.Tensor
    logits: torch.Tensor
    prefix: torch.Tensor
    prefix_hidden: torch.Tensor
    shared: dict


@torch.no_grad()
def read(network, model, batch: Batch) -> Read:
    size, start = len(batch.ids), batch.prefix.shape[1]
    cache = PrefixCache()
    first = forward(network, model, batch.prefix, 0, cache).last_hidden_state
    output = forward(
        network, model, batch.ids, start, PrefixCache(cache, size), return_shared_kv_states=True
    )
    hidden = output.last_hidden_state
    before = torch.cat([first[:, -1:].expand(size, -1, -1), hidden[:, :-1]], 1)
    shared = dict(getattr(output, "shared_kv_states", None) or {})
    return Read(
        batch.ids,
        batch.parts,
        before,
        network.logits_of(model, hidden),
        batch.prefix,
        first,
        shared,
    )


def ahead(ids: torch.Tensor, count: int) -> torch.Tensor:
    """The tokens `count` places further on; the last one again where there are none."""
    return torch.cat([ids[:, count:], ids[:, -1:].expand(-1, min(count, ids.shape[1]))], 1)


class SeenKeys:
    """The keys and values of a layer's earlier readings of the same places, for its next."""

    def __init__(self):
        self.keys, self.values, self.size = [], [], 1

    def update(self, keys, values, layer, kwargs=None):
        self.keys.append(keys)
        self.values.append(values)
        size = len(keys)
        return tuple(
            torch.cat([each.expand(size, -1, -1, -1) for each in seen], 2)
            for seen in (self.keys, self.values)
        )

    def get_seq_length(self, layer: int = 0) -> int:
        return 0


class MtpTrainee(nn.Module):
    """Qwen3.5's layer, reading pairs of a hidden state and the token behind it."""

    def __init__(self, model, seed: int):
        super().__init__()
        from transformers.modeling_layers import MtpModel

        torch.manual_seed(seed)
        text = model.config.get_text_config()
        text.num_mtp_layers, text.mtp_layer_types = 1, ["full_attention"]
        self.layer = MtpModel(model, 1)
        for parameter in self.layer.layers.parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.05)

    def _pairs(self, ids, hidden, places, mask, seen):
        embedded = self.layer.embed_tokens(ids)
        rotary = self.layer.rotary_emb(embedded, position_ids=places)
        return self.layer.layers[0](
            embedded,
            hidden,
            position_embeddings=rotary,
            attention_mask=mask,
            position_ids=places,
            cache=seen,
        )

    def forward(self, given: Read):
        """Its logits 1 to AHEAD tokens behind each token."""
        (size, length), start = given.ids.shape, given.prefix.shape[1]
        seen, known = SeenKeys(), start - 1
        if known > 0:
            mask = torch.ones(known, known, dtype=torch.bool).tril()[None, None]
            self._pairs(
                given.prefix[:, 1:],
                given.prefix_hidden[:, :-1],
                torch.arange(1, start)[None],
                mask,
                seen,
            )
        hidden, places = given.before, torch.arange(length)[None] + start
        visible = torch.cat(
            [
                torch.ones(length, max(0, known), dtype=torch.bool),
                torch.ones(length, length, dtype=torch.bool).tril(),
            ],
            1,
        )
        for step in range(AHEAD):
            if step:
                visible = torch.cat([visible, torch.eye(length, dtype=torch.bool)], 1)
            mask = visible[None, None].expand(size, 1, -1, -1)
            hidden = self._pairs(
                ahead(given.ids, step), hidden, (places + step).expand(size, -1), mask, seen
            )
            yield self.layer.shared_head(hidden)

    def ship(self, folder: Path) -> None:
        """The model's weights with the layer's among them, under the names of published checkpoints."""
        from safetensors.torch import load_file, save_file

        names = {
            "enorm": "pre_fc_norm_embedding",
            "hnorm": "pre_fc_norm_hidden",
            "eh_proj": "fc",
            "post_norm": "norm",
        }
        tensors = {}
        for name, tensor in self.layer.layers[0].state_dict().items():
            head, _, rest = name.partition(".")
            tensors[f"mtp.{names[head]}.{rest}" if head in names else f"mtp.layers.0.{rest}"] = (
                tensor.to(torch.bfloat16).contiguous()
            )
        weights = load_file(SHIPPED / "qwen3_5" / "model.safetensors")
        weights = {name: tensor for name, tensor in weights.items() if not name.startswith("mtp.")}
        save_file({**weights, **tensors}, folder / "model.safetensors", metadata={"format": "pt"})
        config = json.loads((SHIPPED / "qwen3_5" / "config.json").read_text())
        config["text_config"]["mtp_num_hidden_layers"] = 1
        (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")


class AssistantTrainee(nn.Module):
    """Gemma 4's assistant: two layers that read the model's keys and values."""

    def __init__(self, model, seed: int):
        super().__init__()
        from transformers import Gemma4AssistantConfig, Gemma4AssistantForCausalLM

        torch.manual_seed(seed)
        text = model.config.get_text_config().to_dict()
        own = {
            "hidden_size": 96,
            "intermediate_size": 256,
            "num_hidden_layers": 2,
            "layer_types": ["sliding_attention", "full_attention"],
            "num_kv_shared_layers": 2,
            "hidden_size_per_layer_input": 0,
            "vocab_size_per_layer_input": 0,
            "use_double_wide_mlp": False,
            "enable_moe_block": False,
            "global_head_dim": model.config.get_text_config().per_layer_config[1].head_dim,
        }
        kept = (
            "vocab_size",
            "num_attention_heads",
            "num_key_value_heads",
            "head_dim",
            "sliding_window",
            "max_position_embeddings",
            "rope_parameters",
            "pad_token_id",
            "eos_token_id",
            "bos_token_id",
        )
        config = {"model_type": "gemma4_text", **{name: text[name] for name in kept}, **own}
        backbone = model.config.get_text_config().hidden_size
        self.assistant = Gemma4AssistantForCausalLM(
            Gemma4AssistantConfig(
                text_config=config,
                backbone_hidden_size=backbone,
                num_centroids=1,
                centroid_intermediate_top_k=1,
            )
        )
        for parameter in self.assistant.parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.05)
        self.embed = [model.get_input_embeddings()]  # in a list: it is the model's
        self.window = text["sliding_window"]

    def forward(self, given: Read):
        """Its logits 1 to AHEAD tokens behind each token."""
        (size, length), start = given.ids.shape, given.prefix.shape[1]
        query, key = torch.arange(length)[:, None] + start, torch.arange(start + length)[None]
        full = key < query
        near = full & (key >= query - self.window)
        shape = (size, 1, length, start + length)
        masks = {
            "full_attention": full[None, None].expand(shape),
            "sliding_attention": near[None, None].expand(shape),
        }
        hidden, places = given.before, query.T.expand(size, -1)
        for step in range(AHEAD):
            token = self.embed[0](ahead(given.ids, step))
            output = self.assistant.model(
                inputs_embeds=self.assistant.pre_projection(torch.cat([token, hidden], -1)),
                attention_mask=masks,
                position_ids=places,
                shared_kv_states=given.shared,
                use_cache=False,
                output_hidden_states=True,  # or transformers drops all places but the last
            ).last_hidden_state
            hidden = self.assistant.post_projection(output)
            yield self.assistant.lm_head(output)

    def ship(self, folder: Path) -> None:
        """A checkpoint of its own."""
        self.assistant.generation_config.update(
            num_assistant_tokens=AHEAD, num_assistant_tokens_schedule="constant"
        )
        self.assistant.to(torch.bfloat16).save_pretrained(folder)
        (folder / "model.safetensors").chmod(0o644)
