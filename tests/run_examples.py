"""Runs every example notebook from its first cell to its last, as a person would, in a folder of its own."""

import shutil
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def run(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        for helper in EXAMPLES.glob("tiny_models*"):  # what a notebook imports from beside it
            shutil.copy(helper, folder)
        NotebookClient(
            notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": folder}}
        ).execute()


def main() -> int:
    paths = sorted(EXAMPLES.glob("*.ipynb"))
    for path in paths:
        start = time.time()
        run(path)
        print(f"{path.name}: {time.time() - start:.0f} s")
    return 0 if paths else 1


if __name__ == "__main__":
    sys.exit(main())
