"""Hand-made runs for the tests of the views: a turn of two steps, its parts, and runs that go wrong."""

import math

import sample_cards

from agentloop_widgets.events import (
    Check,
    ChildEnd,
    ChildStart,
    CompactionEnd,
    CompactionStart,
    Context,
    Delta,
    Distribution,
    Event,
    Model,
    ModelEnd,
    Notice,
    ParsedOutput,
    Permission,
    PermissionRequest,
    Prefill,
    Problem,
    Request,
    RunEnd,
    RunStart,
    StepEnd,
    StepStart,
    Token,
    ToolEnd,
    ToolStart,
    Unknown,
    stamp,
)

QUESTION = "A box holds 12 eggs. How many eggs are in 7 boxes?"
ANSWER = "There are 84 eggs in 7 boxes."
CODE = "print(7 * 12)"
SYSTEM = (
    "<|im_start|>system\n",
    '# Tools\n\n<tools>\n{"type": "function", "function": {"name": "run_python"}}\n</tools>\n\n',
    "You are a helpful assistant. When a tool can work out the answer, call it.",
    "<|im_end|>\n",
)
USER = ("<|im_start|>user\n", QUESTION, "<|im_end|>\n")
OPENING = ("<|im_start|>assistant\n<think>\n",)
RIVALS = (" box", " bag", " crate", " jar", " pack", "7", "\n")


def token(index, text, channel="content", p=0.98, rank=1, kept=1, special=False, **more) -> Token:
    """A token with rivals that share what it left: likelier ones where its rank is above 1."""
    others = [name for name in RIVALS if name != text]
    ahead = min(rank - 1, 5)
    top = [
        {"id": 700 + place, "piece": others[place], "p": p * (1.5 - 0.05 * place), "kept": True}
        for place in range(ahead)
    ]
    if rank <= 5:
        top.append({"id": 100 + index, "piece": text, "p": p, "kept": True})
    behind = 5 - len(top)
    top += [
        {
            "id": 800 + place,
            "piece": others[-1 - place],
            "p": min(p, 1 - p) / 2 ** (place + 1),
            "kept": False,
        }
        for place in range(behind)
    ]
    numbers = {
        "p": p,
        "logprob": math.log(p),
        "rank": rank,
        "p_sampled": min(1.0, p / 0.95),
        "kept": kept,
        "top": top,
        "entropy": -math.log(p) * 1.4,
        "ms": 3.4,
    }
    return Token(
        index=index,
        id=100 + index,
        piece=text,
        text=text,
        special=special,
        channel="control" if special else channel,
        **{**numbers, **more},
    )


def tokens_of(*lanes) -> list[Token]:
    """Tokens from (channel, [texts]) lanes; a text in angle brackets that is one of the model's signs is a control token."""
    made = []
    for channel, texts in lanes:
        for text in texts:
            special = text in ("<think>", "</think>", "<tool_call>", "</tool_call>", "<|im_end|>")
            made.append(token(len(made), text, channel, special=special))
    return made


def context(parts, added_from=0, **more) -> Context:
    """A context from (role, kind, text, n_tokens) parts."""
    prompt, segments = "", []
    for role, kind, text, n_tokens in parts:
        start = len(prompt)
        prompt += text
        segments.append(
            {"role": role, "kind": kind, "start": start, "end": len(prompt), "n_tokens": n_tokens}
        )
    n_tokens = sum(segment["n_tokens"] for segment in segments)
    return Context(
        prompt=prompt,
        ids=list(range(n_tokens)),
        pieces=["<|im_start|>", "<|im_end|>", "<think>", "</think>", "<tool_call>", "word"],
        segments=segments,
        n_tokens=n_tokens,
        added_from=added_from,
        context_length=8192,
        roles={"system": 1, "user": 1},
        **more,
    )


