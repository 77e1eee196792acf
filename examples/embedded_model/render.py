"""A conversation as text, cut into what is read and what is learnt. It writes what chat_template.jinja writes (a test holds the two against each other), faster."""

import json

from corpus import Conversation


def render_system(system: str | None, tools: list[dict]) -> str:
    """The system turn; "" where there is none."""
    if not system and not tools:
        return ""
    listed = (
        "# Tools\n\n<tools>\n"
        + "\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools)
        + "\n</tools>"
        if tools
        else ""
    )
    return (
        "<|im_start|>system\n"
        + "\n\n".join(part for part in (listed, system) if part)
        + "<|im_end|>\n"
    )


def render_call(call: dict) -> str:
    function = call["function"]
    values = "".join(
        f"<parameter={name}>\n{value}\n</parameter>\n"
        for name, value in function["arguments"].items()
    )
    return f"<tool_call>\n<function={function['name']}>\n{values}</function>\n</tool_call>"


def render(conversation: Conversation) -> list[tuple[str, bool]]:
    """[(text, learnt)]: what the model reads and, in turn, what it writes in the last turn. Earlier turns are read only, without their thoughts."""
    messages = conversation.messages
    last_question = max(
        index for index, message in enumerate(messages) if message["role"] == "user"
    )
    pieces: list[tuple[str, bool]] = []
    for index, message in enumerate(messages):
        content = message["content"].strip()
        if message["role"] == "user":
            pieces.append((f"<|im_start|>user\n{content}<|im_end|>\n", False))
        elif message["role"] == "tool":
            pieces.append(
                (
                    f"<|im_start|>user\n<tool_response>\n{content}\n</tool_response><|im_end|>\n",
                    False,
                )
            )
        else:
            written = (
                content
                + "".join(render_call(call) for call in message.get("tool_calls", []))
                + "<|im_end|>"
            )
            if index < last_question:
                pieces.append((f"<|im_start|>assistant\n{written}\n", False))
            elif conversation.thinking:
                pieces.append(("<|im_start|>assistant\n<think>\n", False))
                pieces += [
                    (f"{message['reasoning_content']}\n</think>\n\n{written}", True),
                    ("\n", False),
                ]
            else:
                pieces.append(("<|im_start|>assistant\n<think>\n\n</think>\n\n", False))
                pieces += [(written, True), ("\n", False)]
    return joined(pieces)


def joined(pieces: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Neighbours of one kind made one, so that tokens never end where the tokenizer would not end them."""
    merged: list[tuple[str, bool]] = []
    for text, learnt in pieces:
        if merged and merged[-1][1] == learnt:
            merged[-1] = (merged[-1][0] + text, learnt)
        else:
            merged.append((text, learnt))
    return merged
