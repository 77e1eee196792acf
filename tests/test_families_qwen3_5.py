"""The Qwen3.5 family: prompts cut into segments, outputs taken apart, messages put in normal form."""

import json

import pytest
from family_checks import STRING, called, kinds, name_of, tool
from family_models import QWEN
from qwen3_5_rendering import (
    MEDIA,
    last_query,
    render,
    render_assistant,
    render_call,
    render_content,
    thought_and_content,
)
from reports import report, tools_of

from agentloop_widgets.families import FAMILIES, Parsed, render_shielded

FAMILY = FAMILIES["qwen3_5"]
GOLDEN, RENDERED = QWEN.golden, QWEN.rendered
OPEN, CLOSED = QWEN.tail, QWEN.silent
call_text = QWEN.call_text
golden_renderings = pytest.mark.parametrize("golden", RENDERED, ids=name_of)
LS = [tool(p=STRING)]


# The published template's renderings.


def test_there_are_124_renderings_and_4_refusals():
    assert (len(RENDERED), len(GOLDEN) - len(RENDERED)) == (124, 4)


def expected_segments(golden):
    """What the prompt shows besides its control text: (role, kind, text) in order."""
    messages, query = golden["messages"], last_query(golden["messages"])
    shown = []
    if golden["tools"]:
        schemas = "\n".join(json.dumps(each, ensure_ascii=False) for each in golden["tools"])
        shown.append(("tools", "schema", schemas))
    for index, message in enumerate(messages):
        role = message["role"]
        if role == "assistant":
            thought, content = thought_and_content(message)
            shown.append(("assistant", "thought", thought if index > query else ""))
            shown.append(("assistant", "text", content))
            shown += [
                ("assistant", "tool_call", render_call(c["function"]))
                for c in message.get("tool_calls", ())
            ]
        elif role == "tool":
            shown.append(("tool", "tool_response", render_content(message["content"]).strip()))
        elif isinstance(message["content"], str):
            shown.append((role, "text", message["content"].strip()))
        else:
            media = [
                (role, "media", MEDIA[p["type"]]) for p in message["content"] if p["type"] in MEDIA
            ]
            text = "".join(p.get("text", "") for p in message["content"])
            shown += [*media, (role, "text", text)]
    if golden["add_generation_prompt"]:
        shown.append(
            (
                "assistant",
                "generation",
                "<|im_start|>assistant\n" + (OPEN if golden["enable_thinking"] else CLOSED),
            )
        )
    return [each for each in shown if each[2]]


@golden_renderings
def test_segments_hold_the_messages_texts(golden):
    prompt = golden["rendered"]
    shown = [(s.role, s.kind, prompt[s.start : s.end]) for s in FAMILY.segments(prompt)]
    preamble = [each for each in shown if each[:2] == ("tools", "text")]
    assert len(preamble) == (2 if golden["tools"] else 0)
    assert [
        each for each in shown if each[1] != "control" and each not in preamble
    ] == expected_segments(golden)
    assert all(not text.strip() or "<" in text for _, kind, text in shown if kind == "control")


def assistant_turns(golden):
    """The assistant's turns as they stand in the prompt, without the line that opens them."""
    head = "<|im_start|>assistant\n"
    for part in golden["rendered"].split(head)[1:]:
        if "<|im_end|>" in part:
            yield part[: part.index("<|im_end|>") + len("<|im_end|>")]


@golden_renderings
def test_rendered_assistant_messages_parse_back(golden):
    query = last_query(golden["messages"])
    messages = [(i, m) for i, m in enumerate(golden["messages"]) if m["role"] == "assistant"]
    turns = list(assistant_turns(golden))
    assert len(turns) == len(messages)
    for (index, message), turn in zip(messages, turns, strict=True):
        thought, content = thought_and_content(message)
        expected = [call["function"] for call in message.get("tool_calls", ())]
        parsed = FAMILY.parse(turn, golden["tools"])
        assert (parsed.thought, parsed.content) == (thought if index > query else "", content)
        assert called(parsed) == expected and parsed.faults == []
        assert [call.raw for call in parsed.calls] == [render_call(each) for each in expected]
        if turn.startswith(OPEN):
            # As the model writes it: the prompt already holds the opening tag.
            written = FAMILY.parse(turn.removeprefix(OPEN), golden["tools"], prompt_tail=OPEN)
            assert (written.thought, written.content, called(written)) == (
                thought,
                content,
                expected,
            )


