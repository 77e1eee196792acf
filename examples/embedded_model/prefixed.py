"""A forward pass over a batch whose rows all come after one system turn. The turn is run once, at batch 1, and its states are expanded: exact, and half the tokens."""

import torch


class PrefixCache:
    """A cache of one prefix at batch 1, or of what continues it at batch `size`. Unlike transformers' own it keeps the gradients."""

    def __init__(self, prefix: "PrefixCache | None" = None, size: int = 1):
        self.prefix, self.size = prefix, size
        self.convolution, self.recurrent, self.attention = {}, {}, {}

    def expanded(self, state: torch.Tensor) -> torch.Tensor:
        return state.expand(self.size, *state.shape[1:])

    def get_conv_state(self, layer: int, state_idx: int = 0):
        return None if self.prefix is None else self.expanded(self.prefix.convolution[layer])

    def get_recurrent_state(self, layer: int, state_idx: int = 0):
        return None if self.prefix is None else self.expanded(self.prefix.recurrent[layer])

    def is_recording_past(self, layer: int) -> bool:
        return False

    def update_conv_state(self, states: torch.Tensor, layer: int, conv_kernel_size: int):
        self.convolution[layer] = states[..., -conv_kernel_size:]
        if self.prefix is None:
            return states
        return torch.cat([self.get_conv_state(layer), states], -1)

    def update_recurrent_state(self, state: torch.Tensor, layer: int) -> None:
        self.recurrent[layer] = state

    def update(self, keys: torch.Tensor, values: torch.Tensor, layer: int, kwargs=None):
        self.attention[layer] = keys, values
        if self.prefix is None:
            return keys, values
        before = self.prefix.attention[layer]
        return tuple(
            torch.cat([self.expanded(old), new], 2)
            for old, new in zip(before, (keys, values), strict=True)
        )

    def get_seq_length(self) -> int:
        return 0


def hidden_states(network, model, ids: torch.Tensor, prefix: torch.Tensor) -> torch.Tensor:
    """[batch, length, hidden] of `ids` [batch, length] after `prefix` [1, its length], which may be empty."""
    size, start = len(ids), prefix.shape[1]
    cache = PrefixCache()
    if start:
        forward(network, model, prefix, 0, cache)
    behind = PrefixCache(cache if start else None, size)
    return forward(network, model, ids, start, behind).last_hidden_state


def forward(network, model, ids: torch.Tensor, start: int, cache: PrefixCache, **wanted):
    """transformers' output for `ids` behind `start` tokens that are in `cache`."""
    size, length = ids.shape
    return model.model.language_model(
        input_ids=ids,
        attention_mask=network.masks(model, size, start, length),
        position_ids=(torch.arange(length) + start)[None].expand(size, length),
        cache=cache,
        use_cache=True,
        **wanted,
    )
