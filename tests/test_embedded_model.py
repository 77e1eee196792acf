"""The embedded models: their files, and what they can do."""

import json
import re

import pytest
from architectures import SHIPPED
from evaluate import BEGIN, END, Examiner, write_card
from failures import HELD_OUT_FAILURES
from questions.talk import SCOPE
from unseen import GREETINGS, OUTSIDE, group_of, is_chain, unseen_questions

from agentloop_widgets import load_backend

MODELS = {
    "qwen3_5": ("embedded", "Qwen3_5ForConditionalGeneration", "Qwen3_5Tokenizer"),
    "gemma4": ("embedded:gemma4", "Gemma4ForConditionalGeneration", "GemmaTokenizer"),
}


@pytest.fixture(scope="module", params=MODELS)
def model(request):
    import torch

    torch.set_num_threads(1)
    return request.param, load_backend(MODELS[request.param][0])


def test_the_checkpoint_is_what_it_should_be(model):
    key, llm = model
    source, architecture, tokenizer = MODELS[key]
    config = json.loads((llm.folder / "config.json").read_text())
    assert config["architectures"] == [architecture] and config["dtype"] == "bfloat16"
    assert sum(path.stat().st_size for path in llm.folder.iterdir()) <= 6_000_000
    assert type(llm.tokenizer).__name__ == tokenizer and llm.family.key == key
    assert llm.model_id == source and str(next(llm.model.parameters()).dtype) == "torch.float32"
    assert "image" in llm.modalities and "video" in llm.modalities
    towers = {"qwen3_5": ["visual"], "gemma4": ["vision_tower", "audio_tower"]}[key]
    names = [name for name, _ in llm.model.named_parameters()]
    assert all(any(tower in name for name in names) for tower in towers)
    if key == "qwen3_5":  # smaller heads end vLLM's engine on a CPU
        text = config["text_config"]
        assert text["linear_key_head_dim"] == text["linear_value_head_dim"] == 64


def test_the_curve_of_the_training_is_there(model):
    curve = json.loads((model[1].folder / "curve.json").read_text())
    assert curve[0]["step"] == 50 and curve[-1]["loss"] < 0.2 * curve[0]["loss"]
    assert curve[-1]["accuracy"] > 0.9


def test_the_card_has_figures_that_were_measured(model):
    card = (model[1].folder / "README.md").read_text()
    figures = card.split(BEGIN)[1].split(END)[0]
    assert re.search(r"\| whole turn right \| \d+/500 \|", figures)
    assert figures.count("whole turn right") == 4 and "At the recommended sampling" in figures


def test_figures_go_between_the_marks(tmp_path):
    card = tmp_path / "README.md"
    card.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    write_card(card, "new")
    assert card.read_text() == f"before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"


def shares(outcomes):
    total = len(outcomes)
    names = ("parsable", "code", "states", "whole")
    return [sum(getattr(each, name) for each in outcomes) / total for name in names]


def test_it_answers_unseen_questions(model):
    """The small form: forty questions. The card has the whole figures."""
    parsable, _, _, whole = shares(list(Examiner(model[1]).asked(unseen_questions(40))))
    assert parsable >= 0.9 and whole >= 0.75


def test_it_does_two_steps(model):
    chains = [each for each in unseen_questions(120) if is_chain(each)][:15]
    outcomes = list(Examiner(model[1]).asked(chains))
    assert shares(outcomes)[3] >= 0.6 and max(each.calls for each in outcomes) >= 2


def test_it_recovers_from_a_failure_that_it_never_met(model):
    sound = [each for each in unseen_questions(80) if group_of(each) != "mending"][:40]
    recovered = list(Examiner(model[1]).asked(sound, HELD_OUT_FAILURES))
    assert shares(recovered)[3] >= 0.75 and sum(each.calls >= 2 for each in recovered) >= 30


def test_it_calls_no_tool_where_none_is_needed(model):
    rows = Examiner(model[1]).talked(GREETINGS[:25])
    assert sum(right for _, right, _ in rows) >= 22


def test_it_says_what_it_knows_when_asked_for_what_it_does_not(model):
    rows = Examiner(model[1]).talked(OUTSIDE, SCOPE)
    assert sum(right for _, right, _ in rows) >= 40


@pytest.mark.slow
def test_it_answers_five_hundred_unseen_questions(model):
    parsable, code, states, whole = shares(list(Examiner(model[1]).asked(unseen_questions(500))))
    assert parsable >= 0.98 and code >= 0.9 and states >= 0.9 and whole >= 0.88


def test_the_shipped_files_are_those_of_the_package():
    assert {path.name for path in SHIPPED.iterdir() if path.is_dir()} == {
        *MODELS,
        "gemma4_assistant",
    }
