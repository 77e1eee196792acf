"""Runs every example notebook from its first cell to its last, as a person would, in a folder of its own."""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def copy_helpers(folder: Path) -> None:
    """What the notebooks import from beside them."""
    for name in ("tiny_models.py", "embedded_model"):
        if (EXAMPLES / name).is_dir():
            no_cache = shutil.ignore_patterns("__pycache__")
            shutil.copytree(EXAMPLES / name, folder / name, ignore=no_cache, dirs_exist_ok=True)
        else:
            shutil.copy(EXAMPLES / name, folder)


def run(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        copy_helpers(Path(folder))
        NotebookClient(
            notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}}
        ).execute()


def main() -> int:
    os.environ.setdefault("AGENTLOOP_TRAINING_SECONDS", "5")
    paths = sorted(EXAMPLES.glob("*.ipynb"))
    for path in paths:
        start = time.time()
        run(path)
        print(f"{path.name}: {time.time() - start:.0f} s")
    return 0 if paths else 1


if __name__ == "__main__":
    sys.exit(main())
