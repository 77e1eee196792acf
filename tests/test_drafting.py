"""Drafting: the same texts in fewer passes, every token as often as without, cut where plain decoding would cut, and told."""

import json
import shutil
from collections import Counter
from dataclasses import replace

import pytest
import torch
from exactness import TIE
from scipy.stats import chi2
from test_media_exactness import parts_of

from agentloop_widgets import Sampling, Turn, load_backend
from agentloop_widgets.backends import BackendError
from agentloop_widgets.backends.base import Encoded
from agentloop_widgets.backends.decoding import Drafter
from agentloop_widgets.sampling import Guess, probability
from agentloop_widgets.trace.messages import media_parts

GREEDY = Sampling(temperature=0, max_new_tokens=40, seed=0)
FAMILIES = ["qwen3_5", "gemma4"]


def random_assistant(folder, llm, seed=0, **changes):
    """A Gemma 4 assistant of the right sizes, with random weights."""
    from transformers import Gemma4AssistantConfig, Gemma4AssistantForCausalLM

    text = llm.model.config.get_text_config()
    whole = text.to_dict()
    full = next(at for at, kind in enumerate(text.layer_types) if kind == "full_attention")
    names = (
        "num_attention_heads",
        "num_key_value_heads",
        "head_dim",
        "sliding_window",
        "rope_parameters",
    )
    own = {
        **{name: whole[name] for name in names},
        "model_type": "gemma4_text",
        "vocab_size": text.vocab_size,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "layer_types": ["sliding_attention", "full_attention"],
        "num_kv_shared_layers": 2,
        "hidden_size_per_layer_input": 0,
        "vocab_size_per_layer_input": 0,
        "global_head_dim": text.per_layer_config[full].head_dim,
        **changes.pop("text", {}),
    }
    sizes = {
        "backbone_hidden_size": text.hidden_size,
        "num_centroids": 8,
        "centroid_intermediate_top_k": 2,
    }
    torch.manual_seed(seed)
    config = Gemma4AssistantConfig(text_config=own, **{**sizes, **changes})
    assistant = Gemma4AssistantForCausalLM(config)
    if assistant.masked_embedding is not None:
        order = torch.randperm(text.vocab_size)
        assistant.masked_embedding.token_ordering.copy_(order)
    assistant.generation_config.update(
        num_assistant_tokens=5, num_assistant_tokens_schedule="constant"
    )
    assistant.save_pretrained(folder)
    return folder


def with_random_mtp(folder, source, seed=0):
    """A copy of a Qwen3.5 checkpoint whose weights have a layer for multi-token prediction, under the published names."""
    from safetensors.torch import load_file, save_file
    from transformers.modeling_layers import MtpModel

    shutil.copytree(source, folder)
    model = load_backend(source, device="cpu").model
    text = model.config.get_text_config()
    text.num_mtp_layers, text.mtp_layer_types = 1, ["full_attention"]
    torch.manual_seed(seed)
    names = {
        "enorm": "pre_fc_norm_embedding",
        "hnorm": "pre_fc_norm_hidden",
        "eh_proj": "fc",
        "post_norm": "norm",
    }
    tensors = load_file(folder / "model.safetensors")
    for name, tensor in MtpModel(model, 1).layers[0].state_dict().items():
        head, _, rest = name.partition(".")
        published = f"{names[head]}.{rest}" if head in names else f"layers.0.{rest}"
        noise = torch.randn_like(tensor) * 0.05
        tensors[f"mtp.{published}"] = (tensor + noise).to(torch.bfloat16)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


@pytest.fixture(scope="module")
def drafted(tmp_path_factory, checkpoints):
    """Tiny random checkpoints of both families, each with a random drafter: nearly every guess is wrong."""
    torch.set_num_threads(1)
    root = tmp_path_factory.mktemp("drafters")
    qwen = load_backend(with_random_mtp(root / "qwen", checkpoints["qwen3_5"]), device="cpu")
    qwen.load_drafter()
    gemma = load_backend(checkpoints["gemma4"], device="cpu")
    gemma.load_drafter(random_assistant(root / "assistant", gemma))
    return {"qwen3_5": qwen, "gemma4": gemma}


