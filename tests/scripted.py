"""A backend that writes what it is told, for tests of the loop: the embedded model's tokenizer and template, and no model."""

from collections.abc import Iterator

from agentloop_widgets.backends import Backend
from agentloop_widgets.backends.base import TokenWriter, never
from agentloop_widgets.events import Event, ModelEnd, Prefill
from agentloop_widgets.sampling import Sampling, TokenDetails

CERTAIN = TokenDetails(p=1.0, logprob=0.0, rank=1, p_sampled=1.0, kept=1, top=(), entropy=0.0)


def call_text(name: str = "run_python", **arguments) -> str:
    """A Qwen3.5 tool call."""
    values = "".join(
        f"<parameter={key}>\n{value}\n</parameter>\n" for key, value in arguments.items()
    )
    return f"<tool_call>\n<function={name}>\n{values}</function>\n</tool_call>"


class ScriptedBackend(Backend):
    """outputs: what it writes in each step (the stop token may be left out); None in place of one raises. The last one is repeated for ever."""

    def __init__(self, llm, *outputs: str | None, before_token=None):
        self.tokenizer, self.family, self.stop_ids, self.context_length = (
            llm.tokenizer,
            llm.family,
            llm.stop_ids,
            4096,
        )
        self.model_id, self.recommended = "scripted", Sampling(max_new_tokens=400, seed=0)
        self.modalities = llm.modalities
        self.llm, self.outputs, self.before_token = llm, list(outputs), before_token
        self.prompts: list[str] = []

    def generate(
        self, encoded, sampling=None, should_stop=never, *, generator=None, keep=0, reuse=True
    ) -> Iterator[Event]:
        self.prompts.append(encoded.text)
        output = self.outputs.pop(0) if len(self.outputs) > 1 else self.outputs[0]
        if output is None:
            raise RuntimeError("the engine fell over")
        yield Prefill(n_tokens=encoded.n_tokens, ms=1.0)
        written = output if output.endswith(self.family.stop_pieces) else output + "<|im_end|>"
        ids = self.tokenizer(written, add_special_tokens=False)["input_ids"]
        writer, finish = TokenWriter(self.tokenizer, self.family, encoded), "stop_token"
        for number, id in enumerate(ids, 1):
            if self.before_token:
                self.before_token(number)
            if should_stop():
                finish = "user_stopped"
                break
            yield writer.write(id, CERTAIN, last=number == len(ids))
            if number == sampling.max_new_tokens and number < len(ids):
                finish = "max_new_tokens"
                break
        yield ModelEnd(
            finish=finish,
            stop_piece=self.piece(ids[-1]) if finish == "stop_token" else None,
            n_tokens=len(writer.ids),
            raw=writer.raw,
        )

    def encode(self, prompt, media=()):
        return self.llm.encode(prompt, media)

    def card(self) -> dict:
        return {"model": self.model_id}
