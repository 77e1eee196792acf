"""Cards of two real models, as far as their published files say it, and runs whose prompts hold an image, a sound, a video and a file."""

import base64
import io

from PIL import Image, ImageDraw

from agentloop_widgets.events import (
    Context,
    Event,
    Model,
    ModelEnd,
    Prefill,
    StepEnd,
    StepStart,
    stamp,
)

SLIDING, FULL, LINEAR = "sliding_attention", "full_attention", "linear_attention"


def _gemma_layers() -> list[dict]:
    """Every fifth sees all of it; the last 20 read the keys and values of the last of their kind before them."""
    kinds = [FULL if index % 5 == 4 else SLIDING for index in range(35)]
    own = 15
    return [
        {"kind": kind, "shares": None if index < own else 14 if kind == FULL else 13}
        for index, kind in enumerate(kinds)
    ]


def _parts(bytes_each: int, **parameters: int) -> list[dict]:
    return [
        {"part": name, "parameters": count, "bytes": bytes_each * count}
        for name, count in parameters.items()
    ]


def _files(*rows: tuple) -> list[dict]:
    return [
        {"name": name, "bytes": size, "purpose": purpose, "read": read}
        for name, size, purpose, read in rows
    ]


GEMMA = {
    "model": "google/gemma-4-E2B-it",
    "revision": None,
    "family": "gemma4",
    "architecture": "Gemma4ForConditionalGeneration",
    "model_type": "gemma4",
    "folder": None,
    "device": "cuda:0",
    "dtype": "bfloat16",
    "context_length": 131_072,
    "parameters": 5_120_000_000,
    "text": {
        "layers": _gemma_layers(),
        "hidden_size": 1536,
        "heads": 8,
        "key_value_heads": 1,
        "head_dim": None,
        "window": 512,
    },
    "vision": {"layers": 16, "hidden_size": None, "patch_size": 16, "tokens_per_image": 280},
    "audio": {"layers": 12, "hidden_size": None},
    "parts": _parts(
        2,
        per_layer_embedding=2_350_000_000,
        layers=1_880_000_000,
        embedding=400_000_000,
        audio=300_000_000,
        vision=170_000_000,
    ),
    "tokenizer": {"kind": "BPE", "tokens": 262_144, "added": None, "merges": 514_906},
    "stop": [
        {"id": 1, "piece": "<eos>"},
        {"id": 106, "piece": "<turn|>"},
        {"id": 50, "piece": "<|tool_response>"},
    ],
    "recommended": {"temperature": 1.0, "top_p": 0.95, "top_k": 64},
    "drafter": {
        "kind": "assistant",
        "layers": 4,
        "parameters": 77_700_000,
        "model": "google/gemma-4-E2B-it-assistant",
        "loaded": False,
    },
    "media": [
        {"kind": "image", "taken": True, "reason": ""},
        {"kind": "audio", "taken": True, "reason": ""},
        {"kind": "video", "taken": True, "reason": ""},
    ],
    "files": _files(
        ("config.json", 5_000, "config", True),
        ("generation_config.json", 208, "generation", True),
        ("model.safetensors", 10_200_000_000, "weights", True),
        ("tokenizer.json", 32_000_000, "tokenizer", True),
        ("tokenizer_config.json", 3_000, "tokenizer", True),
        ("chat_template.jinja", 19_000, "template", True),
        ("processor_config.json", 1_700, "processor", True),
        ("README.md", None, "documentation", False),
        (".gitattributes", None, "git", False),
    ),
    "template": None,
}

