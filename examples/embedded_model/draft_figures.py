"""How many passes the embedded models need for a token, with their drafters, on questions that no training drew.

python draft_figures.py qwen3_5          # by number of guesses, greedy and at the recommended sampling
python draft_figures.py gemma4 --card    # writes the table into the drafter's card, too"""

import argparse
from dataclasses import replace

import torch
from architectures import SHIPPED
from evaluate import MAX_NEW_TOKENS, MAX_STEPS, write_card
from unseen import EVALUATION_SEED, unseen_questions

from agentloop_widgets import Turn, load_backend

SOURCES = {"qwen3_5": "embedded", "gemma4": "embedded:gemma4"}
CARDS = {"qwen3_5": "qwen3_5", "gemma4": "gemma4_assistant"}
GUESSES = (1, 2, 3, 4)


def passes(
    llm, texts: list[str], guesses: int, greedy: bool, sampled: bool = False
) -> dict[str, int]:
    """{written, drafted, accepted, forwards} over one turn for each question, files left out."""
    llm.load_drafter(guesses=guesses, sampled=sampled)
    own = {"temperature": 0.0} if greedy else {}
    total = dict.fromkeys(("written", "drafted", "accepted", "forwards"), 0)
    for index, text in enumerate(texts):
        sampling = replace(
            llm.recommended, max_new_tokens=MAX_NEW_TOKENS, seed=index, mtp=True, **own
        )
        for event in Turn(llm, text, sampling=sampling, max_steps=MAX_STEPS).stream():
            if event.type == "model_end":
                total["written"] += event.n_tokens
                for name, count in event.mtp.items():
                    total[name] += count
    return total


def table(llm, count: int) -> str:
    texts = [each.text for each in unseen_questions(count, EVALUATION_SEED) if not each.files]
    rows = [
        "| guesses at a time | tokens | guesses kept | passes a token, greedy | at the recommended sampling | the same, guesses drawn |",
        "|---|---|---|---|---|---|",
    ]
    for guesses in GUESSES:
        greedy, sampled, drawn = (
            passes(llm, texts, guesses, *how) for how in ((True,), (False,), (False, True))
        )
        shares = (each["forwards"] / each["written"] for each in (greedy, sampled, drawn))
        kept = f"{greedy['accepted']}/{greedy['drafted']}"
        rows.append(
            f"| {guesses} | {greedy['written']} | {kept} | "
            + " | ".join(f"{share:.2f}" for share in shares)
            + " |"
        )
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("architecture", choices=SOURCES)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument(
        "--card", action="store_true", help="write the table into the drafter's card"
    )
    options = parser.parse_args()
    torch.set_num_threads(1)
    text = table(load_backend(SOURCES[options.architecture]), options.questions)
    print(text)
    if options.card:
        write_card(SHIPPED / CARDS[options.architecture] / "README.md", text, "draft figures")


if __name__ == "__main__":
    main()