# The kind of each of those faults, beyond the one input.


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "  \n",
        "\n",
        "\n\n",
        "a\n",
        "\na",
        "\ta\t",
        "a\r",
        "for i in x:\n    f(i)\n",
        "</y>",
        "&amp;",
        "<x",
        "<parameter",
        "}",
        '{"a": "',
        "None",
        "5",
        "[1]",
        "a <tool_call> b",
        "a </tool_call> b",
        "x\n</function>\ny",
        "x </parameter> y",
        "x\n</parameter>\ny",
        "</think>",
        "<think>",
        "<|im_end|>",
        "\ue000",
        "</tool_call>\n",
        "a\n<parameter=b>\n",
    ],
)
def test_a_string_is_exactly_its_text(value):
    for text in (value, f"one\n{value}\ntwo", f"{value}{value}"):
        parsed = FAMILY.parse(
            f"Hm.\n</think>\n\nSo:\n\n{call_text(p=text)}<|im_end|>", LS, prompt_tail=OPEN
        )
        assert called(parsed) == [{"name": "ls", "arguments": {"p": text}}] and parsed.faults == []
        assert (parsed.thought, parsed.content) == ("Hm.", "So:")


def test_a_value_may_quote_whole_calls():
    quoted = (
        f"Call it so:\n{call_text(p='x', q='y')}\nor so:\n{call_text()}\n{call_text('f', p='1')}"
    )
    for text in (quoted, quoted + "\nDone.\n", call_text(p="x")):
        raw = call_text(p=text, path="t.md") + "\n" + call_text(p=text)
        parsed = FAMILY.parse(raw, [tool(p=STRING, path=STRING)])
        assert called(parsed) == [
            {"name": "ls", "arguments": {"p": text, "path": "t.md"}},
            {"name": "ls", "arguments": {"p": text}},
        ]


@pytest.mark.parametrize(
    "closing",
    [
        "</parameter>\n</function>\n</tool_call>",
        "</parameter>\n</function>",
        "</function>\n</tool_call>",
        "</tool_call>",
        "</function>",
        "</parameter>\n</tool_call>",
        "</parameter>\n</parameter>\n</function>\n</tool_call>",
        "</parameter>\n</function>\n</function>\n</tool_call>",
        "</parameter>\n</function>\n</tool_call>\n</tool_call>",
    ],
)
@pytest.mark.parametrize("behind", ["", "<|im_end|>", "\nDone.", "\n" + call_text(p="z")])
def test_closing_tags_left_out_or_doubled(closing, behind):
    raw = f"<tool_call>\n<function=ls>\n<parameter=p>\ny\n{closing}{behind}"
    parsed = FAMILY.parse(raw, LS)
    if closing == "</function>" and "Done" in behind:  # it may as well be a line of the value
        assert (parsed.calls, kinds(parsed)) == ([], ["cut_call"])
        return
    assert called(parsed)[0] == {"name": "ls", "arguments": {"p": "y"}}
    assert len(parsed.calls) == (2 if "ls" in behind else 1)
    assert parsed.content == ("Done." if "Done" in behind else "")


def test_the_closing_tag_of_a_parameter_before_the_next_is_left_out():
    raw = "<tool_call>\n<function=set>\n<parameter=mode>\nfast\n<parameter=body>\n{}\n</parameter>\n</function>\n</tool_call>"
    tools = [tool("set", mode=STRING, body={"type": "object"})]
    assert called(FAMILY.parse(raw, tools)) == [
        {"name": "set", "arguments": {"mode": "fast", "body": {}}}
    ]
    only_mode = FAMILY.parse(
        raw, [tool("set", mode=STRING)]
    )  # no parameter of the tool: a line of the value
    assert only_mode.calls[0].arguments == {"mode": "fast\n<parameter=body>\n{}"}


