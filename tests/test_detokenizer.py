"""The detokenizer: pieces that add up to the tokenizer's own decode, whatever the ids."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reports import reports
from tokenizers import Tokenizer, decoders, models
from transformers import PreTrainedTokenizerFast

from agentloop_widgets.sampling import Detokenizer

CASES = {case["id"]: case for case in reports("detok")}
SETTINGS = {"skip_special_tokens": False, "clean_up_tokenization_spaces": False}


def printable_bytes() -> list[str]:
    """The character with which a byte-level vocabulary writes each byte (GPT-2's table)."""
    own = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in own]
    table = {byte: chr(byte) for byte in own}
    table |= {byte: chr(256 + place) for place, byte in enumerate(others)}
    return [table[byte] for byte in range(256)]


def byte_level(tokens: list[bytes]) -> PreTrainedTokenizerFast:
    """A byte-level vocabulary: token i is tokens[i]; two special tokens follow."""
    table = printable_bytes()
    vocabulary = {"".join(table[byte] for byte in token): i for i, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<|im_start|>", "<|im_end|>"])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer)


def byte_fallback(words: list[str], strip: bool) -> PreTrainedTokenizerFast:
    """A SentencePiece vocabulary: tokens 0 to 255 are bytes, the words follow, then a special token.

    `strip`: whether the text's first space is dropped (Llama does, Gemma does not)."""
    pieces = [f"<0x{byte:02X}>" for byte in range(256)] + words
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[], byte_fallback=True))
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    tokenizer.decoder = decoders.Sequence(steps + [decoders.Strip(" ", 1, 0)] * strip)
    tokenizer.add_special_tokens(["<turn|>"])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer)


# Every byte, and tokens that begin, end or straddle characters.
FRAGMENTS = [
    *(bytes([byte]) for byte in range(256)),
    *(b"Hi", b" ok", "你好".encode(), "�".encode(), b"\xf0\x9f", b"\x98\x80", b"\x98\x80!"),
    *(
        b"\xe2\x82",
        b"\x82\xac\xe2",
        b"a\xf0",
        b"\xed\xa0\x80",
        b"\x9f\x98\x80\xf0\x9f",
        b"\xbf\xbd",
    ),
]
BYTE_LEVEL = byte_level(FRAGMENTS)
WORDS = ["▁", "▁Hi", "Hi", "▁ok", "!", "�", "你", "▁▁", "\n"]
GEMMA = byte_fallback(WORDS, strip=False)
LLAMA = byte_fallback(WORDS, strip=True)


def pieces_of(tokenizer, prompt, ids) -> list[str]:
    detokenizer = Detokenizer(tokenizer, prompt)
    return [*map(detokenizer.push, ids), detokenizer.flush()]


def expected(tokenizer, prompt, ids) -> str:
    """The full text, less what it has in common with the prompt's."""
    full = tokenizer.decode([*prompt, *ids], **SETTINGS)
    own = tokenizer.decode(list(prompt), **SETTINGS) if prompt else ""
    same = 0
    while same < min(len(full), len(own)) and full[same] == own[same]:
        same += 1
    return full[same:]


def case_pieces(case: dict) -> list[str]:
    """A public report's tokens, given as hexadecimal bytes, through the detokenizer."""
    prompt = [bytes.fromhex(token) for token in case["input"].get("prompt_tokens_hex", [])]
    tokens = [bytes.fromhex(token) for token in case["input"]["tokens_hex"]]
    table = sorted({*prompt, *tokens})
    ids = [table.index(token) for token in tokens]
    return pieces_of(byte_level(table), [table.index(token) for token in prompt], ids)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_public_reports(case):
    *deltas, rest = case_pieces(case)
    wanted = case["expected"]
    text = "".join(deltas) + rest
    if "deltas" in wanted:
        assert deltas == wanted["deltas"]
        assert rest == ""
    assert text == wanted.get("text", text)
    assert wanted.get("must_not_contain", "\0") not in text
    assert wanted.get("no", "\0") not in text
    if "x_emitted_at_step" in wanted:
        assert "x" in deltas[wanted["x_emitted_at_step"]]


def test_characters_of_one_byte_tokens_come_out_whole():
    pieces = case_pieces(CASES["D08"])
    assert [piece for piece in pieces if piece] == ["🙂", "🙂", "€"]


def test_byte_fallback_gives_a_replacement_for_each_byte_of_a_broken_run():
    assert pieces_of(GEMMA, [], [0xF0, 0x9F, 0x98]) == ["", "", "", "���"]


def test_byte_fallback_judges_a_run_as_a_whole():
    you = list("你".encode())
    good, bad = [*you, GEMMA.vocab["!"]], [*you, 0xFF, GEMMA.vocab["!"]]
    assert pieces_of(GEMMA, [], good) == ["", "", "", "你!", ""]
    assert "".join(pieces_of(GEMMA, [], bad)) == "����!"


