"""A step reads only what is new: how much that is, that nothing else changes, and what is never reused."""

from dataclasses import replace
from itertools import pairwise

import pytest
import torch
from dictated import dictate, written_answer, written_call
from exactness import TIE, ours
from test_media_exactness import parts_of

from agentloop_widgets import Sampling, Turn, load_backend, settings
from agentloop_widgets.backends.base import Encoded
from agentloop_widgets.backends.prefix_cache import RECENT, Boundaries, boundaries
from agentloop_widgets.trace.messages import media_parts

GREEDY = Sampling(temperature=0, max_new_tokens=200, seed=0)
QUESTIONS = (
    "What is 23 * 47?",
    "Hello!",
    "What is 12% of 340?",
    "How many letters are in 'strawberry'?",
    "Sort these words: pear, apple, fig.",
    "What is the square root of 361?",
    "What is 17 + 58?",
    "What day of the week is 2026-11-30?",
    "What is 9 * 9 - 4?",
    "Thanks!",
)


@pytest.fixture(scope="module", params=["embedded", "embedded:gemma4"])
def both(request):
    torch.set_num_threads(1)
    return load_backend(request.param)


def events(turn, kind: str) -> list:
    return [event for event in turn.events if event.type == kind]


def prefilled(turns) -> int:
    return sum(
        event.n_tokens - event.cached_tokens for turn in turns for event in events(turn, "prefill")
    )


def fresh(llm) -> None:
    llm.prefix_cache.forget()


# ---------------------------------------------------------------- how much is read
@pytest.mark.parametrize("thinking", [True, False])
def test_a_turn_of_ten_steps_reads_each_token_once(both, monkeypatch, thinking):
    fresh(both)
    thought, last = ("Step after step.", "The last one.") if thinking else ("", "")
    calls = [written_call(both, thought, f"print({n} * 7)") for n in range(1, 10)]
    dictate(monkeypatch, both, *calls, written_answer(both, last, "63"))
    turn = Turn(
        both, "Multiply one to nine by seven.", sampling=GREEDY, max_steps=12, thinking=thinking
    ).run()
    assert (turn.stop_reason, turn.final, len(events(turn, "step_start"))) == ("answer", "63", 10)
    final = events(turn, "context")[-1].n_tokens
    ratio = prefilled([turn]) / final
    print(f"{both.family.key}, thinking {thinking}: prefilled / final context {ratio:.2f}")
    assert ratio <= 1.15
    plain = sum(event.n_tokens for event in events(turn, "context"))
    assert prefilled([turn]) < plain / 3
    assert turn._loop.stages.usage["cached_tokens"] == plain - prefilled([turn])


def test_ten_questions_of_one_conversation(both):
    fresh(both)
    turns, history = [], []
    for question in QUESTIONS:
        turns.append(Turn(both, question, history=history, sampling=GREEDY).run())
        history = turns[-1].messages
    ratio = prefilled(turns) / events(turns[-1], "context")[-1].n_tokens
    print(f"{both.family.key}: prefilled over ten questions / final context {ratio:.2f}")
    assert ratio <= 1.3


def test_context_and_prefill_say_the_same(both):
    fresh(both)
    turn = Turn(both, "What is 23 * 47?", sampling=GREEDY).run()
    said = [
        (context.cached_tokens, prefill.cached_tokens)
        for context, prefill in zip(events(turn, "context"), events(turn, "prefill"), strict=True)
    ]
    assert len(said) > 1 and said[0] == (0, 0)
    assert all(context == prefill > 0 for context, prefill in said[1:])
    written = events(turn, "model_end")[0].n_tokens
    assert (
        said[1][0] == events(turn, "context")[0].n_tokens + written - 1
    )  # the stop token was written, not read


def test_another_question_to_the_same_tools_reads_the_system_turn_once(both):
    fresh(both)
    Turn(both, "What is 23 * 47?", sampling=GREEDY).run()
    second = Turn(both, "Hello!", sampling=GREEDY).run()
    system = sum(
        part["n_tokens"]
        for part in events(second, "context")[0].segments
        if part["role"] in ("system", "tools")
    )
    assert events(second, "prefill")[0].cached_tokens >= system > 100