def first_parts():
    """The parts of the first step's prompt."""
    return [
        ("system", "control", SYSTEM[0], 3),
        ("system", "tools", SYSTEM[1], 133),
        ("system", "text", SYSTEM[2], 14),
        ("system", "control", SYSTEM[3], 2),
        ("user", "control", USER[0], 3),
        ("user", "text", USER[1], 17),
        ("user", "control", USER[2], 2),
        ("assistant", "control", OPENING[0], 5),
    ]


def wrote(code=CODE) -> str:
    """What the model writes in the first step."""
    return (
        "Each tray has 12 eggs, so I multiply 7 by 12.\n</think>\n\n"
        f"<tool_call>\n<function=run_python>\n<parameter=code>\n{code}\n</parameter>\n</function>\n</tool_call><|im_end|>"
    )


def first_tokens() -> list[Token]:
    """Thinking, then a call: one token of rank 8, one of rank 2."""
    thought = [
        "Each",
        " tray",
        " has",
        " ",
        "1",
        "2",
        " eggs",
        ",",
        " so",
        " I",
        " multiply",
        " ",
        "7",
        " by",
        " ",
        "1",
        "2",
        ".",
        "\n",
    ]
    call = [
        "\n",
        "<",
        "function",
        "=run",
        "_python",
        ">",
        "\n",
        "<",
        "parameter",
        "=code",
        ">",
        "\n",
        "print",
        "(",
        "7",
        " *",
        " ",
        "1",
        "2",
        ")",
        "\n",
        "</",
        "parameter",
        ">",
        "\n",
        "</",
        "function",
        ">",
        "\n",
    ]
    made = tokens_of(
        ("thought", [*thought, "</think>"]),
        ("content", ["\n\n"]),
        ("tool_call", ["<tool_call>", *call, "</tool_call>"]),
        ("content", ["<|im_end|>"]),
    )
    made[0] = token(0, "Each", "thought", p=0.59, kept=2)
    made[1] = token(1, " tray", "thought", p=0.0424, rank=8, kept=660, entropy=6.43)
    made[8] = token(8, " so", "thought", p=0.31, rank=2, kept=4)
    return made


def step_one() -> list[Event]:
    """The first step's events."""
    call = {"id": "call_1", "name": "run_python", "arguments": {"code": CODE}}
    tokens = first_tokens()
    return [
        StepStart(),
        context(first_parts()),
        Prefill(n_tokens=179, ms=15.17),
        *tokens,
        ModelEnd(
            finish="stop_token",
            stop_piece="<|im_end|>",
            n_tokens=len(tokens),
            decode_ms=161.77,
            tok_per_s=290.5,
            raw=wrote(),
        ),
        ParsedOutput(
            thought="Each tray has 12 eggs, so I multiply 7 by 12.",
            content="",
            calls=[{**call, "raw": "<function=run_python>…", "span": [57, 150]}],
        ),
        Check(call="call_1", name="run_python", ok=True),
        PermissionRequest(call="call_1", name="run_python", arguments={"code": CODE}),
        Permission(
            call="call_1",
            name="run_python",
            allowed=True,
            by="policy",
            reason="it runs in the sandbox",
        ),
        ToolStart(call="call_1", name="run_python"),
        ToolEnd(call="call_1", name="run_python", result="84\n", ms=2.93),
        StepEnd(),
    ]


