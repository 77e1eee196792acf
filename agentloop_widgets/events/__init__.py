"""The closed set of events that everything else makes, keeps or draws."""

from agentloop_widgets.events.events import *
from agentloop_widgets.events.events import __all__
