"""The Gemma 4 family: prompts cut into segments, outputs taken apart, messages rendered."""

import json
import re

import pytest
from family_checks import STRING, called, kinds, name_of, shown, tool
from family_models import GEMMA
from gemma4_rendering import TEMPLATE, render, render_call
from reports import report

from agentloop_widgets.families import FAMILIES, FAULT_KINDS, Parsed
from agentloop_widgets.families.gemma4_order import spoken_text, text_before_calls

FAMILY = FAMILIES["gemma4"]
GOLDEN = GEMMA.golden
TAIL, OFF, THOUGHT = GEMMA.tail, GEMMA.silent, GEMMA.opener
call_text = GEMMA.call_text
golden_renderings = pytest.mark.parametrize("golden", GOLDEN, ids=name_of)
RESULTS = re.compile(r"(?:<\|tool_response>response:.*?<tool_response\|>)+", re.DOTALL)
LS = [tool(p=STRING)]


def quoted(text):
    return f'<|"|>{text}<|"|>'


# The published template's renderings.


def test_there_are_128_renderings():
    assert len(GOLDEN) == 128 and all("rendered" in golden for golden in GOLDEN)


def test_the_template_runs_in_transformers_own_environment():
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models

    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(models.BPE()), bos_token="<bos>"
    )
    for golden in GOLDEN:
        written = tokenizer.apply_chat_template(
            golden["messages"],
            tools=golden["tools"],
            chat_template=TEMPLATE.read_text(encoding="utf-8"),
            tokenize=False,
            add_generation_prompt=golden["add_generation_prompt"],
            enable_thinking=golden["enable_thinking"],
        )
        assert written == golden["rendered"]


def asked_at(messages):
    """The index of the last user message: thoughts behind it are kept, where a call follows them."""
    return max(i for i, message in enumerate(messages) if message["role"] == "user")


def kept_thought(index, messages):
    message = messages[index]
    keeps = index > asked_at(messages) and message.get("tool_calls")
    return message.get("reasoning_content", "") if keeps else ""


def expected_segments(golden):
    """What the prompt shows besides its control text: (role, kind, text) in order."""
    messages, rendered = golden["messages"], []
    system = [m["content"].strip() for m in messages if m["role"] == "system"]
    declarations = re.findall(r"<\|tool>declaration:.*?<tool\|>", golden["rendered"])
    rendered += [("system", "text", text) for text in system]
    rendered += [("tools", "schema", text) for text in declarations]
    later = ""
    for index, message in enumerate(messages):
        role = message["role"]
        if role != "tool" and later:
            rendered.append(("assistant", "text", later))
            later = ""
        if role == "assistant":
            rendered.append(("assistant", "thought", kept_thought(index, messages)))
            rendered += [
                ("assistant", "tool_call", render_call(call["function"]))
                for call in message.get("tool_calls", ())
            ]
            later = spoken_text(message["content"])
        elif role == "tool":
            rendered.append(("tool", "tool_response", message["content"]))
        elif role == "user" and isinstance(message["content"], str):
            rendered.append((role, "text", message["content"].strip()))
        elif role == "user":
            parts = message["content"]
            rendered += [(role, "media", f"<|{p['type']}|>") for p in parts if p["type"] != "text"]
            rendered.append((role, "text", "".join(p.get("text", "").strip() for p in parts)))
    rendered.append(("assistant", "text", later))
    for tail in (OFF, TAIL):
        if golden["add_generation_prompt"] and golden["rendered"].endswith(tail):
            rendered.append(("assistant", "generation", tail))
            break
    return [each for each in rendered if each[2]]


@golden_renderings
def test_segments_hold_the_messages_texts(golden):
    segments = shown(FAMILY, golden["rendered"])
    assert [each for each in segments if each[1] != "control"] == expected_segments(golden)
    assert all("<" in text for _, kind, text in segments if kind == "control")


def outputs_in(prompt):
    """What the model wrote, step by step, as it stands in the prompt."""
    for turn in prompt.split(TAIL)[1:]:
        text = turn.split("<turn|>\n")[0]
        steps = RESULTS.split(text)
        if text in ("", OFF.removeprefix(TAIL)) and "<turn|>" not in turn:
            continue  # what asks the model to write
        yield from steps if "<turn|>" in turn or steps[-1] else steps[:-1]


