"""A conversation as the model reads it in training, with what is only read and what is learnt told apart: underlined where it is learnt, in a way of its own for each part."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from chart import LOOKS
from rendered import PARTS, READ, Piece

UNDERLINES = {"grammar": "dotted", "thought": "wavy", "code": "dashed", "answer": "solid", "retry": "double"}  # fmt: skip
BOX = (
    "white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.9 var(--jp-code-font-family, monospace);"
    "border-left:3px solid var(--jp-border-color1, #8888);padding:2px 0 2px 12px;margin:4px 0 16px;max-width:60em"
)


def tint(part: str) -> str:
    return f"text-decoration:{UNDERLINES[part]} underline {LOOKS[part][0]};text-underline-offset:4px;background:{LOOKS[part][0]}26"


@dataclass(frozen=True)
class Marked:
    """title: what it is; samples: what a renderer's `samples` gave."""

    title: str
    samples: Sequence[Sequence[Piece]]

    def __repr__(self) -> str:
        """The learnt stretches stand as ⟦part: text⟧."""
        samples = ("".join(map(bracketed, joined(sample))) for sample in self.samples)
        return f"{self.title}\n" + "\n---\n".join(samples)

    def _repr_html_(self) -> str:
        boxes = "".join(
            f'<div style="{BOX}">{"".join(map(marked, joined(sample)))}</div>'
            for sample in self.samples
        )
        return f"<p><b>{escape(self.title)}</b></p>{boxes}"


def joined(sample: Sequence[Piece]) -> list[Piece]:
    """Neighbours of one part as one piece."""
    texts = (piece for piece in sample if piece[0])
    return [("".join(text for text, _ in group), part) for part, group in groupby(texts, lambda piece: piece[1])]  # fmt: skip


def bracketed(piece: Piece) -> str:
    text, part = piece
    return text if part == READ else f"⟦{PARTS[part]}: {text}⟧"


def marked(piece: Piece) -> str:
    text, part = piece
    if part == READ:
        return escape(text)
    name = PARTS[part]
    return f'<ins title="learnt: {name}" style="{tint(name)}">{escape(text)}</ins>'


class Legend:
    """What the underlines mean."""

    def __repr__(self) -> str:
        return "⟦part: text⟧ is learnt; all else is only read."

    def _repr_html_(self) -> str:
        parts = " &nbsp; ".join(f'<ins style="{tint(name)}">{name}</ins>' for name in UNDERLINES)
        return f"<p>Underlined is what the model learns to write: {parts}. What is not underlined it only reads.</p>"
