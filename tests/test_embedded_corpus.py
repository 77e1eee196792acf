"""The code that the embedded models are trained with: questions, conversations, and the text that both families make of them."""

import random
import re
from functools import cache

import pytest
from architectures import ARCHITECTURES, architecture
from corpus import Corpus
from evaluate import is_stated, outcome_of, plain_number, same_result, wilson
from failures import HELD_OUT_FAILURES, UNKNOWN_FAILURES, failure
from lessons import offers_python
from questions import GROUPS, KINDS, Questions, stated_of
from questions.following import is_number
from questions.talk import SCOPE
from rendered import READ, encoded
from sandboxed import Sandbox
from systems import system_turns
from unseen import (
    EVALUATION_SEED,
    GREETINGS,
    OUTSIDE,
    is_chain,
    seen_texts,
    unseen_questions,
)
from words import HELD_OUT_WORDS, TRAINING_WORDS, WORDS

from agentloop_widgets import load_backend

SOURCES = {"qwen3_5": "embedded", "gemma4": "embedded:gemma4"}


@cache
def conversations():
    corpus = Corpus(5, TRAINING_WORDS)
    drawn = [corpus.conversation() for _ in range(250)]
    drawn += [corpus.conversation(kind=kind) for kind in KINDS]
    return [*drawn, *(corpus.conversation(tools=False) for _ in range(50))]


def asked_for(conversation, system):
    first = [{"role": "system", "content": system}] if system else []
    return [*first, *conversation.messages]


@pytest.mark.parametrize("key", ARCHITECTURES)
def test_the_renderer_writes_what_the_template_writes(key):
    """What is read before each stretch that is learnt is, byte for byte, the prompt that a backend would render at that step."""
    made, llm, pick = architecture(key), load_backend(SOURCES[key]), random.Random(1)
    for conversation in conversations():
        _, system, tools = pick.choice(system_turns())
        messages = asked_for(conversation, system)
        written = [at for at, message in enumerate(messages) if message["role"] == "assistant"]
        asked = max(at for at, message in enumerate(messages) if message["role"] == "user")
        steps = [at for at in written if at > asked]
        prompts = [llm.render(messages[:at], tools, conversation.thinking) for at in steps]
        start = made.system_text(llm.tokenizer, system, tools, conversation.thinking)
        found = []
        for sample in made.samples(conversation):
            text, was_read = start, True
            for piece, part in sample:
                if part != READ and was_read:
                    found.append(text)
                text, was_read = text + piece, part == READ
        assert found == prompts


@pytest.mark.parametrize("key", ARCHITECTURES)
def test_a_sample_is_tokenised_as_the_running_model_tokenises_it(key):
    made, llm = architecture(key), load_backend(SOURCES[key])
    samples = [sample for each in conversations() for sample in made.samples(each)]
    for sample, example in zip(samples, encoded(llm.tokenizer, samples), strict=True):
        text = "".join(piece for piece, _ in sample)
        assert llm.tokenizer.encode(text, add_special_tokens=False) == example.ids.tolist()
        learnt = [id for id, part in zip(example.ids, example.parts, strict=True) if part != READ]
        written = "".join(piece for piece, part in sample if part != READ)
        assert llm.tokenizer.decode(learnt) == written


@pytest.mark.parametrize("key", ARCHITECTURES)
def test_what_is_learnt_is_what_the_family_reads(key):
    made, llm = architecture(key), load_backend(SOURCES[key])
    for conversation in conversations():
        for sample in made.samples(conversation):
            text = ""
            for at, (piece, part) in enumerate(sample):
                if part != READ:
                    text += piece
                if text and (at + 1 == len(sample) or sample[at + 1][1] == READ):
                    tail = "".join(before for before, _ in sample[: at + 1]).removesuffix(text)
                    parsed = llm.family.parse(text, system_turns()[0][2], prompt_tail=tail[-60:])
                    assert not parsed.faults and (parsed.calls or parsed.content)
                    text = ""


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_results_that_its_answer_states(kind):
    corpus, sandbox = Corpus(6, TRAINING_WORDS, failing=False), Sandbox()
    for _ in range(12):
        question = corpus.questions.question(kind)
        messages, result = corpus.turn(question)
        if question.steps:
            assert result == sandbox.run(question)[-1][1] and len(result) < 600
            said = (question.said or stated_of)(result)
            assert is_stated(said, messages[-1]["content"]), (question.text, messages[-1])
        else:
            assert result is None and len(messages) == 2 and messages[-1]["content"].strip()
        assert all(message.get("reasoning_content", "x").strip() for message in messages)


