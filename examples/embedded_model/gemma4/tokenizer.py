"""The tokenizer of Gemma's kind: a BPE whose space is ▁ and that spells in bytes what it lacks, with Gemma 4's control tokens, as AutoTokenizer's GemmaTokenizer builds it."""

import json
import string
from collections.abc import Iterable

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

CONTROL = [
    "<pad>",
    "<eos>",
    "<bos>",
    "<unk>",
    "<mask>",
    "<|turn>",
    "<turn|>",
    "<|think|>",
    "<|channel>",
    "<channel|>",
    "<|tool>",
    "<tool|>",
    "<|tool_call>",
    "<tool_call|>",
    "<|tool_response>",
    "<tool_response|>",
    '<|"|>',
    "<|image>",
    "<|image|>",
    "<image|>",
    "<|audio>",
    "<|audio|>",
    "<audio|>",
    "<|video|>",
]
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
ALPHABET = ["▁", "\n", *string.ascii_letters, *string.digits, *string.punctuation]
WORDS = r"▁?[A-Za-z]+|[0-9]|\n+|▁+|[^▁A-Za-z0-9\n]+"  # no merge joins two of these
MEDIA = {
    "boi": "<|image>",
    "eoi": "<image|>",
    "image": "<|image|>",
    "boa": "<|audio>",
    "eoa": "<audio|>",
    "audio": "<|audio|>",
}
CONFIG = {
    "tokenizer_class": "GemmaTokenizer",
    **{f"{name}_token": f"<{name}>" for name in ("bos", "eos", "pad", "unk", "mask")},
    "extra_special_tokens": {f"{name}_token": piece for name, piece in MEDIA.items()},
}


def merges_of(texts: Iterable[str], size: int) -> list[tuple[str, str]]:
    """The merges that a BPE learns, up to a vocabulary of `size`."""
    learner = Tokenizer(models.BPE())
    learner.normalizer = normalizers.Replace(" ", "▁")
    learner.pre_tokenizer = pre_tokenizers.Split(Regex(WORDS), "isolated")
    trainer = trainers.BpeTrainer(
        vocab_size=size - len(CONTROL) - len(BYTES),
        initial_alphabet=ALPHABET,
        limit_alphabet=len(ALPHABET),
        min_frequency=20,
        show_progress=False,
    )
    learner.train_from_iterator(texts, trainer)
    return [tuple(merge) for merge in json.loads(learner.to_str())["model"]["merges"]]


def train(texts: Iterable[str], size: int) -> Tokenizer:
    """A tokenizer of at most `size` tokens, the control tokens first. texts: without control tokens."""
    merges = merges_of(texts, size)
    pieces = [*CONTROL, *BYTES, *ALPHABET, *("".join(merge) for merge in merges)]
    vocabulary = {piece: id for id, piece in enumerate(dict.fromkeys(pieces))}
    model = models.BPE(vocabulary, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous", invert=False)
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    tokenizer.add_special_tokens(list(CONTROL))
    return tokenizer
