"""A room imports only rooms above it, and only `app` imports `widgets`."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "agentloop_widgets"
ROOMS = [
    "events",
    "trace",
    "families",
    "sampling",
    "media",
    "tools",
    "backends",
    "compaction",
    "conversation",
    "harness",
    "widgets",
    "app",
]
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE)


def imported_rooms(path: Path) -> set[str]:
    """The rooms that a module imports, at its top or within a function."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = (
                *path.relative_to(PACKAGE.parent).parts[: -node.level],
                *(node.module or "").split("."),
            )
            names.add(".".join(part for part in base if part))
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("agentloop_widgets.")}


def allowed(room: str) -> set[str]:
    above = set(ROOMS[: ROOMS.index(room)]) | {room}
    if room == "widgets":
        return {"events", "trace", "widgets"}
    return above if room == "app" else above - {"widgets"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_imports_only_rooms_above_it(path):
    room = path.relative_to(PACKAGE).parts[0]
    assert room in ROOMS
    assert imported_rooms(path) <= allowed(room)


def test_the_walk_sees_imports(tmp_path):
    module = PACKAGE / "harness" / "stages.py"
    assert {"events", "families", "harness", "trace"} <= imported_rooms(module)
