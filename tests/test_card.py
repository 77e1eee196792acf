"""A model's card: what it says is drawn, what it does not say is not given, and nothing that may stand in it raises."""

import copy
import json
import re

import hostile
import pytest
import sample_cards
import sample_events
from scripted import ScriptedBackend
from test_widgets_damaged import DICTS, LISTS, NUMBERS, TEXTS
from test_widgets_page import read

from agentloop_widgets import Trace, Turn
from agentloop_widgets.events import Model, ModelEnd, Prefill, StepStart, Token
from agentloop_widgets.trace.strings import language
from agentloop_widgets.widgets import VIEWS, ModelCard, TurnView, fold, model_card_text
from agentloop_widgets.widgets.block import unpacked
from agentloop_widgets.widgets.card import card_of
from agentloop_widgets.widgets.card_facts import card_rows
from agentloop_widgets.widgets.card_record import DRAWN
from agentloop_widgets.widgets.feed import Feed
from agentloop_widgets.widgets.views import saved_block

CARDS = {name: getattr(sample_cards, name) for name in ("GEMMA", "QWEN", "OLD", "SMALL")}


def forms(card) -> dict[str, str]:
    """The card as text, as a page, and as what the widget is sent."""
    events = [Model(card=card)]
    return {
        "text": re.sub(r"\s+", " ", VIEWS["model_card"].text(events)),
        "page": read(VIEWS["model_card"].html(events)).text,
        "record": sent(events),
    }


def sent(events) -> str:
    """What the widget is sent, as strict JSON."""
    feed = Feed("model_card")
    feed.add(events)
    feed.close()
    return json.dumps(feed.take()["parts"], allow_nan=False, ensure_ascii=False)


# What is said.


def test_gemma_is_drawn():
    for form in forms(sample_cards.GEMMA).values():
        for said in (
            "35 layers: sliding window 28, full attention 7",
            "20 of them read the keys and values of an earlier layer (13, 14)",
            "per-layer embeddings",
            "2.35 B",
            "46.1%",
            "4.7 GB",
            "512 tokens",
            "131,072 tokens",
            "16 layers · hidden size not given · patches of 16 pixels · at most 280 tokens an image",
            "12 layers · hidden size not given",
            "262,144 tokens · 514,906 merges",
            "<|tool_response>",
            "T 1 · top-p 0.95 · top-k 64",
            "google/gemma-4-E2B-it-assistant",
            "77.7 M parameters",
            "generation_config.json",
            "208 B",
            "not read",
        ):
            assert said in form or json.dumps(said, ensure_ascii=False)[1:-1] in form, said


def test_qwen_is_drawn():
    for form in forms(sample_cards.QWEN).values():
        for said in (
            "24 layers: linear attention 18, full attention 6",
            "MTP layer · 1 layer · 20 M parameters · not loaded",
            "2fc06364715b967f1860aea9cf38778875588b17",
            "26 of them added",
            "which file holds which tensor",
        ):
            assert said in form, said
    assert "✓ image · ✗ sound: it has no sound encoder · ✓ video" in forms(sample_cards.QWEN)["text"]  # fmt: skip
    for form in ("page", "record"):
        assert "sound, refused: it has no sound encoder" in forms(sample_cards.QWEN)[form]
    assert card_of(sample_cards.QWEN).rest == () == card_of(sample_cards.GEMMA).rest


def test_layers_are_letters_in_the_text_and_cells_on_the_page():
    text = VIEWS["model_card"].text([Model(card=sample_cards.GEMMA)])
    assert "SSSSFSSSSFSSSSFssssfssssfssssfssssf" in text and "f s reads the keys" in text
    page = read(VIEWS["model_card"].html([Model(card=sample_cards.GEMMA)]))
    cells = [attributes["class"] for tag, attributes, _ in page.elements if tag == "i" and re.match(r"layer \d", attributes.get("title", ""))]  # fmt: skip
    assert len(cells) == 35 and sum("shares" in name for name in cells) == 20
    assert cells[14] == "kind-full" and cells[34] == "kind-full shares"


def test_shares_add_up_and_the_bar_is_to_scale():
    page = read(VIEWS["model_card"].html([Model(card=sample_cards.GEMMA)]))
    bar = [attributes for _, attributes, _ in page.elements if "flex-grow" in attributes.get("style", "")]  # fmt: skip
    shares = [float(attributes["style"].split(":")[1]) for attributes in bar]
    assert sum(shares) == pytest.approx(100, abs=0.01) and bar[0]["class"] == "of-per_layer_embedding"  # fmt: skip


@pytest.mark.parametrize("name", CARDS)
def test_in_traditional_chinese_no_english_sentence_is_left(name):
    with language("zh-TW"):
        form = forms(CARDS[name])
    assert "層" in form["text"] and "參數" in form["page"]
    for said in ("not given", "layers", "hidden size", "attention", "what for", "Point at"):
        assert said not in form["text"] and said not in form["page"]
    assert '"zh-TW": "把游標移到一層上' in form["record"]


