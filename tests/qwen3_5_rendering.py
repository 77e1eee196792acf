"""A rendering of messages as Qwen3.5's published chat template writes them, in plain Python.

The tests use it where a template is needed and jinja is not what they are about. That it writes what the published
template writes is itself tested, on every golden rendering.
"""

import json

INSTRUCTIONS = """If you choose to call a function ONLY reply in the following format with NO suffix:

<tool_call>
<function=example_function_name>
<parameter=example_parameter_1>
value_1
</parameter>
<parameter=example_parameter_2>
This is the value for the second parameter
that can span
multiple lines
</parameter>
</function>
</tool_call>

<IMPORTANT>
Reminder:
- Function calls MUST follow the specified format: an inner <function=...></function> block must be nested within <tool_call></tool_call> XML tags
- Required parameters MUST be specified
- You may provide optional reasoning for your function call in natural language BEFORE the function call, but NOT after
- If there is no function call available, answer the question like normal with your current knowledge and do not tell the user about function calls
</IMPORTANT>"""
MEDIA = {
    "image": "<|vision_start|><|image_pad|><|vision_end|>",
    "video": "<|vision_start|><|video_pad|><|vision_end|>",
}


def render_content(content) -> str:
    if isinstance(content, str):
        return content
    texts = []
    for part in content or ():
        if part.get("type") in MEDIA:
            texts.append(MEDIA[part["type"]])
        elif "text" in part:
            texts.append(part["text"])
        else:
            raise ValueError("Unexpected item type in content.")
    return "".join(texts)


def render_value(value) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else str(value)


def render_call(function: dict) -> str:
    lines = [
        f"<parameter={key}>\n{render_value(value)}\n</parameter>\n"
        for key, value in function["arguments"].items()
    ]
    return f"<tool_call>\n<function={function['name']}>\n{''.join(lines)}</function>\n</tool_call>"


def thought_and_content(message: dict) -> tuple[str, str]:
    """An assistant message's thought and content as the template reads them."""
    content = render_content(message["content"]).strip()
    if isinstance(message.get("reasoning_content"), str):
        return message["reasoning_content"].strip(), content
    if "</think>" not in content:
        return "", content
    thought = content.split("</think>")[0].rstrip("\n").split("<think>")[-1].lstrip("\n")
    return thought.strip(), content.split("</think>")[-1].lstrip("\n")


def last_query(messages: list[dict]) -> int:
    """The index of the last user message that is no tool result in disguise; thoughts behind it are kept."""
    for index in range(len(messages) - 1, -1, -1):
        text = render_content(messages[index]["content"]).strip()
        disguised = text.startswith("<tool_response>") and text.endswith("</tool_response>")
        if messages[index]["role"] == "user" and not disguised:
            return index
    raise ValueError("No user query found in messages.")


def render_system(messages: list[dict], tools) -> str:
    text = (
        render_content(messages[0]["content"]).strip() if messages[0]["role"] == "system" else None
    )
    if tools:
        schemas = "".join(f"\n{json.dumps(tool, ensure_ascii=False)}" for tool in tools)
        head = (
            f"# Tools\n\nYou have access to the following functions:\n\n<tools>{schemas}\n</tools>"
        )
        text = f"{head}\n\n{INSTRUCTIONS}" + (f"\n\n{text}" if text else "")
    return "" if text is None else f"<|im_start|>system\n{text}<|im_end|>\n"


def render_assistant(message: dict, keeps_thought: bool) -> str:
    thought, content = thought_and_content(message)
    head = f"<think>\n{thought}\n</think>\n\n" if keeps_thought else ""
    calls = "\n".join(render_call(call["function"]) for call in message.get("tool_calls", ()))
    return head + content + ("\n\n" if calls and content.strip() else "") + calls


def render(
    messages: list[dict], tools=None, enable_thinking=True, add_generation_prompt=True
) -> str:
    query = last_query(messages)
    parts = [render_system(messages, tools)]
    for index, message in enumerate(messages):
        role, content = message["role"], render_content(message["content"]).strip()
        neighbours = [
            messages[i]["role"] if 0 <= i < len(messages) else "" for i in (index - 1, index + 1)
        ]
        if role == "user":
            parts.append(f"<|im_start|>user\n{content}<|im_end|>\n")
        elif role == "assistant":
            parts.append(
                f"<|im_start|>assistant\n{render_assistant(message, index > query)}<|im_end|>\n"
            )
        elif role == "tool":
            opening = "<|im_start|>user" if neighbours[0] != "tool" else ""
            closing = "<|im_end|>\n" if neighbours[1] != "tool" else ""
            parts.append(f"{opening}\n<tool_response>\n{content}\n</tool_response>{closing}")
    if add_generation_prompt:
        parts.append(
            "<|im_start|>assistant\n"
            + ("<think>\n" if enable_thinking else "<think>\n\n</think>\n\n")
        )
    return "".join(parts)
