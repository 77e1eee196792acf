"""Holds the tree against its notebooks: `tree.py clean` (nbdev-clean changes nothing) and `tree.py exported` (nbdev-export changes nothing, every module has its notebook)."""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PACKAGE = ROOT / "agentloop_widgets"


def hashes(folder: Path, pattern: str) -> dict[str, str]:
    """{path from the root: hash} of the files that match."""
    return {
        str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob(pattern))
        if ".ipynb_checkpoints" not in path.parts
    }


def changed_by(command: str, folder: Path, pattern: str) -> list[str]:
    """The files that running one of nbdev's commands changes, makes or removes."""
    before = hashes(folder, pattern)
    subprocess.run([str(BIN / command)], cwd=ROOT, check=True)
    after = hashes(folder, pattern)
    return sorted(
        path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    )


def outputs() -> list[str]:
    """Notebooks of the examples with outputs in them."""
    return [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "examples").glob("*.ipynb"))
        if re.search(r'"outputs": \[\s*\{', path.read_text())
    ]


def without_notebook() -> list[str]:
    """Modules whose notebook is not there; packages' __init__ files are written by hand."""
    names = {
        match
        for notebook in (ROOT / "nbs").rglob("*.ipynb")
        for match in re.findall(r"#\| ?default_exp ([\w.]+)", notebook.read_text())
    }
    modules = {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts): path
        for path in PACKAGE.rglob("*.py")
        if path.name not in ("__init__.py", "_modidx.py")
    }
    return sorted(
        str(path.relative_to(ROOT)) for name, path in modules.items() if name not in names
    )


def main(what: str) -> int:
    if what == "clean":
        faults = {
            "nbdev-clean changes": changed_by("nbdev-clean", ROOT / "nbs", "*.ipynb"),
            "has outputs": outputs(),
        }
    else:
        faults = {
            "nbdev-export changes": changed_by("nbdev-export", PACKAGE, "*.py"),
            "no notebook makes": without_notebook(),
        }
    for fault, paths in faults.items():
        for path in paths:
            print(f"{fault} {path}")
    return int(any(faults.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
