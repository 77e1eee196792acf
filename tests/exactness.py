"""Our greedy decoding against `model.generate()`, token for token, on text and media.

Two tokens whose logits are closer than TIE may come out either way (a block of positions and single steps round differently): such a place ends a comparison and is counted.
"""

from dataclasses import dataclass

from agentloop_widgets.backends.checkpoint import quiet_transformers
from agentloop_widgets.sampling import Sampling
from agentloop_widgets.trace.messages import media_parts

TIE = 1e-4


@dataclass
class Comparison:
    """ours, theirs: token ids; tie: the index at which the two best were as good as equal, or None; difference: where they part otherwise."""

    ours: list[int]
    theirs: list[int]
    tie: int | None = None
    difference: int | None = None


def ours(llm, encoded, count: int) -> list[int]:
    """What our loop writes, with no stop token."""
    stop_ids, llm.stop_ids = llm.stop_ids, frozenset()
    try:
        events = llm.generate(encoded, Sampling(temperature=0, max_new_tokens=count))
        return [event.id for event in events if event.type == "token"]
    finally:
        llm.stop_ids = stop_ids


def theirs(llm, ids: list[int], inputs: dict, count: int):
    """What generate() writes, and its logits at each step."""
    import torch

    batch = torch.tensor([ids], device=llm.model.device)
    moved = {
        name: value.to(llm.model.device, llm.model.dtype if value.is_floating_point() else None)
        for name, value in inputs.items()
    }
    with torch.inference_mode(), quiet_transformers():
        made = llm.model.generate(
            input_ids=batch,
            attention_mask=torch.ones_like(batch),
            max_new_tokens=count,
            eos_token_id=None,
            do_sample=False,
            temperature=None,
            top_p=None,
            top_k=None,
            return_dict_in_generate=True,
            output_logits=True,
            **moved,
        )
    return made.sequences[0, len(ids) :].tolist(), [step[0].float() for step in made.logits]


def compared(llm, messages: list[dict], count: int = 24, thinking: bool = True) -> Comparison:
    """The same conversation written on by both."""
    encoded = llm.encode(llm.render(messages, None, thinking), media_parts(messages))
    mine = ours(llm, encoded, count)
    other, logits = theirs(llm, encoded.ids, encoded.inputs, count)
    found = Comparison(mine, other)
    for index, (a, b) in enumerate(zip(mine, other, strict=True)):
        if a != b:
            close = abs(float(logits[index][a] - logits[index][b])) < TIE
            found.tie, found.difference = (index, None) if close else (None, index)
            break
    return found