class Oracle(Drafter):
    """Guesses a text, and every third time something else."""

    def __init__(self, text, guesses=4, wrong=3):
        self.text, self.guesses, self.wrong, self.number = text, guesses, wrong, 0

    def guess(self, sequence, position, fresh, ids, count, generator):
        made = []
        for id in self.text[len(ids) : len(ids) + count]:
            self.number += 1
            made.append(Guess(id ^ 1 if self.number % self.wrong == 0 else id, 0.9))
        return made


def written(events, kind="token"):
    return [event for event in events if event.type == kind]


def ids_of(llm, encoded, sampling, reuse=False, **options):
    return [event.id for event in written(llm.generate(encoded, sampling, reuse=reuse, **options))]


def asked(llm, text="What is 23 * 47?"):
    return llm.encode(llm.render([{"role": "user", "content": text}]))


def same_but_for_ties(llm, encoded, count=40) -> int:
    """Greedy with and without the drafter; how many ties (the two best as good as equal) they parted at: 0 or 1."""
    stop_ids, llm.stop_ids = llm.stop_ids, frozenset()
    try:
        greedy = replace(GREEDY, max_new_tokens=count)
        plain = written(llm.generate(encoded, greedy, reuse=False))
        ahead = [
            event.id
            for event in written(llm.generate(encoded, replace(greedy, mtp=True), reuse=False))
        ]
    finally:
        llm.stop_ids = stop_ids
    assert len(plain) == len(ahead) == count
    place = next(
        (at for at, (one, other) in enumerate(zip(plain, ahead, strict=True)) if one.id != other),
        None,
    )
    if place is None:
        return 0
    first, second = plain[place].top[:2]
    assert abs(first["p"] - second["p"]) < TIE, place
    return 1


# ---------------------------------------------------------------- the same text
@pytest.mark.parametrize("family", FAMILIES)
def test_greedy_is_the_same_with_a_drafter_that_is_nearly_always_wrong(drafted, family):
    llm, ties = drafted[family], 0
    texts = [
        "Hi",
        "Name three colours of the sky.",
        "1 2 3 4 5 " * 12,
        "What is 23 * 47?",
        "{}[]()",
    ]
    for guesses in (1, 3, 8):
        llm.drafter.guesses = guesses
        ties += sum(same_but_for_ties(llm, asked(llm, text)) for text in texts)
    assert ties <= 1


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("wrong", [2, 3, 1000])
def test_greedy_is_the_same_whatever_holds(drafted, family, wrong):
    llm = drafted[family]
    own, encoded = llm.drafter, asked(llm, "Tell me of the sea.")
    plain = ids_of(llm, encoded, GREEDY)
    llm.drafter = Oracle([*encoded.ids, *plain], wrong=wrong)
    try:
        *_, end = events = list(llm.generate(encoded, replace(GREEDY, mtp=True), reuse=False))
    finally:
        llm.drafter = own
    assert [event.id for event in written(events)] == plain
    assert end.mtp["accepted"] <= end.mtp["drafted"] and end.mtp["forwards"] < len(plain)
    if wrong == 1000:
        assert end.mtp["forwards"] == -(
            -(len(plain) - 1) // 5
        )  # four guesses and one more, each pass


@pytest.mark.parametrize("family", FAMILIES)
def test_behind_media_and_with_reuse(drafted, media_files, family):
    llm = drafted[family]
    llm.prefix_cache.forget()
    messages = [{"role": "user", "content": parts_of("{photo} What is this?", media_files)}]
    encoded = llm.encode(llm.render(messages), media_parts(messages))
    assert same_but_for_ties(llm, encoded, 24) == 0
    plain = ids_of(llm, encoded, GREEDY)
    ahead = replace(GREEDY, mtp=True)
    assert ids_of(llm, encoded, ahead, reuse=True) == plain
    kinds = encoded.inputs["mm_token_type_ids"]
    inputs = {**encoded.inputs, "mm_token_type_ids": torch.nn.functional.pad(kinds, (0, 30))}
    longer = replace(encoded, ids=[*encoded.ids, *plain[:30]], inputs=inputs)
    assert llm.cached_tokens(longer) > encoded.n_tokens / 2
    assert ids_of(llm, longer, ahead, reuse=True) == ids_of(llm, longer, GREEDY)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_cache_holds_its_ids_wherever_a_generation_is_left(drafted, family):
    llm, encoded = drafted[family], asked(drafted[family])
    for count in range(1, 9):
        llm.prefix_cache.forget()
        events = llm.generate(encoded, replace(GREEDY, mtp=True))
        taken = [next(events) for _ in range(count + 1)]
        events.close()
        sequence = llm.prefix_cache._sequence
        assert sequence.cache.get_seq_length() == len(sequence.ids) >= encoded.n_tokens
        assert [event.id for event in taken[1:]][
            : len(sequence.ids) - encoded.n_tokens
        ] == sequence.ids[encoded.n_tokens :]


