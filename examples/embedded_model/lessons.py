"""What a training step is given: batches of conversations after a system turn, and drills in copying."""

import random
import string
from dataclasses import dataclass

import numpy
import torch
from architectures import Architecture
from corpus import NO_THINKING_SHARE, Conversation, Corpus
from rendered import ANSWER, READ, Example, encoded
from systems import system_turns
from words import TRAINING_WORDS

BATCH = 8  # rows
LONGEST = 480  # tokens of a conversation after its system turn
SHORT = 130  # tokens, in the first part of the training
SHORT_UNTIL = 0.15  # of the training
HELD_BACK = 128  # conversations for validation
WITHOUT_TOOLS = 1 / 12  # of the conversations
DRILL_SHARE, FIRST_DRILL_SHARE, FIRST_UNTIL = 0.06, 0.5, 0.02
DRILL_LENGTH = 144  # tokens


@dataclass(frozen=True)
class Batch:
    """ids, parts: [batch, length], padded on the right (causal layers need no mask for that); prefix: [1, length]."""

    ids: torch.Tensor
    parts: torch.Tensor
    prefix: torch.Tensor


def batch_of(examples: list[Example], prefix: torch.Tensor) -> Batch:
    length = max(len(example.ids) for example in examples)
    ids = torch.zeros(len(examples), length, dtype=torch.long)
    parts = torch.zeros(len(examples), length, dtype=torch.uint8)
    for row, example in enumerate(examples):
        ids[row, : len(example.ids)] = torch.from_numpy(example.ids.astype(numpy.int64))
        parts[row, : len(example.parts)] = torch.from_numpy(example.parts)
    return Batch(ids, parts, prefix)


class Lessons:
    """Everything that one training is taught, drawn from `seed`: the corpus, told apart by whether run_python is offered and whether the last turn thinks."""

    def __init__(self, made: Architecture, tokenizer, conversations: int, seed: int):
        self.made, self.tokenizer = made, tokenizer
        corpus = Corpus(seed, TRAINING_WORDS)
        self.held_back = [corpus.conversation() for _ in range(HELD_BACK)]
        drawn = [corpus.conversation() for _ in range(conversations)]
        bare = [corpus.conversation(tools=False) for _ in range(int(conversations * WITHOUT_TOOLS))]
        self.pools = {
            (offered, thinking): self.pool([each for each in group if each.thinking == thinking])
            for group, offered in ((drawn, True), (bare, False))
            for thinking in (True, False)
        }
        self.turns = system_turns()
        self.prefixes = {
            (index, thinking): self.prefix(system, tools, thinking)
            for index, (_, system, tools) in enumerate(self.turns)
            for thinking in (True, False)
        }
        self.alphabets = drill_alphabets(tokenizer)
        self.line = tokenizer.encode("\n", add_special_tokens=False)

    def pool(self, conversations: list[Conversation]) -> list[Example]:
        """The examples of `conversations`, those of about one length beside each other."""
        samples = [sample for each in conversations for sample in self.made.samples(each)]
        examples = encoded(self.tokenizer, samples)
        kept = [example for example in examples if len(example.ids) <= LONGEST]
        return sorted(kept, key=lambda example: len(example.ids) + random.random() * 8)

    def prefix(self, system: str | None, tools: list[dict], thinking: bool) -> torch.Tensor:
        text = self.made.system_text(self.tokenizer, system, tools, thinking)
        return torch.tensor([self.tokenizer.encode(text, add_special_tokens=False)]).long()

    def draw(self, progress: float) -> Batch:
        """The batch of one step; progress: from 0 to 1 through the training."""
        if random.random() < (FIRST_DRILL_SHARE if progress < FIRST_UNTIL else DRILL_SHARE):
            return self.drill()
        shares = [share for share, _, _ in self.turns]
        (index,) = random.choices(range(len(self.turns)), shares)
        thinking = random.random() >= NO_THINKING_SHARE
        examples = self.pools[offers_python(self.turns[index][2]), thinking]
        last = len(examples)
        if progress < SHORT_UNTIL:
            long = (at for at, example in enumerate(examples) if len(example.ids) > SHORT)
            last = max(BATCH + 1, next(long, last))
        start = random.randrange(0, max(1, last - BATCH))
        return batch_of(examples[start : start + BATCH], self.prefixes[index, thinking])

    def drill(self) -> Batch:
        """Lines of random tokens, each written twice: the second time it can be copied, and that is learnt. It teaches what every answer needs, and gives rare tokens their use."""
        rows = []
        for _ in range(BATCH):
            ids, parts = [], []
            while len(ids) < DRILL_LENGTH:
                line = random.choices(random.choice(self.alphabets), k=random.randint(2, 24))
                ids += [*line, *self.line, *line, *self.line]
                parts += [READ] * (len(line) + 1) + [ANSWER] * (len(line) + 1)
            rows.append(Example(numpy.array(ids, numpy.int16), numpy.array(parts, numpy.uint8)))
        return batch_of(rows, torch.zeros(1, 0, dtype=torch.long))

    def validation(self) -> list[Batch]:
        """Held-back conversations after the library's own system turn, those that think."""
        examples = self.pool([each for each in self.held_back if each.thinking])
        prefix = self.prefixes[0, True]
        return [
            batch_of(examples[at : at + BATCH], prefix) for at in range(0, len(examples), BATCH)
        ]


def offers_python(tools: list[dict]) -> bool:
    return any(tool["function"]["name"] == "run_python" for tool in tools)


def drill_alphabets(tokenizer) -> list[list[int]]:
    """Token ids to draw lines from: all that are no control tokens, digits with a point, single letters."""
    texts = {id: tokenizer.decode([id]) for id in range(len(tokenizer))}
    pieces = tokenizer.convert_ids_to_tokens(list(texts))
    plain = [id for id in texts if id not in tokenizer.added_tokens_decoder]
    plain = [id for id in plain if not pieces[id].startswith("<0x")]  # bytes of other scripts
    digits = [id for id in plain if texts[id] in [*string.digits, "."]]
    letters = [id for id in plain if len(texts[id]) == 1 and texts[id] in string.ascii_lowercase]
    return [plain, digits, letters]