def test_results_are_those_of_python():
    """The sandbox agrees with CPython on code that is one expression."""
    questions, sandbox = Questions(8, TRAINING_WORDS), Sandbox()
    for kind in ("arithmetic", "containers", "percent", "sort", "aggregate", "backwards", "count"):
        for _ in range(30):
            step, result = sandbox.run(questions.question(kind))[-1]
            if "\n" not in step.code:
                expression = step.code.removeprefix("print(").removesuffix(")")
                assert result == str(eval(expression)) + "\n"


def test_a_missing_import_fails_and_is_repaired():
    questions, sandbox = Questions(7, TRAINING_WORDS), Sandbox()
    for kind in (name for name, group in GROUPS.items() if group == "mending"):
        (first, failed), (second, result) = sandbox.run(questions.question(kind))
        assert "NameError" in failed and "rror" not in result
        assert second.code.startswith("from math import ") and second.code.endswith(first.code)


def test_the_second_step_uses_what_the_first_gave():
    questions, sandbox = Questions(9, TRAINING_WORDS), Sandbox()
    for kind in (name for name, group in GROUPS.items() if group == "chains"):
        (_, first), (second, _) = sandbox.run(questions.question(kind))
        assert first.strip() in second.code
    for _ in range(20):
        (_, first), (second, _) = sandbox.run(questions.question("of_numbers"))
        digits = re.findall(r"\d+", first)
        assert set(re.findall(r"\d+", second.code)) - {"2"} <= set(digits)


def test_failures_are_repeated_or_given_up():
    corpus = Corpus(10, TRAINING_WORDS)
    retried = given_up = denied = 0
    for _ in range(1500):
        messages, result = corpus.turn(corpus.questions.question("sort"))
        calls = [message for message in messages if message.get("tool_calls")]
        codes = {call["tool_calls"][0]["function"]["arguments"]["code"] for call in calls}
        assert len(codes) == 1 and len(calls) <= 3
        retried += len(calls) > 1 and result is not None
        given_up += len(calls) == 3 and result is None
        denied += len(calls) == 1 and result is None
    assert 100 < retried < 300 and given_up and denied


def test_an_earlier_result_is_meant():
    corpus, follow_ups = Corpus(11, TRAINING_WORDS), 0
    for _ in range(600):
        conversation = corpus.conversation()
        if conversation.kind == "follow_up":
            *before, question = [
                at for at, each in enumerate(conversation.messages) if each["role"] == "user"
            ]
            result = conversation.messages[question - 2]["content"].strip()
            code = conversation.messages[question + 1]["tool_calls"][0]["function"]["arguments"]
            assert is_number(result) and code["code"].startswith(("print(", "print(round("))
            assert result in code["code"] and before
            follow_ups += 1
    assert follow_ups > 10


def test_no_tool_no_call():
    corpus = Corpus(12, TRAINING_WORDS)
    for _ in range(100):
        messages = corpus.conversation(tools=False).messages
        assert not any(message.get("tool_calls") for message in messages)
    assert [offers_python(tools) for _, _, tools in system_turns()].count(False) == 4