def step_two() -> list[Event]:
    """The second step's events: the result is read, the answer written."""
    said = wrote().removesuffix("<|im_end|>")
    parts = [
        *first_parts()[:-1],
        ("assistant", "control", "<|im_start|>assistant\n<think>\n", 5),
        ("assistant", "text", said, 46),
        ("assistant", "control", "<|im_end|>\n", 2),
        ("tool", "control", "<|im_start|>user\n", 3),
        ("tool", "text", "<tool_response>\n84\n</tool_response>", 8),
        ("tool", "control", "<|im_end|>\n", 2),
        ("assistant", "control", OPENING[0], 5),
    ]
    added_from = sum(len(part[2]) for part in parts[:10])
    tokens = tokens_of(
        ("thought", ["The", " tool", " returned", " 84", ".", "\n"]),
        ("thought", ["</think>"]),
        ("content", ["\n\n", "There", " are", " ", "8", "4", " eggs", " in", " 7", " boxes", "."]),
        ("content", ["<|im_end|>"]),
    )
    tokens[1] = token(1, " tool", "thought", p=0.71, kept=2)
    return [
        StepStart(),
        context(parts, added_from, cached_tokens=179),
        Prefill(n_tokens=248, ms=18.2, cached_tokens=179),
        *tokens,
        ModelEnd(
            finish="stop_token",
            stop_piece="<|im_end|>",
            n_tokens=len(tokens),
            decode_ms=75.4,
            tok_per_s=238.7,
            raw=f"The tool returned 84.\n</think>\n\n{ANSWER}<|im_end|>",
        ),
        ParsedOutput(thought="The tool returned 84.", content=ANSWER),
        StepEnd(),
    ]


def run_start(**more) -> RunStart:
    """The run's first event."""
    settings = {"temperature": 1.0, "top_p": 0.95, "top_k": 0, "seed": 5, "thinking": True}
    values = {
        "harness": "simple",
        "model": "embedded",
        "family": "qwen3_5",
        "settings": settings,
        "tools": ["run_python"],
        "question": QUESTION,
    }
    return RunStart(**{**values, **more})


CARD = {
    "name": "the embedded model",
    "family": "qwen3_5",
    "parameters": 1_150_000,
    "context_length": 8192,
    "stop": ["<|im_end|>", "<|endoftext|>"],
    "recommended": {"temperature": 1.0, "top_k": 20},
    "revision": None,
}


def stamped(head: list[Event], *steps: list[Event], tail=()) -> list[Event]:
    """The events of a run in order, each with its run, number, time and step."""
    placed = [(event, None) for event in head]
    for number, events in enumerate(steps, 1):
        placed += [(event, number) for event in events]
    placed += [(event, None) for event in tail]
    return [
        stamp(event, "run-1", place, place * 0.004, step)
        for place, (event, step) in enumerate(placed)
    ]


def two_steps() -> list[Event]:
    """A whole turn: thinking, a call, its result, the answer."""
    end = RunEnd(
        stop_reason="answer",
        final=ANSWER,
        usage={"prompt_tokens": 427, "new_tokens": 68, "cached_tokens": 179},
        ms=288.0,
    )
    return stamped([run_start(), Model(card=CARD)], step_one(), step_two(), tail=[end])


def faulty() -> list[Event]:
    """A turn whose call does not fit its schema, is refused, and that ends at its step limit."""
    tokens = tokens_of(
        ("content", ["Let", " me", " see", "."]), ("tool_call", ["<tool_call>", "oops"])
    )
    calls = [
        {"id": "call_1", "name": "run_python", "arguments": {"cod": 7}, "raw": "<function=…"},
        {"id": "call_2", "name": "fly", "arguments": {}, "raw": "<function=fly>"},
        {"id": "call_3", "name": "read_file", "arguments": {"name": "a.txt"}, "raw": "…"},
    ]
    step = [
        StepStart(),
        context(first_parts(), literal=[[520, 530]], rewritten=[[0, 5]], dropped=[[30, 60]]),
        Prefill(n_tokens=179, ms=15.0),
        *tokens,
        ModelEnd(finish="max_new_tokens", n_tokens=len(tokens)),
        ParsedOutput(
            thought="",
            content="Let me see.",
            calls=calls,
            faults=[
                {
                    "kind": "unclosed",
                    "message": "the call is not closed",
                    "span": [9, 20],
                    "text": "<tool_call>oops",
                }
            ],
        ),
        Check(
            call="call_1",
            name="run_python",
            ok=False,
            faults=[
                {
                    "kind": "missing",
                    "name": "code",
                    "message": "the required argument code is missing",
                },
                {
                    "kind": "extra",
                    "name": "cod",
                    "message": "cod is not an argument of run_python",
                },
            ],
        ),
        Check(
            call="call_2",
            name="fly",
            ok=False,
            faults=[{"kind": "unknown_tool", "name": "fly", "message": "there is no tool fly"}],
        ),
        Check(call="call_3", name="read_file", ok=True),
        PermissionRequest(call="call_3", name="read_file", arguments={"name": "a.txt"}),
        Permission(call="call_3", name="read_file", allowed=False, by="user"),
        ToolEnd(
            call="call_1",
            name="run_python",
            result="",
            error="the required argument code is missing",
        ),
        ToolEnd(call="call_2", name="fly", result="", error="there is no tool fly"),
        ToolEnd(call="call_3", name="read_file", result="", error="not allowed"),
        Notice(kind="window", text="the window is 90 % full"),
        StepEnd(),
    ]
    tail = [
        Problem(kind="steps", text="no answer after 1 step"),
        Unknown(kind="weather", content={"sky": "blue"}),
        RunEnd(stop_reason="max_steps", ms=40.0),
    ]
    return stamped([run_start()], step, tail=tail)


