"""The loop on Gemma 4: its stop tokens, its channels, results in the same model turn. What the model writes is scripted."""

import pytest
from scripted import ScriptedBackend

from agentloop_widgets import Turn, replay

THOUGHT = "<|channel>thought\nTwo times three.\n<channel|>"
CALL = '<|tool_call>call:run_python{code:<|"|>print(2 * 3)<|"|>}<tool_call|><|tool_response>'
ANSWER = "It is 6.<turn|>"


@pytest.fixture
def turn(tiny):
    backend = ScriptedBackend(tiny["gemma4"], THOUGHT + CALL, ANSWER)
    return Turn(backend, "What is 2 * 3?", thinking=True).run()


def steps(turn, kind):
    return [event for event in turn.events if event.type == kind]


def test_the_stop_token_tells_a_call_from_an_answer(turn):
    assert [event.stop_piece for event in steps(turn, "model_end")] == [
        "<|tool_response>",
        "<turn|>",
    ]
    assert (turn.stop_reason, turn.final) == ("answer", "It is 6.")
    assert [event.result for event in steps(turn, "tool_end")] == ["6\n"]


def test_the_thought_lies_under_the_familys_key(turn):
    asked = next(message for message in turn.messages if message["role"] == "assistant")
    assert asked[turn.llm.family.thinking_key] == "Two times three."
    assert asked["tool_calls"][0]["function"]["arguments"] == {"code": "print(2 * 3)"}


def test_the_result_stands_in_the_same_model_turn(turn):
    first, second = steps(turn, "context")
    assert (
        second.prompt.count("<|turn>model") == 1
        and "<|tool_response>response:run_python{" in second.prompt
    )
    read = first.prompt + steps(turn, "model_end")[0].raw
    assert second.prompt.startswith(read) and second.added_from == len(
        read
    )  # nothing is read twice
    assert {(part["role"], part["kind"]) for part in second.segments} >= {
        ("tool", "tool_response"),
        ("assistant", "thought"),
        ("assistant", "tool_call"),
    }


def test_the_channels_of_the_tokens(turn):
    tokens = [event for event in steps(turn, "token") if event.step == 1]
    texts = {
        channel: "".join(token.text for token in tokens if token.channel == channel)
        for channel in ("thought", "tool_call", "content", "control")
    }
    assert texts["thought"] == "Two times three.\n" and texts["content"] == ""
    assert texts["tool_call"].startswith("call:run_python{") and texts["tool_call"].endswith("}")
    assert texts["control"].startswith("<|channel>thought\n<channel|><|tool_call>")


def test_it_is_drawn_and_replayed(turn, tmp_path):
    turn.trace.save(tmp_path / "turn.jsonl")
    again = replay(tmp_path / "turn.jsonl")
    assert again.to_text() == turn.to_text() and "Two times three." in turn.to_text()


def test_a_model_that_writes_the_result_itself_is_not_believed(tiny):
    made_up = '<|tool_call>call:run_python{code:<|"|>print(1)<|"|>}<tool_call|><|tool_response>response:run_python{value:<|"|>99<|"|>}<tool_response|>It is 99.<turn|>'
    turn = Turn(ScriptedBackend(tiny["gemma4"], made_up, ANSWER), "?").run()
    assert [event.result for event in steps(turn, "tool_end")] == ["1\n"]
    assert "99" not in steps(turn, "context")[1].prompt