QWEN = {
    "model": "Qwen/Qwen3.5-0.8B",
    "revision": "2fc06364715b967f1860aea9cf38778875588b17",
    "family": "qwen3_5",
    "architecture": "Qwen3_5ForConditionalGeneration",
    "model_type": "qwen3_5",
    "folder": None,
    "device": "cpu",
    "dtype": "float32",
    "context_length": 262_144,
    "parameters": 850_000_000,
    "text": {
        "layers": [
            {"kind": FULL if index % 4 == 3 else LINEAR, "shares": None} for index in range(24)
        ],
        "hidden_size": 1024,
        "heads": 8,
        "key_value_heads": 2,
        "head_dim": None,
        "window": None,
    },
    "vision": {"layers": 12, "hidden_size": None, "patch_size": 16, "tokens_per_image": None},
    "audio": None,
    "parts": _parts(4, layers=500_000_000, embedding=250_000_000, vision=100_000_000),
    "tokenizer": {"kind": "BPE", "tokens": 248_070, "added": 26, "merges": 247_587},
    "stop": [{"id": None, "piece": "<|endoftext|>"}, {"id": None, "piece": "<|im_end|>"}],
    "recommended": {"temperature": 1.0, "top_p": 1.0, "top_k": 20},
    "drafter": {
        "kind": "mtp_layer",
        "layers": 1,
        "parameters": 20_000_000,
        "model": None,
        "loaded": False,
    },
    "media": [
        {"kind": "image", "taken": True, "reason": ""},
        {"kind": "audio", "taken": False, "reason": "it has no sound encoder"},
        {"kind": "video", "taken": True, "reason": ""},
    ],
    "files": _files(
        ("config.json", 2_900, "config", True),
        ("model.safetensors-00001-of-00001.safetensors", 1_700_000_000, "weights", True),
        ("model.safetensors.index.json", None, "index", True),
        ("tokenizer.json", 12_800_000, "tokenizer", True),
        ("tokenizer_config.json", 16_700, "tokenizer", True),
        ("vocab.json", 6_700_000, "vocabulary", False),
        ("merges.txt", 3_400_000, "merges", False),
        ("chat_template.jinja", 7_800, "template", True),
        ("preprocessor_config.json", None, "processor", True),
        ("video_preprocessor_config.json", None, "processor", True),
        ("README.md", None, "documentation", False),
        ("LICENSE", None, "license", False),
        (".gitattributes", None, "git", False),
    ),
    "template": None,
}

OLD = {
    "model": "embedded",
    "revision": None,
    "family": "qwen3_5",
    "architecture": "Qwen3_5ForConditionalGeneration",
    "parameters": 1_150_000,
    "layers": {LINEAR: 3, FULL: 1},
    "hidden_size": 128,
    "vocabulary": 2048,
    "context_length": 8192,
    "device": "cpu",
    "dtype": "float32",
    "weights_bytes": 4_600_000,
    "stop_pieces": ["<|im_end|>", "<|endoftext|>"],
    "recommended": {"temperature": 1.0, "top_p": 0.95, "top_k": 20},
    "template": "0123456789abcdef",
    "weather": {"sky": "blue"},
}

# Every field once, in few lines: what a damaged file may have damaged.
SMALL = {
    **{name: GEMMA[name] for name in GEMMA if name not in ("files", "parts", "text", "stop")},
    "revision": QWEN["revision"],
    "folder": "models/small",
    "text": {**GEMMA["text"], "layers": GEMMA["text"]["layers"][13:16], "head_dim": 256},
    "vision": {**GEMMA["vision"], "hidden_size": 768},
    "audio": {"layers": 12, "hidden_size": 1024},
    "template": "0123456789abcdef",
    "parts": GEMMA["parts"][:2],
    "files": GEMMA["files"][:2],
    "stop": GEMMA["stop"][:1],
    "media": QWEN["media"][1:2],
    "also": {"sky": ["blue", None]},
}


# Media in a prompt.


