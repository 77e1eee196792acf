"""Asks an embedded model what it has never seen, in the library's real loop with the real sandbox, and prints what came of it.

    python evaluate.py qwen3_5                 # 500 questions, greedy and at the recommended sampling: the figures of the model card
    python evaluate.py FOLDER --questions 100  # of another checkpoint
    python evaluate.py gemma4 --card           # writes the figures into the card, too

A question is unseen when the training drew no question of its text; its words are held out or made up. Figures are shares with 95 % Wilson intervals."""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from architectures import ARCHITECTURES, SHIPPED
from failures import HELD_OUT_FAILURES, UNKNOWN_FAILURES
from questions import Question, stated_of
from questions.talk import SCOPE
from sandboxed import Sandbox
from unseen import EVALUATION_SEED, GREETINGS, OUTSIDE, group_of, is_chain, unseen_questions

from agentloop_widgets import Turn
from agentloop_widgets.backends.folder import load_folder
from agentloop_widgets.tools import SandboxSession, Tool, ToolResult, run_python
from agentloop_widgets.tools.base import never

MAX_NEW_TOKENS, MAX_STEPS = 200, 6
RECOVERIES, UNCLEAR = 100, 50


def marks(name: str) -> tuple[str, str]:
    """What stands before and behind a table of a card."""
    return f"<!-- {name} -->", f"<!-- end of {name} -->"


BEGIN, END = marks("figures")


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


def same_result(got: str, expected: str) -> bool:
    """Equal results, or errors that end in the same line."""
    if "Traceback" in expected:
        return expected.strip().splitlines()[-1] == (got.strip().splitlines() or [""])[-1]
    return plain_number(got) == plain_number(expected)


def is_stated(wanted: str, answer: str) -> bool:
    """Whether the answer says `wanted`, as a word of its own."""
    pattern = rf"(?<![\w.]){re.escape(wanted.strip())}(?!\w|\.\d)"
    return re.search(pattern, answer) is not None


def outcome_of(question: Question, turn: Turn, expected: str) -> Outcome:
    parsed = [event for event in turn.events if event.type == "parsed"]
    ends = [event for event in turn.events if event.type == "tool_end"]
    got = "\n".join(filter(None, (ends[-1].result, ends[-1].error))) if ends else None
    wanted = (question.said or stated_of)(got or "")
    return Outcome(
        question,
        parsable=bool(ends) and not any(event.faults for event in parsed),
        code=got is not None and same_result(got, expected),
        states=got is not None and is_stated(wanted, turn.final),
        calls=len(ends),
        answer=turn.final,
    )


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


class Examiner:
    """Asks one model. greedy: else at the sampling that its checkpoint recommends."""

    def __init__(self, llm, greedy: bool = True):
        self.llm, self.greedy, self.sandbox = llm, greedy, Sandbox()

    def sampling(self, seed: int):
        own = {"temperature": 0.0} if self.greedy else {}
        recommended = self.llm.recommended
        return replace(recommended, max_new_tokens=MAX_NEW_TOKENS, seed=seed, **own)

    def turn(self, text: str, seed: int, **options) -> Turn:
        turn = Turn(self.llm, text, sampling=self.sampling(seed), max_steps=MAX_STEPS, **options)
        turn.run()
        return turn

    def asked(
        self, questions: Sequence[Question], failures: Sequence[str] = ()
    ) -> Iterator[Outcome]:
        """What came of each question; failures: what the first call of each fails with, in turn."""
        for index, question in enumerate(questions):
            expected = self.sandbox.run(question)[-1][1]
            folder = self.sandbox.write(question.files)
            attached = [folder / name for name in question.files] if question.attached else []
            tools = [failing_once(failures[index % len(failures)])] if failures else None
            turn = self.turn(question.text, index, tools=tools, folder=folder, attachments=attached)
            yield outcome_of(question, turn, expected)

    def talked(self, texts: Sequence[str], wanted: str = "") -> list[tuple[str, bool, str]]:
        """(text, whether it was answered at once and with `wanted` in the answer, the answer) of each text."""
        rows = []
        for index, text in enumerate(texts):
            turn = self.turn(text, index)
            called = any(event.type == "parsed" and event.calls for event in turn.events)
            right = not called and bool(turn.final.strip()) and wanted in turn.final
            rows.append((text, right, turn.final))
        return rows


def wilson(successes: int, total: int) -> tuple[float, float, float]:
    """A share and its 95 % Wilson interval."""
    share, z = successes / total, 1.96
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    root = (share * (1 - share) / total + z * z / (4 * total * total)) ** 0.5
    half = z * root / (1 + z * z / total)
    return share, max(0.0, middle - half), min(1.0, middle + half)


