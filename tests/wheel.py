"""Builds the wheel and uses it: imported in an empty environment, where nothing it depends on is installed, and then with them, for a whole turn away from this tree."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NEEDED = (
    "settings.ini",
    "py.typed",
    "trace/strings.txt",
    "models/qwen3_5/model.safetensors",
    "models/qwen3_5/chat_template.jinja",
    "models/qwen3_5/tokenizer.json",
    "models/gemma4/model.safetensors",
    "models/gemma4/processor_config.json",
    "harness/turn.py",
)
IMPORT = "import agentloop_widgets as a, sys; assert 'torch' not in sys.modules; print(a.__version__, a.settings.model, len(list(a.Trace())))"
TURN = """
import agentloop_widgets, pathlib
from agentloop_widgets import Turn, load_backend
assert 'site-packages' in agentloop_widgets.__file__ and pathlib.Path(agentloop_widgets.__file__).is_relative_to({empty!r}), agentloop_widgets.__file__
turn = Turn(load_backend(), 'What is 23 * 47?')
turn.run()
turn.to_html('turn.html')
print(turn.stop_reason, '|', turn.final)
"""


def build(folder: Path) -> Path:
    # setuptools would pack what an older tree left there
    shutil.rmtree(ROOT / "build" / "lib", ignore_errors=True)
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return next(folder.glob("*.whl"))


def missing(wheel: Path) -> list[str]:
    """What should be in the wheel and is not: the named files, and every module of the tree."""
    names = set(zipfile.ZipFile(wheel).namelist())
    package = ROOT / "agentloop_widgets"
    wanted = {f"agentloop_widgets/{name}" for name in NEEDED} | {
        str(path.relative_to(ROOT)) for path in package.rglob("*.py")
    }
    return sorted(wanted - names)


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        wheel = build(folder / "dist")
        assert not missing(wheel), f"not in the wheel: {missing(wheel)}"
        empty = folder / "empty"
        subprocess.run([sys.executable, "-m", "venv", str(empty)], check=True)
        python = str(empty / "bin" / "python")
        subprocess.run(
            [
                python,
                "-m",
                "pip",
                "install",
                "-q",
                "--no-deps",
                "--disable-pip-version-check",
                str(wheel),
            ],
            check=True,
        )
        run = {"check": True, "cwd": folder}
        subprocess.run([python, "-c", IMPORT], **run)
        # the sandbox's program is beside python
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        dependencies = os.environ | {"PYTHONPATH": sysconfig.get_path("purelib"), "PATH": path}
        subprocess.run(
            [python, "-c", TURN.format(empty=str(empty.resolve()))], env=dependencies, **run
        )
        print(f"wheel: {wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
