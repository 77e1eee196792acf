"""Conversations as messages: questions, their calls with the results that the sandbox gave, tools that fail, and answers."""

import random
from dataclasses import dataclass, replace

from failures import failure
from phrases import (
    DENIED,
    DENIED_ANSWERS,
    DENIED_THOUGHTS,
    GIVEN_UP_ANSWERS,
    GIVEN_UP_THOUGHTS,
    NO_TOOL_ANSWERS,
    NO_TOOL_THOUGHTS,
    RESULT_THOUGHTS,
    RETRY_THOUGHTS,
)
from questions import Dice, Question, Questions, Step, stated_of
from questions.following import follow_up, is_number
from sandboxed import Sandbox

FAILURE_SHARE = 0.16  # of the questions: a tool that fails once or more
DENIED_SHARE = 0.015  # of the questions: a call that a person did not allow
NO_THINKING_SHARE = 0.12  # of the conversations
TURNS, TURN_SHARES = (1, 2, 3), (0.76, 0.18, 0.06)
FOLLOWING_SHARE = 0.5  # of the turns after one whose result was a number
MOST_FAILURES = 3  # of one call, after which the model gives up


@dataclass(frozen=True)
class Conversation:
    """messages: Hugging Face's format, without the system turn; kind: of the last question; thinking: whether the last turn thinks."""

    messages: list[dict]
    kind: str
    thinking: bool


def call_message(step: Step) -> dict:
    function = {"name": "run_python", "arguments": {"code": step.code}}
    return {
        "role": "assistant",
        "content": "",
        "reasoning_content": step.thought,
        "tool_calls": [{"type": "function", "function": function}],
    }


def result_message(result: str) -> dict:
    return {"role": "tool", "name": "run_python", "content": result}


def answer_message(thought: str, answer: str) -> dict:
    return {"role": "assistant", "content": answer, "reasoning_content": thought}


def user_message(question: Question) -> dict:
    """The question, behind the files that are attached to it."""
    if not question.attached:
        return {"role": "user", "content": question.text}
    parts = [
        {"type": "file", "path": name, "name": name, "bytes": len(text.encode())}
        for name, text in question.files.items()
    ]
    return {"role": "user", "content": [*parts, {"type": "text", "text": question.text}]}


class Corpus:
    """Draws conversations from a seed."""

    def __init__(self, seed: int, words: list[str], failing: bool = True):
        self.questions = Questions(seed, words)
        self.following = Dice(seed + 2, words)  # apart, so that a seed's questions are known
        self.random = random.Random(seed + 1)
        self.sandbox = Sandbox()
        self.failing = failing

    def pick(self, options):
        return self.random.choice(options)

    def turn(self, question: Question) -> tuple[list[dict], str | None]:
        """(the messages of the whole turn that answers `question` with run_python, the result that the answer states)."""
        messages = [user_message(question)]
        if not question.steps:
            return [*messages, answer_message(question.thought, question.answer(""))], None
        done = self.sandbox.run(question)
        if self.failing and self.random.random() < DENIED_SHARE:
            answer = answer_message(self.pick(DENIED_THOUGHTS), self.pick(DENIED_ANSWERS))
            return [*messages, call_message(done[0][0]), result_message(DENIED), answer], None
        failing = self.failing and self.random.random() < FAILURE_SHARE
        at = self.random.randrange(len(done)) if failing else None
        for index, (step, result) in enumerate(done):
            if index == at:
                failures = self.random.choices((1, 2, MOST_FAILURES), (0.78, 0.16, 0.06))[0]
                for _ in range(failures):
                    messages += [call_message(step), result_message(failure(self.random))]
                    step = Step(self.pick(RETRY_THOUGHTS), step.code)
                if failures == MOST_FAILURES:
                    thought, answer = self.pick(GIVEN_UP_THOUGHTS), self.pick(GIVEN_UP_ANSWERS)
                    return [*messages, answer_message(thought, answer)], None
            messages += [call_message(step), result_message(result)]
        last = done[-1][1]
        return [
            *messages,
            answer_message(self.reading(question, last), question.answer(last)),
        ], last

    def reading(self, question: Question, result: str) -> str:
        """The thought after the last result."""
        if question.reading is not None:
            return question.reading(result)
        return self.pick(RESULT_THOUGHTS).format(r=stated_of(result), raw=result.strip())

    def refusal(self, question: Question) -> list[dict]:
        """The turn where no tool, or another one, is offered."""
        if not question.steps:
            return self.turn(question)[0]
        thought, answer = self.pick(NO_TOOL_THOUGHTS), self.pick(NO_TOOL_ANSWERS)
        return [user_message(question), answer_message(thought, answer)]

    def conversation(self, tools: bool = True, kind: str | None = None) -> Conversation:
        """One to three turns, some about the result before; of a conversation that does not think, no thought is kept."""
        messages, result, question = [], None, None
        for _ in range(1 if kind else self.random.choices(TURNS, TURN_SHARES)[0]):
            follows = result is not None and is_number(result)
            if follows and self.random.random() < FOLLOWING_SHARE:
                question = replace(follow_up(self.following, result), kind="follow_up")
            else:
                question = self.questions.question(kind)
            if tools:
                turn, result = self.turn(question)
                messages += turn
            else:
                messages += self.refusal(question)
        thinking = self.random.random() >= NO_THINKING_SHARE
        if not thinking:
            messages = [
                {key: value for key, value in message.items() if key != "reasoning_content"}
                for message in messages
            ]
        return Conversation(messages, question.kind, thinking)