def thumbnail(colours: tuple[str, ...], width: int = 72, height: int = 54) -> str:
    """A small picture as a data URL: a strip of frames, each of one colour with a disc in it."""
    image = Image.new("RGB", (width * len(colours), height))
    draw = ImageDraw.Draw(image)
    for place, colour in enumerate(colours):
        left = place * width
        draw.rectangle([left, 0, left + width, height], fill=colour)
        draw.ellipse([left + 14 + 4 * place, 8, left + 50 + 4 * place, 44], fill="#f4d35e")
    held = io.BytesIO()
    image.save(held, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(held.getvalue()).decode()


def waveform(width: int = 160, height: int = 40) -> str:
    """The picture of a sound."""
    image = Image.new("RGB", (width, height), "#eef1f6")
    draw = ImageDraw.Draw(image)
    for x in range(0, width, 3):
        half = 2 + (x * 7919 % 17)
        draw.line([x, height // 2 - half, x, height // 2 + half], fill="#4f8fd0", width=2)
    held = io.BytesIO()
    image.save(held, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(held.getvalue()).decode()


class Prompt:
    """A prompt being written: its text, segments, media and token pieces."""

    def __init__(self):
        self.text, self.segments, self.media, self.pieces = "", [], [], []

    def write(self, role: str, kind: str, *pieces: str) -> None:
        start = len(self.text)
        self.text += "".join(pieces)
        self.pieces += pieces
        self.segments.append({"role": role, "kind": kind, "start": start, "end": len(self.text), "n_tokens": len(pieces)})  # fmt: skip

    def medium(self, kind: str, name: str, picture: str | None, pieces: list[str], sign: str, **more) -> None:  # fmt: skip
        start = len(self.text)
        self.write("user", "text", *pieces)
        self.media.append(
            {
                "kind": kind,
                "name": name,
                "tokens": pieces.count(sign),
                "n_tokens": len(pieces),
                "thumbnail": picture,
                "note": "",
                "start": start,
                "end": len(self.text),
                **more,
            }
        )

    def context(self, added_from: int = 0, **more) -> Context:
        return Context(
            prompt=self.text,
            ids=list(range(len(self.pieces))),
            pieces=self.pieces,
            segments=self.segments,
            n_tokens=len(self.pieces),
            added_from=added_from,
            media=self.media,
            context_length=131_072,
            **more,
        )


SAY = "What do you see and hear?"


def asked(frames: int = 32) -> Prompt:
    """A question with an image, a recording, a video of `frames` frames, each after its time, and a file that is only listed."""
    prompt = Prompt()
    prompt.write("system", "control", "<|turn>", "system", "\n")
    prompt.write("system", "text", "You are", " a helpful", " assistant", ".")
    prompt.write("system", "control", "<turn|>", "\n")
    prompt.write("user", "control", "<|turn>", "user", "\n")
    prompt.medium("image", "egg box.png", thumbnail(("#2b6777",)), ["<|image>", *["<|image|>"] * 256, "<image|>"], "<|image|>", detail="640 × 480 pixels, read as 768 × 768")  # fmt: skip
    prompt.medium("audio", "hens.wav", waveform(), ["<|audio>", *["<|audio|>"] * 750, "<audio|>"], "<|audio|>", note="the first 30 of 42 seconds")  # fmt: skip
    pieces = []
    for frame in range(frames):
        time = f"{frame * 2 // 60:02}:{frame * 2 % 60:02}"
        pieces += [time, " ", "<|image>", *["<|video|>"] * 64, "<image|>", "\n"]
    prompt.medium("video", "the yard.mp4", thumbnail(("#355070", "#6d597a", "#b56576", "#e56b6f")), pieces, "<|video|>")  # fmt: skip
    prompt.write("user", "text", *(f" {word}" for word in SAY.split()))
    prompt.media.append({"kind": "file", "name": "prices.csv", "tokens": 0, "thumbnail": None, "note": "", "start": None, "end": None})  # fmt: skip
    prompt.write("user", "control", "<turn|>", "\n")
    return prompt


def with_media(frames: int = 32) -> list[Event]:
    """Two steps: what was asked with media, and, after the model's answer, a second question with one more image."""
    first = asked(frames)
    first.write("assistant", "control", "<|turn>", "model", "\n")
    answer = "A box of eggs, and hens."
    second = asked(frames)
    second.write("assistant", "control", "<|turn>", "model", "\n")
    second.write("assistant", "text", answer)
    second.write("assistant", "control", "<turn|>", "\n")
    added_from = len(first.text) + len(answer)
    second.write("user", "control", "<|turn>", "user", "\n")
    second.medium("image", "basket.png", thumbnail(("#84a98c",)), ["<|image>", *["<|image|>"] * 256, "<image|>"], "<|image|>")  # fmt: skip
    second.write("user", "text", "And", " here", "?")
    second.write("user", "control", "<turn|>", "\n", "<|turn>", "model", "\n")
    events: list[Event] = [Model(card=GEMMA)]
    for number, context in enumerate((first.context(), second.context(added_from)), 1):
        events += [
            StepStart(step=number),
            context,
            Prefill(n_tokens=context.n_tokens, ms=812.0 * number, cached_tokens=0, step=number),
            ModelEnd(finish="stop_token", stop_piece="<turn|>", n_tokens=8, decode_ms=310.0, tok_per_s=25.8, raw=answer, step=number),
            StepEnd(step=number),
        ]  # fmt: skip
    return [stamp(event, "run-m", seq, seq / 10, event.step) for seq, event in enumerate(events)]
