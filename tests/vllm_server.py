"""A real vLLM server on this machine's CPU, for a checkpoint folder (tests/vllm_cpu/install.sh makes the environment it runs in)."""

import json
import os
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lab import free_port, serving

NAME = "served"
SECONDS = 600  # for a first start, which reads gigabytes of libraries from the disk
SETTINGS = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "VLLM_HOST_IP": "127.0.0.1",
    "VLLM_CPU_KVCACHE_SPACE": "1",  # GiB
    "OMP_NUM_THREADS": "1",
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",  # else every server takes the first core
    "TORCHDYNAMO_DISABLE": "1",  # else the first request waits for a C++ compiler
}


class VLLM:
    """A running server. url: without a slash at its end."""

    def __init__(self, url: str):
        self.url = url

    def get(self, path: str) -> dict:
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:
            return json.load(answer)

    def post(self, path: str, body: dict) -> dict:
        """The answer's JSON. Raises urllib.error.HTTPError for a refusal."""
        request = urllib.request.Request(
            self.url + path,
            json.dumps({"model": NAME, **body}).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer)


def environment(folder: Path) -> dict[str, str]:
    """This process's, with the server's settings and with its caches below `folder`."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("AGENTLOOP_")}
    places = {name: str(folder) for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
    return own | places | SETTINGS


@contextmanager
def vllm_server(python: Path, checkpoint: Path, dtype: str, folder: Path) -> Iterator[VLLM]:
    """Serve `checkpoint` on loopback in `dtype` with the environment's `python`; what it writes goes to the temporary `folder`. At the end the server and every process below it are gone.

    Raises RuntimeError, with the end of the server's log, where it does not come up."""
    port = free_port()
    given = {
        "model": checkpoint,
        "served-model-name": NAME,
        "host": "127.0.0.1",
        "port": port,
        "dtype": dtype,
        "max-model-len": 2048,
        "max-num-seqs": 4,
        "generation-config": "vllm",  # its own defaults, not the checkpoint's sampling
    }
    flags = [part for name, value in given.items() for part in (f"--{name}", value)]
    command = [python, "-m", "vllm.entrypoints.openai.api_server", *flags, "--enforce-eager"]
    url = f"http://127.0.0.1:{port}"
    with serving(command, f"{url}/health", environment(folder), folder, SECONDS):
        yield VLLM(url)
