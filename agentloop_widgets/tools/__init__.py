"""What the model may ask for: tools, their schemas, validation and the sandbox."""

from agentloop_widgets.tools.base import (
    Tool,
    ToolResult,
    ToolSession,
    as_tool,
    never,
    tool,
)
from agentloop_widgets.tools.sandbox import SandboxSession, run_python
from agentloop_widgets.tools.validation import ArgumentFault, validate

__all__ = [
    "ArgumentFault",
    "SandboxSession",
    "Tool",
    "ToolResult",
    "ToolSession",
    "as_tool",
    "never",
    "run_python",
    "tool",
    "validate",
]
