"""The system turns that conversations are read after: mostly the library's own, and enough others that the model does not depend on them."""

from agentloop_widgets.harness.prompts import SYSTEM_NO_TOOLS, SYSTEM_WITH_TOOLS
from agentloop_widgets.tools import run_python


def described(description: str) -> dict:
    schema = run_python.schema()
    return {**schema, "function": {**schema["function"], "description": description}}


def other_tool(name: str, description: str, parameter: str) -> dict:
    parameters = {
        "type": "object",
        "properties": {parameter: {"type": "string"}},
        "required": [parameter],
    }
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


OWN = run_python.schema()
SHORT = described("Run Python code.")
OTHERS = (
    other_tool("get_weather", "Current weather in a city.", "city"),
    other_tool("search", "Search the web.", "query"),
)
TEXTS = (
    None,
    SYSTEM_NO_TOOLS,
    "You are a small assistant for numbers, words and lists. Use a tool when it helps.",
    "Answer with Python.",
    "You are a patient teacher.",
    "Be brief.",
)


def system_turns() -> list[tuple[float, str | None, list[dict]]]:
    """[(how often it is drawn, beside the others; system text; tools)]."""
    turns = [(0.5, SYSTEM_WITH_TOOLS, [OWN]), (0.2, SYSTEM_WITH_TOOLS, [SHORT])]
    turns += [(0.02, text, [OWN]) for text in TEXTS]
    turns += [(0.03, SYSTEM_WITH_TOOLS, [OWN, other]) for other in OTHERS]
    turns += [(0.01, SYSTEM_WITH_TOOLS, [other]) for other in OTHERS]
    return [*turns, (0.04, SYSTEM_NO_TOOLS, []), (0.02, None, [])]