@pytest.mark.parametrize(
    "text",
    [
        "<parameter=p>y</parameter>",
        "<parameter=p>\ny</parameter>",
        "<parameter=p>y\n</parameter>",
        "<parameter='p'>\ny\n</parameter>",
        "<parameter= p >\ny\n</parameter>",
    ],
)
@pytest.mark.parametrize(
    "function", ["<function=ls>", '<function="ls">', "<function='ls'>", "<function= ls>"]
)
@pytest.mark.parametrize("glue", ["\n", "", "\n\n", " "])
def test_the_shape_of_a_call_may_vary(text, function, glue):
    raw = glue.join(["<tool_call>", function, text, "</function>", "</tool_call>"])
    assert called(FAMILY.parse(raw, LS)) == [{"name": "ls", "arguments": {"p": "y"}}]
    assert called(FAMILY.parse(raw)) == [{"name": "ls", "arguments": {"p": "y"}}]


@pytest.mark.parametrize("prose", ["I will list them.", "First.\n\nSecond:", "a < b"])
def test_a_function_without_its_frame(prose):
    bare = call_text(p="*.md").removeprefix("<tool_call>\n")
    for raw in (
        f"{prose}\n\n{bare}",
        f"{prose} {bare}",
        f"{prose}\n{bare.removesuffix('</tool_call>')}",
    ):
        parsed = FAMILY.parse(raw, LS)
        assert (
            called(parsed) == [{"name": "ls", "arguments": {"p": "*.md"}}]
            and parsed.content == prose
        )
    unknown = f"{prose}\n\n{bare.replace('ls', 'rm')}"
    for tools in (LS, [], None):
        assert FAMILY.parse(unknown, tools) == Parsed(content=unknown)


@pytest.mark.parametrize(
    "opening",
    [
        "<parameter=",
        "<parameter=>",
        "<parameter>",
        '<parameter name="x">',
        "<parameter=a<b>",
        '<parameter="">',
        "<parameter=cmd",
    ],
)
@pytest.mark.parametrize("place", ["first", "last", "only"])
def test_a_parameter_without_a_name(opening, place):
    bad, good = f"{opening}\necho hi\n</parameter>\n", "<parameter=t>\n7\n</parameter>\n"
    body = {"first": bad + good, "last": good + bad, "only": bad}[place]
    parsed = FAMILY.parse(
        f"<tool_call>\n<function=run>\n{body}</function>\n</tool_call>",
        [tool("run", t={"type": "integer"})],
    )
    assert called(parsed) == [{"name": "run", "arguments": {} if place == "only" else {"t": 7}}]
    assert kinds(parsed) == ["malformed_parameter"] and "echo hi" in parsed.faults[0].text
    assert parsed.faults[0].call == parsed.calls[0]


def test_a_call_that_another_interrupts_is_not_run():
    raw = "<tool_call>\n<function=rm>\n<parameter=p>\nx\n</parameter>\n" + call_text(p="y")
    parsed = FAMILY.parse(raw, [tool("rm", p=STRING), *LS])
    assert called(parsed) == [{"name": "ls", "arguments": {"p": "y"}}]
    assert [(f.kind, f.call.name, f.call.arguments) for f in parsed.faults] == [
        ("malformed_call", "rm", {"p": "x"})
    ]


def test_two_functions_in_one_frame():
    first, second = (
        call_text(name, p="a").removeprefix("<tool_call>\n").removesuffix("\n</tool_call>")
        for name in ("ls", "rm")
    )
    parsed = FAMILY.parse(f"<tool_call>\n{first}\n{second}\n</tool_call>", LS)
    assert [call.name for call in parsed.calls] == ["ls", "rm"] and parsed.content == ""


def test_a_call_to_an_unknown_tool_is_a_call():
    for prose in ("", "Look.\n\n", "Look. "):
        parsed = FAMILY.parse(prose + call_text("rm", p="x"), LS)
        assert called(parsed) == [{"name": "rm", "arguments": {"p": "x"}}]
        assert parsed.content == prose.strip()


