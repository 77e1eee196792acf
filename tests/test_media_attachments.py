"""What is attached: what it is, the name it is kept under, the part of the message; decoding once; thumbnails."""

import os
import threading
import unicodedata
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from media_files import clip, picture, refusal, saved, sine, sound, wav
from PIL import Image

from agentloop_widgets.media import (
    Attachment,
    MediaError,
    attach,
    kind_of,
    load_audio,
    load_image,
    load_video,
    safe_name,
    shown_name,
)
from agentloop_widgets.media.sources import source_of
from agentloop_widgets.trace import language
from agentloop_widgets.trace.messages import files_as_text

PNG = saved(picture(), "PNG")


# What it is.


def with_cover() -> bytes:
    """An MP3 with a picture of its cover, which FFmpeg lists as a stream of video."""
    sounds = sound("mp3", "libmp3lame", sine())
    sounds = sounds[10 + int.from_bytes(sounds[6:10], "big") :] if sounds[:3] == b"ID3" else sounds
    cover = saved(picture(), "JPEG")
    body = b"\0image/jpeg\0\3\0" + cover
    frame = b"APIC" + len(body).to_bytes(4, "big") + b"\0\0" + body
    size = len(frame)
    header = b"ID3\3\0\0" + bytes(size >> shift & 0x7F for shift in (21, 14, 7, 0))
    return header + frame + sounds


KINDS = {
    "a.png": (PNG, "image"),
    "wrong.jpg": (PNG, "image"),
    "no_suffix": (PNG, "image"),
    "moving.gif": (
        saved(picture(), "GIF", save_all=True, append_images=[picture(seed=1)]),
        "image",
    ),
    "a.wav": (wav(np.zeros(100)), "audio"),
    "picture.png": (wav(np.zeros(100)), "audio"),
    "cover.mp3": (with_cover(), "audio"),
    "song.m4a": (sound("ipod", "aac", sine()), "audio"),
    "sound.mp4": (sound("mp4", "aac", sine()), "audio"),
    "a.mp4": (clip(frames=3), "video"),
    "a.mkv": (clip("matroska", frames=3), "video"),
    "a.m2ts": (clip("mpegts", frames=30), "video"),
    "notes.txt": (b"hello", "file"),
    "main.ts": (b"const a: number = 1;\n", "file"),
    "data.bin": (bytes(range(256)), "file"),
    "a.pdf": (b"%PDF-1.7", "file"),
    "drawing.svg": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "file"),
    "big5.txt": ("繁體中文".encode("big5"), "file"),
}


@pytest.mark.parametrize("name", KINDS)
def test_the_kind_is_told_by_the_content(name):
    content, kind = KINDS[name]
    assert kind_of(source_of(content, name)) == kind


@pytest.mark.parametrize("name", ["a.png", "a.JPG", "a.gif", "a.mp3", "a.wav", "a.mp4", "a.webm"])
@pytest.mark.parametrize(
    "content", [b"some words\n", b"%PDF-1.7", bytes(range(256)) * 4, b"PK\3\4rest"]
)
def test_a_name_that_claims_what_is_not_there_is_refused(tmp_path, name, content):
    error = refusal(attach, (name, content), tmp_path / "kept")
    assert error.name == name and error.fault and error.advice and not (tmp_path / "kept").exists()


@pytest.mark.parametrize("content", [PNG[:300], wav(np.zeros(999))[:-9], clip(frames=3)[:200]])
def test_damaged_media_are_refused(tmp_path, content):
    try:
        attachment = attach(("a", content), tmp_path)
    except MediaError as error:
        assert error.fault
    else:  # a header alone does not tell; loading does
        assert attachment.kind == "audio" and refusal(load_audio, attachment.path, 16000)


def test_heic_is_refused_with_what_to_do(tmp_path):
    error = refusal(attach, ("photo.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"), tmp_path)
    assert "HEIC" in error.fault and "JPEG" in error.advice


def test_svg_is_a_plain_file_and_says_so(tmp_path):
    attachment = attach(("drawing.svg", KINDS["drawing.svg"][0]), tmp_path)
    assert attachment.kind == "file" and "PNG" in attachment.note


@given(st.binary(min_size=1, max_size=400))
def test_random_bytes_have_a_kind_or_are_refused(content):
    try:
        assert kind_of(content) in ("file", "image", "audio", "video")
    except MediaError as error:
        assert error.fault


# What cannot be attached.