def line(name: str, right: Sequence[bool]) -> str:
    share, low, high = wilson(sum(right), len(right))
    return f"| {name} | {sum(right)}/{len(right)} | {100 * share:.1f} % | {100 * low:.1f}–{100 * high:.1f} % |"


HEAD = ["| | count | share | 95 % interval |", "|---|---|---|---|"]
MEASURES = {
    "parsable": "every call parsable",
    "code": "right result from the code",
    "states": "answer states the tool's result",
    "whole": "whole turn right",
}


def table(outcomes: Sequence[Outcome]) -> list[str]:
    """The figures as a Markdown table."""
    rows = [
        line(label, [getattr(outcome, name) for outcome in outcomes])
        for name, label in MEASURES.items()
    ]
    chains = [outcome.whole for outcome in outcomes if is_chain(outcome.question)]
    return [*HEAD, *rows, line("whole turn, two steps", chains)]


def group_table(outcomes: Sequence[Outcome]) -> list[str]:
    """The rows by group of kinds."""
    groups = defaultdict(list)
    for outcome in outcomes:
        groups[group_of(outcome.question)].append(outcome.whole)
    return [line(f"whole turn, {name}", groups[name]) for name in sorted(groups)]


def talk_table(examiner: Examiner, wrong: list) -> list[str]:
    """The rows of what needs no call; what went wrong is added to `wrong`."""
    unclear = [each.text for each in unseen_questions(UNCLEAR, kinds=["unclear"], called=False)]
    rows = []
    for label, texts, wanted in (
        ("no tool called for greetings, thanks and questions about itself", GREETINGS, ""),
        ("out of its domain: says what it knows, calls nothing", OUTSIDE, SCOPE),
        ("something is missing: asks, calls nothing", unclear, "?"),
    ):
        answers = examiner.talked(texts, wanted)
        rows.append(line(label, [right for _, right, _ in answers]))
        wrong += [[label, text, answer] for text, right, answer in answers if not right]
    return rows


def wrong_turns(name: str, outcomes: Sequence[Outcome]) -> list[list]:
    return [
        [name, each.question.kind, each.question.text, each.calls, each.answer]
        for each in outcomes
        if not each.whole
    ]


def figures(llm, count: int, seed: int, sampled: bool = True) -> tuple[str, list]:
    """(the figures as Markdown, what went wrong when greedy)."""
    questions = unseen_questions(count, seed)
    greedy = Examiner(llm)
    outcomes = list(greedy.asked(questions))
    sound = [each for each in questions if group_of(each) != "mending"][:RECOVERIES]
    wrong = wrong_turns("wrong", outcomes)
    rows = [*table(outcomes), *group_table(outcomes)]
    for said, failures in (("a message", HELD_OUT_FAILURES), ("words", UNKNOWN_FAILURES)):
        recovered = list(greedy.asked(sound, failures))
        wrong += wrong_turns("not recovered", recovered)
        label = f"first call failed, with {said} never seen: whole turn right"
        rows.append(line(label, [outcome.whole for outcome in recovered]))
    rows += talk_table(greedy, wrong)
    if sampled:
        own = llm.recommended
        settings = f"T {own.temperature}, top-k {own.top_k}, top-p {own.top_p}"
        rows += ["", f"At the recommended sampling ({settings}):", ""]
        rows += table(list(Examiner(llm, greedy=False).asked(questions)))
    return "\n".join(rows), wrong


def write_card(path: Path, text: str, name: str = "figures") -> None:
    """Put the figures between the card's two marks of this name."""
    begin, end = marks(name)
    card = path.read_text(encoding="utf-8")
    before, rest = card.split(begin, 1)
    path.write_text(f"{before}{begin}\n\n{text}\n\n{end}{rest.split(end, 1)[1]}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", help="qwen3_5, gemma4 or a checkpoint folder")
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument(
        "--seed", type=int, default=EVALUATION_SEED, help="of the questions; another gives others"
    )
    parser.add_argument("--greedy", action="store_true", help="without the second half, sampled")
    parser.add_argument("--card", action="store_true", help="write the figures into the model card")
    parser.add_argument("--show", type=int, default=40, help="how many wrong turns to print")
    options = parser.parse_args()
    torch.set_num_threads(1)
    known = options.model in ARCHITECTURES
    folder = SHIPPED / options.model if known else Path(options.model)
    text, wrong = figures(load_folder(folder), options.questions, options.seed, not options.greedy)
    print(text)
    for each in wrong[: options.show]:
        print(json.dumps(each, ensure_ascii=False))
    if options.card:
        write_card(folder / "README.md", text)


if __name__ == "__main__":
    main()
