"""A model that writes what it is told, by its own passes: its cache grows as in any generation."""

from scripted import CERTAIN

from agentloop_widgets.backends import decoding as engine


def dictate(monkeypatch, llm, *outputs: str) -> None:
    """Let `llm` write these outputs one after the other, whatever its logits say."""
    ids = [id for text in outputs for id in llm.tokenizer(text, add_special_tokens=False).input_ids]
    left = iter(ids)

    def told(logits, sampling, generator=None, draft=None):
        return next(left), CERTAIN

    monkeypatch.setattr(engine, "sample", told)


def thought_text(llm, thought: str) -> str:
    """What the model writes of a thought, "" for none, behind a prompt that lets it think or not."""
    if not thought:
        return ""
    if llm.family.key == "gemma4":
        return f"<|channel>thought\n{thought}\n<channel|>"
    return f"{thought}\n</think>\n\n"


def written_call(llm, thought: str, code: str) -> str:
    """What the model writes that thinks and calls `run_python`."""
    if llm.family.key == "gemma4":
        call = f'<|tool_call>call:run_python{{code:<|"|>{code}<|"|>}}<tool_call|><|tool_response>'
    else:
        call = f"<function=run_python>\n<parameter=code>\n{code}\n</parameter>\n</function>"
        call = f"<tool_call>\n{call}\n</tool_call><|im_end|>"
    return thought_text(llm, thought) + call


def written_answer(llm, thought: str, answer: str) -> str:
    """What the model writes that thinks and answers."""
    stop = "<turn|>" if llm.family.key == "gemma4" else "<|im_end|>"
    return thought_text(llm, thought) + answer + stop
