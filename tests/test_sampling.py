"""Sampling against a float64 reference that sorts: kept sets, probabilities, frequencies, ties."""

import json
import math
import subprocess
import sys
from collections import Counter
from dataclasses import asdict
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from reports import reports
from scipy.stats import chisquare

from agentloop_widgets.sampling import (
    Guess,
    Sampling,
    distribution,
    nucleus,
    residual,
    sample,
    speculative_accept,
)

CASES = {case["id"]: case for case in reports("sampling")}
TOLERANCE = 1e-10  # of top-p for the kept set, relative for probabilities


def log(probabilities) -> torch.Tensor:
    return torch.tensor(probabilities, dtype=torch.float64).log()


# The reference: float64, sorted, one obvious step after the other.


def reference_order(values: np.ndarray) -> np.ndarray:
    return np.argsort(-values, kind="stable")


def reference_softmax(values: np.ndarray, temperature: float = 1.0) -> np.ndarray:
    distances = values.astype(np.float64) - float(values.max())
    with np.errstate(over="ignore"):
        weights = np.exp(distances / temperature)
    return weights / weights.sum()


def reference_kept(values: np.ndarray, setting: Sampling, top_p: float) -> int:
    """How many tokens of the order are kept."""
    shares = reference_softmax(values, setting.temperature)[reference_order(values)]
    shares = shares[: setting.top_k or None]
    if top_p >= 1:
        return int((shares > 0).sum())
    reached = (shares / shares.sum()).cumsum()
    return min(int((reached < top_p).sum()) + 1, int((shares > 0).sum()))