def test_what_is_held_out_is_held_out():
    assert not set(HELD_OUT_WORDS) & set(TRAINING_WORDS) and len(HELD_OUT_WORDS) == 100
    assert set(HELD_OUT_WORDS) | set(TRAINING_WORDS) == set(WORDS)
    assert not seen_texts() & {*GREETINGS, *OUTSIDE}
    assert len(set(GREETINGS)) >= 50 and len(set(OUTSIDE)) == 50


def test_failures_of_the_evaluation_are_never_drawn():
    dice = random.Random(5)
    drawn = {failure(dice) for _ in range(60_000)}
    assert len(drawn) > 20_000 and not drawn & {*HELD_OUT_FAILURES, *UNKNOWN_FAILURES}
    words = {word for text in drawn for word in re.findall(r"[a-z]{4,}", text.lower())}
    unknown = {word for text in UNKNOWN_FAILURES for word in re.findall(r"[a-z]{4,}", text.lower())}
    assert len(unknown - words) >= 0.8 * len(unknown), unknown & words
    assert all(set(re.findall(r"[a-z]{4,}", text.lower())) - words for text in UNKNOWN_FAILURES)


def test_a_seed_draws_the_same_again():
    first, second = (Questions(4, TRAINING_WORDS) for _ in range(2))
    drawn = [first.question() for _ in range(3000)]
    assert [each.text for each in drawn] == [second.question().text for _ in drawn]
    assert {each.kind for each in drawn} == set(KINDS) == set(GROUPS)


def test_unseen_questions_are_those_that_were_asked_for():
    chains = unseen_questions(20, seed=EVALUATION_SEED + 1, kinds=["steps_of_a_word", "of_numbers"])
    assert all(is_chain(question) for question in chains)
    unclear = unseen_questions(5, kinds=["unclear"], called=False)
    assert all(not question.steps and question.kind == "unclear" for question in unclear)


def test_what_lies_outside_is_answered_with_what_lies_inside():
    questions = Questions(3, TRAINING_WORDS)
    for _ in range(60):
        assert SCOPE in questions.question("outside").answer("")


def test_intervals_are_wilsons():
    share, low, high = wilson(90, 100)
    assert share == 0.9
    assert low == pytest.approx(0.8256, abs=1e-3) and high == pytest.approx(0.9448, abs=1e-3)
    assert wilson(0, 10)[1] == 0.0 and wilson(10, 10)[2] == 1.0


def test_a_result_is_stated_as_a_word_of_its_own():
    assert is_stated("84", "There are 84 eggs.") and is_stated("84\n", "It is 84")
    assert not is_stated("84", "There are 840 eggs.") and not is_stated("8", "8.5 km")
    assert stated_of("[1, 2]\n") == "1, 2" and stated_of("['a', 'b']") == "a, b"
    assert stated_of("True\n") == "Yes" and stated_of("False") == "No"
    assert plain_number("20.0\n") == "20" and same_result("20.0\n", "20\n")
    assert not same_result("21\n", "20\n")
    error = 'Traceback (most recent call last):\n  File "a", line {}\nZeroDivisionError: x'
    assert same_result(error.format(1), error.format(2)) and not same_result("0\n", error.format(1))


def test_an_outcome_needs_the_right_call_and_the_right_words():
    class Event:
        def __init__(self, type, **fields):
            self.type = type
            self.__dict__.update(fields)

    class Turn:
        def __init__(self, result, final):
            parsed = Event("parsed", faults=(), calls=(1,))
            self.events = [parsed, Event("tool_end", result=result, error=None)]
            self.final = final

    question = Questions(1, TRAINING_WORDS).question("arithmetic")
    right = outcome_of(question, Turn("12\n", "It is 12."), "12\n")
    assert right.whole and right.parsable and right.calls == 1
    assert not outcome_of(question, Turn("12\n", "It is 13."), "12\n").states
    wrong = outcome_of(question, Turn("13\n", "It is 13."), "12\n")
    assert wrong.states and not wrong.code and not wrong.whole
    none = outcome_of(question, type("T", (), {"events": [], "final": "12"})(), "12\n")
    assert not none.parsable and not none.code and not none.states
