"""The two architectures, each with its text, its tokenizer and its network."""

import json
import random
import re
import shutil
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import ModuleType

from corpus import Conversation, Corpus
from rendered import Piece
from systems import system_turns
from transformers import AutoTokenizer
from words import LETTERS

SHIPPED = Path(str(files("agentloop_widgets").joinpath("models")))
WRITTEN_BY_TRAINING = (
    *("model.safetensors", "config.json", "generation_config.json", "curve.json"),
    *("tokenizer.json", "tokenizer_config.json", "README.md"),
)


@dataclass(frozen=True)
class Architecture:
    """key: the family's; vocabulary: how many tokens; text, tokens, network: the modules that know it."""

    key: str
    vocabulary: int
    text: ModuleType
    tokens: ModuleType
    network: ModuleType

    def samples(self, conversation: Conversation) -> list[list[Piece]]:
        return self.text.samples(conversation)

    def write_tokenizer(self, folder: Path, conversations: int = 6000, seed: int = 11) -> None:
        """Train the tokenizer and write it into `folder`, with the chat template and the processors' settings that are shipped."""
        folder.mkdir(parents=True, exist_ok=True)
        for path in (SHIPPED / self.key).iterdir():
            if path.name not in WRITTEN_BY_TRAINING:
                shutil.copyfile(path, folder / path.name)
        made = self.tokens.train(self.tokenizer_texts(conversations, seed), self.vocabulary)
        made.save(str(folder / "tokenizer.json"))
        (folder / "tokenizer_config.json").write_text(
            json.dumps(self.tokens.CONFIG, indent=2) + "\n"
        )
        (folder / "config.json").write_text(json.dumps({"model_type": self.key}) + "\n")

    def tokenizer_texts(self, conversations: int, seed: int) -> list[str]:
        """Rendered conversations about words of random letters (a word is then spelled in small pieces that the model sees often) and the tools' descriptions; control tokens cut out."""
        letters = random.Random(seed)
        words = ["".join(letters.choices(LETTERS, k=4)) for _ in range(4000)]
        corpus = Corpus(seed, words)
        texts = [
            "".join(text for text, _ in sample)
            for _ in range(conversations)
            for sample in self.samples(corpus.conversation())
        ]
        for share, system, tools in system_turns():
            names = json.dumps([system, tools])
            texts += [names] * int(share * conversations)
        control = re.compile("|".join(map(re.escape, self.tokens.CONTROL)))
        return [part for text in texts for part in control.split(text) if part]

    def tokenizer(self, folder: Path):
        return AutoTokenizer.from_pretrained(folder)

    def system_text(self, tokenizer, system: str | None, tools: list[dict], thinking: bool) -> str:
        """The prompt up to the first question, as the chat template writes it."""
        question = [{"role": "user", "content": "?"}]
        messages = [{"role": "system", "content": system}, *question] if system else question
        whole = tokenizer.apply_chat_template(
            messages, tools=tools or None, enable_thinking=thinking, tokenize=False
        )
        return whole[: whole.rindex(self.text.QUESTION)]


def architecture(key: str) -> Architecture:
    """The architecture of a family's key: "qwen3_5" or "gemma4"."""
    modules = (import_module(f"{key}.{name}") for name in ("text", "tokenizer", "network"))
    return Architecture(key, 1536, *modules)


ARCHITECTURES = ("qwen3_5", "gemma4")
