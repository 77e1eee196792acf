"""The views of a run: as text for a console, as HTML without script for mails and the like, as widgets for a notebook. They know events and nothing of what makes them.

The widgets (TokenView, ContextView, StepCard, TurnView, ModelCard) are loaded when they are first used: they need anywidget."""


from agentloop_widgets.widgets.call_page import calls_html, check_html, parsed_html, tools_html
from agentloop_widgets.widgets.card_page import model_card_html
from agentloop_widgets.widgets.card_text import model_card_text
from agentloop_widgets.widgets.context_page import context_html
from agentloop_widgets.widgets.folding import fold
from agentloop_widgets.widgets.pages import (
    as_view,
    document,
    page,
    step_html,
    turn_html,
)
from agentloop_widgets.widgets.records import CallView, ChildView, Lane, Phase, RunView, StepView
from agentloop_widgets.widgets.stage_text import (
    check_text,
    context_text,
    parsed_text,
    tokens_text,
    tools_text,
)
from agentloop_widgets.widgets.text_twin import step_text, turn_text
from agentloop_widgets.widgets.token_page import tokens_html
from agentloop_widgets.widgets.views import VIEWS

__all__ = [
    "VIEWS",
    "CallView",
    "ChildView",
    "ContextView",
    "Lane",
    "ModelCard",
    "Phase",
    "RunView",
    "StepCard",
    "StepView",
    "TokenView",
    "TurnView",
    "as_view",
    "calls_html",
    "check_html",
    "check_text",
    "context_html",
    "context_text",
    "document",
    "fold",
    "model_card_html",
    "model_card_text",
    "page",
    "parsed_html",
    "parsed_text",
    "step_html",
    "step_text",
    "tokens_html",
    "tokens_text",
    "tools_html",
    "tools_text",
    "turn_html",
    "turn_text",
]

_WIDGETS = ("ContextView", "ModelCard", "StepCard", "TokenView", "TurnView")


def __getattr__(name: str):
    if name not in _WIDGETS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from agentloop_widgets.widgets import live

    globals().update({widget: getattr(live, widget) for widget in _WIDGETS})
    return globals()[name]
