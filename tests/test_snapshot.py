"""Going back to an earlier token, on both architectures: bitwise what it was, and what decoding from scratch gives."""

import pytest
import torch

from agentloop_widgets.backends.base import Encoded
from agentloop_widgets.backends.snapshot import Snapshot, take_snapshot

FAMILIES = ("qwen3_5", "gemma4")
TIE = 1e-4  # a pass over many positions rounds otherwise than one over each


@pytest.fixture(params=FAMILIES)
def llm(request, tiny):
    return tiny[request.param]


def ids_of(llm, count: int, seed: int = 0) -> list[int]:
    """Tokens drawn by chance, none of them a control token."""
    plain = [id for id in range(40, len(llm.tokenizer)) if id not in llm.tokenizer.all_special_ids]
    dice = torch.Generator().manual_seed(seed)
    return [plain[at] for at in torch.randint(len(plain), (count,), generator=dice).tolist()]


def read(llm, ids: list[int]):
    text = llm.tokenizer.decode(ids)
    return llm.passes.read(Encoded(text=text, ids=ids))


def stepped(llm, position, ids: list[int]) -> tuple[list[torch.Tensor], object]:
    """The logits behind each of `ids`, one pass a token; the position behind the last."""
    logits = []
    for id in ids:
        position = llm.passes.step(id, position)
        logits.append(position.logits)
    return logits, position


def same(first: list[torch.Tensor], second: list[torch.Tensor]) -> bool:
    return len(first) == len(second) and all(map(torch.equal, first, second))


@pytest.mark.parametrize("start", [5, 31, 32, 33, 90])
@pytest.mark.parametrize("back", [1, 7, 40])
def test_what_was_gone_back_over_comes_again_bit_for_bit(llm, start, back):
    """The tiny Gemma's window is 32 tokens: the snapshot is taken before it is full, as it fills and long after; what follows passes over it."""
    ids = ids_of(llm, start + back + 10)
    position = read(llm, ids[:start])
    snapshot = take_snapshot(position.cache)
    first, _ = stepped(llm, position, ids[start:])
    snapshot.restore(position.cache)
    assert position.cache.get_seq_length() == snapshot.length == start
    second, _ = stepped(llm, position, ids[start:])
    assert same(first, second)


@pytest.mark.parametrize("start", [6, 70])
def test_another_way_from_there_is_the_way_from_scratch(llm, start):
    ids, other = ids_of(llm, start + 25), ids_of(llm, 25, seed=1)
    position = read(llm, ids[:start])
    snapshot = take_snapshot(position.cache)
    stepped(llm, position, ids[start:])
    snapshot.restore(position.cache)
    logits, _ = stepped(llm, position, other)
    scratch = read(llm, ids[:start] + other)
    torch.testing.assert_close(logits[-1], scratch.logits, atol=TIE, rtol=0)


def test_a_block_read_in_one_pass_is_gone_back_over(llm):
    ids = ids_of(llm, 120)
    position = read(llm, ids[:50])
    snapshot = take_snapshot(position.cache)
    with torch.inference_mode():
        llm.passes.forward(ids[50:110], position.cache, {})
    assert position.cache.get_seq_length() == 110
    snapshot.restore(position.cache)
    logits, _ = stepped(llm, position, ids[50:60])
    scratch, _ = stepped(llm, read(llm, ids[:50]), ids[50:60])
    assert same(logits, scratch)


def test_snapshots_on_one_way_are_restored_from_the_last_to_the_first(llm):
    ids = ids_of(llm, 100)
    position, taken = read(llm, ids[:20]), []
    for at in range(20, 100, 20):
        taken.append((at, take_snapshot(position.cache)))
        _, position = stepped(llm, position, ids[at : at + 20])
    for at, snapshot in reversed(taken):
        snapshot.restore(position.cache)
        logits, _ = stepped(llm, position, ids[at : at + 3])
        scratch, _ = stepped(llm, read(llm, ids[:at]), ids[at : at + 3])
        torch.testing.assert_close(torch.stack(logits), torch.stack(scratch), atol=TIE, rtol=0)


def test_a_snapshot_can_be_restored_again_and_again(llm):
    """What was restored is not what the snapshot holds: decoding on must not change it."""
    ids = ids_of(llm, 80)
    position = read(llm, ids[:40])
    snapshot = take_snapshot(position.cache)
    runs = []
    for _ in range(3):
        runs.append(stepped(llm, position, ids[40:])[0])
        snapshot.restore(position.cache)
    assert same(runs[0], runs[1]) and same(runs[1], runs[2])


def test_behind_a_picture(llm, media_files):
    """Its tokens stay in the cache; the positions behind it keep their offset."""
    picture = {"type": "image", "path": str(media_files["image"]), "name": "image.png"}
    parts = [picture, {"type": "text", "text": "What?"}]
    messages = [{"role": "user", "content": parts}]
    encoded = llm.encode(llm.render(messages, [], False), [picture])
    assert encoded.media
    position = llm.passes.read(encoded)
    snapshot = take_snapshot(position.cache)
    ids = ids_of(llm, 40)
    first, _ = stepped(llm, position, ids)
    snapshot.restore(position.cache)
    second, _ = stepped(llm, position, ids)
    assert same(first, second)


def test_its_size_does_not_grow_with_the_context(llm):
    sizes = [take_snapshot(read(llm, ids_of(llm, count)).cache).bytes for count in (64, 128, 512)]
    assert 0 < sizes[0] == sizes[1] == sizes[2]


def test_what_cannot_be_restored_is_told(llm):
    position = read(llm, ids_of(llm, 10))
    snapshot = take_snapshot(position.cache)
    with pytest.raises(ValueError, match="11"):
        Snapshot(11, snapshot.layers).restore(position.cache)
    with pytest.raises(ValueError, match="layers"):
        Snapshot(5, snapshot.layers[1:]).restore(position.cache)
