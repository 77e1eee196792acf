"""Conversations as messages: questions from questions.py, their code run by the library's own sandbox, and the system turns they are read after."""

import random
from dataclasses import dataclass

from questions import Question, Questions

from agentloop_widgets.harness.prompts import SYSTEM_NO_TOOLS, SYSTEM_WITH_TOOLS
from agentloop_widgets.tools import SandboxSession, run_python

RESULT_THOUGHTS = (
    "The tool returned {r}.",
    "The tool returned {r}. I can answer.",
    "The result is {r}.",
    "I have the result: {r}.",
)
RETRY_THOUGHTS = (
    "The tool failed. I will try again.",
    "That was an error. I will call the tool again.",
    "The call failed, so I repeat it.",
)
REPAIR_THOUGHTS = (
    "{name} is not defined. I must import it from math.",
    "I forgot the import: {name} is in math.",
)
NO_TOOL_THOUGHTS = (
    "I have no tool here, so I cannot work this out.",
    "There is no tool to work this out with.",
)
NO_TOOL_ANSWERS = (
    "I need run_python for that, and it is not offered here.",
    "I cannot work that out without a tool.",
)
FAILURES = (
    "Error: timeout", "Error: the tool is busy", "Error: connection lost", "Error: tool unavailable", "TimeoutError: no answer", "ConnectionError: connection refused", "The sandbox stopped: worker exited",
    "OSError: no space left", "RuntimeError: try again later", "Error 503: service unavailable", "Error 500", "PermissionError: the tool is locked", "The tool gave no answer.", "BrokenPipeError: broken pipe",
)  # fmt: skip
HELD_OUT_FAILURES = (
    "TimeoutError: the tool took too long",
    "Error: the worker was stopped",
    "ConnectionError: connection reset",
    "Error 504: no answer",
)
FAILURE_SHARE = 0.11
NO_THINKING_SHARE = 0.08


class Sandbox:
    """Runs code as a turn does. A program that fails is run again in a session of its own, so that its traceback is the one a turn would show."""

    def __init__(self):
        self.shared = SandboxSession()

    def run(self, *codes: str) -> list[str]:
        """What the model would read of each of `codes`, run one after another in one turn."""
        if len(codes) == 1 and (result := self.shared.run({"code": codes[0]})).error is None:
            return [result.text]
        session = SandboxSession()
        texts = [session.run({"code": code}).text for code in codes]
        session.close()
        return texts


@dataclass(frozen=True)
class Conversation:
    """messages: Hugging Face's format, without the system turn; kind: of the last question; thinking: whether the last turn thinks."""

    messages: list[dict]
    kind: str
    thinking: bool


def call(thought: str, code: str) -> dict:
    function = {"name": "run_python", "arguments": {"code": code}}
    return {
        "role": "assistant",
        "content": "",
        "reasoning_content": thought,
        "tool_calls": [{"type": "function", "function": function}],
    }


def repaired(question: Question) -> str:
    """The question's code with the import it lacked."""
    return f"from math import {question.name}\n{question.code}"


class Corpus:
    """Draws conversations from a seed."""

    def __init__(self, seed: int, words: list[str], failures=FAILURES):
        self.questions = Questions(seed, words)
        self.random = random.Random(seed + 1)
        self.sandbox = Sandbox()
        self.failures = failures

    def turn(self, question: Question) -> list[dict]:
        """The whole turn that answers `question` with run_python: calls, their results, the answer."""
        user = {"role": "user", "content": question.text}
        if question.code is None:
            return [
                user,
                {
                    "role": "assistant",
                    "content": question.answer(""),
                    "reasoning_content": question.thought,
                },
            ]
        codes = [question.code, repaired(question)] if question.name else [question.code]
        results = self.sandbox.run(*codes)
        thoughts = [
            question.thought,
            self.random.choice(REPAIR_THOUGHTS).format(name=question.name),
        ]
        if not question.name and self.random.random() < FAILURE_SHARE:
            codes = codes * 2
            results = [self.random.choice(self.failures), results[0]]
            thoughts[1] = self.random.choice(RETRY_THOUGHTS)
        steps = []
        for thought, code, result in zip(thoughts, codes, results, strict=False):
            steps += [
                call(thought, code),
                {"role": "tool", "name": "run_python", "content": result},
            ]
        return [user, *steps, self.answer(question, results[-1].strip())]

    def answer(self, question: Question, result: str) -> dict:
        thought = (
            "Division by zero has no result."
            if question.kind == "zero"
            else self.random.choice(RESULT_THOUGHTS).format(r=result)
        )
        return {
            "role": "assistant",
            "content": question.answer(result),
            "reasoning_content": thought,
        }

    def refusal(self, question: Question) -> list[dict]:
        """The turn where no tool is offered."""
        if question.code is None:
            return self.turn(question)
        answer = {
            "role": "assistant",
            "content": self.random.choice(NO_TOOL_ANSWERS),
            "reasoning_content": self.random.choice(NO_TOOL_THOUGHTS),
        }
        return [{"role": "user", "content": question.text}, answer]

    def conversation(self, tools: bool = True, kind: str | None = None) -> Conversation:
        """One to three turns; of a turn that does not think, no thought is kept."""
        turns = [
            self.questions.question(kind)
            for _ in range(self.random.choices([1, 2, 3], [0.82, 0.14, 0.04])[0])
        ]
        messages = [
            message
            for question in turns
            for message in (self.turn(question) if tools else self.refusal(question))
        ]
        thinking = self.random.random() >= NO_THINKING_SHARE
        if not thinking:
            messages = [
                {key: value for key, value in message.items() if key != "reasoning_content"}
                for message in messages
            ]
        return Conversation(messages, turns[-1].kind, thinking)


# ---------------------------------------------------------------------- system turns
def described(description: str) -> dict:
    schema = run_python.schema()
    return {**schema, "function": {**schema["function"], "description": description}}


SHORT_TOOL = described("Run Python code.")
OTHER_TOOLS = [
    {"type": "function", "function": {"name": "get_weather", "description": "Current weather in a city.", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}},
    {"type": "function", "function": {"name": "read_file", "description": "Read a text file.", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}}},
]  # fmt: skip
OTHER_SYSTEMS = (
    None,
    SYSTEM_NO_TOOLS,
    "You are a small assistant for numbers, words and lists. Use a tool when it helps.",
    "Answer with Python.",
    "You are a patient teacher.",
    "Be brief.",
)


def system_turns() -> list[tuple[float, str | None, list[dict]]]:
    """(share, system text, tools) of the system turns that conversations are read after: mostly the library's own, and enough others that it does not depend on them."""
    own = run_python.schema()
    shares = [(0.5, SYSTEM_WITH_TOOLS, [own]), (0.2, SYSTEM_WITH_TOOLS, [SHORT_TOOL])]
    shares += [(0.02, text, [own]) for text in OTHER_SYSTEMS]
    shares += [(0.03, SYSTEM_WITH_TOOLS, [own, other]) for other in OTHER_TOOLS]
    return [*shares, (0.04, SYSTEM_NO_TOOLS, []), (0.02, None, [])]
