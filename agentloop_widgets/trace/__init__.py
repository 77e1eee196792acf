"""A run's events kept and replayed, the message format, the settings, every text that is shown, and the registry of views."""

from agentloop_widgets.trace.messages import (
    assistant_message,
    check_messages,
    count_roles,
    media_parts,
    text_of,
    tool_message,
    user_message,
)
from agentloop_widgets.trace.settings_file import Settings, SettingsError, settings
from agentloop_widgets.trace.strings import LANGUAGES, current_language, language, say, set_language
from agentloop_widgets.trace.tape import Trace, common_prefix, replay
from agentloop_widgets.trace.viewing import View, Viewable, register_view, view_of

__all__ = [
    "LANGUAGES",
    "Settings",
    "SettingsError",
    "Trace",
    "View",
    "Viewable",
    "assistant_message",
    "check_messages",
    "common_prefix",
    "count_roles",
    "current_language",
    "language",
    "media_parts",
    "register_view",
    "replay",
    "say",
    "set_language",
    "settings",
    "text_of",
    "tool_message",
    "user_message",
    "view_of",
]