def expected_outputs(messages):
    """(thought, reply, calls) of every step, as the template tells it: a text behind the results of its calls."""
    for index, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        content = spoken_text(message["content"])
        calls = [call["function"] for call in message.get("tool_calls", ())]
        if calls:
            yield kept_thought(index, messages), "", calls
        if content or not calls:
            yield "", content, []


@golden_renderings
def test_rendered_assistant_messages_parse_back(golden):
    outputs, expected = (
        list(outputs_in(golden["rendered"])),
        list(expected_outputs(golden["messages"])),
    )
    assert len(outputs) == len(expected)
    for output, (thought, content, calls) in zip(outputs, expected, strict=True):
        for tail in (TAIL, OFF, ""):
            parsed = FAMILY.parse(output, golden["tools"], prompt_tail=tail)
            assert (parsed.thought, parsed.content) == (thought, content)
            assert called(parsed) == calls and parsed.faults == []
            assert [call.raw for call in parsed.calls] == [render_call(each) for each in calls]


@golden_renderings
def test_no_prompt_of_the_template_ends_in_the_thoughts(golden):
    prompt = golden["rendered"]
    assert not prompt.endswith(FAMILY.thought_prefix) and not FAMILY.starts_in_thought(prompt)
    parsed = FAMILY.parse("Yes.<turn|>", golden["tools"], prompt_tail=prompt)
    assert parsed == Parsed(content="Yes.")


# Faults reported in public against other projects.


def test_there_are_16_reports():
    assert len(GEMMA.reports) == 16


# Strings.


@pytest.mark.parametrize(
    "value",
    [
        "", " ", "\n", "a\n", "\ta\t", "for i in x:\n    f(i)\n", "{", "}", "]", "[1]", ",", ", b", ":", "=", "a=b", "a:b", "null",
        "5", "true", '"', "'", '"x"', "\\", "\\n", "a\\", "<", "<|", "<|b|>", "</think>", "<channel|>", "<|channel>thought\n", "<turn|>",
        "<|tool_call>", "<tool_call|>", "<tool_call|> and", "<|tool_response>", "call:f{}", "key:value,other:3", "{a:1}", "\ue000", "é", "🎈",
    ],
)  # fmt: skip
def test_a_string_is_exactly_its_text(value):
    for text in (value, f"one\n{value}\ntwo", f"{value}{value}"):
        for arguments in ({"p": text}, {"p": [text, {"q": text}], "q": text}):
            raw = f"{THOUGHT}Hm.\n<channel|>So: {call_text(**arguments)}<|tool_response>"
            parsed = FAMILY.parse(raw, prompt_tail=TAIL)
            assert called(parsed) == [{"name": "ls", "arguments": arguments}]
            assert (parsed.thought, parsed.content, parsed.faults) == ("Hm.", "So:", [])


@pytest.mark.parametrize(
    "text",
    [
        'print(<|"|>hi<|"|>)',
        'x = {<|"|>a<|"|>: 1, <|"|>b<|"|>: 2}',
        'x = {<|"|>a<|"|>}',
        'f(<|"|>a<|"|>, <|"|>b<|"|>)',
        'f(<|"|>a<|"|>, end=<|"|>b<|"|>)',
        'say <|"|>hi<|"|>, then: go',
        'say <|"|>hi<|"|>',
    ],
)
@pytest.mark.parametrize("behind", ["", ",n:1"])
def test_a_marker_inside_a_string_is_a_quotation_mark(text, behind):
    raw = f'<|tool_call>call:py{{code:<|"|>{text} <|"|>{behind}}}<tool_call|>'
    parsed = FAMILY.parse(raw, [tool("py", code=STRING, n={"type": "integer"})])
    expected = {"code": text.replace('<|"|>', '"') + " ", **({"n": 1} if behind else {})}
    assert called(parsed) == [{"name": "py", "arguments": expected}] and parsed.faults == []


def test_a_key_that_the_tool_does_not_have_is_still_a_key():
    raw = call_text(p="x", extra="y", other=3)
    for tools in (LS, [], None):
        assert called(FAMILY.parse(raw, tools)) == [
            {"name": "ls", "arguments": {"p": "x", "extra": "y", "other": 3}}
        ]


def test_a_value_may_quote_whole_calls():
    quotes = [call_text(p="x"), f"{call_text(p='x')}{call_text('f', q=[1])}", call_text() + "\n"]
    for text in (*quotes, f"Call it so:\n{quotes[1]}\nDone.\n"):
        raw = call_text(p=text, q="t.md") + call_text(p=text)
        assert [call.arguments for call in FAMILY.parse(raw, LS).calls] == [
            {"p": text, "q": "t.md"},
            {"p": text},
        ]


