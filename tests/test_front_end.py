"""The front end against the package: what is committed is what the sources make, and both sides read the same."""

import base64
import filecmp
import json
import math
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agentloop_widgets.events import Delta, ModelEnd, RunStart, Token, stamp
from agentloop_widgets.widgets.columns import clean, spelled
from agentloop_widgets.widgets.feed import Feed
from agentloop_widgets.widgets.static_files import PARTS, module, static
from agentloop_widgets.widgets.wording import amount, duration, percent

ROOT = Path(__file__).resolve().parent.parent
JS, STATIC = ROOT / "js", ROOT / "agentloop_widgets" / "static"
NODE = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
SOURCES = sorted(path for path in JS.rglob("*.js") if "node_modules" not in path.parts)


def node(*arguments, **options) -> str:
    done = subprocess.run(
        [NODE, *map(str, arguments)], cwd=JS, capture_output=True, text=True, **options
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


# What is committed.


def test_the_committed_files_are_what_the_sources_make(tmp_path):
    node("build.mjs", tmp_path)
    names = sorted(path.name for path in STATIC.iterdir())
    assert sorted(path.name for path in tmp_path.iterdir()) == names and len(names) == 13
    assert filecmp.cmpfiles(tmp_path, STATIC, names, shallow=False) == (names, [], [])


def test_the_sources_fit_their_types():
    node("node_modules/typescript/bin/tsc", "-p", "jsconfig.json")


def test_the_front_ends_own_tests():
    said = node("--test", *sorted((JS / "test").glob("*.test.mjs")))
    assert re.search(r"^# fail 0$", said, re.M) and int(re.search(r"^# pass (\d+)$", said, re.M)[1])


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(JS)))
def test_a_source_is_short_and_only_ever_sets_text(path):
    source = path.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 300
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", source)
    assert path.parent == JS or source.startswith("//"), "a source says what it is"


@pytest.mark.parametrize("name", PARTS)
def test_a_module_is_small_whole_and_asks_for_nothing(name):
    assert all(len(static(f"{part}.js").encode()) < 30_000 for part in PARTS[name])
    text = module(name)
    assert not re.search(r"^\s*import\b|\bfetch\(|XMLHttpRequest|https?://", text, re.M)
    assert "</script" not in text and "<!--" not in text
    assert len(text.splitlines()) > 500, "it is not minified"


def test_no_text_stands_outside_the_tables():
    """A literal with two words in it is a text for a person, unless it is a list of classes, a selector or an attribute's value."""
    known = re.compile(r"[.#:\[>(=]|^(use strict|msg|change)|^[a-z-]+( [a-z-]+)*$")
    for path in SOURCES:
        if path.name in ("strings.js", "block.js", "hold.js"):
            continue
        code = re.sub(r"(?s)/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"))
        for literal in re.findall(r"\"([^\"\n]*)\"|'([^'\n]*)'", code):
            text = next(filter(None, literal), "")
            assert not re.search(r"[A-Za-z]{2,} +[A-Za-z]{2,}", text) or known.search(text), (path.name, text)  # fmt: skip
            assert not re.search(r"[\u3400-\u9fff]", text) or text == "中文", (path.name, text)


def test_every_key_that_is_said_is_there_and_every_text_is_said():
    table = (JS / "strings.js").read_text(encoding="utf-8")
    keys = set(re.findall(r'^  "?([\w.]+)"?: \[', table, re.M))
    code = "\n".join(
        path.read_text(encoding="utf-8") for path in SOURCES if path.name != "strings.js"
    )
    assert len(keys) > 50
    said = set(re.findall(r'\bsay\([^)]*?"([\w.]+)"', code))
    assert said <= keys
    made = re.compile(
        "|".join(re.escape(stem) + r"\w+" for stem in re.findall(r"`([\w.]+[._])\$\{", code))
    )
    unused = {
        key
        for key in keys
        if not re.search(rf'"{re.escape(key)}"|\b{re.escape(key)}: ', code)
        and not made.fullmatch(key)
    }
    assert unused == set()


# What both sides read.


def some_tokens(n: int, seed: int = 0) -> list[Token]:
    chance = random.Random(seed)
    tokens = []
    for index in range(n):
        ids = [chance.randrange(2**18) for _ in range(chance.choice([0, 3, 5]))]
        number = ids[0] if ids else chance.randrange(50)
        tokens.append(
            Token(
                index=index,
                id=number,
                piece=f"p{number}",
                text=chance.choice([f"p{number}", "", "模型", "a\nb"]),
                special=chance.random() < 0.1,
                channel=chance.choice(["thought", "tool_call", "content", "control"]),
                p=chance.choice([None, 0.0, 1.0, chance.random(), 1e-9, 1 - 1e-9]),
                rank=chance.choice([None, 1, 200_000]),
                p_sampled=chance.random(),
                kept=chance.choice([None, 1, 151_000]),
                entropy=chance.choice([None, chance.random() * 8]),
                ms=chance.choice([None, chance.random() * 100]),
                top=[{"id": id, "piece": f"p{id}", "p": chance.random(), "kept": chance.random() < 0.5} for id in ids],
                draft=chance.choice([None, {"accepted": True, "id": 3, "piece": "x", "p": 0.5}]),
                step=1 + (index * 2 >= n),
            )
        )  # fmt: skip
    return tokens


