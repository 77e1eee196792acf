"""The loop: one question's way through render, generate, parse, check and tools."""

from agentloop_widgets.harness.loop import StageError
from agentloop_widgets.harness.prompts import SYSTEM_NO_TOOLS, SYSTEM_WITH_TOOLS, system_prompt
from agentloop_widgets.harness.turn import Stage, Turn

__all__ = ["SYSTEM_NO_TOOLS", "SYSTEM_WITH_TOOLS", "Stage", "StageError", "Turn", "system_prompt"]