def test_snapshots_are_bounded(both, monkeypatch):
    fresh(both)
    calls = [written_call(both, "On.", f"print({n})") for n in range(9)]
    dictate(monkeypatch, both, *calls, written_answer(both, "Done.", "8"))
    Turn(both, "Count.", sampling=GREEDY, max_steps=12).run()
    sequence = both.prefix_cache._sequence
    assert 2 <= len(sequence.snapshots) <= RECENT + 3
    lengths = [snapshot.length for snapshot in sequence.snapshots]
    assert all(one < other for one, other in pairwise(lengths))
    assert 0 < both.prefix_cache.bytes < 4 * 2**20


# ---------------------------------------------------------------- nothing else changes
def same_without(llm, turn) -> int:
    """Every step of a turn once more, reading all of it: the same tokens, but where two were as good as equal. How many such places there were."""
    ties = 0
    for number, context in enumerate(events(turn, "context"), 1):
        written = [event for event in events(turn, "token") if event.step == number]
        encoded = Encoded(context.prompt, context.ids)
        again = list(llm.generate(encoded, turn.sampling, reuse=False))
        others = [event for event in again if event.type == "token"]
        place = next(
            (
                at
                for at, (one, other) in enumerate(zip(written, others, strict=False))
                if one.id != other.id
            ),
            None,
        )
        if place is None:
            assert len(written) == len(others)
            assert (
                max(
                    abs(one.logprob - other.logprob)
                    for one, other in zip(written, others, strict=True)
                )
                < 1e-3
            )
            continue
        first, second = others[place].top[:2]
        assert abs(first["p"] - second["p"]) < TIE, (number, place)
        ties += 1
    return ties


def test_greedy_answers_are_the_same(both):
    fresh(both)
    history, ties = [], 0
    for question in QUESTIONS[:5]:
        turn = Turn(both, question, history=history, sampling=GREEDY).run()
        ties += same_without(both, turn)
        history = turn.messages
    assert ties <= 1


def test_reuse_can_be_turned_off(both):
    fresh(both)
    one = Turn(both, "What is 23 * 47?", sampling=GREEDY, reuse=False).run()
    assert {
        event.cached_tokens for event in (*events(one, "context"), *events(one, "prefill"))
    } == {0}
    assert both.prefix_cache._sequence is None
    settings.reuse = False
    try:
        assert Turn(both, "Hi").reuse is False and Turn(both, "Hi", reuse=True).reuse is True
    finally:
        settings.reload()
    with pytest.raises(ValueError, match="reuse"):
        Turn(both, "Hi", reuse="perhaps")


def test_a_model_without_windows_goes_on_from_any_token(tmp_path):
    from tiny_gguf import tiny_llama

    from agentloop_widgets.backends.base import Encoded
    from agentloop_widgets.backends.passes import Passes
    from agentloop_widgets.backends.prefix_cache import CachedSequence

    passes, ids = Passes(tiny_llama(), "llama"), list(range(1, 40))
    sequence, first = CachedSequence(), Encoded("", ids)
    sequence.read(first, 39, passes.read(first).cache)
    sequence.keep()
    assert sequence.snapshots == []
    other = Encoded("", [*ids[:17], 77, 78])
    assert sequence.reach(other) == 17
    sequence.go_back(17)
    logits = passes.read(other, 17, None, sequence.cache).logits
    torch.testing.assert_close(logits, passes.read(other).logits, atol=TIE, rtol=0)


# ---------------------------------------------------------------- media
CONVERSATIONS = {
    "qwen3_5": ["{image} What is this?", "And {clip} that, beside {photo}?", "Which was first?"],
    "gemma4": [
        "{image} What is this?",
        "{sound} And {clip} that, beside {photo}?",
        "Which was first?",
    ],
}


