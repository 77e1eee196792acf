"""Real front ends on loopback for the browser tests: JupyterLab with Notebook 7 beside it, kernels of other ipykernel versions, marimo, and nbconvert's page.

Every folder a server writes to is temporary; a server and its kernels are ended by their process ids."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat
import psutil

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
TESTS = ROOT / "tests"  # on every kernel's path
KERNELS = ROOT / "build" / "kernels"
IPYKERNELS = ("6.31.0", "7.3.0", "7.4.0")  # three ways of passing messages on while a cell runs
NOTIFICATIONS = '{"fetchNews": "false", "checkForUpdates": false}'


# ---------------------------------------------------------------------------- processes
def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def end(process: subprocess.Popen, patience: float = 10) -> None:
    """End a process, its group and every process below it: asked first, then killed."""
    try:
        below = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        below = []
    for sign, seconds in ((signal.SIGTERM, patience), (signal.SIGKILL, patience)):
        if process.poll() is None:
            os.killpg(process.pid, sign)
            deadline = time.monotonic() + seconds
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.05)
    for left in psutil.wait_procs(below, timeout=2)[1]:
        left.kill()


@contextmanager
def serving(command: Sequence[str], ready: str, environment: dict, folder: Path, seconds=90):
    """A server in a process group of its own, answering at the address `ready`. Raises RuntimeError, with what it wrote, where it does not come up."""
    log = folder / "server.log"
    with log.open("wb") as written:
        process = subprocess.Popen(
            [str(part) for part in command],
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            deadline = time.monotonic() + seconds
            while not answers(ready):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"{command[0]} did not come up:\n{log.read_text()[-3000:]}")
                time.sleep(0.1)
            yield log
        finally:
            end(process)


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def environment(folder: Path) -> dict[str, str]:
    """This process's environment with every folder of Jupyter's, IPython's and marimo's below `folder`, and settings of nobody's own."""
    own = {key: value for key, value in os.environ.items() if not key.startswith("AGENTLOOP_")}
    places = {
        name: str(folder / name.lower())
        for name in (
            "JUPYTER_CONFIG_DIR",
            "JUPYTER_DATA_DIR",
            "JUPYTER_RUNTIME_DIR",
            "IPYTHONDIR",
            "XDG_CONFIG_HOME",
            "XDG_CACHE_HOME",
            "XDG_STATE_HOME",
            "HOME",
        )
    }
    for place in places.values():
        Path(place).mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join([str(BIN), own.get("PATH", "")])
    single = {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    short = {"AGENTLOOP_TRAINING_SECONDS": "5"}  # of the example that trains
    return own | places | single | short | {"PATH": path, "PYTHONPATH": str(TESTS)}


# ---------------------------------------------------------------------------- kernels
def kernel_folder(version: str) -> Path:
    """Where ipykernel `version` lies under build/; pip brings it once."""
    folder = KERNELS / f"ipykernel-{version}"
    if not (folder / f"ipykernel-{version}.dist-info").is_dir():
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-q"]
        wanted = ["--no-deps", "--upgrade", "--target", str(folder), f"ipykernel=={version}"]
        subprocess.run([*pip, *wanted], check=True)
    return folder


def add_kernel(version: str, data: Path) -> str:
    """Write a kernelspec whose Python finds ipykernel `version` first. Returns its name."""
    name = f"ipykernel-{version}"
    spec = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": name,
        "language": "python",
        "env": {"PYTHONPATH": os.pathsep.join(map(str, (kernel_folder(version), TESTS)))},
        "metadata": {"debugger": False},
    }
    place = data / "kernels" / name / "kernel.json"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(spec))
    return name


# ---------------------------------------------------------------------------- JupyterLab
@dataclass(frozen=True)
class Lab:
    """A running server. url: without a slash at its end; folder: its notebooks."""

    url: str
    folder: Path
    log: Path

    def write(self, name: str, *cells: str, kernel: str = "python3") -> Path:
        """A notebook of code cells, as `name`.ipynb."""
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(source) for source in cells],
            metadata={"kernelspec": {"name": kernel, "display_name": kernel, "language": "python"}},
        )
        return self.put(notebook, name)

    def put(self, notebook: nbformat.NotebookNode, name: str) -> Path:
        """A notebook's file, as `name`.ipynb."""
        path = self.folder / f"{name}.ipynb"
        nbformat.write(notebook, path)
        return path


@contextmanager
def lab_server(folder: Path, kernels: Sequence[str] = ()) -> Iterator[Lab]:
    """A JupyterLab (Notebook 7 beside it) in the temporary `folder`, with the server's own rate limits. kernels: versions of ipykernel that become kernels `ipykernel-VERSION`."""
    port, variables = free_port(), environment(folder)
    for version in kernels:
        add_kernel(version, Path(variables["JUPYTER_DATA_DIR"]))
    notebooks = folder / "notebooks"
    notebooks.mkdir()
    chosen = folder / "user" / "@jupyterlab" / "apputils-extension"
    chosen.mkdir(parents=True)
    (chosen / "notification.jupyterlab-settings").write_text(NOTIFICATIONS)
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.open_browser": False,
        "ServerApp.allow_root": True,
        "ServerApp.root_dir": notebooks,
        "ServerApp.terminals_enabled": False,
        "ServerApp.disable_check_xsrf": True,
        "IdentityProvider.token": "",
        "LabApp.expose_app_in_browser": True,
        "LabApp.extension_manager": "readonly",
        "LabApp.workspaces_dir": folder / "workspaces",
        "LabApp.user_settings_dir": folder / "user",
        "JupyterNotebookApp.expose_app_in_browser": True,
    }
    command = [BIN / "jupyter-lab", *(f"--{name}={value}" for name, value in options.items())]
    url = f"http://127.0.0.1:{port}"
    with serving(command, f"{url}/api/status", variables, folder) as log:
        yield Lab(url, notebooks, log)


# ---------------------------------------------------------------------------- other places
@contextmanager
def marimo_app(folder: Path, source: str) -> Iterator[str]:
    """`marimo run` of an app's source on loopback: its address."""
    port, app = free_port(), folder / "app.py"
    app.write_text(source, encoding="utf-8")
    options = ["--headless", "--no-token", "--host", "127.0.0.1", "--port", port]
    command = [sys.executable, "-m", "marimo", "run", app, *options]
    url = f"http://127.0.0.1:{port}"
    with serving(command, f"{url}/health", environment(folder), folder):
        yield url


def converted(notebook: Path, folder: Path, *options: str) -> Path:
    """nbconvert's page of a notebook."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [str(BIN / "jupyter-nbconvert"), "--to", "html", *options]
    subprocess.run(
        [*command, "--output-dir", str(folder), str(notebook)],
        env=environment(folder / "nbconvert"),
        check=True,
        capture_output=True,
    )
    return folder / f"{notebook.stem}.html"
