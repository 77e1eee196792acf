"""The table of texts: both languages alike, every key used and every used key there, and how the texts are written."""

import ast
import re
from importlib.resources import files
from pathlib import Path
from string import Formatter

import pytest

from agentloop_widgets.trace.strings import LANGUAGES, language, say, texts

PACKAGE = Path(__file__).resolve().parent.parent / "agentloop_widgets"
TABLE = files("agentloop_widgets.trace").joinpath("strings.txt").read_text(encoding="utf-8")
SPACE_AT_THE_END = {"view.separator", "permission.question"}  # joined to what comes next
FORMS = (".one", ".none")  # forms of a counted text, made with the base's key
HAN = "[\u3400-\u9fff]"
FULL = "[，。；：？！（）、「」]"


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_no_key_is_given_twice():
    keys = re.findall(r"(?m)^\[([\w.]+)\]$", TABLE)
    assert sorted(keys) == sorted(texts())


def test_every_line_is_a_key_a_text_a_comment_or_empty():
    line = re.compile(rf"(\[[a-z][\w.]*\]|({'|'.join(LANGUAGES)}): .+|#.*)?")
    assert [text for text in TABLE.splitlines() if not line.fullmatch(text)] == []


@pytest.mark.parametrize("key", texts())
def test_a_text_is_there_in_every_language_with_the_same_places(key):
    assert set(texts()[key]) == set(LANGUAGES)
    assert len({frozenset(places(text)) for text in texts()[key].values()}) == 1
    assert "" not in places(texts()[key]["en"])


# How they are written.


def slips(text: str, tongue: str) -> list[str]:
    """What is wrong with a text's spaces and punctuation."""
    if tongue == "en":
        return re.findall(rf"{HAN}|{FULL}", text)
    found = re.findall(rf"{HAN}[A-Za-z0-9]|[A-Za-z0-9]{HAN}", text)  # a space is due
    found += re.findall(rf"{HAN}[,;:?!()]|[,;:?!()]{HAN}", text)  # half-width beside Han
    return found + re.findall(rf" {FULL}|{FULL} |{HAN} {HAN}", text)  # no space is due


@pytest.mark.parametrize("key", texts())
def test_a_text_has_no_slips(key):
    for tongue, text in texts()[key].items():
        assert slips(text, tongue) == [], text
        assert key in SPACE_AT_THE_END or text.rstrip(" ") == text, text
        assert "  " not in text and not text.startswith(" "), text


@pytest.mark.parametrize(
    "text, tongue",
    [
        ("必須是None", "zh-TW"),
        ("64位元", "zh-TW"),
        ("思考,回答", "zh-TW"),
        ("思考(一)", "zh-TW"),
        ("思考， 回答", "zh-TW"),
        ("這 個", "zh-TW"),
        ("wanted： one", "en"),
    ],
)
def test_a_slip_is_found(text, tongue):
    assert slips(text, tongue)
    assert not slips("思考 T 0.5（回答）：a, b", "zh-TW")


@pytest.mark.parametrize("name", ["temperature", "top_p", "top_k", "max_new_tokens", "seed", "mtp"])
def test_a_refused_sampling_is_said_without_slips(name):
    wanted = {tongue: say(f"sampling.{name}", tongue) for tongue in LANGUAGES}
    for tongue in LANGUAGES:
        said = say("sampling.value", tongue, name=name, wanted=wanted[tongue], value="x")
        assert slips(said, tongue) == [], said


def test_one_word_for_one_thing():
    assert "模板" not in TABLE  # 範本
    assert not re.search(r"軟體程式庫|默認|信息|視頻|變量|字符", TABLE)


@pytest.mark.parametrize("count", [1, 2])
def test_the_notice_about_literals_is_right_for_every_count(count):
    said = say("turn.literal", "en", count=count, pieces="<|im_end|>")
    assert f"{count} " in said + " " or f"{count}×" in said
    assert not re.search(r"\d places? |\d tokens? ", said), said


