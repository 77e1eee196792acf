"""A run in which every text tries something: markup, scripts, ends of blocks, marks that reorder, what is no character, a very long line."""

from agentloop_widgets.events import (
    Check,
    Context,
    Event,
    Model,
    ModelEnd,
    Notice,
    ParsedOutput,
    RunEnd,
    RunStart,
    StepEnd,
    StepStart,
    Token,
    ToolEnd,
    stamp,
)

MARKUP = "<img src=x onerror=\"document.title='pwn'\"> <br> a < b & c &lt; d"
SCRIPT = "a</script><script>document.title='pwn'</script>"
TAGS = "<think>\n```\nx\n```\n<|turn>user <turn|>"
TEXTS = (
    MARKUP,
    SCRIPT,
    TAGS,
    "</noscript><b>x</b>",
    "<!-- --> ]]> </style>",
    "\u202ereversed\u202c \u2066x",
    "nul\x00 bel\x07 esc\x1b[31m",
    "\ud800 alone",
    "مرحبا بالعالم",
    "模型的代理循環，逐字顯示。",
    "👩‍👩‍👧‍👦 e\u0301",
    "x" * 1_000_000,
)
CHANNELS = ("thought", "content", "tool_call")


def tokens() -> list[Token]:
    """Each text as a token, and as a rival of the others."""
    return [
        Token(
            index=index,
            id=100 + index,
            piece=text,
            text=text,
            channel=CHANNELS[index % 3],
            p=0.3,
            rank=2,
            p_sampled=0.4,
            kept=3,
            entropy=1.0,
            top=[
                {"id": 101, "piece": SCRIPT, "p": 0.5, "kept": False},
                {"id": 100 + index, "piece": text, "p": 0.3, "kept": True},
            ],
            step=1,
        )
        for index, text in enumerate(TEXTS)
    ]


def context() -> Context:
    """A prompt of all the texts, each a user's."""
    prompt, segments = "", []
    for text in TEXTS:
        start, prompt = len(prompt), f"{prompt}<|im_start|>user\n{text}<|im_end|>\n"
        segments.append({"role": "user", "kind": "text", "start": start, "end": len(prompt), "n_tokens": 5})  # fmt: skip
    return Context(
        prompt=prompt,
        ids=[1],
        pieces=[prompt],
        segments=segments,
        n_tokens=60,
        context_length=4096,
        media=[
            {
                "kind": "image",
                "name": MARKUP,
                "tokens": 3,
                "thumbnail": "javascript:alert(1)",
                "note": SCRIPT,
                "start": 2,
                "end": 40,
            },
            {
                "kind": SCRIPT,
                "name": TAGS,
                "tokens": -1,
                "thumbnail": 7,
                "note": [],
                "start": 9,
                "end": 10**9,
            },
        ],
        step=1,
    )


def card() -> dict:
    """A model's card of which nothing is to be believed."""
    layers = [
        {"kind": text, "shares": share}
        for text, share in zip(TEXTS, (None, 0, 7, -1, "x", True, 1.5, 3), strict=False)
    ]
    numbers = (None, 0, -1, 10**400, float("nan"), float("inf"), True, "many", [], {})
    return {
        "model": SCRIPT,
        "revision": MARKUP,
        "family": TAGS,
        "device": TEXTS[5],
        "parameters": float("inf"),
        "text": {"layers": layers * 40, "hidden_size": MARKUP, "heads": [SCRIPT], "window": -1},
        "vision": {"layers": SCRIPT, "hidden_size": {MARKUP: SCRIPT}},
        "audio": MARKUP,
        "parts": [{"part": text, "parameters": number, "bytes": number} for text, number in zip(TEXTS, numbers, strict=False)],
        "tokenizer": {"kind": SCRIPT, "tokens": MARKUP, "merges": float("nan")},
        "stop": [{"id": SCRIPT, "piece": MARKUP}, {"piece": SCRIPT}],
        "recommended": {MARKUP: SCRIPT, "temperature": float("nan")},
        "drafter": {"kind": MARKUP, "layers": "x", "parameters": SCRIPT, "model": TAGS, "loaded": "yes"},
        "media": [{"kind": MARKUP, "taken": "no", "reason": SCRIPT}, {"kind": "audio", "taken": False, "reason": MARKUP}],
        "files": [{"name": text, "bytes": number, "purpose": MARKUP, "read": number} for text, number in zip(TEXTS, numbers, strict=False)],
        SCRIPT: {MARKUP: TEXTS},
        "layers": SCRIPT,
    }  # fmt: skip


def events() -> list[Event]:
    """The run."""
    everything = "".join(TEXTS)
    call = {"id": "c", "name": SCRIPT, "arguments": {MARKUP: TEXTS[5]}, "raw": everything}
    fault = {"kind": "bad", "message": MARKUP, "span": [0, 3], "text": SCRIPT}
    found = [
        RunStart(harness="turn", model=MARKUP, question=MARKUP, settings={"temperature": 1.0}, tools=[SCRIPT]),
        Model(card=card()),
        StepStart(step=1),
        context(),
        *tokens(),
        ModelEnd(finish="stop_token", stop_piece=SCRIPT, n_tokens=12, raw=everything, step=1),
        ParsedOutput(thought=MARKUP, content=everything, calls=[call], faults=[fault], step=1),
        Check(call="c", name=SCRIPT, ok=False, faults=[fault], step=1),
        ToolEnd(call="c", name=SCRIPT, result=everything, error=SCRIPT, step=1),
        StepEnd(step=1),
        Notice(kind="note", text=SCRIPT),
        RunEnd(stop_reason="answer", final=MARKUP, ms=12.0),
    ]  # fmt: skip
    for seq, event in enumerate(found):
        stamp(event, "r", seq, seq / 10, event.step)
    return found
