"""A conversation as the chat template of Gemma 4 writes it, faster than the template (a test holds the two against each other)."""

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

QUESTION = "<|turn>user\n"
NO_THOUGHT = (
    "<|channel>thought\n<channel|>"  # what the prompt ends in where the model is not to think
)
RESULT_FOLLOWS = "<|tool_response>"  # ends an output that has a call, and begins the result


def call_pieces(call: dict) -> list[Piece]:
    function = call["function"]
    pieces = [(f"<|tool_call>call:{function['name']}{{", GRAMMAR)]
    for index, (name, value) in enumerate(sorted(function["arguments"].items())):
        comma = "," if index else ""
        pieces += [(f'{comma}{name}:<|"|>', GRAMMAR), (value, CODE), ('<|"|>', GRAMMAR)]
    return [*pieces, ("}<tool_call|>", GRAMMAR)]


def thought_pieces(message: dict) -> list[Piece]:
    return [
        ("<|channel>thought\n", GRAMMAR),
        (message["reasoning_content"], THOUGHT),
        ("\n<channel|>", GRAMMAR),
    ]


def written_pieces(messages: list[dict], index: int, thinking: bool) -> list[Piece]:
    """What the model writes as the message at `index`, and the end of turn that a template writes after an answer."""
    message = messages[index]
    calls = [piece for call in message.get("tool_calls", []) for piece in call_pieces(call)]
    pieces = [*(thought_pieces(message) if thinking else []), *calls, (message["content"], ANSWER)]
    pieces.append((RESULT_FOLLOWS if calls else "<turn|>", GRAMMAR))
    return relabelled(pieces, RETRY) if is_retry(messages, index) else pieces


def result_text(message: dict) -> str:
    """A result behind the token that the model stopped at."""
    return f'response:{message["name"]}{{value:<|"|>{message["content"]}<|"|>}}<tool_response|>'


def read_pieces(messages: list[dict], last: int, thinking: bool) -> list[Piece]:
    """What is read of `messages`, those after the question at `last` with their thoughts."""
    pieces: list[Piece] = []
    for index, message in enumerate(messages):
        if message["role"] == "user":
            text = "".join(text.strip() for text in texts_of(message))
            pieces.append((f"<|turn>user\n{text}<turn|>\n<|turn>model\n", READ))
        elif message["role"] == "tool":
            pieces.append((result_text(message), READ))
        else:
            written = written_pieces(messages, index, thinking and index > last)
            pieces += relabelled(written, READ)
            if not message.get("tool_calls"):
                pieces.append(("\n", READ))
    return pieces


def samples(conversation: Conversation) -> list[list[Piece]]:
    """One sample where the last turn thinks. Where it does not, one for each step: the empty channel that the first step's prompt ends in is not in the prompts of the next."""
    messages, last = conversation.messages, last_question(conversation.messages)
    steps = [
        index for index in range(last, len(messages)) if messages[index]["role"] == "assistant"
    ]
    if not conversation.thinking:
        return [
            [
                *read_pieces(messages[:step], last, False),
                (NO_THOUGHT if step == last + 1 else "", READ),
                *written_pieces(messages, step, False),
            ]
            for step in steps
        ]
    pieces = read_pieces(messages[: last + 1], last, True)
    for index in range(last + 1, len(messages)):
        if index in steps:
            pieces += written_pieces(messages, index, True)
        else:
            pieces.append((result_text(messages[index]), READ))
    return [pieces]
