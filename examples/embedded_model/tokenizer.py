"""Trains the tokenizer: a byte-level BPE with Qwen3.5's own pre-tokenizer pattern and control tokens, so that AutoTokenizer loads it as it is.

The words that questions are about are left out of its training: a word is then spelled in small pieces that the model has seen often, not in pieces it has never met."""

import json
import random
import re
import shutil
from pathlib import Path

from corpus import Corpus, system_turns
from render import render, render_system
from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    trainers,
)
from transformers.models.qwen3_5.tokenization_qwen3_5 import PRETOKENIZE_REGEX

VOCABULARY_SIZE = 1024
SPECIAL = [
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|vision_pad|>",
    "<|image_pad|>",
    "<|video_pad|>",
]
ADDED = [
    "<tool_call>",
    "</tool_call>",
    "<tool_response>",
    "</tool_response>",
    "<think>",
    "</think>",
]


def training_texts(conversations: int, seed: int) -> list[str]:
    """Rendered conversations whose quoted words are random letters, and the system turns; control tokens cut out."""
    letters = random.Random(seed)
    words = ["".join(letters.choices("abcdefghijklmnopqrstuvwxyz", k=4)) for _ in range(4000)]
    corpus = Corpus(seed, words)
    texts = [
        "".join(text for text, _ in render(corpus.conversation())) for _ in range(conversations)
    ]
    texts += [
        render_system(system, tools)
        for share, system, tools in system_turns()
        for _ in range(int(share * conversations))
    ]
    control = re.compile("|".join(re.escape(piece) for piece in SPECIAL + ADDED))
    return [part for text in texts for part in control.split(text) if part]


def train(conversations: int = 6000, seed: int = 11) -> Tokenizer:
    """The trained tokenizer: VOCABULARY_SIZE tokens, the control tokens first."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    split = pre_tokenizers.Split(Regex(PRETOKENIZE_REGEX), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY_SIZE,
        special_tokens=[AddedToken(piece, special=True) for piece in SPECIAL]
        + [AddedToken(piece, special=False) for piece in ADDED],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        min_frequency=20,
        show_progress=False,
    )
    tokenizer.train_from_iterator(training_texts(conversations, seed), trainer)
    saved = json.loads(tokenizer.to_str())
    for token in saved["added_tokens"]:
        token["special"] = token["content"] in SPECIAL
    return Tokenizer.from_str(json.dumps(saved))


def save(tokenizer: Tokenizer, folder: Path) -> None:
    """tokenizer.json, tokenizer_config.json, the chat template and the processors' settings, as AutoProcessor reads them."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {
        "tokenizer_class": "Qwen2Tokenizer",
        "eos_token": "<|im_end|>",
        "pad_token": "<|endoftext|>",
        "model_max_length": 4096,
        "clean_up_tokenization_spaces": False,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2) + "\n")
    for name in (
        "chat_template.jinja",
        "preprocessor_config.json",
        "video_preprocessor_config.json",
    ):
        shutil.copyfile(Path(__file__).parent / name, folder / name)


if __name__ == "__main__":
    import sys

    made = train()
    save(made, Path(sys.argv[1]))
    print("vocabulary", made.get_vocab_size())
