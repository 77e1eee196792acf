"""Both families for the tests that check them alike: what each one's texts are written of."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType

import gemma4_rendering
import pytest
import qwen3_5_rendering
from reports import reports

from agentloop_widgets.families import FAMILIES
from agentloop_widgets.families.gemma4_order import text_before_calls

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, eq=False)
class Model:
    """A family and the pieces of its chat format.

    rendering: writes what the published template writes. order: makes of such a rendering the one whose order the family keeps.
    tail: the end of a prompt that lets the model think; silent: of one that does not; reply_tail: of one behind which the reply
    may begin at once; thinking_tails: those behind which `thinking` is read as a thought and a reply.
    opener: what opens a thought where the prompt does not; closer: what closes it.
    between: what stands between two calls; stop: the piece that ends an output with calls; turn_end: the one that ends a turn.
    step: an assistant message with a text, a thought and a call.
    """

    key: str
    rendering: ModuleType
    tail: str
    silent: str
    reply_tail: str
    thinking_tails: tuple[str, ...]
    opener: str
    closer: str
    call_opener: str
    between: str
    stop: str
    turn_end: str
    step: dict
    order: Callable = lambda render: render

    @property
    def family(self):
        return FAMILIES[self.key]

    @property
    def render(self):
        return self.rendering.render

    @property
    def ordered(self):
        """The rendering that the family makes, without its shields."""
        return self.order(self.render)

    @cached_property
    def golden(self):
        """The published template's renderings and refusals."""
        return json.loads((DATA / f"golden_{self.key}.json").read_text(encoding="utf-8"))

    @cached_property
    def rendered(self):
        return [golden for golden in self.golden if "rendered" in golden]

    @cached_property
    def reports(self):
        """The faults that were reported about outputs of this family."""
        name = self.key.rstrip("0123456789_")
        return [*reports(f"{name}_parse"), *reports("think", name)]

    def call_text(self, function="ls", /, **arguments):
        return self.rendering.render_call({"name": function, "arguments": arguments})

    def thinking(self, thought, reply):
        """What the model writes that thinks and then replies."""
        return f"{self.opener}{thought}{self.closer}{reply}"

    def render_golden(self, golden, messages):
        """These messages under everything else that the golden rendering was made of."""
        return self.render(
            messages, golden["tools"], golden["enable_thinking"], golden["add_generation_prompt"]
        )


CALLS = [{"function": {"name": "f", "arguments": {}}}]
QWEN = Model(
    key="qwen3_5",
    rendering=qwen3_5_rendering,
    tail="<think>\n",
    silent="<think>\n\n</think>\n\n",
    reply_tail="<think>\n\n</think>\n\n",
    thinking_tails=("<think>\n",),
    opener="",
    closer="\n</think>\n\n",
    call_opener="<tool_call>",
    between="\n",
    stop="<|im_end|>",
    turn_end="<|im_end|>",
    step={"role": "assistant", "content": "<think>\nx\n</think>\n\nhm", "tool_calls": CALLS},
)
GEMMA = Model(
    key="gemma4",
    rendering=gemma4_rendering,
    order=text_before_calls,
    tail="<|turn>model\n",
    silent="<|turn>model\n<|channel>thought\n<channel|>",
    reply_tail="<|turn>model\n",
    thinking_tails=("<|turn>model\n", ""),
    opener="<|channel>thought\n",
    closer="\n<channel|>",
    call_opener="<|tool_call>",
    between="",
    stop="<|tool_response>",
    turn_end="<turn|>",
    step={
        "role": "assistant",
        "content": "hm",
        "reasoning_content": "x",
        "tool_calls": CALLS,
    },
)
MODELS = (QWEN, GEMMA)

both = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.key)


def of_both(names, qwen, gemma, name_of=None):
    """Runs a test on each family's own cases: values of `names` (a comma between them), as tuples if there are several.

    name_of: a case's name among the tests, given the case.
    """
    several = "," in names
    cases = [
        pytest.param(
            model,
            *(case if several else [case]),
            id=f"{model.key}-{name_of(case) if name_of else number}",
        )
        for model, own in ((QWEN, qwen), (GEMMA, gemma))
        for number, case in enumerate(own)
    ]
    return pytest.mark.parametrize(f"model,{names}", cases)
