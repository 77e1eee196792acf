"""See one question travel through a language model's agent loop, every token with its numbers.

    from agentloop_widgets import Turn, load_backend

    llm = load_backend()
    turn = Turn(llm, "What is 23 * 47?")
    turn.run()

Names are loaded when they are first used: importing the package loads neither torch nor transformers."""

from importlib import import_module

from agentloop_widgets.trace.viewing import register_view

__version__ = "0.1.0"

_NAMES = {
    "Sampling": "agentloop_widgets.sampling",
    "Trace": "agentloop_widgets.trace",
    "Turn": "agentloop_widgets.harness",
    "load_backend": "agentloop_widgets.backends",
    "replay": "agentloop_widgets.trace",
    "run_python": "agentloop_widgets.tools",
    "settings": "agentloop_widgets.trace",
    "tool": "agentloop_widgets.tools",
}

__all__ = [*_NAMES, "__version__"]

for _kind in ("context", "tokens", "parsed", "check", "tools", "step", "turn", "model_card"):
    register_view(_kind, "agentloop_widgets.widgets:VIEWS")


def __getattr__(name: str):
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_NAMES[name]), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted([*globals(), *_NAMES])
