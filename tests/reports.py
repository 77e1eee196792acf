"""The faults that were reported in public against other projects, each with its right value."""

import json
from functools import cache
from pathlib import Path

DATA = Path(__file__).parent / "data"
FINISHES = {"length": "max_new_tokens", "stop": "stop_token"}


@cache
def _all() -> list[dict]:
    return json.loads((DATA / "public_reports.json").read_text(encoding="utf-8"))


def reports(area: str, family: str | None = None) -> list[dict]:
    """The reports of an area; with `family`, only those whose input is about it."""
    found = [report for report in _all() if report["area"] == area]
    if family is None:
        return found
    return [r for r in found if isinstance(r["input"], dict) and r["input"].get("family") == family]


def report(name: str) -> dict:
    """The report with this id."""
    return next(each for each in _all() if each["id"] == name)


def tools_of(schemas: dict | None) -> list[dict] | None:
    """The OpenAI list of tools for a report's schemas, {name: parameters}."""
    if schemas is None:
        return None
    return [
        {
            "type": "function",
            "function": {"name": name, "description": "", "parameters": parameters},
        }
        for name, parameters in schemas.items()
    ]