# ---------------------------------------------------------------- every token as often
SETTINGS = [
    Sampling(seed=0),
    Sampling(temperature=0.7, top_k=5, seed=0),
    Sampling(temperature=1.5, top_p=0.8, seed=0),
]


@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("family", FAMILIES)
def test_sampled_frequencies_are_those_without(drafted, family, setting, sampled):
    """The second token, behind each first one, against the model's own distribution."""
    llm, encoded = drafted[family], asked(drafted[family], "Hi")
    llm.drafter.guesses, own = 2, llm.drafter.sampled
    llm.drafter.sampled = sampled
    check_second_tokens(llm, encoded, setting, 150)
    llm.drafter.sampled = own


@pytest.mark.slow
@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("family", FAMILIES)
def test_sampled_frequencies_at_length(drafted, family, setting, sampled):
    llm = drafted[family]
    llm.drafter.guesses, own = 3, llm.drafter.sampled
    llm.drafter.sampled = sampled
    for number in range(25):
        check_second_tokens(llm, asked(llm, f"Question {number}"), setting, 400)
    llm.drafter.sampled = own


def check_second_tokens(llm, encoded, setting, draws) -> None:
    """Draw two tokens over and over; the drafted second one must come as often as the settings say."""
    generator = torch.Generator().manual_seed(1)
    short = replace(setting, max_new_tokens=3, mtp=True, top_k=setting.top_k or 40)
    firsts = Counter()
    seconds: dict[int, Counter] = {}
    stop_ids, llm.stop_ids = llm.stop_ids, frozenset()
    try:
        for _ in range(draws):
            first, second, _ = [
                event.id for event in written(llm.generate(encoded, short, generator=generator))
            ]
            firsts[first] += 1
            seconds.setdefault(first, Counter())[second] += 1
    finally:
        llm.stop_ids = stop_ids
    statistic, freedom = 0.0, 0
    for first, seen in seconds.items():
        longer = Encoded("", [*encoded.ids, first])
        logits = llm.passes.read(longer).logits
        shares = {id: probability(logits, short, id)[1] for id in seen}
        assert all(share > 0 for share in shares.values()), (
            "a token that the settings cut was drawn"
        )
        total = firsts[first]
        groups = [(seen[id], total * share) for id, share in shares.items() if total * share >= 5]
        if not groups:
            continue
        rest = (
            total - sum(count for count, _ in groups),
            total - sum(wanted for _, wanted in groups),
        )
        for count, wanted in [*groups, *([rest] if rest[1] >= 5 else [])]:
            statistic += (count - wanted) ** 2 / wanted
            freedom += 1
    if freedom > 1:
        assert chi2.sf(statistic, freedom) > 1e-4, (statistic, freedom)


# ---------------------------------------------------------------- cut where plain decoding would
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_the_limit_holds_inside_a_block(drafted, family, count):
    llm, encoded = drafted[family], asked(drafted[family])
    own, plain = llm.drafter, ids_of(drafted[family], asked(drafted[family]), GREEDY)
    llm.drafter = Oracle([*encoded.ids, *plain], guesses=6, wrong=1000)
    try:
        short = replace(GREEDY, max_new_tokens=count, mtp=True)
        *_, end = events = list(llm.generate(encoded, short, reuse=False))
    finally:
        llm.drafter = own
    assert [event.id for event in written(events)] == plain[:count]
    assert (end.finish, end.n_tokens) == ("max_new_tokens", count)
    assert end.mtp["drafted"] <= max(0, count - 2)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_stop_token_inside_a_block_ends_it(drafted, family):
    llm, encoded = drafted[family], asked(drafted[family])
    plain, own, stop_ids = ids_of(llm, encoded, GREEDY), llm.drafter, llm.stop_ids
    stop = next(id for at, id in enumerate(plain) if at >= 3 and id not in plain[:at])
    llm.drafter, llm.stop_ids = (
        Oracle([*encoded.ids, *plain], guesses=8, wrong=1000),
        frozenset({stop}),
    )
    try:
        *_, end = events = list(llm.generate(encoded, replace(GREEDY, mtp=True), reuse=False))
    finally:
        llm.drafter, llm.stop_ids = own, stop_ids
    assert [event.id for event in written(events)] == plain[: plain.index(stop) + 1]
    assert end.finish == "stop_token"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_user_stops_between_two_tokens_of_a_block(drafted, family):
    llm, encoded = drafted[family], asked(drafted[family])
    plain, own = ids_of(llm, encoded, GREEDY), llm.drafter
    llm.drafter = Oracle([*encoded.ids, *plain], guesses=8, wrong=1000)
    heard = iter([False] * 6 + [True] * 99)
    try:
        *_, end = events = list(
            llm.generate(encoded, replace(GREEDY, mtp=True), lambda: next(heard), reuse=False)
        )
    finally:
        llm.drafter = own
    assert end.finish == "user_stopped" and end.n_tokens == len(written(events)) < 8


