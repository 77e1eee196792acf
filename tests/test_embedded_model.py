"""The embedded model and the code that made it: corpus, template, checkpoint, and what it can do."""

import json
import random
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "embedded_model"
sys.path.insert(0, str(EXAMPLES))

from corpus import Corpus, system_turns  # noqa: E402
from evaluate import ask, greetings, stated, unseen_questions, wilson  # noqa: E402
from questions import KINDS, Questions  # noqa: E402
from render import render, render_system  # noqa: E402
from words import HELD_OUT_WORDS, TRAINING_WORDS, WORDS  # noqa: E402


@pytest.fixture(scope="module")
def conversations():
    corpus = Corpus(5, TRAINING_WORDS)
    return [corpus.conversation() for _ in range(250)] + [
        corpus.conversation(tools=False) for _ in range(50)
    ]


def test_the_renderer_writes_what_the_template_writes(llm, conversations):
    turns = system_turns()
    pick = random.Random(1)
    for conversation in conversations:
        _, system, tools = pick.choice(turns)
        messages = [
            *([{"role": "system", "content": system}] if system else []),
            *conversation.messages,
        ]
        pieces = render(conversation)
        text = render_system(system, tools) + "".join(text for text, _ in pieces)
        assert llm.render(messages, tools, conversation.thinking, generation_prompt=False) == text
        apart = [
            id
            for text, _ in [(render_system(system, tools), False), *pieces]
            for id in llm.tokenizer(text, add_special_tokens=False)["input_ids"]
        ]
        assert llm.encode(text).ids == apart


def test_what_is_learnt_is_what_the_model_writes(llm, conversations):
    for conversation in conversations:
        learnt = [text for text, learnt in render(conversation) if learnt]
        assert learnt and all(text.endswith("<|im_end|>") for text in learnt)
        for text in learnt:
            parsed = llm.family.parse(
                text,
                system_turns()[0][2],
                prompt_tail="<think>\n" if conversation.thinking else "<think>\n\n</think>\n\n",
            )
            assert not parsed.faults and (parsed.calls or parsed.content)


def test_every_result_in_the_corpus_was_computed():
    corpus, names = Corpus(6, TRAINING_WORDS, failures=()), {"round": round, "sorted": sorted}
    corpus.random.random = lambda: 0.5  # no failing tool
    for kind in ("arithmetic", "expression", "containers", "story", "percent", "sort"):
        for _ in range(40):
            question = corpus.questions.question(kind)
            _, call, result, answer = corpus.turn(question)
            code = call["tool_calls"][0]["function"]["arguments"]["code"]
            value = str(
                eval(code.removeprefix("print(").removesuffix(")"), {"__builtins__": {}}, names)
            )
            assert result["content"] == value + "\n" and stated(value, answer["content"])


def test_a_missing_import_fails_and_is_repaired():
    corpus = Corpus(7, TRAINING_WORDS)
    _, first, failed, second, result, answer = corpus.turn(corpus.questions.question("imported"))
    assert (
        "NameError" in failed["content"]
        and "rror" not in result["content"]
        and stated(result["content"], answer["content"])
    )
    codes = [
        message["tool_calls"][0]["function"]["arguments"]["code"] for message in (first, second)
    ]
    assert codes[1].startswith("from math import ") and codes[1].endswith(codes[0])


def test_held_out_words_are_held_out():
    assert not set(HELD_OUT_WORDS) & set(TRAINING_WORDS) and len(HELD_OUT_WORDS) == 80
    assert set(HELD_OUT_WORDS) | set(TRAINING_WORDS) == set(WORDS)


def test_every_kind_of_question_is_drawn():
    questions = Questions(4, TRAINING_WORDS)
    drawn = {questions.question().kind for _ in range(3000)}
    assert drawn == set(KINDS)


def test_the_checkpoint_is_what_it_should_be(llm):
    config = json.loads((llm.folder / "config.json").read_text())
    text = config["text_config"]
    assert (
        config["architectures"] == ["Qwen3_5ForConditionalGeneration"]
        and config["dtype"] == "bfloat16"
    )
    assert (
        text["linear_key_head_dim"] == text["linear_value_head_dim"] == 64
        and text["head_dim"] == 32
    )
    assert sum(path.stat().st_size for path in llm.folder.iterdir()) <= 3_000_000
    assert config["vision_config"]["depth"] == 1 and any(
        name.startswith("model.visual.") for name, _ in llm.model.named_parameters()
    )
    assert (llm.folder / "chat_template.jinja").read_text() == (
        EXAMPLES / "chat_template.jinja"
    ).read_text()
    assert type(llm.tokenizer).__name__ == "Qwen3_5Tokenizer"


def test_the_intervals_are_wilsons():
    share, low, high = wilson(90, 100)
    assert (
        share == 0.9
        and low == pytest.approx(0.8256, abs=1e-3)
        and high == pytest.approx(0.9448, abs=1e-3)
    )
    assert wilson(0, 10)[1] == 0.0 and wilson(10, 10)[2] == 1.0


def test_a_result_is_stated_as_a_word_of_its_own():
    assert (
        stated("84\n", "There are 84 eggs.")
        and not stated("84", "There are 840 eggs.")
        and not stated("8", "8.5 km")
    )
    assert (
        stated("[1, 2]", "Sorted: 1, 2.")
        and stated("True", "Yes, it is.")
        and not stated("False", "Yes, it is.")
    )


def figures(llm, count: int) -> tuple[float, float]:
    outcomes = ask(llm, unseen_questions(count))
    return sum(outcome.parsable for outcome in outcomes) / count, sum(
        outcome.whole for outcome in outcomes
    ) / count


def test_it_answers_unseen_questions(llm):
    """The small form: forty questions. The whole form has the figures that are asked for."""
    parsable, whole = figures(llm, 40)
    assert parsable >= 0.9 and whole >= 0.75


@pytest.mark.slow
def test_it_answers_two_hundred_unseen_questions(llm):
    parsable, whole = figures(llm, 200)
    assert parsable >= 0.97 and whole >= 0.85


def test_it_calls_no_tool_where_none_is_needed(llm):
    without, total = greetings(llm)
    assert total >= 30 and without / total >= 0.9