def conversation_encodings(llm, files, questions):
    """The prompt of each question, its media encoded; the answers are made up."""
    messages = [{"role": "system", "content": "Be brief."}]
    for number, question in enumerate(questions):
        messages.append({"role": "user", "content": parts_of(question, files)})
        yield llm.encode(llm.render(messages), media_parts(messages))
        messages.append({"role": "assistant", "content": f"Answer {number}."})


def checked_with_and_without(llm, encodings) -> list[int]:
    """How many tokens came from the cache at each question, once its answer was the one without."""
    cached = []
    for encoded in encodings:
        cached.append(llm.cached_tokens(encoded))
        alone, likely = ours(llm, encoded, 10)
        reused, likely_too = ours(llm, encoded, 10, reuse=True)
        assert alone == reused
        assert max(abs(one - other) for one, other in zip(likely, likely_too, strict=True)) < TIE
    return cached


@pytest.mark.parametrize("family", list(CONVERSATIONS))
def test_media_are_read_once(tiny, media_files, family, monkeypatch):
    llm = tiny[family]
    fresh(llm)
    encodings = list(conversation_encodings(llm, media_files, CONVERSATIONS[family]))
    cached = checked_with_and_without(llm, encodings)
    assert cached[0] == 0
    assert cached[1] > encodings[0].media_tokens["image"]
    assert cached[2] > sum(encodings[1].media_tokens.values())


def test_pictures_whose_tokens_see_each_other(checkpoints, tmp_path, media_files):
    from tiny_models import gemma_checkpoint

    llm = load_backend(
        gemma_checkpoint(tmp_path / "both-ways", use_bidirectional_attention="vision")
    )
    questions = ["{image} What is this?", "And {clip} that, beside {photo}?"]
    cached = checked_with_and_without(llm, conversation_encodings(llm, media_files, questions))
    assert cached[1] > 60


def test_another_picture_of_the_same_size_is_read(tiny, tmp_path):
    from PIL import Image

    for llm in tiny.values():
        fresh(llm)
        encodings = []
        for name, colour in (("red", (250, 9, 9)), ("blue", (9, 9, 250))):
            Image.new("RGB", (64, 64), colour).save(tmp_path / f"{name}.png")
            picture = {"type": "image", "path": str(tmp_path / f"{name}.png"), "name": name}
            message = {
                "role": "user",
                "content": [picture, {"type": "text", "text": "What colour?"}],
            }
            encodings.append(llm.encode(llm.render([message]), media_parts([message])))
        assert encodings[0].ids == encodings[1].ids
        ours(llm, encodings[0], 4, reuse=True)
        assert llm.cached_tokens(encodings[0]) > 20 > llm.cached_tokens(encodings[1])
        assert ours(llm, encodings[1], 8, reuse=True)[0] == ours(llm, encodings[1], 8)[0]


def test_a_picture_that_was_painted_over_is_read_again(tiny, tmp_path):
    import os

    from PIL import Image

    llm, path = tiny["qwen3_5"], tmp_path / "picture.png"
    fresh(llm)
    message = {
        "role": "user",
        "content": [{"type": "image", "path": str(path)}, {"type": "text", "text": "?"}],
    }
    reached = []
    for moment, colour in enumerate(((250, 9, 9), (9, 9, 250))):
        Image.new("RGB", (64, 64), colour).save(path)
        os.utime(path, ns=(moment + 1, moment + 1))
        encoded = llm.encode(llm.render([message]), media_parts([message]))
        reached.append(llm.cached_tokens(encoded))
        ours(llm, encoded, 2, reuse=True)
    assert reached == [0, reached[1]] and reached[1] < 10


# ---------------------------------------------------------------- what is never reused
def test_two_generations_at_once_share_no_cache(both):
    fresh(both)
    encoded = both.encode(both.render([{"role": "user", "content": "What is 23 * 47?"}]))
    alone, _ = ours(both, encoded, 30)
    ours(both, encoded, 3, reuse=True)
    greedy = replace(GREEDY, max_new_tokens=30)
    one, other = both.generate(encoded, greedy), both.generate(encoded, greedy)
    prefills = next(one).cached_tokens, next(other).cached_tokens
    assert prefills[0] > 0 == prefills[1]
    written = [[], []]
    for tokens, source in zip(written, (one, other), strict=True):
        tokens.extend(event.id for event in source if event.type == "token")
    assert written[0] == written[1] == alone[: len(written[0])]