# Arguments: what the template writes comes back under the schema.


@pytest.mark.parametrize("revision", [str, json.dumps], ids=["True", "true"])
def test_constants_come_back_from_either_template_revision(revision):
    case = report("P05")
    argument = case["input"]["argument"]
    text = "".join(
        f"<parameter={key}>\n{json.dumps(value) if isinstance(value, list) else revision(value)}\n</parameter>\n"
        for key, value in argument.items()
    )
    raw = f"<tool_call>\n<function=f>\n{text}</function>\n</tool_call>"
    parsed = FAMILY.parse(raw, tools_of({"f": case["schema"]["f"]}))
    assert parsed.calls[0].arguments == case["expected"]["round_trip"] and parsed.faults == []


def test_objects_come_back_with_any_character():
    argument = report("P04")["input"]["argument"]
    for tools in ([tool("f", o={"type": "object"})], [tool("f", o={})], [tool("f")], None):
        assert FAMILY.parse(call_text("f", **argument), tools).calls[0].arguments == argument


NULLABLE = [
    {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    {"oneOf": [{"type": "null"}, {"type": "integer"}]},
    {"type": ["integer", "null"]},
    {"type": "integer", "nullable": True},
    {"allOf": [{"type": ["integer", "string", "null"]}, {"type": ["number", "null"]}]},
    {"$ref": "#/$defs/Count"},
    {"anyOf": [{"$ref": "#/$defs/Loop"}, {"$ref": "#/$defs/Count"}]},
    {"allOf": [{"$ref": "#/$defs/Count"}, {"description": "how many"}]},
    {"enum": [5, None, 7]},
    {"type": "INTEGER", "nullable": True},
]


@pytest.mark.parametrize("schema", NULLABLE, ids=str)
def test_optional_types(schema):
    definitions = {
        "Count": {"type": ["integer", "null"]},
        "Loop": {"anyOf": [{"$ref": "#/$defs/Loop"}, {"type": "integer"}]},
    }
    function = {
        "name": "f",
        "parameters": {"type": "object", "$defs": definitions, "properties": {"n": schema}},
    }
    tools = [{"type": "function", "function": function}]
    for text, value in (("5", 5), ("null", None), ("None", None)):
        parsed = FAMILY.parse(call_text("f", n=text), tools)
        assert parsed.calls[0].arguments == {"n": value} and parsed.faults == []
    parsed = FAMILY.parse(call_text("f", n="five"), tools)
    assert parsed.calls[0].arguments == {"n": "five"} and kinds(parsed) == ["value"]


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        ({"type": "integer"}, "5", 5),
        ({"type": "integer"}, " 5 ", 5),
        ({"type": "integer"}, "+5", 5),
        ({"type": "integer"}, "5.0", 5),
        ({"type": "number"}, "5", 5),
        ({"type": "number"}, "1e-07", 1e-07),
        ({"type": "number"}, ".5", 0.5),
        ({"type": "boolean"}, "TRUE", True),
        ({"type": "string"}, "5", "5"),
        ({"type": "string"}, " 5 ", " 5 "),
        ({"type": "string"}, "null", "null"),
        ({"type": ["string", "null"]}, "null", None),
        ({"type": ["string", "integer"]}, "5", 5),
        ({"type": ["string", "integer"]}, "05", "05"),
        ({"type": ["string", "integer"]}, " 5", " 5"),
        ({"enum": ["1", 2]}, "1", "1"),
        ({"enum": ["1", 2]}, "2", 2),
        ({"const": 3}, "3", 3),
        ({"type": "array", "items": {"type": "integer"}}, "(1, 2)", [1, 2]),
        ({"type": "object"}, "{'a': true, 'b': None}", {"a": True, "b": None}),
        ({"type": "object"}, '{"a": "x\ny"}', {"a": "x\ny"}),
        ({"anyOf": [{"type": "string"}, {"type": "array"}]}, '["a"]', ["a"]),
        ({"anyOf": [{"type": "string"}, {"type": "array"}]}, "[a]", "[a]"),
        ({"properties": {"a": {}}}, '{"a": 1}', {"a": 1}),
        ({}, "hello", "hello"),
        ({}, "True", True),
        ({}, "[1, 2]", [1, 2]),
        (True, "0.25", 0.25),
    ],
)
def test_typed_values(schema, text, value):
    parsed = FAMILY.parse(call_text("f", v=text), [tool("f", v=schema)])
    got = parsed.calls[0].arguments["v"]
    assert got == value and type(got) is type(value) and parsed.faults == []


