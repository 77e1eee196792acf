"""Families of models: how each writes its turns, thoughts and tool calls."""

from agentloop_widgets.events import FINISHES
from agentloop_widgets.families.base import (
    FAULT_KINDS,
    Call,
    Family,
    Fault,
    OutputParser,
    Parsed,
    Partition,
    Segment,
)
from agentloop_widgets.families.chatml import ChatML
from agentloop_widgets.families.gemma4 import Gemma4
from agentloop_widgets.families.normal_form import normal_form
from agentloop_widgets.families.qwen3_5 import Qwen3_5
from agentloop_widgets.families.shielding import Rendered, render_shielded
from agentloop_widgets.families.typed import ToolSchemas, typed_value

FAMILIES: dict[str, Family] = {family.key: family for family in (Qwen3_5(), Gemma4(), ChatML())}
"""Every family by its key."""

__all__ = [
    "FAMILIES",
    "FAULT_KINDS",
    "FINISHES",
    "Call",
    "ChatML",
    "Family",
    "Fault",
    "Gemma4",
    "OutputParser",
    "Parsed",
    "Partition",
    "Qwen3_5",
    "Rendered",
    "Segment",
    "ToolSchemas",
    "normal_form",
    "render_shielded",
    "typed_value",
]
