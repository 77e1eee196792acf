"""Trains an embedded model on one core.

    MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=-1 OMP_WAIT_POLICY=PASSIVE python train.py qwen3_5 OUT

The three variables keep glibc from handing every large buffer back to the system, which on some machines costs several times
the arithmetic. Every few minutes comes a checkpoint, and the same command goes on from it, to the very weights that an
uninterrupted training gives. `--quick` is a training of two minutes that shows the loss fall."""

import argparse
import json
import math
import random
import time
from pathlib import Path

import torch
from architectures import ARCHITECTURES, architecture
from lessons import Batch, Lessons
from prefixed import hidden_states
from rendered import PARTS, READ
from torch.nn.functional import cross_entropy
from transformers.utils import logging

STEPS, CONVERSATIONS = 16_000, 120_000
QUICK_STEPS, QUICK_CONVERSATIONS, QUICK_SECONDS = 400, 2_500, 100
RATE = 6e-3
WARM_UP = 100  # steps
CHECKPOINT_SECONDS = 240
LOG_EVERY = 100  # steps


def judged(network, model, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """(the mean loss in nats of the learnt tokens, which of them were guessed right, the part of each)."""
    wanted = batch.parts[:, 1:] != READ
    target = batch.ids[:, 1:][wanted]
    hidden = hidden_states(network, model, batch.ids, batch.prefix)[:, :-1][wanted]
    logits = network.logits_of(model, hidden)
    return cross_entropy(logits, target), logits.argmax(-1) == target, batch.parts[:, 1:][wanted]


def optimizers_for(model) -> list[torch.optim.Optimizer]:
    """Muon (Jordan et al., 2024) for the matrices between layers, AdamW for embeddings, norms and the rest."""
    matrices, tables, others = [], [], []
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            is_table = "embed" in name or "lm_head" in name or parameter.dim() > 2
            place = others if parameter.dim() < 2 else tables if is_table else matrices
            place.append(parameter)
    muon = torch.optim.Muon(matrices, lr=RATE, weight_decay=0.05, adjust_lr_fn="match_rms_adamw")
    groups = [{"params": tables, "weight_decay": 0.05}, {"params": others, "weight_decay": 0.0}]
    return [muon, torch.optim.AdamW(groups, lr=RATE, betas=(0.9, 0.95), fused=True)]


def rate_at(step: int, steps: int) -> float:
    """A short rise, then a cosine down to a hundredth."""
    fall = 0.5 * (1 + math.cos(math.pi * step / steps)) * 0.99 + 0.01
    return RATE * min(1.0, (step + 1) / WARM_UP) * fall


class Trainer:
    """One training: `run()` from its beginning or its last checkpoint to `steps`, then `ship()`."""

    def __init__(self, key: str, folder: Path, steps: int, conversations: int, seed: int):
        self.folder, self.steps = folder, steps
        self.made = architecture(key)
        if not (folder / "tokenizer.json").is_file():
            self.made.write_tokenizer(folder)
        self.tokenizer = self.made.tokenizer(folder)
        random.seed(seed)
        self.lessons = Lessons(self.made, self.tokenizer, conversations, seed)
        self.validation = self.lessons.validation()
        self.model = self.made.network.new_model(self.tokenizer, seed)
        self.trained = [each for each in self.model.parameters() if each.requires_grad]
        self.optimizers = optimizers_for(self.model)
        self.step, self.seconds, self.curve = 0, 0.0, []
        self.losses: list[float] = []

    @property
    def checkpoint(self) -> Path:
        return self.folder / "training.pt"

    def learn(self) -> None:
        """One step."""
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate_at(self.step, self.steps)
        batch = self.lessons.draw(self.step / self.steps)
        loss, _, _ = judged(self.made.network, self.model, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.trained, 1.0)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        self.losses.append(loss.item())
        self.step += 1

    @torch.no_grad()
    def validate(self) -> dict[str, float]:
        """The loss and the share of tokens guessed right, in all and by part, of conversations that were held back."""
        judgements = [judged(self.made.network, self.model, batch) for batch in self.validation]
        losses, rights, batches = zip(*judgements, strict=True)
        right, parts = torch.cat(rights), torch.cat(batches)
        by_part = {
            name: right[parts == part].float().mean().item()
            for part, name in PARTS.items()
            if (parts == part).any()
        }
        loss = torch.stack(losses).mean().item()
        return {"loss": loss, "accuracy": right.float().mean().item(), **by_part}

    def note(self) -> None:
        """A line of the curve, in the file and on the screen."""
        recent = self.losses[-LOG_EVERY:]
        row = {
            "step": self.step,
            "seconds": round(self.seconds, 1),
            "training_loss": sum(recent) / len(recent),
            **self.validate(),
        }
        self.curve.append({name: round(value, 4) for name, value in row.items()})
        left = self.seconds / self.step * (self.steps - self.step)
        print(
            f"step {self.step}/{self.steps}, {self.seconds:.0f} s, {left:.0f} s left: loss {row['training_loss']:.3f}; held back: loss {row['loss']:.3f}, right {100 * row['accuracy']:.1f} %",
            flush=True,
        )

    def save(self) -> None:
        """All that a training needs to go on as if it had not been interrupted."""
        state = {
            "model": self.model.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "dice": random.getstate(),
            "step": self.step,
            "steps": self.steps,
            "seconds": self.seconds,
            "curve": self.curve,
            "losses": self.losses,
        }
        torch.save(state, self.checkpoint.with_suffix(".new"))
        self.checkpoint.with_suffix(".new").replace(self.checkpoint)

    def resume(self) -> None:
        """Go on from a checkpoint that is there. Raises ValueError where it is one of a training of another length."""
        if not self.checkpoint.is_file():
            return
        state = torch.load(self.checkpoint, weights_only=True)
        if state["steps"] != self.steps:
            raise ValueError(
                f"{self.checkpoint} is of a training of {state['steps']} steps, not {self.steps}: give another folder."
            )
        self.model.load_state_dict(state["model"])
        for optimizer, saved in zip(self.optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(saved)
        version, numbers, rest = state["dice"]
        random.setstate((version, tuple(numbers), rest))
        self.step, self.seconds = state["step"], state["seconds"]
        self.curve, self.losses = state["curve"], state["losses"]
        print(f"going on from step {self.step}", flush=True)

    def run(self, seconds: float = math.inf) -> bool:
        """Learn until the last step, or for `seconds`; whether the last step was reached."""
        began, saved = time.monotonic() - self.seconds, time.monotonic()
        until = self.seconds + seconds
        while self.step < self.steps and self.seconds < until:
            self.learn()
            self.seconds = time.monotonic() - began
            if self.step % self.noting == 0 or self.step == self.steps:
                self.note()
            if time.monotonic() - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = time.monotonic()
        return self.step == self.steps

    @property
    def noting(self) -> int:
        """Every how many steps the curve gets a line: more often at the beginning, where most happens."""
        return LOG_EVERY // 2 if self.step < 10 * LOG_EVERY else 3 * LOG_EVERY

    def ship(self) -> None:
        """The checkpoint as it is shipped: weights in bfloat16, configuration and curve beside tokenizer and template."""
        was_shown = logging.is_progress_bar_enabled()
        logging.disable_progress_bar()
        self.model.to(torch.bfloat16).save_pretrained(self.folder)
        if was_shown:
            logging.enable_progress_bar()
        (self.folder / "model.safetensors").chmod(0o644)  # it is written for its owner alone
        (self.folder / "curve.json").write_text(json.dumps(self.curve) + "\n")
        self.checkpoint.unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("architecture", choices=ARCHITECTURES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--conversations", type=int, default=CONVERSATIONS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="two minutes, to see the loss fall")
    options = parser.parse_args()
    torch.set_num_threads(1)
    logging.set_verbosity_error()
    steps, conversations, seconds = options.steps, options.conversations, math.inf
    if options.quick:
        steps, conversations, seconds = QUICK_STEPS, QUICK_CONVERSATIONS, QUICK_SECONDS
    trainer = Trainer(options.architecture, options.folder, steps, conversations, options.seed)
    if not options.quick:
        trainer.resume()
    trainer.run(seconds)
    if options.quick:
        first, last = trainer.curve[0]["loss"], trainer.curve[-1]["loss"]
        print(f"the loss fell from {first:.2f} to {last:.2f}")
        if not last < 0.7 * first:
            raise SystemExit("The loss did not fall as it should.")
    trainer.ship()


if __name__ == "__main__":
    main()