# What is not said.


@pytest.mark.parametrize(
    "card",
    [
        {"model": "m"},
        dict.fromkeys(sample_cards.GEMMA),
        {"model": "m", "text": {}, "parts": [{"part": "layers"}], "files": [{"name": "a"}]},
    ],
)
def test_what_is_not_given_is_never_0(card):
    found = forms(card)
    for said in (found["text"], found["page"].replace("counted from 0", "")):
        assert said.count("not given") > 10 and not re.search(r"(?<!\d)0(?!\d)", said)


def test_none_is_not_the_same_as_not_given():
    rows = dict(card_rows({"vision": None, "drafter": None}))
    assert rows["vision encoder"] == "none" and rows["drafter"] == "none"
    text = forms({"model": "m"})["text"]
    assert "vision encoder not given" in text and "drafter not given" in text


def test_a_model_in_a_folder_lacks_no_revision():
    for card, said in (({"folder": "models/m"}, False), ({"folder": None}, True), ({"folder": "m", "revision": "1f" * 20}, True)):  # fmt: skip
        for name, form in forms({"model": "m", **card}).items():
            assert ("revision" in re.sub('"(copy|copied|words)":.*', "", form)) == said or name == "record"  # fmt: skip
        assert (json.loads(forms({"model": "m", **card})["record"])["run"]["card"]["revision"] is not None) == said  # fmt: skip


def test_attention_without_a_window_sees_the_whole_context():
    for form in forms(sample_cards.QWEN).values():
        assert "attention window" in form and "the whole context" in form
    rows = dict(card_rows(sample_cards.GEMMA))
    assert rows["attention window"] == "512 tokens"
    assert "attention window" not in dict(card_rows({"model": "m"}))


@pytest.mark.parametrize("tongue", ["en", "zh-TW"])
def test_a_steps_number_stays_with_its_name(tongue):
    steps = [StepStart(step=1), Prefill(n_tokens=1_234_567, ms=123_456.0, cached_tokens=1_234_567, step=1), ModelEnd(finish="stop_token", n_tokens=1_234, tok_per_s=290.5, step=1)]  # fmt: skip
    with language(tongue):
        lines = model_card_text(fold([Model(card=sample_cards.QWEN), *steps])).splitlines()
    assert any(line.endswith({"en": "tokens/s 290", "zh-TW": "token／秒 290"}[tongue]) for line in lines)  # fmt: skip


def test_the_words_of_a_card_are_in_traditional_chinese():
    with language("zh-TW"):
        form = forms({**sample_cards.QWEN, "template": "0123"})
    for said in ("分詞器", "對話範本", "注意力視窗", "整個上下文"):
        assert said in form["text"] and said in form["page"] and said in form["record"]
    for said in ("tokenizer", "chat template"):
        files = re.sub(r"tokenizer\S*\.json", "", form["text"] + form["page"])
        assert said not in files


def test_an_older_card_is_drawn_and_what_is_unknown_stands_in_rows():
    for form in forms(sample_cards.OLD).values():
        for said in ("4 layers: linear attention 3, full attention 1", "2,048 tokens", "<|im_end|>", "4.6 MB", "sky blue"):  # fmt: skip
            assert said in form, said
    assert dict(card_rows(sample_cards.OLD))["weather"] == "sky blue"


def test_a_run_without_a_card_says_so():
    assert "not say which model" in VIEWS["model_card"].text([StepStart(step=1)])
    text = VIEWS["model_card"].text([StepStart(step=1), Prefill(n_tokens=179, ms=15.0, step=1)])
    assert "context 179" in text and "prefill 15 ms" in text


# What nobody would expect.

ODD = [None, True, *NUMBERS, *LISTS, *DICTS, *TEXTS, hostile.MARKUP, hostile.SCRIPT]


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_every_place_of_a_card_may_hold_anything(odd):
    def replaced(value, path):
        made = copy.deepcopy(sample_cards.SMALL)
        inner = made
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = copy.deepcopy(value)
        return made

    def places(value, path=()):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in inner:
            yield (*path, key)
            if isinstance(item, dict | list):
                yield from places(item, (*path, key))

    found = list(places(sample_cards.SMALL))
    assert len(found) > 60
    for path in found:
        events = [Model(card=replaced(odd, path))]
        assert VIEWS["model_card"].text(events).strip() and sent(events)
        assert VIEWS["model_card"].html(events).startswith("<div")
    for path in found[::5]:
        assert read(VIEWS["model_card"].html([Model(card=replaced(odd, path))])).text