def from_deltas() -> list[Event]:
    """A turn held with a provider that sends text, not tokens, and gives no numbers."""
    step = [
        StepStart(),
        Delta(channel="thought", text="Seven times "),
        Delta(channel="thought", text="twelve."),
        Delta(channel="content", text="84 "),
        Delta(channel="content", text="eggs."),
        ModelEnd(finish="stop_token", usage={"prompt_tokens": 30, "completion_tokens": 8}),
        ParsedOutput(thought="Seven times twelve.", content="84 eggs."),
        StepEnd(),
    ]
    end = RunEnd(stop_reason="answer", final="84 eggs.")
    start = run_start(model="hosted", family=None, settings={}, tools=[])
    return stamped([start], step, tail=[end])


def runs() -> dict[str, list]:
    """Every sample run by name."""
    return {"two steps": two_steps(), "faulty": faulty(), "deltas": from_deltas()}


def everything() -> list[Event]:
    """Every type of event and every field that holds a dict, with few tokens: what a damaged file may have damaged."""
    media = {
        "kind": "image",
        "name": "a.png",
        "tokens": 64,
        "thumbnail": "data:image/png;base64,AA",
        "note": "made smaller",
        "start": 20,
        "end": 60,
    }
    head = [
        run_start(),
        Model(card=sample_cards.SMALL),
        CompactionStart(strategy="surgical", tokens=7000),
        CompactionEnd(tokens=2100, fate=[{"index": 0, "fate": "kept"}], summary="s", reason="full"),
        ChildStart(child="run-2", question="How far?"),
        ChildEnd(child="run-2", answer="far", state="done"),
    ]
    draft = {"accepted": False, "id": 3, "piece": "b", "p": 0.5}
    first = [
        event for event in step_one() if not isinstance(event, Token) or event.index in (1, 31)
    ]
    first[1] = context(first_parts(), media=[media], literal=[[3, 9]], cached_tokens=3)
    first[3] = token(1, " tray", p=0.0424, rank=8, draft=draft)
    first[4:4] = [
        Request(payload={"messages": [{"role": "user", "content": QUESTION}]}),
        Distribution(index=1, ids=[3, 7], p=[0.5, 0.25], rest=0.25),
        Delta(channel="content", text="84 "),
        Problem(kind="template", text="refused"),
    ]
    mtp = {"drafted": 4, "accepted": 3, "forwards": 2}
    second = [event for event in step_two() if not isinstance(event, Token) or event.index == 1]
    second[-3] = ModelEnd(finish="stop_token", mtp=mtp, usage={"prompt_tokens": 7}, tok_per_s=9.5)
    events = stamped(head, first, second, [event for event in faulty() if event.step == 1])
    end = RunEnd(
        run="run-1", stop_reason="answer", final=ANSWER, usage={"prompt_tokens": 7}, ms=300
    )
    return [*events, Unknown(kind="weather", content={"sky": "blue"}), end]