# ---------------------------------------------------------------- told
def test_each_guess_is_told_with_both_probabilities(drafted):
    for llm in drafted.values():
        *_, end = events = list(
            llm.generate(asked(llm), replace(GREEDY, temperature=1.0, mtp=True), reuse=False)
        )
        guessed = [event for event in written(events) if event.draft is not None]
        assert guessed and written(events)[0].draft is None
        for event in guessed:
            assert set(event.draft) == {"accepted", "id", "piece", "p", "model_p", "accept"}
            assert event.draft["accepted"] == (event.id == event.draft["id"])
            assert 0 <= event.draft["accept"] <= 1 and event.draft["piece"] == llm.piece(
                event.draft["id"]
            )
        assert end.mtp["accepted"] == sum(event.draft["accepted"] for event in guessed)
        assert end.mtp["drafted"] >= len(guessed) and end.mtp["forwards"] >= 1


def test_without_mtp_nothing_is_told_of_a_drafter(drafted):
    for llm in drafted.values():
        *_, end = events = list(llm.generate(asked(llm), GREEDY, reuse=False))
        assert end.mtp is None and {event.draft for event in written(events)} == {None}


# ---------------------------------------------------------------- what cannot be drafted for
def test_a_model_without_a_drafter_says_so_and_goes_on(tiny):
    for llm in tiny.values():
        with pytest.raises(BackendError, match="has no drafter"):
            llm.load_drafter()
        plain = ids_of(llm, asked(llm), GREEDY)
        problem, *events = llm.generate(asked(llm), replace(GREEDY, mtp=True), reuse=False)
        assert (
            problem.type == "problem" and problem.kind == "drafter" and "no drafter" in problem.text
        )
        assert [event.id for event in written(events)] == plain
        assert events[-1].mtp is None
        llm._no_drafter = None


def test_a_model_with_its_own_drafter_takes_no_other(drafted, tmp_path):
    own = drafted["qwen3_5"].drafter
    with pytest.raises(BackendError, match="own checkpoint"):
        drafted["qwen3_5"].load_drafter(tmp_path)
    assert drafted["qwen3_5"].drafter is own


def test_a_drafter_of_another_model_is_told_by_its_sizes(tiny, tmp_path):
    llm = tiny["gemma4"]
    width = llm.model.config.get_text_config().hidden_size
    foreign = random_assistant(tmp_path / "wide", llm, backbone_hidden_size=2 * width)
    with pytest.raises(BackendError, match=f"backbone_hidden_size is {2 * width}.*{width}"):
        llm.load_drafter(foreign)
    size = llm.model.config.get_text_config().vocab_size
    foreign = random_assistant(tmp_path / "words", llm, text={"vocab_size": size + 8})
    with pytest.raises(BackendError, match=f"vocab_size is {size + 8}"):
        llm.load_drafter(foreign)
    with pytest.raises(BackendError, match="gemma4_assistant"):
        llm.load_drafter(llm.folder)
    assert llm.drafter is None


@pytest.mark.parametrize("config", ["", "{", json.dumps({"model_type": "gemma4_assistant"})])
def test_a_damaged_drafter_is_a_clear_error(tiny, tmp_path, config):
    (tmp_path / "config.json").write_text(config)
    with pytest.raises(BackendError):
        tiny["gemma4"].load_drafter(tmp_path)
    with pytest.raises(BackendError):
        tiny["gemma4"].load_drafter(tmp_path / "nothing here")