def test_a_validators_own_words_are_called_so():
    for tongue, word in {"en": "validator", "zh-TW": "驗證器"}.items():
        said = say("fault.invalid", tongue, name="city", message="'' is too short")
        assert word in said and "'' is too short" in said and "city" in said


# Lists.


def test_a_list_is_joined_as_the_language_does():
    from agentloop_widgets.trace.strings import listed

    assert listed(["a", "b", 3]) == "a, b, 3" and listed(["a", "b"], "zh-TW") == "a、b"
    assert listed([]) == "" and listed(["a"], "zh-TW") == "a"
    with language("zh-TW"):
        assert listed(name for name in "ab") == "a、b"
        with pytest.raises(ValueError, match="en、zh-TW"), language("xx"):
            pass


# Which keys the package uses.


class Uses(ast.NodeVisitor):
    """The string constants, the f-strings as patterns and the names of some source."""

    def __init__(self):
        self.constants: set[str] = set()
        self.patterns: set[str] = set()
        self.names: set[str] = set()

    def visit_Constant(self, node):
        if isinstance(node.value, str):
            self.constants.add(node.value)

    def visit_JoinedStr(self, node):
        first = node.values[0]
        if isinstance(first, ast.Constant) and re.match(r"[a-z_]+\.", first.value):
            holes = [
                re.escape(part.value) if isinstance(part, ast.Constant) else r"(\w+)"
                for part in node.values
            ]
            self.patterns.add("".join(holes))
        self.generic_visit(node)

    def visit_Name(self, node):
        self.names.add(node.id)

    def visit_keyword(self, node):
        self.names.add(node.arg or "")
        self.generic_visit(node)

    def read(self, source: str) -> "Uses":
        self.visit(ast.parse(source))
        return self

    def of(self, key: str) -> bool:
        """Whether `key` is written out, is a form of one that is, or is made by an f-string from words that the source knows."""
        if key in self.constants:
            return True
        if key.endswith(FORMS) and self.of(key.rsplit(".", 1)[0]):
            return True
        words = self.names | {word for text in self.constants for word in re.findall(r"\w+", text)}
        matches = (re.fullmatch(pattern, key) for pattern in self.patterns)
        return any(match and set(match.groups()) <= words for match in matches)


def package_sources() -> list[str]:
    return [
        path.read_text(encoding="utf-8")
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.name != "_modidx.py"
    ]


@pytest.fixture(scope="module")
def uses() -> Uses:
    found = Uses()
    for source in package_sources():
        found.read(source)
    return found


@pytest.mark.parametrize("key", texts())
def test_a_key_is_used(uses, key):
    assert uses.of(key), f"nothing in agentloop_widgets uses {key}"


def test_an_unused_key_is_found(uses):
    assert not uses.of("sandbox.nothing_says_this") and not uses.of("fault.nothing_says_this")
    few = Uses().read('say(f"fault.{kind}"); counted("view.steps", 1); kinds = ["missing"]')
    assert few.of("fault.missing") and few.of("view.steps.one") and few.of("view.steps")
    assert not few.of("fault.extra") and not few.of("view.calls.one") and not few.of("view.missing")


def said(tree: ast.AST) -> list[tuple[str, set[str]]]:
    """(key, names of values) of every call say("key", name=...) that writes both out."""
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "say" and node.args
    ]
    written = [call for call in calls if isinstance(call.args[0], ast.Constant)]
    return [
        (call.args[0].value, {keyword.arg for keyword in call.keywords})
        for call in written
        if all(keyword.arg for keyword in call.keywords)
    ]


def test_what_is_said_is_in_the_table_with_its_values():
    calls = [call for source in package_sources() for call in said(ast.parse(source))]
    assert len(calls) > 50
    assert [key for key, _ in calls if key not in texts()] == []
    assert [(key, given) for key, given in calls if given != places(texts()[key]["en"])] == []