def read_by_the_front_end(events, numbers=(), texts=()) -> dict:
    feed = Feed("tokens")
    for seq, event in enumerate(events):
        stamp(event, "r", seq, seq / 10, event.step)
    for start in range(0, len(events), 7):
        feed.add(events[start : start + 7])
        feed.take()
    snapshot = feed.snapshot()
    for part in snapshot["tokens"]:
        part["bytes"] = base64.b64encode(part["bytes"]).decode()
    given = {"snapshot": snapshot, "numbers": list(numbers), "texts": list(texts)}
    return json.loads(node(ROOT / "tests" / "decode.mjs", input=json.dumps(given)))


def close(read: float | None, given: float | None, within: float = 2e-5) -> bool:
    return read is None if given is None else math.isclose(read, given, rel_tol=within, abs_tol=0)


def test_a_token_is_read_as_its_event_says():
    tokens = some_tokens(400)
    read = read_by_the_front_end(tokens)["tokens"]
    found = [*read["1"], *read["2"]]
    assert len(found) == 400
    for token, seen in zip(tokens, found, strict=True):
        for name in ("id", "piece", "text", "special", "channel", "rank", "kept"):
            assert seen[name] == getattr(token, name), name
        for name, read_as in (("p", "p"), ("p_sampled", "q"), ("entropy", "entropy"), ("ms", "ms")):
            assert close(seen[read_as], getattr(token, name)), name
        assert token.p is None or (seen["p"] < 1) == (token.p < 1)
        assert [(c["id"], c["piece"], c["kept"]) for c in seen["top"]] == [
            (rival["id"], rival["piece"], rival["kept"]) for rival in token.top
        ]
        assert all(
            close(c["p"], rival["p"], 1e-3) for c, rival in zip(seen["top"], token.top, strict=True)
        )
        assert bool(seen["draft"]) == bool(token.draft)


def test_odd_tokens_are_read_too():
    odd = [
        Token(index=0, id=-1, piece="?", text="?", p=math.nan, entropy=math.inf, rank=-3),
        Token(index=1, id=2**40, piece="\ud800", text="\ud800", channel="else", p="0.5"),
        Token(index=2, id=None, piece="", text="", top=[{"id": None, "piece": "x", "p": None}]),
        Token(index=3, id=5, piece="a", text="a"),
        Token(index=4, id=5, piece="b", text="b", top=[{"id": 5, "piece": "c", "p": -math.inf}]),
    ]
    seen = read_by_the_front_end(odd)["tokens"]["0"]
    assert [token["id"] for token in seen] == [None, None, None, 5, 5]
    assert [token["piece"] for token in seen] == ["?", "\ufffd", "", "a", "b"]
    assert seen[0]["p"] is None and seen[0]["entropy"] is None and seen[0]["rank"] is None
    assert seen[1]["channel"] == "else" and seen[1]["p"] is None
    assert seen[2]["top"] == [{"id": None, "piece": "x", "p": None, "kept": True}]
    assert seen[4]["top"][0]["piece"] == "c" and seen[4]["top"][0]["p"] is None


def test_a_providers_text_is_read_as_text():
    deltas = [Delta(channel="content", text=text, step=1) for text in ("Seven ", "times 12.")]
    read = read_by_the_front_end(
        [*deltas, ModelEnd(finish="stop_token", raw="Seven times 12.", step=1)]
    )
    assert [
        (token["text"], token["plain"], token["id"], token["p"]) for token in read["tokens"]["1"]
    ] == [
        ("Seven ", True, None, None),
        ("times 12.", True, None, None),
    ]
    assert read["raw"] == ["Seven times 12."]


def test_what_the_model_wrote_where_the_tokens_do_not_say_it():
    events = [
        RunStart(harness="turn", model="m"),
        Token(index=0, id=1, piece="a", text="a", step=1),
    ]
    assert read_by_the_front_end([*events, ModelEnd(finish="error", raw="a<0xE4>", step=1)])["raw"] == ["a<0xE4>"]  # fmt: skip


def test_both_sides_say_numbers_and_texts_alike():
    chance = random.Random(1)
    numbers = [
        0,
        1,
        0.5,
        1e-9,
        0.99996,
        0.9995,
        0.00012,
        12,
        1234,
        1234567,
        0.1,
        0.0999,
        3.14159,
        999.6,
    ]
    numbers += [chance.random() ** chance.choice([1, 3, 9]) for _ in range(500)]
    numbers += [chance.random() * 10 ** chance.randrange(8) for _ in range(300)]
    texts = [
        "it's",
        'a "b"',
        "\n\t\r",
        "a" * 60,
        "\x00\x1b\x7f",
        "模型" * 20,
        "\u202eabc",
        "😀" * 30,
    ]
    said = read_by_the_front_end([], numbers, texts)["said"]
    assert said["percent"] == [percent(n) if 0 <= n <= 1 else None for n in numbers]
    assert said["amount"] == [amount(n) for n in numbers]
    assert said["duration"] == [duration(n) for n in numbers]
    assert said["clean"] == [clean(text) for text in texts]
    assert said["spelled"] == [spelled(text, 24) for text in texts]
