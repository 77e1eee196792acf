"""What a tool says that does not work just now: built from parts, so that the model learns what a failure looks like and not a list of them."""

import random

from words import made_up_word

KINDS_OF_ERROR = ["Timeout", "Connection", "OS", "Runtime", "BrokenPipe", "ConnectionReset", "Memory", "Tool", "System", "Interrupted", "Service", "Worker", "Session", "Kernel", "Network", "Sandbox", "Process", "Queue", "Lock", "Host", "Gateway", "Proxy", "Disk", "IO", "Permission", "Request", "Response", "Protocol", "Server", "Client", "Internal", "Busy", "Limit"]  # fmt: skip
ENDS_OF_ERROR = ("Error", "Error", "Error", "Error", "Exception", "Failure")
SUBJECTS = (
    "the tool", "the worker", "the sandbox", "the interpreter", "the server", "the connection", "the request", "the session", "the queue", "the machine", "the network",
    "the service", "the kernel", "the process", "the call", "the host", "the gateway", "the disk", "the lock", "the pool", "the backend", "python", "a worker", "one of the workers",
)  # fmt: skip
STATES = (
    "is busy", "is down", "did not answer", "was lost", "timed out", "was closed", "was reset", "is full", "is not ready", "gave up", "crashed", "was stopped", "cannot be reached",
    "failed", "was refused", "is not available", "went away", "ended early", "is out of memory", "did not start", "broke off", "is locked", "sent nothing", "was killed", "hangs",
)  # fmt: skip
PHRASES = (
    "timeout", "no answer", "no space left", "try again later", "service unavailable", "broken pipe", "temporarily out of order", "too many requests", "internal error", "bad gateway",
    "deadline exceeded", "resource not ready", "unexpected end", "nothing came back", "out of memory", "rate limit", "no route to host", "handshake failed", "unknown failure", "no reply in time",
)  # fmt: skip
# For the evaluation: messages that training never gives, of words that it may give, and messages in other words altogether.
HELD_OUT_FAILURES = (
    "TimeoutError: the tool took too long",
    "Error: the worker was stopped",
    "ConnectionAbortedError: connection closed by peer",
    "Error 504: gateway gave up",
    "The interpreter could not be reached.",
    "ResourceError: all workers are in use",
    "Error: temporary failure",
    "The tool crashed.",
)
UNKNOWN_FAILURES = (
    "SocketHangup: remote peer vanished",
    "HTTP 429: slow down, please",
    "quota exhausted for today",
    "Segmentation violation (core dumped)",
    "subprocess returned code 137",
    "Oops, something went wrong here",
    "TLSAlert: certificate has expired",
    "Maintenance window in progress",
)


def message(dice: random.Random) -> str:
    style = dice.random()
    if style < 0.6:
        return f"{dice.choice(SUBJECTS)} {dice.choice(STATES)}"
    if style < 0.9:
        return dice.choice(PHRASES)
    return f"{made_up_word(dice)} {dice.choice(STATES)}"


def capital(text: str) -> str:
    return text[0].upper() + text[1:]


def failure(dice: random.Random) -> str:
    """A failure, in one of the ways that tools have of telling it; never one of HELD_OUT_FAILURES."""
    said = message(dice)
    name = dice.choice(KINDS_OF_ERROR) + dice.choice(ENDS_OF_ERROR)
    number = dice.randint(1, 999)
    told = dice.choices(
        (
            f"{name}: {said}",
            f"Error: {said}",
            f"Error {number}: {said}",
            f"{capital(said)}{dice.choice(('.', '.', '', '!'))}",
            f"[Errno {number}] {capital(said)}",
            f'{{"error": "{said}"}}',
            f"{dice.choice(('Failed', 'Failure', 'Call failed', 'Not run'))}: {said}",
            name,
        ),
        (30, 15, 10, 27, 5, 4, 6, 3),
    )[0]
    return failure(dice) if told in HELD_OUT_FAILURES else told