def test_a_long_run_of_bytes_is_kept_together():
    run = list("你好嗎".encode() * 40)
    ids = [GEMMA.vocab["Hi"], *run, GEMMA.vocab["!"], *[GEMMA.vocab["▁ok"]] * 40]
    assert "".join(pieces_of(GEMMA, ids[:200], ids[200:])) == expected(GEMMA, ids[:200], ids[200:])
    assert "".join(pieces_of(GEMMA, [], ids)) == expected(GEMMA, [], ids)


def test_the_first_space_is_dropped_only_at_the_start():
    hi = LLAMA.vocab["▁Hi"]
    assert pieces_of(LLAMA, [], [hi, hi]) == ["Hi", " Hi", ""]
    assert pieces_of(LLAMA, [hi], [hi, hi]) == [" Hi", " Hi", ""]


def test_a_broken_prompt_is_not_repeated():
    half, x = FRAGMENTS.index(b"\xf0\x9f"), ord("x")
    assert pieces_of(BYTE_LEVEL, [x, half], [x]) == ["x", ""]
    assert pieces_of(BYTE_LEVEL, [x, half], []) == [""]


def test_replacement_characters_without_end_are_not_held_back():
    real = FRAGMENTS.index("�".encode())
    for token in (real, 0xFF, 0xF0):
        pieces = pieces_of(BYTE_LEVEL, [], [token] * 200)
        assert pieces == ["", *["�"] * 200]


def test_a_window_never_grows_with_the_text():
    detokenizer = Detokenizer(BYTE_LEVEL, [ord("a")] * 5000)
    straddling = FRAGMENTS.index(b"\x82\xac\xe2")
    widest = 0
    for token in [straddling, 0xF0, ord("a")] * 300 + [straddling] * 1000:
        detokenizer.push(token)
        widest = max(widest, len(detokenizer._window))
    assert widest <= 25


def test_a_prompt_and_a_window_may_end_inside_any_character():
    data = list("aé你😀".encode() * 20)
    for cut in range(40):
        prompt, ids = data[:cut], data[cut:]
        assert "".join(pieces_of(BYTE_LEVEL, prompt, ids)) == expected(BYTE_LEVEL, prompt, ids)


def test_only_decode_is_needed_of_a_byte_level_tokenizer():
    class Decoder:
        def decode(self, ids, **settings):
            return bytes(ids).decode("utf-8", "replace")

    assert pieces_of(Decoder(), [], list("é😀".encode())) == ["", "é", "", "", "", "😀", ""]


SPECIAL = [len(FRAGMENTS), len(FRAGMENTS) + 1]
byte_level_ids = st.lists(
    st.one_of(
        st.integers(0, len(FRAGMENTS) + 1),
        st.integers(256, len(FRAGMENTS) + 1),
        st.integers(0x80, 0xFF),
        st.sampled_from(SPECIAL),
    ),
    max_size=120,
)
fallback_ids = st.lists(
    st.one_of(st.integers(0, 255), st.integers(0x80, 0xBF), st.integers(256, 256 + len(WORDS))),
    max_size=120,
)


@settings(max_examples=300, deadline=None)
@given(prompt=byte_level_ids, ids=byte_level_ids)
def test_byte_level_pieces_add_up(prompt, ids):
    assert "".join(pieces_of(BYTE_LEVEL, prompt, ids)) == expected(BYTE_LEVEL, prompt, ids)


@settings(max_examples=300, deadline=None)
@given(prompt=fallback_ids, ids=fallback_ids, tokenizer=st.sampled_from([GEMMA, LLAMA]))
def test_byte_fallback_pieces_add_up(prompt, ids, tokenizer):
    assert "".join(pieces_of(tokenizer, prompt, ids)) == expected(tokenizer, prompt, ids)


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=60), cuts=st.randoms(use_true_random=False))
def test_no_piece_of_real_text_has_a_broken_character(text, cuts):
    """However a text's bytes are cut into tokens, each piece is text and none comes late."""
    data, tokens = text.encode(), []
    while data:
        size = cuts.randint(1, 5)
        tokens.append(data[:size])
        data = data[size:]
    table = sorted(set(tokens))
    detokenizer = Detokenizer(byte_level(table))
    seen, out = b"", ""
    for token in tokens:
        out += detokenizer.push(table.index(token))
        seen += token
        whole = seen.decode("utf-8", "ignore")
        assert out == whole.removesuffix("�")
    assert out + detokenizer.flush() == text


@pytest.mark.slow
@settings(max_examples=5000, deadline=None)
@given(prompt=byte_level_ids, ids=byte_level_ids)
def test_byte_level_pieces_add_up_at_length(prompt, ids):
    assert "".join(pieces_of(BYTE_LEVEL, prompt, ids)) == expected(BYTE_LEVEL, prompt, ids)


@pytest.mark.slow
@settings(max_examples=5000, deadline=None)
@given(prompt=fallback_ids, ids=fallback_ids, tokenizer=st.sampled_from([GEMMA, LLAMA]))
def test_byte_fallback_pieces_add_up_at_length(prompt, ids, tokenizer):
    assert "".join(pieces_of(tokenizer, prompt, ids)) == expected(tokenizer, prompt, ids)