def test_tools_that_are_odd_do_no_harm():
    odd = [
        None,
        {},
        {"function": None},
        {"function": {"name": 3}},
        {"name": "ls"},
        tool(p=None),
        tool("rm", p={"type": 3, "enum": 4, "anyOf": 5, "$ref": 6}),
    ]
    assert called(FAMILY.parse(call_text("rm", p="x"), odd)) == [
        {"name": "rm", "arguments": {"p": "x"}}
    ]
    deep = {}
    for _ in range(5000):
        deep = {"anyOf": [deep]}
    assert called(FAMILY.parse(call_text(p="5"), [tool(p=deep)])) == [
        {"name": "ls", "arguments": {"p": 5}}
    ]


# Messages in normal form.


def test_normal_form_of_a_foreign_conversation():
    messages = [
        {"role": "developer", "content": [{"type": "text", "text": "Be brief."}]},
        {"role": "user", "content": "go"},
        {
            "role": "assistant",
            "content": None,
            "thinking": "Two.",
            "tool_calls": [
                {
                    "id": "a",
                    "type": "function",
                    "function": {"name": "f", "arguments": '{"x": [1, null]}'},
                },
                {"id": "b", "function": {"name": "g", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "tool_call_id": "b", "content": "B"},
        {"role": "tool", "tool_call_id": "a", "content": "A"},
        {
            "role": "assistant",
            "reasoning": "",
            "reasoning_content": None,
            "content": "<think>x</think>done",
            "tool_calls": [],
        },
    ]
    before = json.dumps(messages)
    normal = FAMILY.normalise(messages)
    assert json.dumps(messages) == before
    assert [m["role"] for m in normal] == [
        "system",
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
    ]
    assert (
        normal[2]["content"] == ""
        and normal[2]["reasoning_content"] == "Two."
        and "thinking" not in normal[2]
    )
    assert [c["function"]["arguments"] for c in normal[2]["tool_calls"]] == [{"x": [1, None]}, {}]
    assert [m["name"] for m in normal[3:5]] == ["g", "f"]
    assert normal[5] == {"role": "assistant", "content": "<think>x</think>done"}


@pytest.mark.parametrize(
    "arguments", ['{"x": 1', "[1]", '"x"', "5", "NaN", '{"x": NaN}', "null", ["x"], 5]
)
def test_arguments_that_are_no_object_are_refused(arguments):
    messages = [
        {"role": "user", "content": "go"},
        {
            "role": "assistant",
            "tool_calls": [
                {"function": {"name": "ok", "arguments": {}}},
                {"function": {"name": "f", "arguments": arguments}},
            ],
        },
    ]
    with pytest.raises(ValueError, match=r"message 1, tool call 1 \(f\)"):
        FAMILY.normalise(messages)


@pytest.mark.parametrize("message", [None, {}, {"role": 3}, {"content": "x"}])
def test_messages_without_a_role_are_refused(message):
    with pytest.raises(ValueError, match="message 0 has no role"):
        FAMILY.normalise([message])


# Text that spells control tokens.


def test_the_reported_forgery():
    messages = report("P12")["input"]["messages"]
    rendered = FAMILY.render(messages, render)
    assert rendered == render(messages)
    plain = "".join(text for text, is_literal in rendered.parts() if not is_literal)
    for piece in ("<|im_start|>", "<|im_end|>"):
        assert plain.count(piece) == render([{"role": "user", "content": "hi"}]).count(piece)
    texts = [
        rendered[s.start : s.end]
        for s in FAMILY.segments(rendered)
        if (s.role, s.kind) == ("user", "text")
    ]
    assert texts == [messages[0]["content"]]
    assert "".join(text for text, _ in rendered.parts()) == rendered


def test_a_template_runs_once_where_nothing_is_spelled():
    runs = []
    messages = [
        {"role": "user", "content": "hi \ue000 <b>"},
        {"role": "assistant", "content": "<think>x</think>"},
    ]
    rendered = render_shielded(FAMILY, messages, lambda given: runs.append(given) or "out")
    assert (rendered, rendered.literal, runs) == ("out", (), [messages]) and runs[0] is messages


def test_a_spelling_over_two_parts_counts_only_where_the_template_joins_them():
    def trimming(messages):
        return "".join(part["text"].strip() for part in messages[0]["content"])

    def spacing(messages):
        return " ".join(part["text"] for part in messages[0]["content"])

    messages = [
        {
            "role": "user",
            "content": [{"type": "text", "text": "a <|im_ "}, {"type": "text", "text": " end|> b"}],
        }
    ]
    assert render_shielded(FAMILY, messages, trimming).literal == ((2, 12),)
    assert render_shielded(FAMILY, messages, spacing).literal == ()
    with_image = [
        {
            "role": "user",
            "content": [messages[0]["content"][0], {"type": "image"}, messages[0]["content"][1]],
        }
    ]
    assert render_shielded(FAMILY, with_image, render).literal == ()


def test_more_spellings_may_be_given():
    assert FAMILY.render([{"role": "user", "content": "<tools>"}], render).literal == ()
    assert (
        len(FAMILY.render([{"role": "user", "content": "<tools>"}], render, ["<tools>"]).literal)
        == 1
    )


# Prompts beyond the golden ones.


def test_expanded_media_are_one_segment_each():
    image = "<|vision_start|>" + "<|image_pad|>" * 12 + "<|vision_end|>"
    frames = "".join(
        f"<{t} seconds><|vision_start|>" + "<|video_pad|>" * 4 + "<|vision_end|>"
        for t in ("0.2", "1.0")
    )
    prompt = f"<|im_start|>user\n{image}{image}Compare {frames}now<|im_end|>\n"
    segments = FAMILY.segments(prompt)
    assert [prompt[s.start : s.end] for s in segments if s.kind == "media"] == [
        image,
        image,
        frames,
    ]
    assert [prompt[s.start : s.end] for s in segments if s.kind == "text"] == ["Compare ", "now"]


def test_a_short_tool_preamble():
    prompt = '<|im_start|>system\n# Tools\n\n<tools>\n{"a": 1}\n{"b": 2}\n</tools>\n\nBe brief. </tools> <IMPORTANT>x</IMPORTANT><|im_end|>\n'
    shown = [
        (s.role, s.kind, prompt[s.start : s.end])
        for s in FAMILY.segments(prompt)
        if s.kind != "control"
    ]
    assert shown[1] == ("tools", "schema", '{"a": 1}\n{"b": 2}')
    assert shown[-1] == ("system", "text", "Be brief. </tools> <IMPORTANT>x</IMPORTANT>")


def test_an_assistants_turn_to_be_continued():
    prompt = "<|im_start|>assistant\n<think>\nSo far"
    assert [(s.kind, prompt[s.start : s.end]) for s in FAMILY.segments(prompt)] == [
        ("generation", prompt[:-6]),
        ("thought", "So far"),
    ]


def test_the_familys_facts():
    assert FAMILY.key == "qwen3_5" and "qwen3_5" in FAMILY.model_types
    assert FAMILY.recommended == {"temperature": 1.0, "top_p": 1.0, "top_k": 20}
    assert FAMILY.stop_pieces == ("<|im_end|>", "<|endoftext|>") and set(FAMILY.stop_pieces) <= set(
        FAMILY.control_pieces
    )
    assert (
        set(FAMILY.channel_switch) <= set(FAMILY.control_pieces)
        and len(set(FAMILY.control_pieces)) == 26
    )
    assert render([{"role": "user", "content": "hi"}]).endswith(FAMILY.thought_prefix)
    assert render_assistant({"content": "x", "reasoning_content": "t"}, True).startswith(
        FAMILY.thought_prefix
    )
