"""Benchmarks of the sandbox: what a call costs beside a bare function call's process, and how long past its deadline or a stop a program goes on."""

import statistics
import subprocess
import sys
import time

import pytest
from timing import seconds_of

from agentloop_widgets.tools import SandboxSession

pytestmark = pytest.mark.benchmark
PROGRAMS = {
    "a loop": "while True: pass",
    "a sleep": "import time\ntime.sleep(60)",
    "an async sleep": "import asyncio\nawait asyncio.sleep(60)",
    "a big number": "x = 3\nwhile True: x = x * x",
}
LIMIT = 0.5  # seconds


def test_a_call_against_a_python_process():
    """A warm call, a whole session, and the same program in a fresh Python."""
    session = SandboxSession()
    session.run({"code": "print(1)"})
    call = statistics.median(
        seconds_of(lambda: session.run({"code": "print(1)"})) for _ in range(50)
    )
    session.close()

    def whole():
        fresh = SandboxSession()
        fresh.run({"code": "print(1)"})
        fresh.close()

    opened = statistics.median(seconds_of(whole) for _ in range(20))
    process = statistics.median(
        seconds_of(lambda: subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True))
        for _ in range(5)
    )
    print(
        f"\na call {1000 * call:.2f} ms, a session {1000 * opened:.1f} ms, a Python process {1000 * process:.0f} ms: ratio {process / opened:.1f}"
    )
    assert opened < 3 * process


def test_how_long_past_its_end_a_program_goes_on():
    """Past its deadline, and past a stop."""
    print()
    for name, code in PROGRAMS.items():
        late = SandboxSession(time_limit=LIMIT)
        past_deadline = seconds_of(lambda: late.run({"code": code})) - LIMIT  # noqa: B023
        late.close()
        stopped, begun = SandboxSession(time_limit=60), time.perf_counter()
        stopped.run({"code": code}, lambda: time.perf_counter() - begun > LIMIT)  # noqa: B023
        past_stop = time.perf_counter() - begun - LIMIT
        stopped.close()
        print(
            f"{name:>15}: {1000 * past_deadline:4.0f} ms past its deadline, {1000 * past_stop:4.0f} ms past a stop"
        )
        assert past_deadline < 10 * LIMIT and past_stop < 10 * LIMIT
