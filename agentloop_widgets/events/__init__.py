"""The closed set of events that everything else makes, keeps or draws."""

from agentloop_widgets.events import codec, events
from agentloop_widgets.events.codec import *
from agentloop_widgets.events.events import *

__all__ = [*events.__all__, *codec.__all__]