@pytest.mark.parametrize("guesses", [0, -1, 99, 2.5, True, "3"])
def test_bad_numbers_of_guesses(drafted, guesses):
    with pytest.raises(ValueError, match="guesses="):
        drafted["qwen3_5"].load_drafter(guesses=guesses)


def test_a_released_model_lets_go_of_its_drafter(tmp_path, checkpoints):
    llm = load_backend(with_random_mtp(tmp_path / "qwen", checkpoints["qwen3_5"]), device="cpu")
    llm.load_drafter(guesses=2)
    assert llm.drafter.guesses == 2
    llm.release()
    assert llm.drafter is None


def test_ordered_and_clustered_embeddings(tiny, tmp_path):
    """The published assistant scores clusters of tokens first; its logits lie at the tokens' own places."""
    llm = tiny["gemma4"]
    folder = random_assistant(tmp_path / "ordered", llm, use_ordered_embeddings=True)
    llm.load_drafter(folder)
    try:
        assert llm.drafter.assistant.masked_embedding is not None and llm.drafter.guesses == 5
        assert same_but_for_ties(llm, asked(llm)) == 0
    finally:
        llm.drafter = None


# ---------------------------------------------------------------- the embedded drafters
SOURCES = ["embedded", "embedded:gemma4"]


@pytest.fixture(scope="module", params=SOURCES)
def embedded(request):
    torch.set_num_threads(1)
    llm = load_backend(request.param)
    yield llm
    llm.drafter = None


def test_embedded_drafters_are_small(embedded):
    from agentloop_widgets.backends.embedded import embedded_drafter, embedded_folder
    from agentloop_widgets.backends.tensors import tensor_sizes

    own = embedded_drafter(embedded.model_id)
    if own is not None:
        assert sum(path.stat().st_size for path in own.iterdir()) <= 1_000_000
    else:
        sizes = tensor_sizes(embedded_folder(embedded.model_id) / "model.safetensors")
        assert (
            0
            < 2 * sum(size for name, size in sizes.items() if name.startswith("mtp."))
            <= 1_000_000
        )
    told = embedded.card()["drafter"]
    assert told["parameters"] > 100_000 and told["layers"] >= 1


@pytest.mark.parametrize("guesses, most", [(1, 0.62), (3, 0.5), (4, 0.5)])
def test_embedded_drafters_save_passes(embedded, guesses, most):
    from draft_figures import passes
    from unseen import EVALUATION_SEED, unseen_questions

    questions = [each.text for each in unseen_questions(20, EVALUATION_SEED) if not each.files]
    counts = passes(embedded, questions, guesses, greedy=True)
    assert counts["written"] > 500 and counts["forwards"] / counts["written"] <= most


def test_embedded_turns_are_the_same_with_a_drafter(embedded):
    embedded.load_drafter(guesses=4)
    greedy = Sampling(temperature=0, max_new_tokens=200, seed=0)
    history, ahead = [], []
    for question in ("What is 23 * 47?", "And times 3?", "Hello!", "Sort 8, 1, 6 and 2"):
        plain = Turn(embedded, question, history=history, sampling=greedy).run()
        ahead = Turn(embedded, question, history=history, sampling=replace(greedy, mtp=True)).run()
        assert [event.id for event in written(plain.events)] == [
            event.id for event in written(ahead.events)
        ]
        history = plain.messages
    assert "passes a token" in ahead.to_text()


def test_another_model_has_its_drafter_off(embedded, tiny):
    embedded.load_drafter()
    assert tiny["qwen3_5"].drafter is None and not tiny["qwen3_5"].recommended.mtp


@pytest.mark.parametrize("key", FAMILIES)
def test_a_drafter_is_trained_and_loaded(key, tmp_path):
    """A few steps: the loss falls, and what is written is a drafter of the shipped model."""
    from architectures import SHIPPED
    from drafters import train

    losses = train(
        key, tmp_path / "drafter", steps=24, conversations=200, show=lambda *_, **__: None
    )
    assert sum(losses[-4:]) < 0.95 * sum(losses[:4])
    if key == "qwen3_5":
        folder = shutil.copytree(SHIPPED / key, tmp_path / "model")
        for name in ("model.safetensors", "config.json"):
            shutil.copy(tmp_path / "drafter" / name, folder)
        llm = load_backend(folder, device="cpu")
        llm.load_drafter()
    else:
        llm = load_backend(SHIPPED / key, device="cpu")
        llm.load_drafter(tmp_path / "drafter")
    assert same_but_for_ties(llm, asked(llm)) == 0