def check_kept(values: np.ndarray, setting: Sampling) -> None:
    """The kept set, its weights and its size are the reference's, within the tolerance."""
    own = nucleus.softmax(values)
    ranking = nucleus.likeliest(values, min(max(32, values.size // 1024), 256))
    kept = nucleus.keep(own, ranking, setting.temperature, setting.top_k, setting.top_p)
    fewest = reference_kept(values, setting, setting.top_p - TOLERANCE)
    if setting.top_p < 1:
        most = reference_kept(values, setting, min(setting.top_p + TOLERANCE, 1.0))
    else:
        fewest = most = reference_kept(values, setting, 1.0)
    assert fewest <= kept.count <= most
    ids = np.flatnonzero(kept.weights) if kept.ids is None else kept.ids
    assert set(ids) == set(reference_order(values)[: kept.count])
    shares = reference_softmax(values, setting.temperature)[ids]
    weights = kept.weights[ids] if kept.ids is None else kept.weights
    np.testing.assert_allclose(weights / kept.total, shares / shares.sum(), rtol=TOLERANCE)


@st.composite
def logits_arrays(draw, most=40):
    """Logits of many shapes: spread, peaked, tied, ruled out, far from 0."""
    size = draw(st.integers(1, most))
    source = np.random.default_rng(draw(st.integers(0, 2**32)))
    values = source.normal(scale=draw(st.sampled_from([0.0, 1e-3, 1.0, 5.0, 50.0])), size=size)
    digits = draw(st.sampled_from([None, 0, 1]))
    values = values if digits is None else values.round(digits)
    values += draw(st.sampled_from([0.0, 0.0, 1000.0, -1000.0]))
    if draw(st.booleans()):
        ruled_out = source.random(size) < draw(st.sampled_from([0.1, 0.9]))
        ruled_out[source.integers(size)] = False
        values[ruled_out] = -math.inf
    return values.astype(draw(st.sampled_from([np.float32, np.float64])))


samplings = st.builds(
    Sampling,
    temperature=st.sampled_from([1e-300, 1e-3, 0.3, 0.7, 1.0, 1.0, 1.7, 50.0, 1e30]),
    top_p=st.one_of(st.sampled_from([1.0, 0.95, 0.5, 1e-9, 1 - 1e-9]), st.floats(0.001, 1)),
    top_k=st.sampled_from([0, 0, 1, 2, 7, 40, 700, 10_000]),
)


@settings(max_examples=300, deadline=None)
@given(values=logits_arrays(), setting=samplings)
def test_kept_set_of_a_small_vocabulary(values, setting):
    check_kept(values, setting)


@settings(max_examples=100, deadline=None)
@given(values=logits_arrays(most=6000), setting=samplings)
def test_kept_set_of_a_larger_vocabulary(values, setting):
    check_kept(values, setting)


@pytest.mark.slow
@settings(max_examples=1500, deadline=None)
@given(values=logits_arrays(most=30_000), setting=samplings)
def test_kept_set_of_many_vocabularies(values, setting):
    check_kept(values, setting)


def large_vocabularies() -> dict[str, np.ndarray]:
    """262,144 logits of the shapes that take different ways through the code."""
    source = np.random.default_rng(0)
    normal = source.normal(size=262_144).astype(np.float32)
    peaked = normal.copy()
    peaked[source.choice(normal.size, 80, replace=False)] += 14
    one_high = (normal * 1e-3).astype(np.float32)
    one_high[77] = 9.0
    masked = normal.copy()
    masked[source.random(normal.size) < 0.99] = np.finfo(np.float32).min
    few_left = np.full_like(normal, -math.inf)
    few_left[[9, 70_000, 200_000]] = [1.0, 2.0, 1.0]
    return {
        "normal, sd 1": normal,
        "normal, sd 3": normal * 3,
        "bfloat16": torch.from_numpy(normal).bfloat16().float().numpy(),
        "peaked": peaked,
        "all equal": np.zeros_like(normal),
        "two values": (normal > 0.1).astype(np.float32),
        "one high, the rest within 0.001": one_high,
        "masked with the lowest float": masked,
        "three left": few_left,
        "ascending": np.sort(normal),
    }


LARGE = large_vocabularies()


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize(
    "setting",
    [
        Sampling(top_p=0.95),
        Sampling(temperature=0.7, top_p=0.95),
        Sampling(),
        Sampling(top_k=20),
        Sampling(top_k=5000, top_p=0.9),
    ],
    ids=str,
)
def test_kept_set_of_a_whole_vocabulary(name, setting):
    check_kept(LARGE[name], setting)


# One token and its details.


@settings(max_examples=200, deadline=None)
@given(values=logits_arrays(), setting=samplings, seed=st.integers(0, 99))
def test_details_are_those_of_the_reference(values, setting, seed):
    token, details = sample(torch.from_numpy(values), setting, torch.Generator().manual_seed(seed))
    own, order = reference_softmax(values), reference_order(values)
    assert details.p == pytest.approx(own[token], rel=TOLERANCE)
    if own[token] > 0:
        assert details.logprob == pytest.approx(math.log(own[token]), rel=1e-9, abs=1e-9)
    else:
        assert details.logprob is None
    assert details.rank == 1 + int((values > values[token]).sum())
    assert token in order[: details.kept]
    shares = reference_softmax(values, setting.temperature)
    kept = shares[order[: details.kept]].sum()
    assert details.p_sampled == pytest.approx(shares[token] / kept, rel=1e-9)
    top = order[:5]
    assert [candidate.id for candidate in details.top] == top.tolist()
    assert [candidate.p for candidate in details.top] == pytest.approx(own[top], rel=TOLERANCE)
    assert [candidate.kept for candidate in details.top] == [
        place < details.kept for place in range(len(top))
    ]
    positive = own[own > 0]
    entropy = -(positive * np.log(positive)).sum()
    assert details.entropy == pytest.approx(entropy, rel=1e-9, abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(values=logits_arrays(), temperature=st.sampled_from([0, 0.0, -1.0]))
def test_greedy_takes_the_first_of_the_likeliest(values, temperature):
    logits = torch.from_numpy(values)
    token, details = sample(logits, Sampling(temperature=temperature))
    assert token == int(logits.argmax())
    assert (details.kept, details.p_sampled, details.rank) == (1, 1.0, 1)
    assert [candidate.kept for candidate in details.top] == [
        place == 0 for place in range(len(details.top))
    ]


def test_p_that_underflows_has_no_logprob():
    generator = torch.Generator().manual_seed(0)
    logits = torch.tensor([0.0, -2000.0])
    drawn = dict(sample(logits, Sampling(temperature=1e6), generator) for _ in range(20))
    assert drawn[1].p == 0
    assert drawn[1].logprob is None
    assert drawn[1].p_sampled == pytest.approx(0.4995, rel=1e-6)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_any_float_type_and_layout(dtype):
    row = torch.tensor([[1.0, 0.5], [3.0, 0.5], [2.0, 0.5]], dtype=dtype)[:, 0]
    token, details = sample(row.requires_grad_(), Sampling(temperature=0))
    assert (token, [candidate.id for candidate in details.top]) == (1, [1, 2, 0])
    with torch.inference_mode():
        assert sample(row * 2, Sampling(temperature=0))[0] == 1


@settings(max_examples=200, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    size=st.sampled_from([1, 2, 30, 1024, 5000]),
    share=st.sampled_from([0.01, 0.5, 1.0]),
    uniform=st.sampled_from([0.0, 1e-300, 0.5, 1 - 2**-53]) | st.floats(0, 1, exclude_max=True),
)
def test_a_draw_falls_on_a_weight_above_0(seed, size, share, uniform):
    source = np.random.default_rng(seed)
    weights = source.exponential(size=size) ** 4 * (source.random(size) < share)
    weights[source.integers(size)] = 1.0
    index = nucleus.draw(weights, uniform)
    assert weights[index] > 0
    below, total = weights[:index].sum(), weights.sum()
    assert below - 1e-9 <= uniform * total <= below + weights[index] + 1e-9


def test_a_draw_at_the_ends():
    assert nucleus.draw(np.array([0.0, 1.0, 0.0]), 0.0) == 1
    for size in (3, 5000):
        weights = np.zeros(size)
        weights[[1, -2]] = 0.1
        assert nucleus.draw(weights, 0.0) == 1
        assert nucleus.draw(weights, 0.5) == size - 2
        assert nucleus.draw(weights, 1.0) == size - 2  # as rounding may have it


def test_the_same_seed_draws_the_same_tokens():
    logits = torch.randn(500, generator=torch.Generator().manual_seed(1))

    def run(seed):
        generator = torch.Generator().manual_seed(seed)
        return [sample(logits, Sampling(), generator)[0] for _ in range(20)]

    assert run(3) == run(3)
    assert run(3) != run(4)


@pytest.mark.parametrize(
    ("logits", "message"),
    [
        ([0.0, math.nan], "NaN"),
        ([math.nan, math.inf], "NaN"),
        ([0.0, math.inf], r"\+inf"),
        ([-math.inf, -math.inf], "nothing above -inf"),
        ([[0.0, 1.0]], r"shape \(vocabulary,\)"),
        ([], r"shape \(vocabulary,\)"),
        ([1, 2], "floating point"),
    ],
)
@pytest.mark.parametrize("pick", [lambda x: sample(x, Sampling()), distribution])
def test_logits_without_a_softmax_are_refused(logits, message, pick):
    with pytest.raises(ValueError, match=message):
        pick(torch.tensor(logits))


@pytest.mark.parametrize(
    "wrong",
    [
        {"temperature": math.nan},
        {"temperature": math.inf},
        {"temperature": "1"},
        {"top_p": 0.0},
        {"top_p": 1.01},
        {"top_p": math.nan},
        {"top_k": -1},
        {"top_k": 2.5},
        {"top_k": True},
        {"max_new_tokens": 0},
        {"seed": "a"},
        {"seed": 2**64},
        {"mtp": 1},
    ],
)
def test_settings_out_of_range_are_refused_by_name(wrong):
    with pytest.raises(ValueError, match=f"^{next(iter(wrong))} must be "):
        Sampling(**wrong)


def test_importing_does_not_load_torch():
    check = "import sys, agentloop_widgets.sampling; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", check], check=True)


# How often each token comes out.


def check_frequencies(logits, setting, draws, draft=None, seed=0) -> Counter:
    """Chi-squared against the reference's probabilities after the settings."""
    values = logits.double().numpy()
    order = reference_order(values)[: reference_kept(values, setting, setting.top_p)]
    shares = reference_softmax(values, setting.temperature)[order]
    generator = torch.Generator().manual_seed(seed)
    drawn = Counter(sample(logits, setting, generator, draft)[0] for _ in range(draws))
    assert set(drawn) <= set(order.tolist())
    wanted = draws * shares / shares.sum()
    seen = np.array([drawn[token] for token in order.tolist()])
    group = np.minimum(np.cumsum(wanted) // max(10, draws / 50), 10_000)  # enough in each class
    _, group = np.unique(group, return_inverse=True)
    wanted, seen = np.bincount(group, wanted), np.bincount(group, seen)
    if len(wanted) > 1:
        assert chisquare(seen, wanted).pvalue > 1e-4
    return drawn


SHAPES = {
    "four": log([0.5, 0.25, 0.125, 0.125]),
    "ties": torch.tensor([1.0, 2.0, 2.0, 2.0, 0.0, 2.0]),
    "ruled out": torch.tensor([0.3, -math.inf, 0.1, 1.0]),
    "2,000 normal": torch.randn(2000, generator=torch.Generator().manual_seed(0)),
}
SETTINGS = [
    Sampling(),
    Sampling(temperature=0.5),
    Sampling(temperature=3.0, top_p=0.9),
    Sampling(top_k=3),
    Sampling(temperature=1.5, top_k=1100, top_p=0.8),
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_frequencies(shape, setting):
    check_frequencies(SHAPES[shape], setting, draws=1500)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_frequencies_at_length(shape, setting, seed):
    check_frequencies(SHAPES[shape], setting, draws=12_000, seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["normal, sd 1", "normal, sd 3", "peaked", "two values"])
def test_frequencies_of_a_whole_vocabulary(name):
    check_frequencies(torch.from_numpy(LARGE[name]), Sampling(top_p=0.95), draws=4_000)


@pytest.mark.parametrize("setting", [Sampling(), Sampling(temperature=0.7, top_k=3)], ids=str)
@pytest.mark.parametrize("guess", range(4))
def test_a_guess_changes_no_frequency(setting, guess):
    logits = log([0.4, 0.3, 0.2, 0.1])
    drawn = check_frequencies(logits, setting, draws=3000, draft=(guess, 0.9))
    if guess == 3 and setting.top_k:
        assert drawn[guess] == 0  # a guess the settings cut is never accepted


@pytest.mark.slow
@pytest.mark.parametrize("guess", [0, 7, 1500])
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_guess_changes_no_frequency_at_length(setting, guess):
    check_frequencies(SHAPES["2,000 normal"], setting, draws=12_000, draft=(guess, 1.0))


def test_a_drafter_that_samples_changes_no_frequency():
    """The guess itself is drawn, from the drafter's own distribution."""
    logits, drafter = log([0.6, 0.3, 0.1]), log([0.2, 0.3, 0.5])
    generator = torch.Generator().manual_seed(0)
    drawn = Counter()
    for _ in range(3000):
        guess, details = sample(drafter, Sampling(), generator)
        drawn[sample(logits, Sampling(), generator, (guess, details.p_sampled))[0]] += 1
    assert chisquare([drawn[token] for token in range(3)], [1800, 900, 300]).pvalue > 1e-4


def test_a_greedy_guess_is_accepted_if_it_is_the_likeliest():
    logits = log([0.4, 0.6])
    assert [sample(logits, Sampling(temperature=0), None, (guess, 1.0))[0] for guess in (0, 1)] == [
        1,
        1,
    ]
    with pytest.raises(ValueError, match="outside the vocabulary"):
        sample(logits, Sampling(), None, (2, 1.0))


def test_a_guess_that_alone_is_kept_is_accepted():
    for _ in range(20):
        assert sample(torch.tensor([0.0, 9.0]), Sampling(top_k=1), None, (1, 0.5))[0] == 1


# Faults reported in public against other projects.


def kept_ids(logits, setting) -> list[int]:
    _, details = sample(logits, setting, torch.Generator().manual_seed(0))
    assert details.kept == sum(candidate.kept for candidate in details.top)
    return sorted(candidate.id for candidate in details.top if candidate.kept)


def test_s03_top_p_of_1_keeps_all():
    case = CASES["S03"]
    logits = log(case["input"]["probs"])
    assert kept_ids(logits, Sampling(top_p=1.0)) == case["expected"]["kept"]
    for top_p, kept in [(0.875, [0, 1, 2]), (0.75, [0, 1]), (0.5, [0])]:
        assert kept_ids(logits, Sampling(top_p=top_p)) == kept
        assert kept_ids(logits.float(), Sampling(top_p=top_p)) == kept
    steep = torch.tensor([0.0, -40.0, -600.0, -800.0])  # the last one's probability is 0
    assert kept_ids(steep, Sampling(top_p=1.0)) == [0, 1, 2]
    long_steep = torch.cat([steep, torch.full((5000,), -800.0)])
    assert kept_ids(long_steep, Sampling(top_p=1.0)) == [0, 1, 2]
    assert kept_ids(long_steep, Sampling(top_p=1.0, top_k=3000)) == [0, 1, 2]


def test_s04_temperature_0():
    case = CASES["S04"]
    logits = torch.tensor(case["input"]["logits"])
    token, details = sample(logits, Sampling(temperature=case["input"]["temperature"]))
    assert token == case["expected"]["token"]
    assert details.p_sampled == case["expected"]["probs"][token]
    tiny = sample(logits, Sampling(temperature=1e-320))
    assert (tiny[0], tiny[1].kept, tiny[1].p_sampled) == (1, 1, 1.0)


def test_s06_a_cut_through_ties_keeps_the_lowest_ids():
    case = CASES["S06"]
    logits = torch.tensor(case["input"]["logits"])
    assert kept_ids(logits, Sampling(top_k=1)) == case["expected"]["kept"]
    assert kept_ids(torch.tensor([3.0, 7.0, 7.0, 7.0]), Sampling(top_k=2)) == [1, 2]
    assert kept_ids(torch.zeros(4), Sampling(top_p=0.5)) == [0, 1]
    generator = torch.Generator().manual_seed(0)
    assert {sample(torch.zeros(70_000), Sampling(top_k=1), generator)[0] for _ in range(20)} == {0}


def test_s07_the_order_of_the_settings():
    case = CASES["S07"]
    first, second = case["input"]["a"], case["input"]["b"]
    wanted = case["expected"]["a"]
    setting = Sampling(temperature=first["temperature"], top_p=first["top_p"])
    assert kept_ids(log(first["probs"]), setting) == wanted["kept"]
    generator = torch.Generator().manual_seed(0)
    hot = Sampling(temperature=first["temperature"])
    drawn = dict(sample(log(first["probs"]), hot, generator) for _ in range(100))
    after = [drawn[token].p_sampled for token in range(4)]
    assert after == pytest.approx(wanted["after_temperature"], abs=1e-4)
    assert [drawn[token].p for token in range(4)] == pytest.approx(first["probs"])
    setting = Sampling(top_k=second["top_k"], top_p=second["top_p"])
    assert kept_ids(log(second["probs"]), setting) == case["expected"]["b"]["kept"]


def test_s08_speculative_sampling():
    case = CASES["S08"]
    p, q, wanted = case["input"]["p"], case["input"]["q"], case["expected"]
    accept = speculative_accept(p, q)
    assert accept.tolist() == pytest.approx(wanted["accept"])
    assert residual(p, q).tolist() == pytest.approx(wanted["residual"])
    assert float(accept @ torch.tensor(q).double()) == pytest.approx(wanted["mean_accept"])


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(1, 30), same=st.booleans())
def test_speculative_sampling_gives_the_models_distribution(seed, size, same):
    source = np.random.default_rng(seed)
    p, q = source.dirichlet([0.3] * size), source.dirichlet([0.3] * size)
    q = p if same else q
    accept, left = speculative_accept(p, q).numpy(), residual(p, q).numpy()
    turned_down = 1 - (q * accept).sum()
    np.testing.assert_allclose(q * accept + turned_down * left, p, atol=1e-12)
    assert left.sum() == pytest.approx(1)


@pytest.mark.parametrize("wrong", [[0.5, 0.6], [1.5, -0.5], [1.0], [[0.5, 0.5]], [math.nan, 1.0]])
def test_what_is_no_distribution_is_refused(wrong):
    with pytest.raises(ValueError, match="distribution"):
        residual(wrong, [0.5, 0.5])


@pytest.mark.parametrize("size", [3, 900, 5000])
@pytest.mark.parametrize("keep", [1, 3, 256, 10_000])
def test_distribution(size, keep):
    values = np.random.default_rng(size).normal(size=size).round(1)
    shown = distribution(torch.from_numpy(values), keep)
    order, own = reference_order(values)[:keep], reference_softmax(values)
    assert shown.ids == tuple(order.tolist())
    assert shown.p == pytest.approx(own[order], rel=TOLERANCE)
    assert shown.rest == pytest.approx(1 - own[order].sum(), abs=1e-12)
    if keep >= size:
        assert shown.rest == 0


def test_distribution_of_nothing_is_refused():
    with pytest.raises(ValueError, match="keep must be"):
        distribution(torch.zeros(3), keep=0)


@pytest.mark.parametrize("number", [np.float32, np.float64, np.float16, Fraction])
def test_any_real_number_becomes_a_plain_float(number):
    made = Sampling(temperature=number(0.75), top_p=number(0.5))
    assert (made.temperature, made.top_p) == (0.75, 0.5)
    assert type(made.temperature) is type(made.top_p) is float
    assert json.loads(json.dumps(asdict(made))) == asdict(made)


@pytest.mark.parametrize("number", [np.int8, np.int64, np.uint16])
def test_any_whole_number_becomes_a_plain_int(number):
    made = Sampling(top_k=number(20), max_new_tokens=number(3), seed=number(7))
    assert (made.top_k, made.max_new_tokens, made.seed) == (20, 3, 7)
    assert {type(value) for value in (made.top_k, made.max_new_tokens, made.seed)} == {int}
    assert type(Sampling(temperature=1).temperature) is float


@pytest.mark.parametrize(
    "wrong",
    [
        {"top_p": Fraction(1, 10**400)},
        {"temperature": 10**400},
        {"temperature": np.float32("nan")},
        {"top_k": np.float32(2)},
        {"seed": np.bool_(True)},
        {"mtp": 1},
    ],
)
def test_what_is_no_setting_once_it_is_a_plain_number_is_refused(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be"):
        Sampling(**wrong)


@pytest.mark.parametrize("left", [0, 1, 3, 40, 2000, 5000])
def test_the_likeliest_of_a_masked_vocabulary_are_in_order(left):
    from agentloop_widgets.sampling.nucleus import likeliest

    values = np.full(60_000, -np.inf, dtype=np.float32)
    values[np.random.default_rng(left).permutation(values.size)[:left]] = np.arange(left) // 3
    ids = likeliest(values, 256)
    assert len(ids) >= 256
    assert ids.tolist() == np.argsort(-values, kind="stable")[: len(ids)].tolist()


# Guesses that were drawn.


def drawn_guesses(p, q, setting, draws, seed=0) -> tuple[Counter, float]:
    """(how often each token came, the share of guesses kept), with each guess drawn from q."""
    logits, shares = log(p), np.array(q)
    generator = torch.Generator().manual_seed(seed)
    chance = np.random.default_rng(seed)
    drawn, accepted = Counter(), 0
    for guess in chance.choice(len(q), size=draws, p=shares):
        id, _ = sample(logits, setting, generator, Guess(int(guess), q[guess], shares))
        drawn[id] += 1
        accepted += id == guess
    return drawn, accepted / draws


def test_s08_a_drawn_guess_is_kept_as_often_as_the_two_agree():
    case = CASES["S08"]
    p, q = case["input"]["p"], case["input"]["q"]
    drawn, accepted = drawn_guesses(p, q, Sampling(), 4000)
    assert accepted == pytest.approx(case["expected"]["mean_accept"], abs=0.03)
    assert chisquare([drawn[0], drawn[1]], [4000 * p[0], 4000 * p[1]]).pvalue > 1e-4
    turned_down = Counter()
    generator = torch.Generator().manual_seed(1)
    for _ in range(2000):  # the third token has p 0: never kept
        turned_down[sample(log(p), Sampling(), generator, Guess(2, 0.5, np.array(q)))[0]] += 1
    wanted = [2000 * share for share in case["expected"]["residual"][:2]]
    assert chisquare([turned_down[0], turned_down[1]], wanted).pvalue > 1e-4


@pytest.mark.parametrize(
    "setting",
    [Sampling(), Sampling(temperature=0.6, top_k=3), Sampling(temperature=1.7, top_p=0.8)],
    ids=str,
)
@pytest.mark.parametrize("q", [[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1], [0.0, 0.0, 0.0, 1.0]])
def test_a_drawn_guess_changes_no_frequency(setting, q):
    p = [0.4, 0.3, 0.2, 0.1]
    values = log(p).double().numpy()
    order = reference_order(values)[: reference_kept(values, setting, setting.top_p)]
    shares = reference_softmax(values, setting.temperature)[order]
    drawn, _ = drawn_guesses(p, q, setting, 4000)
    assert set(drawn) <= set(order.tolist())
    wanted = 4000 * shares / shares.sum()
    assert chisquare([drawn[token] for token in order.tolist()], wanted).pvalue > 1e-4


def test_a_drafter_that_is_the_model_is_always_right():
    p = [0.4, 0.3, 0.2, 0.1]
    _, accepted = drawn_guesses(p, p, Sampling(), 500)
    assert accepted == 1.0
