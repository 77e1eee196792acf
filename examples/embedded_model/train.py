"""Trains the embedded model on one core.

    MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=-1 OMP_WAIT_POLICY=PASSIVE python train.py OUT --minutes 50

The three variables stop glibc from handing every large buffer back to the system, which costs eight times the arithmetic. The system turn is the same for a whole
batch, so it is run once, at batch 1, and its states are expanded: exact, and half the tokens. A checkpoint comes every few minutes, and the same command goes on from it; the learning
rate follows the clock."""

import argparse
import math
import random
import time
from pathlib import Path

import numpy
import torch
from corpus import Corpus, system_turns
from model import new_model
from render import render, render_system
from tokenizer import save as save_tokenizer
from tokenizer import train as train_tokenizer
from torch.nn.functional import cross_entropy
from transformers import AutoTokenizer
from words import TRAINING_WORDS

BATCH = 8
PEAK = 3e-3
WARM_UP = 100  # steps
LONGEST = 420  # tokens of a conversation after its system turn
SHORT = 130  # tokens, in the first part of the training
CHECKPOINT_SECONDS = 180


class PrefixCache:
    """A cache of one prefix at batch 1, or of what continues it at batch `size`. Unlike transformers' own it keeps the gradients."""

    def __init__(self, prefix: "PrefixCache | None" = None, size: int = 1):
        self.prefix, self.size = prefix, size
        self.convolution, self.recurrent, self.attention = {}, {}, {}

    def expanded(self, state: torch.Tensor) -> torch.Tensor:
        return state.expand(self.size, *state.shape[1:])

    def get_conv_state(self, layer: int, state_idx: int = 0):
        return None if self.prefix is None else self.expanded(self.prefix.convolution[layer])

    def get_recurrent_state(self, layer: int, state_idx: int = 0):
        return None if self.prefix is None else self.expanded(self.prefix.recurrent[layer])

    def is_recording_past(self, layer: int) -> bool:
        return False

    def update_conv_state(self, states: torch.Tensor, layer: int, conv_kernel_size: int):
        self.convolution[layer] = states[..., -conv_kernel_size:]
        return (
            states if self.prefix is None else torch.cat([self.get_conv_state(layer), states], -1)
        )

    def update_recurrent_state(self, state: torch.Tensor, layer: int) -> None:
        self.recurrent[layer] = state

    def update(self, keys: torch.Tensor, values: torch.Tensor, layer: int, kwargs=None):
        self.attention[layer] = keys, values
        if self.prefix is None:
            return keys, values
        return tuple(
            torch.cat([self.expanded(old), new], 2)
            for old, new in zip(self.prefix.attention[layer], (keys, values), strict=True)
        )

    def get_seq_length(self) -> int:
        return 0


def hidden_states(model, ids: torch.Tensor, prefix: torch.Tensor) -> torch.Tensor:
    """[batch, length, hidden] after `prefix` [1, its length], which may be empty."""
    language_model = model.model.language_model
    (size, length), start = ids.shape, prefix.shape[1]
    if not start:
        positions = torch.arange(length)[None].expand(size, length)
        return language_model(
            input_ids=ids,
            attention_mask={"full_attention": None, "linear_attention": None},
            position_ids=positions,
            use_cache=False,
        ).last_hidden_state
    cache = PrefixCache()
    language_model(
        input_ids=prefix,
        attention_mask={"full_attention": None, "linear_attention": None},
        position_ids=torch.arange(start)[None],
        cache=cache,
        use_cache=True,
    )
    visible = (
        torch.ones(length, start + length, dtype=torch.bool)
        .tril(start)[None, None]
        .expand(size, 1, length, start + length)
    )
    positions = (torch.arange(length) + start)[None].expand(size, length)
    masks = {"full_attention": visible, "linear_attention": None}
    return language_model(
        input_ids=ids,
        attention_mask=masks,
        position_ids=positions,
        cache=PrefixCache(cache, size),
        use_cache=True,
    ).last_hidden_state


def encode_all(tokenizer, conversations) -> list[tuple[numpy.ndarray, numpy.ndarray]]:
    """[(ids, learnt)] of each conversation, prompt and answer tokenised apart, as they are when the model runs."""
    rendered = [render(conversation) for conversation in conversations]
    encoded = iter(
        tokenizer.backend_tokenizer.encode_batch(
            [text for pieces in rendered for text, _ in pieces], add_special_tokens=False
        )
    )
    examples = []
    for pieces in rendered:
        parts = [(next(encoded).ids, learnt) for _, learnt in pieces]
        ids = numpy.concatenate([numpy.array(part, dtype=numpy.int64) for part, _ in parts])
        examples.append(
            (ids, numpy.concatenate([numpy.full(len(part), learnt) for part, learnt in parts]))
        )
    return sorted(
        (example for example in examples if len(example[0]) <= LONGEST),
        key=lambda example: len(example[0]) + random.random() * 8,
    )


def batch_of(examples) -> tuple[torch.Tensor, torch.Tensor]:
    """Right-padded ids and which of them are learnt: [batch, length] each. Causal layers need no mask for padding on the right."""
    length = max(len(ids) for ids, _ in examples)
    ids, learnt = (
        torch.zeros(len(examples), length, dtype=torch.long),
        torch.zeros(len(examples), length, dtype=torch.bool),
    )
    for row, (example_ids, example_learnt) in enumerate(examples):
        ids[row, : len(example_ids)] = torch.from_numpy(example_ids)
        learnt[row, : len(example_learnt)] = torch.from_numpy(example_learnt)
    return ids, learnt