def test_a_string_that_is_never_closed_does_not_swallow_the_next_call():
    raw = f'<|tool_call>call:f{{a:<|"|>hello}}<tool_call|>{call_text(p="x")}'
    parsed = FAMILY.parse(raw, LS)
    assert called(parsed) == [{"name": "ls", "arguments": {"p": "x"}}]
    assert [(f.kind, f.text) for f in parsed.faults] == [
        ("malformed_call", '<|tool_call>call:f{a:<|"|>hello}<tool_call|>')
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"Oslo"', "Oslo"),
        ("'Oslo'", "Oslo"),
        ('"a \\"b\\" \\n"', 'a "b" \n'),
        ("'it\\'s'", "it's"),
        ('"it\'s"', "it's"),
        ("'s-Hertogenbosch", "'s-Hertogenbosch"),
        ("Oslo", "Oslo"),
        ("New York", "New York"),
        ("Bergen, Norway", "Bergen, Norway"),
        (" Oslo ", "Oslo"),
        ('rain, wind<|"|>', "rain, wind"),
        ('say <|"|>hi<|"|> now<|"|>', 'say "hi" now'),
        ("", ""),
    ],
)
@pytest.mark.parametrize("behind", ["", ",n:1", ", n: 1"])
def test_other_ways_to_quote_a_string(text, value, behind):
    raw = f"<|tool_call>call:f{{p:{text}{behind}}}<tool_call|>"
    for tools in ([tool("f", p=STRING, n={"type": "integer"})], None):
        parsed = FAMILY.parse(raw, tools)
        assert called(parsed) == [
            {"name": "f", "arguments": {"p": value, **({"n": 1} if behind else {})}}
        ]
        assert kinds(parsed) == (["malformed_parameter"] if text.endswith('<|"|>') else [])


# Other values.


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-0.5", -0.5),
        ("2e3", 2000.0),
        ("1e-07", 1e-07),
        ("true", True),
        ("False", False),
        ("null", None),
        ("None", None),
        ("[]", []),
        ("{}", {}),
        ("[1,[2,{a:[]}],null]", [1, [2, {"a": []}], None]),
        ('{a:{b:<|"|>x<|"|>},c:true}', {"a": {"b": "x"}, "c": True}),
        ('{"a": {\'b\': "x"}, "c": True}', {"a": {"b": "x"}, "c": True}),
        ('{<|"|>a b<|"|>:1,<|"|>c<|"|>:<|"|>d<|"|>}', {"a b": 1, "c": "d"}),
        ("[1,2,]", [1, 2]),
        ("[a, b]", ["a", "b"]),
        ("007", "007"),
        ("1e999", "1e999"),
        ("nan", "nan"),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_values_without_a_schema(text, value):
    parsed = FAMILY.parse(f"<|tool_call>call:f{{v:{text},w:1}}<tool_call|>")
    assert called(parsed) == [{"name": "f", "arguments": {"v": value, "w": 1}}]
    assert type(parsed.calls[0].arguments["v"]) is type(value) and parsed.faults == []


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        (STRING, "5", "5"),
        (STRING, "true", "true"),
        (STRING, "Oslo", "Oslo"),
        (STRING, "null", None),
        ({"enum": ["None", "all"]}, "None", "None"),
        ({"type": "integer"}, quoted("5"), 5),
        ({"type": "integer"}, quoted(" 5.0 "), 5),
        ({"type": "number"}, quoted("5"), 5),
        ({"type": "boolean"}, quoted("True"), True),
        ({"type": ["string", "integer"]}, quoted("5"), "5"),
        ({"type": ["string", "integer"]}, "5", 5),
        ({"type": ["integer", "null"]}, "null", None),
        ({"type": "object"}, quoted('{"a": [1]}'), {"a": [1]}),
        ({"type": "array", "items": STRING}, "[1,b]", ["1", "b"]),
        ({"type": "array", "items": {"type": "integer"}}, f"[{quoted('1')},2]", [1, 2]),
        ({"type": "object", "properties": {"a": STRING}}, "{a:7,b:7}", {"a": "7", "b": 7}),
        ({"$ref": "#/$defs/Point"}, f"{{x:{quoted('1')},tags:[2]}}", {"x": 1, "tags": ["2"]}),
        (
            {"anyOf": [{"$ref": "#/$defs/Point"}, {"type": "null"}]},
            f"{{x:{quoted('1')}}}",
            {"x": 1},
        ),
        ({}, quoted("5"), "5"),
        (True, "5", 5),
    ],
)
def test_values_under_a_schema(schema, text, value):
    point = {
        "properties": {"x": {"type": "integer"}, "tags": {"type": "array", "items": STRING}},
        "type": "object",
    }
    tools = [tool("f", v=schema)]
    tools[0]["function"]["parameters"]["$defs"] = {"Point": point}
    parsed = FAMILY.parse(f"<|tool_call>call:f{{v:{text}}}<tool_call|>", tools)
    assert called(parsed) == [{"name": "f", "arguments": {"v": value}}] and parsed.faults == []


