"""Events are JSON-able, read back as they were, and stamped once."""

import dataclasses
import json
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentloop_widgets.events import EVENT_TYPES, Event, Token, Unknown, from_dict, stamp, to_dict

TEXT = st.text(max_size=20)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)


def value_of(hint) -> st.SearchStrategy:
    """Values of an event field's type hint."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is list:
        return st.lists(value_of(arguments[0]), max_size=3)
    if arguments and type(None) in arguments:
        return st.one_of(
            *(st.none() if argument is type(None) else value_of(argument) for argument in arguments)
        )
    simple = {
        str: TEXT,
        int: st.integers(0, 10**6),
        float: st.floats(allow_nan=False, allow_infinity=False),
        bool: st.booleans(),
        dict: st.dictionaries(TEXT, JSON, max_size=3),
    }
    return simple[hint]


def events_of(kind: type[Event]) -> st.SearchStrategy[Event]:
    hints = typing.get_type_hints(kind)
    return st.builds(
        kind,
        **{
            field.name: value_of(hints[field.name])
            for field in dataclasses.fields(kind)
            if field.name != "extra"
        },
    )


@pytest.mark.parametrize("kind", EVENT_TYPES.values(), ids=EVENT_TYPES)
def test_an_event_reads_back_what_it_wrote(kind):
    @given(events_of(kind))
    def check(event):
        line = json.dumps(to_dict(event), allow_nan=False)
        assert from_dict(json.loads(line)) == event

    check()


@given(st.dictionaries(st.sampled_from(["a", "b", "run", "seq"]), JSON))
def test_an_unknown_type_is_kept(content):
    values = {"type": "from_the_future", **content}
    event = from_dict(values)
    assert isinstance(event, Unknown) and to_dict(event) == values


def test_a_known_type_that_lacks_a_field_is_kept_as_unknown():
    assert isinstance(from_dict({"type": "token", "index": 1}), Unknown)


def test_events_are_frozen_and_closed():
    token = Token(index=0, id=1, piece="a", text="a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        token.p = 0.5
    with pytest.raises(TypeError):
        Token(index=0, id=1, piece="a", text="a", colour="blue")


def test_a_stamp_keeps_what_is_there():
    event = stamp(Token(index=0, id=1, piece="a", text="a", run="inner"), "outer", 4, 1.5, 2)
    assert (event.run, event.seq, event.t, event.step) == ("inner", 4, 1.5, 2)
