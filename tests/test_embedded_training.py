"""The training of the embedded models: what a step is given, and that an interrupted training is none the worse for it."""

import json
import random

import pytest
import torch
from architectures import ARCHITECTURES, architecture
from lessons import BATCH, SHORT, Lessons
from prefixed import hidden_states
from rendered import ANSWER, READ
from train import Trainer, judged, rate_at

from agentloop_widgets.backends.folder import load_folder


@pytest.fixture(scope="module", autouse=True)
def _one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module", params=ARCHITECTURES)
def key(request):
    return request.param


@pytest.fixture(scope="module")
def tokenizer_folder(key, tmp_path_factory):
    folder = tmp_path_factory.mktemp(key)
    architecture(key).write_tokenizer(folder, conversations=300)
    return folder


def trainer_in(key, tokenizer_folder, folder, steps=6):
    """A tiny training whose tokenizer is made already."""
    folder.mkdir()
    for path in tokenizer_folder.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return Trainer(key, folder, steps, conversations=300, seed=3)


def weights(trainer):
    return {name: value.clone() for name, value in trainer.model.state_dict().items()}


def test_a_prefix_run_once_is_the_prefix_run_for_every_row(key, tokenizer_folder):
    made = architecture(key)
    tokenizer = made.tokenizer(tokenizer_folder)
    model = made.network.new_model(tokenizer, 1)
    ids = torch.randint(30, len(tokenizer), (3, 150))
    prefix, rest = ids[:1, :60], ids[:, 60:]
    whole = torch.cat([prefix.expand(3, 60), rest], 1)
    with torch.no_grad():
        apart = hidden_states(made.network, model, rest, prefix)
        together = hidden_states(made.network, model, whole, prefix[:, :0])[:, 60:]
        own = model.model.language_model(input_ids=whole, use_cache=False).last_hidden_state
    torch.testing.assert_close(apart, together, atol=3e-5, rtol=0)
    torch.testing.assert_close(together, own[:, 60:], atol=3e-5, rtol=0)


def test_the_judge_is_the_model_that_runs(key, tokenizer_folder):
    """The logits of a training step are those that the whole model gives."""
    made = architecture(key)
    tokenizer = made.tokenizer(tokenizer_folder)
    model = made.network.new_model(tokenizer, 1)
    random.seed(1)
    lessons = Lessons(made, tokenizer, 100, 5)
    batch = lessons.draw(1.0)
    with torch.no_grad():
        loss, right, parts = judged(made.network, model, batch)
        rows = []
        for ids, learnt in zip(batch.ids, batch.parts, strict=True):
            length = int(learnt.nonzero().max()) + 1
            whole = torch.cat([batch.prefix[0], ids[:length]])[None]
            logits = model(input_ids=whole).logits[0, batch.prefix.shape[1] : -1]
            wanted = learnt[1:length] != READ
            rows.append((logits[wanted], ids[1:length][wanted]))
        logits, target = (torch.cat(each) for each in zip(*rows, strict=True))
    expected = torch.nn.functional.cross_entropy(logits, target)
    assert loss.item() == pytest.approx(expected.item(), abs=1e-4)
    share = (logits.argmax(-1) == target).float().mean().item()
    assert share == pytest.approx(right.float().mean().item(), abs=0.02)
    assert len(right) == len(parts) == len(target)


def test_a_drill_is_written_twice_and_its_second_time_is_learnt(key, tokenizer_folder):
    made = architecture(key)
    tokenizer = made.tokenizer(tokenizer_folder)
    random.seed(2)
    lessons = Lessons(made, tokenizer, 100, 5)
    batch = lessons.drill()
    assert batch.prefix.shape == (1, 0) and len(batch.ids) == BATCH
    for ids, parts in zip(batch.ids, batch.parts, strict=True):
        read = ids[(parts == READ) & (torch.arange(len(ids)) < (parts == ANSWER).nonzero().max())]
        assert ids[parts == ANSWER].tolist() == read.tolist()
    digits = {tokenizer.decode([id]) for id in lessons.alphabets[1]}
    assert digits == set("0123456789.")
    assert not set(lessons.alphabets[0]) & set(tokenizer.added_tokens_decoder)


def test_short_conversations_come_first(key, tokenizer_folder):
    made = architecture(key)
    random.seed(4)
    lessons = Lessons(made, made.tokenizer(tokenizer_folder), 300, 5)
    early = [lessons.draw(0.1) for _ in range(30)]
    late = [lessons.draw(0.9) for _ in range(30)]
    assert all(batch.ids.shape[1] <= SHORT for batch in early if batch.prefix.shape[1])
    assert max(batch.ids.shape[1] for batch in late) > 2 * SHORT


def test_an_interrupted_training_goes_on_to_the_same_weights(key, tokenizer_folder, tmp_path):
    whole = trainer_in(key, tokenizer_folder, tmp_path / "whole")
    assert whole.run()
    first = trainer_in(key, tokenizer_folder, tmp_path / "parts")
    for _ in range(3):
        first.learn()
    first.save()
    second = Trainer(key, tmp_path / "parts", 6, conversations=300, seed=3)
    second.resume()
    assert second.step == 3 and second.run()
    for name, value in weights(whole).items():
        assert torch.equal(value, second.model.state_dict()[name]), name
    assert whole.losses == second.losses
    with pytest.raises(ValueError, match="another folder"):
        other = Trainer(key, tmp_path / "parts", 7, conversations=300, seed=3)
        second.save()
        other.resume()


def test_a_training_falls_and_ships_a_checkpoint_that_loads(key, tokenizer_folder, tmp_path):
    trainer = trainer_in(key, tokenizer_folder, tmp_path / "model", steps=60)
    assert trainer.run()
    first, last = trainer.losses[0], sum(trainer.losses[-5:]) / 5
    assert last < 0.8 * first
    trainer.ship()
    names = {path.name for path in (tmp_path / "model").iterdir()}
    assert "training.pt" not in names and {"model.safetensors", "curve.json"} <= names
    curve = json.loads((tmp_path / "model" / "curve.json").read_text())
    assert [row["step"] for row in curve] == [50, 60]
    assert {"loss", "accuracy", "grammar", "thought", "code", "answer"} <= set(curve[0])
    llm = load_folder(tmp_path / "model")
    assert llm.family.key == key and llm.recommended.temperature == 1.0


def test_the_rate_rises_and_falls():
    rates = [rate_at(step, 1000) for step in range(1000)]
    top = rates.index(max(rates))
    assert rates[0] < 0.02 * max(rates) and 50 < top < 150
    assert rates[top:] == sorted(rates[top:], reverse=True) and rates[-1] < 0.02 * max(rates)