@pytest.mark.parametrize("stray", ["Oslo", quoted("Oslo"), "5", ":5", "[1]"])
@pytest.mark.parametrize("place", ["first", "last", "only"])
def test_what_is_no_parameter(stray, place):
    good = "n:7"
    body = {"first": f"{stray},{good}", "last": f"{good},{stray}", "only": stray}[place]
    parsed = FAMILY.parse(f"<|tool_call>call:f{{{body}}}<tool_call|>")
    assert called(parsed) == [{"name": "f", "arguments": {} if place == "only" else {"n": 7}}]
    assert kinds(parsed) == ["malformed_parameter"]
    assert parsed.faults[0].call == parsed.calls[0]


# The frame of a call.


@pytest.mark.parametrize("name", ["ls", "srv:list-events.v2", "a;b", "x/y", "名字", "f_1", "call"])
@pytest.mark.parametrize("space", ["", " ", "\n"])
def test_names_and_spaces(name, space):
    raw = space.join(["<|tool_call>", "call:", name, "{", "n:1", "}", "<tool_call|>"])
    assert called(FAMILY.parse(raw)) == [{"name": name, "arguments": {"n": 1}}]


@pytest.mark.parametrize("closing", ["<tool_call|>", "", "<tool_call|><tool_call|>"])
@pytest.mark.parametrize(
    "behind", ["", "<|tool_response>", "<turn|>", call_text("rm"), "<|tool_response>x"]
)
def test_closing_pieces_left_out_or_doubled(closing, behind):
    raw = call_text(p="y").removesuffix("<tool_call|>") + closing + behind
    parsed = FAMILY.parse(raw, LS)
    assert called(parsed)[0] == {"name": "ls", "arguments": {"p": "y"}}
    assert len(parsed.calls) == (2 if "rm" in behind else 1)
    assert (parsed.content, parsed.faults) == ("", [])


def test_a_call_that_another_interrupts_is_not_run():
    for begun in ("<|tool_call>call:rm{p:x", "<|tool_call>call:rm{n:1,", "<|tool_call>call:rm{"):
        parsed = FAMILY.parse(begun + call_text(p="y"), LS)
        assert called(parsed) == [{"name": "ls", "arguments": {"p": "y"}}]
        assert [(f.kind, f.call.name, f.text) for f in parsed.faults] == [
            ("malformed_call", "rm", begun)
        ]


@pytest.mark.parametrize(
    "result",
    [
        '<|tool_response>response:ls{value:<|"|>99<|"|>}<tool_response|>It is 99.<turn|>',
        "<|tool_response>" + call_text("rm", p="/"),
        "<|tool_response>" + THOUGHT + "Hm.\n<channel|>Done.",
        "<|tool_response>",
    ],
)
def test_a_result_that_the_model_writes_ends_the_reading(result):
    for head, thought in (("", ""), (f"{THOUGHT}Look.\n<channel|>", "Look.")):
        parsed = FAMILY.parse(f"{head}So:{call_text(p='y')}{result}", LS, prompt_tail=TAIL)
        assert called(parsed) == [{"name": "ls", "arguments": {"p": "y"}}]
        assert (parsed.thought, parsed.content, parsed.faults) == (thought, "So:", [])


# Thoughts.


def test_what_a_tool_wrote_opens_no_thoughts():
    messages, _ = turn_of_p09()
    messages = [*messages[:-1], {**messages[-1], "content": f"the opener {THOUGHT}"}]
    parsed = FAMILY.parse("Yes.<turn|>", prompt_tail=FAMILY.render(messages, render))
    assert parsed == Parsed(content="Yes.")