def test_a_hostile_card_is_text():
    events = hostile.events()
    page = read(VIEWS["model_card"].html(events))
    assert hostile.SCRIPT in page.text and hostile.MARKUP in page.text
    assert not [item for item in page.elements if item[0] in ("img", "b") and "src" in item[1]]
    assert hostile.SCRIPT.replace('"', '\\"') in sent(events)


@pytest.mark.parametrize("n", [500, 20_000])
def test_many_layers_and_no_parameters(n):
    layers = [{"kind": "full_attention", "shares": index - 1 if index % 2 else None} for index in range(n)]  # fmt: skip
    card = {"model": "m", "text": {"layers": layers}, "parts": [{"part": "layers", "parameters": 0, "bytes": 0}], "parameters": 0}  # fmt: skip
    form = forms(card)
    for said in form.values():
        assert f"{n:,} layers" in said
        assert ("more are not drawn" in said) == (n > DRAWN)
    assert "0 B" in form["text"] and "%" not in form["page"]
    assert len(form["record"]) < 250_000


# A run's steps, while it goes on.


def numbers_of(batch) -> dict:
    return {key: (part["numbers"], part.get("written")) for key, part in batch["parts"].items() if key != "run"}  # fmt: skip


def test_each_step_brings_its_numbers_while_it_is_written():
    feed = Feed("model_card")
    tokens = [Token(index=index, id=1, piece="a", text="a", step=1) for index in range(3)]
    feed.add([Model(card=sample_cards.SMALL), StepStart(step=1), Prefill(n_tokens=179, ms=15.0, cached_tokens=0, step=1)])  # fmt: skip
    assert numbers_of(feed.take()) == {"step:1": ([179, 15.0, 0, None, None], None)}
    feed.add(tokens[:2])
    batch = feed.take()
    assert numbers_of(batch) == {"step:1": ([179, 15.0, 0, None, None], 2)} and batch["tokens"] == []  # fmt: skip
    feed.add(tokens[2:])
    feed.add([ModelEnd(finish="stop_token", n_tokens=3, tok_per_s=2.44, step=1)])
    assert numbers_of(feed.take()) == {"step:1": ([179, 15.0, 0, 3, 2.4], None)}


def test_the_steps_are_the_runs():
    text = re.sub(r"\s+", " ", VIEWS["model_card"].text(sample_events.two_steps()))
    assert "Step 1 context 179 · prefill 15 ms · cached not given · written 53" in text
    assert "Step 2 context 245 · prefill 18 ms · cached 179 · written 19 tokens/s 239" in text


# The widget.


def test_a_backend_shows_its_card(llm):
    assert "layers" in llm.to_text() and "revision" not in llm.to_text()
    values, _ = unpacked(saved_block("model_card", llm.events).split("data-packed>")[1].split("<")[0])  # fmt: skip
    assert values["parts"]["run"]["card"]["name"] and values["tokens"] == []
    view = ModelCard(llm)
    assert view.over and view.everything()["parts"]["run"]["card"]
    assert len(view.to_block()) < 60_000


def test_a_card_of_a_turn_a_trace_and_a_list(llm):
    turn = Turn(ScriptedBackend(llm, "<think>\nso\n</think>\n\nSeven."), "How many?")
    view = ModelCard(turn)
    assert not view.over and not any(key.startswith("step") for key in view.everything()["parts"])
    turn.run()
    view.finish()
    (row,) = (part for key, part in view.everything()["parts"].items() if key != "run")
    assert row["numbers"][0] and row["numbers"][3] == len([e for e in turn.events if e.type == "token"])  # fmt: skip
    assert ModelCard(Trace(sample_events.two_steps())).over
    assert set(ModelCard(sample_events.two_steps(), step=2).everything()["parts"]) == {"run", "step:2"}  # fmt: skip


def test_before_a_run_the_text_twin_says_what_is_known(llm):
    turn = Turn(ScriptedBackend(llm, "<think>\nso\n</think>\n\nSeven."), "How many?")
    cards, turns = ModelCard(turn), TurnView(turn)
    said = turns.to_text()
    assert "not started: turn.run() starts it" in said and "How many?" in said
    assert "ended" not in said and "layers" in cards.to_text()
    turn.run()
    assert "not started" not in turns.to_text() and "Seven." in turns.to_text()


def test_a_turn_names_its_model_in_rows(tmp_path):
    events = [Model(card=sample_cards.GEMMA, run=event.run) if event.type == "model" else event for event in sample_events.two_steps()]  # fmt: skip
    card = TurnView(Trace(events)).everything()["parts"]["run"]["card"]
    texts = [value if isinstance(value, str) else value["en"] for _, value in card]
    assert any("sliding window 28" in text for text in texts) and "not given" not in texts
    assert ModelCard(events).to_html(tmp_path / "card.html").stat().st_size < 80_000
    assert model_card_text(fold(events)).startswith("model ")
