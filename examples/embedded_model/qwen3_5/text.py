"""A conversation as the chat template of Qwen3.5 writes it, faster than the template (a test holds the two against each other)."""

from corpus import Conversation
from rendered import (
    ANSWER,
    CODE,
    GRAMMAR,
    READ,
    RETRY,
    THOUGHT,
    Piece,
    is_retry,
    last_question,
    relabelled,
    texts_of,
)

STOP = "<|im_end|>"
QUESTION = "<|im_start|>user\n"


def call_pieces(call: dict) -> list[Piece]:
    function = call["function"]
    pieces = [(f"<tool_call>\n<function={function['name']}>\n", GRAMMAR)]
    for name, value in function["arguments"].items():
        pieces += [(f"<parameter={name}>\n", GRAMMAR), (value, CODE), ("\n</parameter>\n", GRAMMAR)]
    return [*pieces, ("</function>\n</tool_call>", GRAMMAR)]


def written_pieces(messages: list[dict], index: int, thinking: bool) -> list[Piece]:
    """What the model writes as the message at `index`."""
    message = messages[index]
    pieces = [(message["content"].strip(), ANSWER)]
    for call in message.get("tool_calls", []):
        pieces += call_pieces(call)
    if thinking:
        pieces = [(message["reasoning_content"], THOUGHT), ("\n</think>\n\n", GRAMMAR), *pieces]
    pieces.append((STOP, GRAMMAR))
    return relabelled(pieces, RETRY) if is_retry(messages, index) else pieces


def samples(conversation: Conversation) -> list[list[Piece]]:
    """One sample: earlier turns are read only, without their thoughts; of the last turn, what the model writes is learnt."""
    messages, last = conversation.messages, last_question(conversation.messages)
    opening = "<think>\n" if conversation.thinking else "<think>\n\n</think>\n\n"
    pieces: list[Piece] = []
    for index, message in enumerate(messages):
        if message["role"] == "user":
            text = "".join(texts_of(message)).strip()
            pieces.append((f"<|im_start|>user\n{text}<|im_end|>\n", READ))
        elif message["role"] == "tool":
            text = f"<tool_response>\n{message['content'].strip()}\n</tool_response>"
            pieces.append((f"<|im_start|>user\n{text}<|im_end|>\n", READ))
        elif index < last:
            written = written_pieces(messages, index, thinking=False)
            pieces += [("<|im_start|>assistant\n", READ), *relabelled(written, READ), ("\n", READ)]
        else:
            written = written_pieces(messages, index, conversation.thinking)
            pieces += [(f"<|im_start|>assistant\n{opening}", READ), *written, ("\n", READ)]
    return [pieces]