# Streams.


def test_values_only_grow_in_a_stream():
    raw = report("G08")["input"]["chunks"]
    parser, shown_before = FAMILY.parser(), {}
    for character in "".join(raw):
        parser.feed(character)
        calls = [*parser.so_far.calls, *(fault.call for fault in parser.so_far.faults)]
        arguments = calls[0].arguments if calls else {}
        assert shown_before.items() <= arguments.items()
        shown_before = arguments
    assert shown_before == {"all": True, "n": 10.5, "z": None}


# Messages.


def turn_of_p09():
    given = report("P09")
    return given["input"]["messages"], given["expected"]


@pytest.mark.parametrize("thinking", [True, False])
def test_a_step_with_text_and_a_call_leaves_its_turn_open(thinking):
    messages, expected = turn_of_p09()
    rendered = FAMILY.render(messages, lambda given: render(given, None, thinking))
    assert (
        rendered.count("<|turn>") - rendered.count("<turn|>") == expected["open_turns_at_end"] == 1
    )
    assert "<turn|>" not in rendered[rendered.index(expected["no_turn_close_after"]) :]
    assert rendered.endswith(
        '<|turn>model\nLet me see.<|tool_call>call:f{}<tool_call|><|tool_response>response:f{value:<|"|>ok<|"|>}<tool_response|>'
    )
    must = report("P10")["expected"]
    assert must["must_contain"] in rendered and must["must_not_contain"] not in rendered


def test_the_next_prompt_begins_with_what_was_read_and_written():
    messages, _ = turn_of_p09()
    before = FAMILY.render(messages[:1], render)
    raw = "Let me see.<|tool_call>call:f{}<tool_call|><|tool_response>"
    assert FAMILY.render(messages, render).startswith(before + raw)
    later = [
        *messages,
        {"role": "assistant", "content": "It is ok."},
        {"role": "user", "content": "And?"},
    ]
    assert (
        FAMILY.render(later, render)
        .removeprefix(FAMILY.render(messages, render))
        .startswith("It is ok.<turn|>\n<|turn>user\nAnd?<turn|>\n")
    )


def test_every_texts_order_is_kept():
    messages = [{"role": "user", "content": "go"}]
    for number in range(3):
        content = [{"type": "text", "text": f"Step {number}."}] if number else f" Step {number}.\n"
        functions = [{"name": name, "arguments": {"n": number}} for name in ("f", "g")]
        calls = [
            {"id": f"{i}{number}", "function": function} for i, function in enumerate(functions)
        ]
        messages.append(
            {
                "role": "assistant",
                "content": content,
                "tool_calls": calls,
                "reasoning_content": f"Thought {number}.",
            }
        )
        messages += [
            {"role": "tool", "tool_call_id": call["id"], "content": "ok"} for call in calls
        ]
    rendered = FAMILY.render(messages, render)
    steps = rendered[rendered.index(TAIL) + len(TAIL) :].split("<|channel>")[1:]
    for number, step in enumerate(steps):
        assert step.startswith(
            f"thought\nThought {number}.\n<channel|>Step {number}.<|tool_call>call:f{{n:{number}}}"
        )
        assert "response:f{" in step and "response:g{" in step
    assert len(steps) == 3 and rendered.count("<turn|>") == 2


def test_a_template_that_writes_no_such_calls_is_left_alone():
    messages, _ = turn_of_p09()

    def plain(given):
        return " ".join(message["content"] for message in given)

    assert text_before_calls(plain)(messages) == "go Let me see. ok"
    marked = [*messages, {"role": "user", "content": "".join(map(chr, range(0xFDD0, 0xFDF0)))}]
    assert text_before_calls(render)(FAMILY.normalise(marked)) == render(FAMILY.normalise(marked))


def test_results_without_a_name_take_it_from_the_calls():
    messages = report("P11")["input"]["messages"]
    assert FAMILY.normalise(messages)[-1]["name"] == "f"
    assert "<|tool_response>response:f{" in FAMILY.render(messages, render)
    alone = [{"role": "user", "content": "go"}, {"role": "tool", "content": "ok"}]
    assert FAMILY.render(alone, render).endswith(
        '<|turn>model\n<|tool_response>response:unknown{value:<|"|>ok<|"|>}<tool_response|>'
    )


