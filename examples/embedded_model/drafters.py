"""Trains the embedded drafters: what guesses ahead for each embedded model, by reading its hidden states.

    python drafters.py qwen3_5 OUT    # a layer for multi-token prediction, as Qwen3.5 has one: in OUT, the model's weights and it
    python drafters.py gemma4 OUT     # an assistant that reads the model's keys and values, as Gemma 4 has one: a checkpoint

The model is frozen. A drafter learns the model's own distributions over what it writes, several tokens ahead: each step reads what the step before made of
its guess, as it will when it drafts. `--quick` is a training of a minute."""

import argparse
import math
import random
import time
from pathlib import Path

import torch
from architectures import SHIPPED, architecture
from lessons import Lessons
from rendered import READ
from torch import nn
from train import optimizers_for
from trainees import AssistantTrainee, MtpTrainee, Read, read
from transformers.utils import logging

from agentloop_widgets.backends.folder import load_folder

STEPS, CONVERSATIONS = 2_400, 30_000
QUICK_STEPS, QUICK_CONVERSATIONS = 120, 1_500
RATE, WARM_UP = 4e-3, 50
LOG_EVERY = 100


TRAINEES = {"qwen3_5": MtpTrainee, "gemma4": AssistantTrainee}


def judged(trainee: nn.Module, given: Read) -> tuple[torch.Tensor, list[float]]:
    """(the mean loss in nats against the model's distributions, the share of places at which each step guesses the model's likeliest token)."""
    losses, rights = [], []
    for step, logits in enumerate(trainee(given)):
        last = given.ids.shape[1] - 1 - step  # behind it there is nothing to guess
        wanted = given.parts[:, step + 1 :] != READ
        target = given.logits[:, step:-1][wanted]
        guessed = logits[:, :last][wanted]
        losses.append(-(target.softmax(-1) * guessed.log_softmax(-1)).sum(-1).mean())
        rights.append((guessed.argmax(-1) == target.argmax(-1)).float().mean().item())
    return torch.stack(losses).mean(), rights


def train(
    key: str, folder: Path, steps: int, conversations: int, seed: int = 1, show=print
) -> list[float]:
    """Train the drafter of a shipped model into `folder`; the losses, one a step."""
    made = architecture(key)
    llm = load_folder(SHIPPED / key, device="cpu", dtype="float32")
    model = llm.model.requires_grad_(False)
    random.seed(seed)
    lessons = Lessons(made, llm.tokenizer, conversations, seed)
    trainee = TRAINEES[key](model, seed)
    optimizers = optimizers_for(trainee)
    validation, losses, began = lessons.validation(), [], time.monotonic()
    for step in range(steps):
        rate = (
            RATE
            * min(1.0, (step + 1) / WARM_UP)
            * (0.5 * (1 + math.cos(math.pi * step / steps)) * 0.99 + 0.01)
        )
        for optimizer in optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate
        batch = lessons.draw(1.0)
        while not batch.prefix.shape[1]:  # a drill: no model writes it
            batch = lessons.draw(1.0)
        loss, _ = judged(trainee, read(made.network, model, batch))
        loss.backward()
        nn.utils.clip_grad_norm_([each for each in trainee.parameters() if each.requires_grad], 1.0)
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        losses.append(loss.item())
        if (step + 1) % LOG_EVERY == 0 or step + 1 == steps:
            with torch.no_grad():
                rights = [
                    judged(trainee, read(made.network, model, batch))[1] for batch in validation[:4]
                ]
            shares = " ".join(
                f"{100 * sum(each) / len(each):.1f}" for each in zip(*rights, strict=True)
            )
            show(
                f"step {step + 1}/{steps}, {time.monotonic() - began:.0f} s: loss {sum(losses[-LOG_EVERY:]) / len(losses[-LOG_EVERY:]):.3f}, right {shares} %",
                flush=True,
            )
    folder.mkdir(parents=True, exist_ok=True)
    trainee.ship(folder)
    return losses


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("architecture", choices=TRAINEES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--conversations", type=int, default=CONVERSATIONS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a minute, to see the loss fall")
    options = parser.parse_args()
    torch.set_num_threads(1)
    logging.set_verbosity_error()
    steps, conversations = (
        (QUICK_STEPS, QUICK_CONVERSATIONS)
        if options.quick
        else (options.steps, options.conversations)
    )
    losses = train(options.architecture, options.folder, steps, conversations, options.seed)
    if options.quick and not sum(losses[-10:]) < 0.8 * sum(losses[:10]):
        raise SystemExit("The loss did not fall as it should.")


if __name__ == "__main__":
    main()
