"""Attachments of a turn: saved in the conversation's folder, read by the model or by its tools, still there in the next question."""

import os
from pathlib import Path

import pytest
from PIL import Image
from scripted import ScriptedBackend, call_text

from agentloop_widgets import Turn
from agentloop_widgets.media import MediaError


def test_a_plain_file_is_what_run_python_sees(llm, tmp_path):
    (tmp_path / "numbers.txt").write_text("1 2 3")
    backend = ScriptedBackend(
        llm, call_text(code="print(open('/data/numbers.txt').read())"), "Six."
    )
    turn = Turn(backend, "Sum them.", attachments=tmp_path / "numbers.txt").run()
    assert [event.result for event in turn.events if event.type == "tool_end"] == ["1 2 3\n"]
    assert "/data/numbers.txt" in backend.prompts[0] and "5 B" in backend.prompts[0]
    assert turn.folder != tmp_path and (turn.folder / "numbers.txt").is_file()


def test_what_the_model_does_not_take_is_a_plain_file_and_both_are_told(llm, media_files):
    turn = Turn(
        ScriptedBackend(llm, "Hm."),
        "What is played?",
        attachments=[media_files["sound"]],
        thinking=False,
    ).run()
    assert [event.kind for event in turn.events if event.type == "notice"] == ["attachment"]
    context = next(event for event in turn.events if event.type == "context")
    assert [(row["kind"], row["name"], row["tokens"]) for row in context.media] == [
        ("file", "sound.wav", 0)
    ]
    assert "/data/sound.wav" in context.prompt and "sound.wav" in turn.to_text()


def test_a_picture_stays_with_the_conversation(llm, media_files):
    first = Turn(
        ScriptedBackend(llm, "A slope."), "What is this?", attachments=[media_files["image"]]
    ).run()
    second = Turn(ScriptedBackend(llm, "Blue."), "Which colour?", history=first.messages).run()
    assert second.folder == first.folder
    rows = next(event.media for event in second.events if event.type == "context")
    assert [row["name"] for row in rows] == ["image.png"] and rows[0]["tokens"] > 0


def test_a_plain_file_stays_with_the_conversation(llm, tmp_path):
    (tmp_path / "a.csv").write_text("1")
    first = Turn(ScriptedBackend(llm, "One."), "?", attachments=[tmp_path / "a.csv"]).run()
    second = Turn(ScriptedBackend(llm, "Two."), "And?", history=first.messages)
    assert second.folder == first.folder and "/data/a.csv" in second.render().events[-1].prompt


def test_every_way_to_give_a_file(llm, tmp_path, media_files):
    picture = Image.new("RGB", (64, 48), "red")
    given = [
        media_files["image"],
        str(media_files["clip"]),
        media_files["photo"].read_bytes(),
        picture,
        ("red.png", picture),
        ("a.txt", b"x"),
        {"type": "image", "path": str(media_files["photo"])},
    ]
    turn = Turn(ScriptedBackend(llm, "Hm."), "?", attachments=given, folder=tmp_path)
    assert [attachment.kind for attachment in turn.attachments] == [
        "image",
        "video",
        "image",
        "image",
        "image",
        "file",
        "image",
    ]
    assert all(Path(attachment.path).parent == tmp_path for attachment in turn.attachments)
    alone = Turn(
        ScriptedBackend(llm, "Hm."), "?", attachments=("red.png", picture), folder=tmp_path
    )
    assert [attachment.name for attachment in alone.attachments] == ["red.png"]


def test_a_file_that_is_not_what_it_says(llm, tmp_path):
    (tmp_path / "notes.png").write_text("These are notes.")
    with pytest.raises(MediaError, match=r"notes\.png.*text"):
        Turn(ScriptedBackend(llm, "Hm."), "?", attachments=[tmp_path / "notes.png"])


def test_a_picture_that_is_gone_ends_the_turn_in_words(llm, tmp_path, media_files):
    turn = Turn(
        ScriptedBackend(llm, "Hm."), "?", attachments=[media_files["image"]], folder=tmp_path
    )
    (tmp_path / "image.png").unlink()
    with pytest.raises(MediaError, match=r"image\.png"):
        turn.run()
    assert turn.stop_reason == "error" and any(
        "image.png" in event.text for event in turn.events if event.type == "problem"
    )


def test_a_picture_too_large_for_the_context_says_so(llm, tmp_path, media_files):
    from agentloop_widgets.backends import ContextOverflow

    turn = Turn(
        llm,
        "?",
        attachments=[Image.new("RGB", (500, 500), (n, 0, 0)) for n in range(20)],
    )
    with pytest.raises(ContextOverflow, match=r"4,?096"):
        turn.run()