def test_one_begin_piece_in_the_ids():
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, processors

    from agentloop_widgets.backends.base import encode_text

    model = Tokenizer(models.BPE(vocab={"<bos>": 0, "<unk>": 1}, merges=[], unk_token="<unk>"))
    model.post_processor = processors.TemplateProcessing(
        single="<bos> $A", special_tokens=[("<bos>", 0)]
    )
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=model, bos_token="<bos>", unk_token="<unk>"
    )
    case = report("P13")
    prompt = FAMILY.render([{"role": "user", "content": "hi"}], lambda m: render(m, None, True))
    assert case["input"]["prompt"] in prompt.replace("<|turn>system\n<|think|>\n<turn|>\n", "")
    assert encode_text(tokenizer, prompt).ids.count(0) == case["expected"]["bos_count"]
    assert tokenizer(str(prompt))["input_ids"].count(0) == 2  # what would go wrong


def test_arguments_as_a_json_string_are_read():
    messages, _ = turn_of_p09()
    messages = json.loads(json.dumps(messages))
    messages[1]["tool_calls"][0]["function"]["arguments"] = '{"x": [1, null, true], "s": "a"}'
    assert 'call:f{s:<|"|>a<|"|>,x:[1,None,true]}' in FAMILY.render(messages, render)


# Prompts beyond the golden ones.


def test_expanded_media_are_one_segment_each():
    image = "<|image>" + "<|image|>" * 12 + "<image|>"
    sound = "<|audio>" + "<|audio|>" * 25 + "<audio|>"
    video = " ".join(
        f"{time} <|image>" + "<|video|>" * 4 + "<image|>" for time in ("00:00", "00:59", "123:04")
    )
    prompt = f"<|turn>user\n{image}{image}Compare {video} and 7{video}{sound}now<turn|>\n"
    segments = shown(FAMILY, prompt)
    assert [text for _, kind, text in segments if kind == "media"] == [
        image,
        image,
        video,
        video,
        sound,
    ]
    assert [text for _, kind, text in segments if kind == "text"] == ["Compare ", " and 7", "now"]


def test_media_of_a_result_are_the_tools():
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]},
        {"role": "tool", "content": [{"type": "text", "text": "a plot"}, {"type": "image"}]},
    ]
    segments = shown(FAMILY, FAMILY.render(messages, render))
    assert [each for each in segments if each[0] == "tool" and each[1] != "control"] == [
        ("tool", "tool_response", "a plot"),
        ("tool", "media", "<|image|>"),
    ]


def test_a_result_that_is_an_object():
    prompt = f"{TAIL}{call_text()}<|tool_response>response:ls{{a:1,b:[2]}}<tool_response|>"
    assert ("tool", "tool_response", "a:1,b:[2]") in shown(FAMILY, prompt)


def test_an_assistants_turn_to_be_continued():
    for prompt, head in ((f"{TAIL}{THOUGHT}So far", f"{TAIL}{THOUGHT}"), (f"{OFF}So far", OFF)):
        kind = "thought" if head != OFF else "text"
        assert [each[1:] for each in shown(FAMILY, prompt)] == [
            ("generation", head),
            (kind, "So far"),
        ]
    assert FAMILY.starts_in_thought(f"<bos>{TAIL}{THOUGHT}")


def test_the_familys_facts():
    assert FAMILY.key == "gemma4" and FAMILY.model_types == ("gemma4", "gemma4_unified")
    assert FAMILY.recommended == {"temperature": 1.0, "top_p": 0.95, "top_k": 64}
    assert FAMILY.stop_pieces == ("<turn|>", "<|tool_response>", "<eos>")
    for pieces in (FAMILY.stop_pieces, FAMILY.channel_switch, FAMILY.media_pieces.values()):
        assert set(pieces) <= set(FAMILY.control_pieces)
    assert set(FAMILY.named_channels) <= set(FAMILY.channel_switch)
    assert len(set(FAMILY.control_pieces)) == len(FAMILY.control_pieces) == 24
    assert set(kinds(FAMILY.parse("<|tool_call>call:f{items:[1,2},n:3}<tool_call|>"))) <= set(
        FAULT_KINDS
    )


def test_its_model_types_are_those_that_transformers_loads_with_media():
    names = pytest.importorskip("transformers.models.auto.modeling_auto")
    known = names.MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES
    assert {name for name in known if name.startswith("gemma4")} == set(FAMILY.model_types)
