"""A table: HTML for a notebook, text for a console."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Table:
    """heads: the columns' names; rows: of texts and numbers; caption: what it is about."""

    heads: Sequence[str]
    rows: Sequence[Sequence[object]]
    caption: str = ""

    @property
    def numeric(self) -> list[bool]:
        """Of each column, whether it has numbers alone: they stand at its right."""
        columns = zip(*self.rows, strict=True) if self.rows else ([] for _ in self.heads)
        return [all(map(is_number, column)) for column in columns]

    def __repr__(self) -> str:
        lines = [self.heads, *([str(cell) for cell in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        ruled = [lines[0], ["-" * width for width in widths], *lines[1:]]
        text = "\n".join(
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(line, widths, self.numeric, strict=True)
            ).rstrip()
            for line in ruled
        )
        return f"{self.caption}\n\n{text}" if self.caption else text

    def _repr_html_(self) -> str:
        head = self.row_of("th", self.heads)
        body = "".join(self.row_of("td", row) for row in self.rows)
        caption = f'<caption style="text-align:left">{escape(self.caption)}</caption>'
        return f"<table>{caption if self.caption else ''}<thead>{head}</thead><tbody>{body}</tbody></table>"

    def row_of(self, tag: str, row: Sequence[object]) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        cells = "".join(
            f'<{tag}{scope} style="text-align:{"right" if right else "left"}">{escape(str(cell))}</{tag}>'
            for cell, right in zip(row, self.numeric, strict=True)
        )
        return f"<tr>{cells}</tr>"


def is_number(cell: object) -> bool:
    return re.fullmatch(r"–|-?[\d.,]+%?", str(cell)) is not None