def loss_of(
    model, ids: torch.Tensor, learnt: torch.Tensor, prefix: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """The mean loss of the learnt tokens in nats, and the share of them that is guessed right."""
    wanted, target = learnt[:, 1:], ids[:, 1:]
    logits = model.lm_head(hidden_states(model, ids, prefix)[:, :-1][wanted])
    return cross_entropy(logits, target[wanted]), (
        logits.argmax(-1) == target[wanted]
    ).float().mean()


def optimizer_for(model) -> torch.optim.Optimizer:
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    groups = [
        {
            "params": [parameter for parameter in trained if parameter.dim() >= 2],
            "weight_decay": 0.05,
        },
        {
            "params": [parameter for parameter in trained if parameter.dim() < 2],
            "weight_decay": 0.0,
        },
    ]
    return torch.optim.AdamW(groups, lr=PEAK, betas=(0.9, 0.95), fused=True)


class Trainer:
    """The training: data, steps, checkpoints and a log line every hundred steps."""

    def __init__(self, folder: Path, minutes: float, conversations: int, seed: int):
        random.seed(seed)
        self.folder, self.seconds = folder, minutes * 60
        save_tokenizer(train_tokenizer(), folder)
        (folder / "config.json").write_text('{"model_type": "qwen3_5"}')
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = new_model(self.tokenizer, seed)
        self.optimizer = optimizer_for(self.model)
        corpus = Corpus(seed, TRAINING_WORDS)
        self.with_tools = encode_all(
            self.tokenizer, [corpus.conversation() for _ in range(conversations)]
        )
        self.without = encode_all(
            self.tokenizer, [corpus.conversation(tools=False) for _ in range(conversations // 12)]
        )
        self.validation = [
            self.with_tools.pop(random.randrange(len(self.with_tools))) for _ in range(96)
        ]
        turns = system_turns()
        self.shares = [share for share, _, _ in turns]
        self.prefixes = [(self.prefix(system, tools), bool(tools)) for _, system, tools in turns]

    def prefix(self, system, tools) -> torch.Tensor:
        text = render_system(system, tools)
        return torch.tensor(
            [self.tokenizer(text, add_special_tokens=False).input_ids], dtype=torch.long
        )

    def draw(self, progress: float) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """A batch of neighbours in length, short ones in the first part, and the system turn it is read after."""
        prefix, has_tools = random.choices(self.prefixes, self.shares)[0]
        pool = self.with_tools if has_tools else self.without
        last = (
            next((index for index, (ids, _) in enumerate(pool) if len(ids) > SHORT), len(pool))
            if progress < 0.15
            else len(pool)
        )
        start = random.randrange(0, last - BATCH)
        return (*batch_of(pool[start : start + BATCH]), prefix)

    def step(self, number: int, progress: float) -> float:
        rate = (
            PEAK
            * min(1, (number + 1) / WARM_UP)
            * (0.5 * (1 + math.cos(math.pi * progress)) * 0.99 + 0.01)
        )
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loss, _ = loss_of(self.model, *self.draw(progress))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return loss.item()

    @torch.no_grad()
    def validate(self) -> tuple[float, float]:
        """Mean loss and accuracy on held-back conversations after the library's own system turn."""
        parts = [
            self.validation[start : start + BATCH]
            for start in range(0, len(self.validation), BATCH)
        ]
        figures = [loss_of(self.model, *batch_of(part), self.prefixes[0][0]) for part in parts]
        return tuple(torch.tensor(figures).mean(0).tolist())

    def save(self, number: int, spent: float) -> None:
        """What a training needs to go on: weights, optimizer, the step's number and the seconds spent."""
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "number": number,
            "spent": spent,
        }
        torch.save(state, self.folder / "training.pt")

    def resumed(self) -> tuple[int, float]:
        """(the step's number, the seconds spent) of a checkpoint that is there, its weights and optimizer loaded; (0, 0) where none is."""
        path = self.folder / "training.pt"
        if not path.is_file():
            return 0, 0.0
        state = torch.load(path, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        return state["number"], state["spent"]

    def run(self) -> None:
        number, spent = self.resumed()
        began, processor, losses, saved = time.time() - spent, time.process_time(), [], time.time()
        while (progress := (time.time() - began) / self.seconds) < 1:
            losses.append(self.step(number, progress))
            number += 1
            if number % 200 == 0:
                seconds, work = time.time() - began, time.process_time() - processor
                print(
                    f"step {number} at {seconds:.0f} s ({work:.0f} s of processor): loss {numpy.mean(losses[-200:]):.4f}",
                    flush=True,
                )
            if time.time() - saved > CHECKPOINT_SECONDS:
                loss, accuracy = self.validate()
                print(f"  held back: loss {loss:.4f}, accuracy {accuracy:.4f}", flush=True)
                self.save(number, time.time() - began)
                saved = time.time()
        self.ship()

    def ship(self) -> None:
        """The checkpoint as it is shipped: bfloat16 weights, configuration, tokenizer and template."""
        loss, accuracy = self.validate()
        print(f"end: held back loss {loss:.4f}, accuracy {accuracy:.4f}", flush=True)
        self.model.to(torch.bfloat16).save_pretrained(self.folder)
        (self.folder / "training.pt").unlink(missing_ok=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=50)
    parser.add_argument("--conversations", type=int, default=120_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(1)
    Trainer(options.folder, options.minutes, options.conversations, options.seed).run()
