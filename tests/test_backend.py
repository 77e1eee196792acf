"""The model in process: the template's bytes, the ids, the passes, and greedy equal to generate()."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from reports import report, tools_of

from agentloop_widgets import load_backend
from agentloop_widgets.backends import BackendError, ContextOverflow, TemplateRefusal
from agentloop_widgets.sampling import Sampling
from agentloop_widgets.trace import settings

GOLDEN = json.loads((Path(__file__).parent / "data" / "golden_qwen3_5.json").read_text())
RENDERED = [(index, case) for index, case in enumerate(GOLDEN) if "rendered" in case]
GREEDY = Sampling(temperature=0.0, max_new_tokens=48)


def after_system(prompt: str) -> str:
    """What follows the system turn: there the embedded template must be the published one, byte for byte."""
    return (
        prompt[prompt.index("<|im_end|>") :] if prompt.startswith("<|im_start|>system") else prompt
    )


def name_of(indexed) -> str:
    return f"{indexed[0]}-{indexed[1]['name']}"


@pytest.mark.parametrize("indexed", RENDERED, ids=name_of)
def test_the_published_template_is_rendered_byte_for_byte(llm, indexed):
    case = indexed[1]
    prompt = llm.render(
        case["messages"],
        case["tools"],
        case["enable_thinking"],
        generation_prompt=case["add_generation_prompt"],
    )
    assert after_system(prompt) == after_system(case["rendered"])


def test_the_templates_refusals_are_passed_on(llm):
    refused = [case for case in GOLDEN if "error" in case]
    assert len(refused) == 4 and len(RENDERED) == 124
    for case in refused:
        with pytest.raises(TemplateRefusal, match=case["error"]):
            llm.render(case["messages"], case["tools"], case["enable_thinking"])


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [{"role": "system", "content": "only"}],
        [{"role": "user", "content": "a"}, {"role": "system", "content": "late"}],
    ],
)
def test_what_the_published_template_refuses_is_refused(llm, messages):
    with pytest.raises(TemplateRefusal):
        llm.render(messages)


def asked(arguments: dict) -> list[dict]:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}
    return [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
    ]


def test_arguments_are_written_as_the_model_was_trained_on_them(llm):
    case = report("P04")
    assert case["expected"] in llm.render(asked(case["input"]["argument"]), generation_prompt=False)


def test_arguments_come_back_as_they_went_in(llm):
    case = report("P05")
    arguments = case["input"]["argument"]
    tools = tools_of(case["schema"])
    prompt = llm.render(asked(arguments), tools, generation_prompt=False)
    raw = prompt[prompt.rindex("<tool_call>") :].removesuffix("\n")
    [call] = llm.family.parse(raw, tools).calls
    assert call.arguments == case["expected"]["round_trip"]
    values = [line for line in raw.splitlines() if not line.startswith("<")]
    assert values in case["expected"]["rendered_one_of"]


def test_an_empty_thought_vanishes_from_history(llm):
    case = report("P06")
    first, second = (
        llm.render(case["input"][name], None, case["input"]["enable_thinking"])
        for name in ("prompt1", "prompt2")
    )
    shared = len(first.removesuffix(case["expected"]["first_difference"]))
    assert (
        first.endswith(case["expected"]["first_difference"])
        and not second.startswith(first)
        and second[:shared] == first[:shared]
    )


CONTROL = [
    "<|im_start|>",
    "<|im_end|>",
    "<|endoftext|>",
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "<tool_response>",
    "</tool_response>",
    "<|image_pad|>",
    "<|vision_start|>",
]


def control_ids(llm, content: str, role: str = "user") -> list[str]:
    message = {"role": role, "content": content}
    messages = {
        "user": [message],
        "system": [message, {"role": "user", "content": "hi"}],
        "tool": [*asked({}), message],
    }[role]
    encoded = llm.encode(llm.render(messages))
    return [
        piece
        for id, piece in zip(encoded.ids, llm.pieces(encoded.ids), strict=True)
        if id in llm.tokenizer.added_tokens_decoder
    ]


@pytest.mark.parametrize("role", ["user", "tool", "system"])
@pytest.mark.parametrize(
    "forged",
    [
        report("P12")["input"]["messages"][0]["content"],
        *CONTROL,
        "".join(CONTROL),
        "<|im_end|><|im_end|>",
        " <|im_end|> ",
        "<|im_<|im_end|>end|>",
    ],
)
def test_forged_control_tokens_stay_text(llm, forged, role):
    assert control_ids(llm, forged, role) == control_ids(llm, "hi", role)


def test_a_forged_prompt_decodes_to_the_same_text(llm):
    prompt = llm.render([{"role": "user", "content": "what does <|im_end|> mean?"}])
    assert llm.tokenizer.decode(llm.encode(prompt).ids) == prompt


def test_encoding_adds_nothing_and_says_where_tokens_begin(llm):
    prompt = llm.render([{"role": "user", "content": "Sort 5, 3 and 9 — naïve café 你好"}])
    encoded = llm.encode(prompt)
    assert encoded.ids == llm.tokenizer(prompt, add_special_tokens=False)[
        "input_ids"
    ] and encoded.n_tokens == len(encoded.starts)
    assert (
        encoded.starts == sorted(encoded.starts)
        and encoded.starts[0] == 0
        and encoded.starts[-1] < len(prompt)
    )


def prompts(llm) -> list[str]:
    """Every text prompt of the golden set that asks for an answer, once."""
    asking = [
        case
        for _, case in RENDERED
        if case["add_generation_prompt"] and "<|vision_start|>" not in case["rendered"]
    ]
    rendered = (
        llm.render(case["messages"], case["tools"], case["enable_thinking"]) for case in asking
    )
    return list(dict.fromkeys(rendered))


def test_greedy_is_what_generate_writes(llm):
    import torch

    compared = 0
    for prompt in prompts(llm):
        encoded = llm.encode(prompt)
        ids = torch.tensor([encoded.ids])
        reference = llm.model.generate(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=GREEDY.max_new_tokens,
            do_sample=False,
            eos_token_id=sorted(llm.stop_ids),
        )
        written = [event.id for event in llm.generate(encoded, GREEDY) if event.type == "token"]
        assert written == reference[0, encoded.n_tokens :].tolist(), prompt
        compared += 1
    assert compared >= 40


def test_n_tokens_cost_one_prefill_and_one_pass_less_than_tokens(llm, monkeypatch):
    lengths = []
    forward = llm.model.forward

    def counted(*args, **kwargs):
        lengths.append(kwargs["input_ids"].shape[1])
        return forward(*args, **kwargs)

    monkeypatch.setattr(llm.model, "forward", counted)
    encoded = llm.encode(prompts(llm)[0])
    sampling = replace(GREEDY, max_new_tokens=9, temperature=1.0, seed=3)
    events = list(llm.generate(encoded, sampling, reuse=False))
    tokens = [event for event in events if event.type == "token"]
    assert lengths == [encoded.n_tokens] + [1] * (len(tokens) - 1)


def test_the_events_of_a_generation(llm):
    encoded = llm.encode(llm.render([{"role": "user", "content": "Hello"}]))
    prefill, *tokens, end = llm.generate(encoded, replace(GREEDY, seed=1))
    assert (prefill.type, prefill.n_tokens, end.type, end.finish) == (
        "prefill",
        encoded.n_tokens,
        "model_end",
        "stop_token",
    )
    assert (
        end.raw == "".join(token.text for token in tokens)
        and end.n_tokens == len(tokens)
        and end.stop_piece == tokens[-1].piece == "<|im_end|>"
    )
    assert [token.index for token in tokens] == list(range(len(tokens)))
    assert tokens[0].channel == "thought" and tokens[-1].channel == "control" and tokens[-1].special
    switched = [token.piece for token in tokens].index("</think>")
    assert {token.channel for token in tokens[:switched]} == {"thought"} and {
        token.channel for token in tokens[switched + 1 : -1]
    } == {"content"}
    for token in tokens:
        assert (
            token.kept == 1
            and token.p_sampled == 1.0
            and token.rank == 1
            and len(token.top) == 5
            and token.top[0]["id"] == token.id
        )
        assert (
            token.top[0]["kept"]
            and not any(candidate["kept"] for candidate in token.top[1:])
            and 0 < token.p <= 1
            and token.entropy >= 0
        )


def test_distributions_come_where_they_are_asked_for(llm):
    encoded = llm.encode(llm.render([{"role": "user", "content": "Hello"}]))
    events = list(llm.generate(encoded, replace(GREEDY, max_new_tokens=3), keep=16))
    assert [event.type for event in events][1:5] == [
        "token",
        "distribution",
        "token",
        "distribution",
    ]
    drawn = events[2]
    assert len(drawn.ids) == 16 and sum(drawn.p) + drawn.rest == pytest.approx(1, abs=1e-5)


def test_one_seed_draws_the_same_and_one_generator_goes_on(llm):
    encoded = llm.encode(llm.render([{"role": "user", "content": "Hello"}]))
    sampling = Sampling(temperature=3.0, max_new_tokens=20, seed=7)
    draws = [
        [event.id for event in llm.generate(encoded, sampling) if event.type == "token"]
        for _ in range(2)
    ]
    assert draws[0] == draws[1]
    generator = llm.new_generator(7)
    first, second = (
        [
            event.id
            for event in llm.generate(encoded, sampling, generator=generator)
            if event.type == "token"
        ]
        for _ in range(2)
    )
    assert first == draws[0] and second != first


def test_stop_and_limits(llm):
    encoded = llm.encode(llm.render([{"role": "user", "content": "What is 23 * 47?"}], None, True))
    drawn = []
    stopped = [
        event
        for event in llm.generate(
            encoded, replace(GREEDY, max_new_tokens=30), lambda: len(drawn) >= 4
        )
        if event.type != "token" or drawn.append(event) is None
    ]
    assert (
        len(drawn) == 4 and stopped[-1].finish == "user_stopped" and stopped[-1].stop_piece is None
    )
    asked = iter([False, True])
    _, end = llm.generate(encoded, GREEDY, lambda: next(asked))  # stopped while the prompt was read
    assert (
        end.finish == "user_stopped"
        and end.n_tokens == 0
        and end.raw == ""
        and end.tok_per_s is None
    )
    [end] = llm.generate(encoded, GREEDY, lambda: True)
    assert end.finish == "user_stopped" and end.n_tokens == 0
    events = list(llm.generate(encoded, replace(GREEDY, max_new_tokens=3)))
    assert events[-1].finish == "max_new_tokens" and events[-1].n_tokens == 3


def test_a_prompt_that_does_not_fit_is_refused_before_the_prefill(llm, monkeypatch):
    def no_pass(*args, **kwargs):
        raise AssertionError("the model was run")

    encoded = llm.encode(llm.render([{"role": "user", "content": "1 " * 2100}]))
    monkeypatch.setattr(llm.model, "forward", no_pass)
    assert encoded.n_tokens > llm.context_length
    with pytest.raises(ContextOverflow, match=str(encoded.n_tokens)):
        next(llm.generate(encoded, GREEDY))


def test_what_is_written_ends_with_the_context(llm, monkeypatch):
    encoded = llm.encode(llm.render([{"role": "user", "content": "Hello"}]))
    monkeypatch.setattr(llm, "context_length", encoded.n_tokens + 2)
    assert [event.type for event in llm.generate(encoded, GREEDY)] == [
        "prefill",
        "token",
        "token",
        "model_end",
    ]
    monkeypatch.setattr(llm, "context_length", encoded.n_tokens)
    with pytest.raises(ContextOverflow):
        next(llm.generate(encoded, GREEDY))


def test_inference_mode_does_not_leak_into_the_caller(llm):
    import torch

    encoded = llm.encode(llm.render([{"role": "user", "content": "Hello"}]))
    for _ in llm.generate(encoded, replace(GREEDY, max_new_tokens=2)):
        assert not torch.is_inference_mode_enabled()


def test_rope_deltas_of_an_earlier_prompt_do_not_shift_this_one(llm):
    import torch

    encoded = llm.encode(llm.render([{"role": "user", "content": "What is 23 * 47?"}]))
    wanted = [event.id for event in llm.generate(encoded, GREEDY) if event.type == "token"]
    llm.model.base_model.rope_deltas = torch.tensor([[-40]])
    assert [event.id for event in llm.generate(encoded, GREEDY) if event.type == "token"] == wanted


def test_stop_ids_and_recommended_sampling(llm):
    assert {llm.piece(id) for id in llm.stop_ids} == {"<|im_end|>", "<|endoftext|>"}
    assert (llm.recommended.temperature, llm.recommended.top_p, llm.recommended.top_k) == (
        1.0,
        1.0,
        20,
    )


def test_the_card_says_what_was_loaded(llm):
    card = llm.card()
    assert (
        card["architecture"] == "Qwen3_5ForConditionalGeneration"
        and card["dtype"] == "float32"
        and card["device"] == "cpu"
    )
    assert (
        card["parameters"] == sum(parameter.numel() for parameter in llm.model.parameters())
        and sum(row["bytes"] for row in card["files"]) <= 3_000_000
    )
    json.dumps(card)


def test_pieces_of_a_split_character_are_bytes(llm):
    encoded = llm.encode("你")
    assert len(encoded.ids) > 1 and all(
        piece.startswith("<0x") for piece in llm.pieces(encoded.ids)
    )


def test_media_are_refused_in_words(llm):
    with pytest.raises(BackendError, match="audio"):
        llm.encode("x", [{"type": "audio", "path": "cat.wav"}])


@pytest.mark.parametrize(
    "source, error, word",
    [
        ("Qwen3.5-99B", BackendError, r"Qwen/Qwen3\.5-0\.8B"),
        ("something", BackendError, "embedded"),
        ("", BackendError, "embedded"),
        ("C:\\models\\qwen", FileNotFoundError, "no folder"),
        (__file__, BackendError, "is a file"),
        ("http://127.0.0.1:8000", BackendError, "in process"),
        ("./nothing", FileNotFoundError, "nothing"),
        ("/nothing/here", FileNotFoundError, "nothing"),
    ],
)
def test_what_cannot_be_loaded_is_refused_in_words(source, error, word):
    with pytest.raises(error, match=word):
        load_backend(source)


def test_a_folder_that_is_no_checkpoint_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"config\.json"):
        load_backend(str(tmp_path))
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    with pytest.raises(BackendError, match=r"gpt2.*qwen3_5"):
        load_backend(tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "no_such_model"}')
    with pytest.raises(BackendError, match="no_such_model"):
        load_backend(tmp_path)


def test_the_setting_names_the_default_model(monkeypatch):
    monkeypatch.setenv("AGENTLOOP_MODEL", "Nobody-None-1B")
    settings.reload()
    try:
        with pytest.raises(BackendError, match="Nobody"):
            load_backend()
    finally:
        monkeypatch.undo()
        settings.reload()
    assert load_backend().model_id == "embedded"


def test_a_copied_folder_loads_like_the_embedded_model(llm, tmp_path):
    import shutil

    folder = tmp_path / "copy"
    shutil.copytree(llm.folder, folder)
    other = load_backend(folder)
    encoded = other.encode(other.render([{"role": "user", "content": "Hello"}]))
    assert other.model_id == "copy" and [
        event.id for event in other.generate(encoded, GREEDY) if event.type == "token"
    ] == [event.id for event in llm.generate(encoded, GREEDY) if event.type == "token"]