def test_what_is_no_file_is_told(tmp_path):
    (tmp_path / "empty.txt").touch()
    os.mkfifo(tmp_path / "pipe")
    faults = {
        str(tmp_path / "gone.png"): "no file by this name",
        str(tmp_path): "folder",
        str(tmp_path / "empty.txt"): "empty",
        str(tmp_path / "pipe"): "pipe",
        "https://example.org/a.png": "web address",
        "data:image/png;base64,AAAA": "data URL",
        "": "not the path",
        "a\0b": "no file",
        "~no_such_user_here/a.png": "no file",
        "x" * 5000: "cannot be read",
    }
    for path, word in faults.items():
        for load in (load_image, load_video, lambda thing: attach(thing, tmp_path / "kept")):
            assert word in refusal(load, path).fault, path
    assert "empty" in refusal(load_image, b"").fault


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_file_that_may_not_be_read_is_told(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(PNG)
    path.chmod(0)
    assert "may not be read" in refusal(load_image, path).fault


def test_a_refused_file_is_told(tmp_path, monkeypatch):
    path = tmp_path / "a.png"
    path.write_bytes(PNG)

    def refused(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    error = refusal(load_image, path)
    assert error.name == "a.png" and "may not be read" in error.fault and error.advice


@pytest.mark.parametrize("thing", [None, 3, ["a.png"], ("a.png", 5), object()])
def test_what_is_neither_path_nor_bytes_is_a_type_error(tmp_path, thing):
    with pytest.raises(TypeError, match="path, as bytes"):
        attach(thing, tmp_path)


# Where it is kept.


def test_the_same_file_is_kept_once_and_another_never_overwritten(tmp_path):
    folder = tmp_path / "conversation"
    paths = [attach(("a.txt", content), folder).path for content in (b"1", b"2", b"1", b"3", b"2")]
    assert [path.name for path in paths] == [
        "a.txt",
        "a (2).txt",
        "a.txt",
        "a (3).txt",
        "a (2).txt",
    ]
    assert (
        attach(("A.TXT", b"4"), folder).path.name == "A (4).TXT"
    )  # one file where case is not told apart
    assert (folder / "a.txt").read_bytes() == b"1" and len(list(folder.iterdir())) == 4


def test_a_file_that_lies_in_the_folder_stays_where_it_is(tmp_path):
    (tmp_path / "a.png").write_bytes(PNG)
    attachment = attach(tmp_path / "a.png", tmp_path)
    assert attachment.path == tmp_path / "a.png" and len(list(tmp_path.iterdir())) == 1
    assert attach(attachment, tmp_path) == attachment and attachment.bytes == len(PNG)


def test_a_link_is_copied_and_a_folder_of_that_name_left(tmp_path):
    (tmp_path / "real.png").write_bytes(PNG)
    (tmp_path / "link.png").symlink_to(tmp_path / "real.png")
    folder = tmp_path / "kept"
    (folder / "link.png").mkdir(parents=True)
    kept = attach(tmp_path / "link.png", folder)
    assert kept.path.name == "link (2).png" and not kept.path.is_symlink()


def test_several_threads_lose_nothing(tmp_path):
    contents = [str(number % 8).encode() for number in range(40)]
    kept: list = [None] * 40

    def keep(number):
        kept[number] = attach(("a.txt", contents[number]), tmp_path)

    threads = [threading.Thread(target=keep, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.path.read_bytes() for one in kept] == contents and len(
        list(tmp_path.iterdir())
    ) == 8


def test_a_picture_of_pillows_is_kept_as_it_is_seen(tmp_path):
    image = Image.new("RGBA", (4, 2), (255, 0, 255, 0))
    kept = attach(image, tmp_path)
    assert kept.path.name == "image.png" and load_image(kept.path).getpixel((0, 0)) == (
        255,
        255,
        255,
    )
    (tmp_path / "photo.jpg").write_bytes(saved(picture(), "JPEG"))
    with Image.open(tmp_path / "photo.jpg") as opened:
        assert attach(opened, tmp_path / "kept").path.name == "photo.png"


@pytest.mark.parametrize(
    "content, name",
    [
        (PNG, "image.png"),
        (wav(np.zeros(9)), "recording.wav"),
        (b"words", "file.txt"),
        (b"\0\1", "file.bin"),
        (b"%PDF-1", "file.pdf"),
    ],
)
def test_bytes_get_a_name(tmp_path, content, name):
    assert attach(content, tmp_path).name == name


# Names.


@given(st.text(max_size=300))
def test_any_name_becomes_a_safe_one(name):
    safe = safe_name(name)
    assert safe == safe_name(safe) and 0 < len(safe.encode()) <= 200
    assert not set(safe) & set('<>:"/\\|?*\0\n\u202e\u2066') and safe not in (".", "..")
    assert not safe.startswith(".") and not safe.endswith((".", " "))
    assert not any(unicodedata.category(character) == "Cc" for character in shown_name(name))


@pytest.mark.parametrize("name", ["CON", "con.png", "Lpt1.txt", "COM¹.x", "nul", "aux.tar.gz"])
def test_a_devices_name_is_not_used(name):
    assert safe_name(name) == f"_{name}"


@pytest.mark.parametrize("name", ["照片 (1).png", "कखग.mp3", "👩‍🚀.png", "naïve café.txt"])
def test_letters_of_every_script_stay(tmp_path, name):
    kept = attach(
        (name, b"1" if name.endswith("txt") else PNG if name.endswith("png") else wav(np.zeros(9))),
        tmp_path,
    )
    assert kept.name == unicodedata.normalize("NFC", name) and kept.path.name == kept.name


@pytest.mark.parametrize(
    "name", ["../../a.txt", "/etc/a.txt", "C:\\x\\a.txt", "..\\a.txt", "a.txt/"]
)
def test_a_path_in_a_name_leads_nowhere(tmp_path, name):
    folder = tmp_path / "deep" / "er"
    assert attach((name, b"1"), folder).path == folder / "a.txt"


# The message.


def test_a_medium_that_the_model_does_not_take_is_a_file_and_says_why(tmp_path):
    assert attach(("a.png", PNG), tmp_path, ["image", "video"]).note == ""
    with language("zh-TW"):
        kept = attach(("a.png", PNG), tmp_path, [])
    assert kept.kind == "file" and kept.note.startswith("a.png") and "圖片" in kept.note
    assert kept.part()["type"] == "file" and kept.part()["path"] == str(kept.path)
    (told,) = files_as_text([{"role": "user", "content": [kept.part()]}])[0]["content"]
    assert (
        told["text"].startswith("[Attached") and f"/data/{kept.path.name}" in told["text"]
    )  # the model reads English
    with pytest.raises(FrozenInstanceError):
        kept.kind = "image"


def test_a_medium_is_a_part_with_its_path(tmp_path):
    kept = attach(("../ä.png", PNG), tmp_path)
    assert kept.part() == {"type": "image", "path": str(tmp_path / "ä.png"), "name": "ä.png"}
    assert kept == Attachment("image", tmp_path / "ä.png", "ä.png", len(PNG))
