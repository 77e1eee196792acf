"""Gemma 4's chat format for the tests: the embedded model's template, in the environment that transformers runs one in.

That the template writes what the published one writes is itself tested, on every golden rendering, and that this environment
is transformers' own too.
"""

from functools import cache
from pathlib import Path

import agentloop_widgets

TEMPLATE = Path(agentloop_widgets.__file__).parent / "models" / "gemma4" / "chat_template.jinja"
MARKER = '<|"|>'


def refuse(message: str):
    from jinja2.exceptions import TemplateError

    raise TemplateError(message)


@cache
def template():
    from jinja2.ext import loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols]
    )
    environment.globals["raise_exception"] = refuse
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8"))


def render(
    messages: list[dict], tools=None, enable_thinking=True, add_generation_prompt=True
) -> str:
    return template().render(
        messages=messages,
        tools=tools,
        enable_thinking=enable_thinking,
        add_generation_prompt=add_generation_prompt,
        bos_token="<bos>",
    )


def render_value(value) -> str:
    if isinstance(value, str):
        return f"{MARKER}{value}{MARKER}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return f"{{{render_pairs(value)}}}"
    if isinstance(value, list):
        return f"[{','.join(map(render_value, value))}]"
    return str(value)


def render_pairs(arguments: dict) -> str:
    keys = sorted(arguments, key=str.lower)
    return ",".join(f"{key}:{render_value(arguments[key])}" for key in keys)


def render_call(function: dict) -> str:
    """A call as the template writes it, which is how the model does."""
    return (
        f"<|tool_call>call:{function['name']}{{{render_pairs(function['arguments'])}}}<tool_call|>"
    )
