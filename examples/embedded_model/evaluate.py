"""Asks the embedded model questions it has never seen, in the library's real loop with the real sandbox, and prints what came of them.

    python evaluate.py [FOLDER] [--questions 200] [--sampled]

greedy by default. A question is unseen when its text is none of those the training drew; words come from the held-out list or are made up. Figures are shares with 95 % Wilson intervals."""

import argparse
import json
import re
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from corpus import HELD_OUT_FAILURES, Sandbox, repaired
from questions import Question, Questions
from words import HELD_OUT_WORDS, TRAINING_WORDS

from agentloop_widgets import Turn
from agentloop_widgets.backends.folder import load_folder
from agentloop_widgets.tools import SandboxSession, Tool, ToolResult, run_python
from agentloop_widgets.tools.base import never

TRAINING_SEED, TRAINING_QUESTIONS = 1, 180_000  # at least as many as the training drew
EVALUATION_SEED = 4242
SHIPPED = Path(__file__).resolve().parents[2] / "agentloop_widgets" / "models" / "qwen3_5"


def unseen_questions(
    count: int, seed: int = EVALUATION_SEED, kind: str | None = None
) -> list[Question]:
    """Questions that need the tool, none of whose texts the training drew."""
    training = Questions(TRAINING_SEED, TRAINING_WORDS)
    seen = {training.question().text for _ in range(TRAINING_QUESTIONS)}
    drawn = Questions(seed, HELD_OUT_WORDS)
    questions: list[Question] = []
    while len(questions) < count:
        question = drawn.question(kind)
        if question.code is not None and question.text not in seen:
            questions.append(question)
    return questions


@dataclass(frozen=True)
class Outcome:
    """parsable: called, and every call could be read; code: the last call's result is the right one; states: the answer states that result; whole: both."""

    question: Question
    parsable: bool
    code: bool
    states: bool
    calls: int
    answer: str

    @property
    def whole(self) -> bool:
        return self.code and self.states


def plain_number(text: str) -> str:
    return re.sub(r"(?<=\d)\.0$", "", text.strip())


def stated(result: str, answer: str) -> bool:
    """Whether the answer says the tool's result, as a word of its own."""
    result = result.strip()
    if result in ("True", "False"):
        return answer.startswith("Yes" if result == "True" else "No")
    shown = result[1:-1] if result.startswith("[") else result
    return re.search(r"(?<![\w.])" + re.escape(shown) + r"(?![\w]|\.\d)", answer) is not None


def outcome_of(question: Question, turn: Turn, expected: str) -> Outcome:
    parsed = [event for event in turn.events if event.type == "parsed"]
    ends = [event for event in turn.events if event.type == "tool_end"]
    got = (ends[-1].result or ends[-1].error or "").strip() if ends else None
    if question.kind == "zero":
        code, states = (
            got is not None and "ZeroDivisionError" in got,
            "cannot be divided by 0" in turn.final,
        )
    else:
        code, states = (
            got is not None and plain_number(got) == plain_number(expected),
            got is not None and stated(got, turn.final),
        )
    parsable = bool(ends) and not any(event.faults for event in parsed)
    return Outcome(question, parsable, code, states, len(ends), turn.final)


def failing_once(message: str) -> Tool:
    """run_python whose first call fails with `message`, as a busy tool would."""

    class Session(SandboxSession):
        calls = 0

        def run(self, arguments, should_stop=never):
            self.calls += 1
            if self.calls == 1:
                return ToolResult("", message)
            return super().run(arguments, should_stop)

    return replace(run_python, opener=Session)


def ask(
    llm, questions: list[Question], greedy: bool = True, failures: tuple[str, ...] = ()
) -> list[Outcome]:
    sandbox, outcomes = Sandbox(), []
    for index, question in enumerate(questions):
        codes = [question.code, repaired(question)] if question.name else [question.code]
        expected = sandbox.run(*codes)[-1]
        sampling = replace(
            llm.recommended,
            max_new_tokens=160,
            seed=index,
            **({"temperature": 0.0} if greedy else {}),
        )
        tools = [failing_once(failures[index % len(failures)])] if failures else None
        turn = Turn(llm, question.text, tools=tools, sampling=sampling, max_steps=4)
        turn.run()
        outcomes.append(outcome_of(question, turn, expected))
    return outcomes


def wilson(successes: int, total: int) -> tuple[float, float, float]:
    """A share and its 95 % Wilson interval."""
    share, z = successes / total, 1.96
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = (
        z
        * ((share * (1 - share) / total + z * z / (4 * total * total)) ** 0.5)
        / (1 + z * z / total)
    )
    return share, max(0.0, middle - half), min(1.0, middle + half)


def line(name: str, successes: int, total: int) -> str:
    share, low, high = wilson(successes, total)
    return f"| {name} | {successes}/{total} | {100 * share:.1f} % | {100 * low:.1f}–{100 * high:.1f} % |"


def table(outcomes: list[Outcome]) -> list[str]:
    """The figures as a Markdown table, then by kind."""
    rows = ["| | count | share | 95 % interval |", "|---|---|---|---|"]
    names = {
        "parsable": "every call parsable",
        "code": "right result from the code",
        "states": "answer states the tool's result",
        "whole": "whole turn right",
    }
    rows += [
        line(label, sum(getattr(outcome, name) for outcome in outcomes), len(outcomes))
        for name, label in names.items()
    ]
    kinds = defaultdict(list)
    for outcome in outcomes:
        kinds[outcome.question.kind].append(outcome)
    return rows + [
        line(f"whole turn, {kind}", sum(outcome.whole for outcome in kinds[kind]), len(kinds[kind]))
        for kind in sorted(kinds)
    ]


def greetings(llm) -> tuple[int, int]:
    """(how many questions that need no tool were answered without one, of how many)."""
    from questions import DIRECT

    texts = [text for texts, _, _ in DIRECT for text in texts]
    without = 0
    for text in texts:
        turn = Turn(
            llm,
            text,
            sampling=replace(llm.recommended, temperature=0.0, max_new_tokens=120, seed=0),
            max_steps=2,
        )
        turn.run()
        without += turn.stop_reason == "answer" and not any(
            event.type == "tool_end" for event in turn.events
        )
    return without, len(texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=SHIPPED)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=EVALUATION_SEED)
    parser.add_argument(
        "--sampled", action="store_true", help="at the recommended sampling instead of greedy"
    )
    parser.add_argument("--failures", type=int, default=40, help="questions whose first call fails")
    parser.add_argument("--show", type=int, default=15, help="wrong turns to print")
    options = parser.parse_args()
    torch.set_num_threads(1)
    llm = load_folder(options.folder)
    questions = unseen_questions(options.questions, options.seed)
    outcomes = ask(llm, questions, greedy=not options.sampled)
    print("\n".join(table(outcomes)))
    if options.failures:
        again = ask(
            llm,
            [question for question in questions if not question.name and question.kind != "zero"][
                : options.failures
            ],
            failures=HELD_OUT_FAILURES,
        )
        print(
            line(
                "first call failed (messages never seen): whole turn right",
                sum(outcome.whole for outcome in again),
                len(again),
            )
        )
    print(line("no tool called where none is needed", *greetings(llm)))
    for outcome in [outcome for outcome in outcomes if not outcome.whole][: options.show]:
        print(
            "wrong:",
            json.dumps(
                [
                    outcome.question.kind,
                    outcome.question.text,
                    outcome.question.code,
                    outcome.calls,
                    outcome.answer,
                ],
                ensure_ascii=False,
            ),
        )


if __name__ == "__main__":
    main()