def history_of(path, kind="image"):
    part = {"type": kind, "path": str(path), "name": path.name}
    return [
        {"role": "user", "content": [part, {"type": "text", "text": "What is this?"}]},
        {"role": "assistant", "content": "A slope."},
    ]


def test_a_folder_of_the_users_is_never_handed_to_tools(llm, tmp_path, media_files):
    own = tmp_path / "own"
    own.mkdir()
    (own / "diary.txt").write_text("private")
    picture = own / "holiday.png"
    picture.write_bytes(media_files["image"].read_bytes())
    look = call_text(code="import os\nprint(sorted(os.listdir('/data')))")
    turn = Turn(
        ScriptedBackend(llm, look, "Hm."),
        "And this?",
        history=history_of(picture),
        attachments=[("note.txt", b"hello")],
    ).run()
    assert turn.folder.resolve() != own.resolve() and sorted(
        path.name for path in own.iterdir()
    ) == ["diary.txt", "holiday.png"]
    assert "diary" not in next(
        event.result + str(event.error) for event in turn.events if event.type == "tool_end"
    )
    assert (
        next(event for event in turn.events if event.type == "context").media[0]["name"]
        == "holiday.png"
    )


def test_what_this_model_does_not_take_of_a_history_becomes_a_plain_file(llm, media_files):
    turn = Turn(
        ScriptedBackend(llm, "Hm."),
        "And now?",
        history=history_of(media_files["sound"], "audio"),
        thinking=False,
    ).run()
    context = next(event for event in turn.events if event.type == "context")
    assert [row["kind"] for row in context.media] == [
        "file"
    ] and "/data/sound.wav" in context.prompt
    assert (turn.folder / "sound.wav").is_file() and [
        event.kind for event in turn.events if event.type == "notice"
    ] == ["attachment"]


def test_an_earlier_plain_file_is_put_where_this_turns_tools_see_it(llm, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    first = Turn(ScriptedBackend(llm, "One."), "?", attachments=[("a.csv", b"1,2")])
    read = call_text(code="print(open('/data/a.csv').read())")
    second = Turn(
        ScriptedBackend(llm, read, "Hm."), "And?", history=first.messages, folder=other
    ).run()
    assert [event.result for event in second.events if event.type == "tool_end"] == ["1,2\n"]


def test_an_earlier_file_that_has_gone_is_still_told(llm, tmp_path):
    turn = Turn(
        ScriptedBackend(llm, "Hm."), "And?", history=history_of(tmp_path / "gone.wav", "audio")
    )
    assert "/data/gone.wav" in turn.render().events[-1].prompt


def test_an_ended_turn_holds_no_tensors(llm, media_files):
    turn = Turn(
        ScriptedBackend(llm, "</think>\n\nA slope."), "?", attachments=[media_files["photo"]]
    )
    turn.render()
    assert turn._loop.stages.encoded.inputs
    turn.run()
    assert turn._loop.stages.encoded.inputs == {} and turn._loop.stages.encoded.media[0].tokens > 0


def test_a_context_that_is_too_long_says_so_when_it_is_rendered(llm):
    pictures = [Image.new("RGB", (500, 500), (number, 0, 0)) for number in range(20)]
    notices = [
        event
        for event in Turn(llm, "?", attachments=pictures).render().events
        if event.type == "notice"
    ]
    assert [event.kind for event in notices] == ["full"] and "will fail" in notices[0].text


def test_a_plain_file_that_is_too_large_is_not_copied(llm, tmp_path):
    with (tmp_path / "data.csv").open("wb") as file:
        file.truncate(300 * 1024 * 1024)
    with pytest.raises(MediaError, match="folder="):
        Turn(llm, "?", attachments=[tmp_path / "data.csv"], folder=tmp_path / "..")


def test_folders_of_a_killed_python_are_swept(tmp_path, monkeypatch):
    import subprocess
    import sys
    import tempfile

    from agentloop_widgets.harness import attachments

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left, ours, foreign = (
        tmp_path / f"agentloop-{ended.pid}-abc",
        tmp_path / f"agentloop-{os.getpid()}-abc",
        tmp_path / "agentloop-notes",
    )
    for folder in (left, ours, foreign):
        folder.mkdir()
    attachments.sweep()
    assert not left.exists() and ours.exists() and foreign.exists()