def test_a_pass_that_failed_leaves_no_cache(both, monkeypatch):
    fresh(both)
    encoded = both.encode(both.render([{"role": "user", "content": "Hi"}]))
    ours(both, encoded, 3, reuse=True)
    step, count = both.passes.step, iter(range(99))

    def failing(id, position):
        if next(count) == 2:
            raise RuntimeError("the engine fell over")
        return step(id, position)

    monkeypatch.setattr(both.passes, "step", failing)
    with pytest.raises(RuntimeError, match="fell over"):
        list(both.generate(encoded, GREEDY))
    assert both.cached_tokens(encoded) == 0


def test_a_generation_that_is_left_gives_its_cache_back(both):
    fresh(both)
    encoded = both.encode(both.render([{"role": "user", "content": "What is 23 * 47?"}]))
    events = both.generate(encoded, GREEDY)
    written = [next(events) for _ in range(5)][1:]
    events.close()
    longer = replace(encoded, ids=[*encoded.ids, *(token.id for token in written)])
    assert both.cached_tokens(longer) == encoded.n_tokens + 3


def test_what_a_generation_that_was_left_had_written_is_not_told_as_another_ones(both):
    fresh(both)
    first = Turn(both, "What is 23 * 47?", sampling=GREEDY).run()
    history = [*first.messages, {"role": "user", "content": "And plus 1?"}]
    left = both.encode(both.render(history))
    events = both.generate(left, GREEDY)
    next(events)
    events.close()
    assert both.text_before(left) == ""


def test_a_released_model_keeps_nothing(tmp_path, checkpoints):
    llm = load_backend(checkpoints["qwen3_5"], device="cpu")
    list(llm.generate(llm.encode("Hi"), replace(GREEDY, max_new_tokens=2)))
    assert llm.prefix_cache.bytes > 0
    llm.release()
    assert llm.prefix_cache.bytes == 0


# ---------------------------------------------------------------- what the template rewrote
def test_dropped_thoughts_are_told_where_the_next_question_begins(both):
    first = Turn(both, "What is 23 * 47?", sampling=GREEDY).run()
    second = Turn(both, "And plus 1?", history=first.messages, sampling=GREEDY)
    stage = second.render()
    context = stage.events[-1]
    gone = "".join(
        context.before[start:end] for start, end in (*context.rewritten, *context.dropped)
    )
    thoughts = [event.thought for event in events(first, "parsed") if event.thought]
    assert thoughts and all(thought in gone for thought in thoughts)
    assert all(thought not in context.prompt for thought in thoughts)
    assert "And plus 1?" in context.prompt[context.added_from :]
    shown = " ".join(str(stage).split())
    assert thoughts[0] in shown and "new question" in shown


def test_a_first_question_and_one_that_changes_nothing_carry_no_text_before(both):
    one = Turn(both, "Hello!", sampling=GREEDY)
    assert one.render().events[-1].before == ""
    history = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]
    context = Turn(both, "And?", history=history, thinking=False).render().events[-1]
    assert (context.before != "") == bool(context.rewritten or context.dropped)
    assert (
        0 < context.added_from < len(context.prompt)
        and "And?" in context.prompt[context.added_from :]
    )


@pytest.mark.parametrize("thinking", [True, False])
def test_boundaries_lie_where_later_prompts_part(both, thinking):
    encoded = both.encode(
        both.render(
            [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}],
            thinking=thinking,
        )
    )
    found = boundaries(both.family.segments(encoded.text, encoded.literal), encoded)
    texts = [both.tokenizer.decode(encoded.ids[:place]) for place in (found.system, found.question)]
    assert (
        texts[0].rstrip().endswith(("<|im_end|>", "<turn|>"))
        and "Hi" in texts[1]
        and "Hi" not in texts[0]
    )
    assert found.tail == found.question < encoded.n_tokens
    assert boundaries([], replace(encoded, starts=None)) == Boundaries()
