"""Pictures: upright, RGB, 8 bits; and those that are refused."""

import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from media_files import cuts, made, picture, refusal, saved
from PIL import Image, ImageFile, features
from reports import report

from agentloop_widgets.media import (
    IMAGE_PIXELS,
    MediaError,
    MediaTooLargeError,
    images,
    load_image,
)


@pytest.mark.parametrize("name", ["M03", "M04", "M05", "M06", "M10"])
def test_a_reported_picture_is_read_right(name):
    expected = report(name)["expected"]
    image = load_image(made(name))
    assert image.mode == "RGB" and list(image.size) == expected["size"]
    for place, wanted in expected["pixels"].items():
        found = image.getpixel(tuple(map(int, place.split(","))))
        assert np.allclose(found, wanted, atol=expected.get("tolerance", 0)), place


# Upright.

TURNS = [
    lambda a: a,
    lambda a: a[:, ::-1],
    lambda a: a[::-1, ::-1],
    lambda a: a[::-1],
    lambda a: a.swapaxes(0, 1),
    lambda a: np.rot90(a, -1),
    lambda a: np.rot90(a, 2).swapaxes(0, 1),
    lambda a: np.rot90(a, 1),
]


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("format", ["PNG", "JPEG", "WEBP", "TIFF"])
def test_a_picture_is_upright(format, orientation):
    blocks = np.zeros((16, 32, 3), np.uint8)
    blocks[:8, :16] = 255  # one corner is bright
    exif = Image.Exif()
    exif[0x0112] = orientation
    options = {"PNG": {}, "JPEG": {"quality": 95}, "WEBP": {"lossless": True}, "TIFF": {}}[format]
    image = load_image(saved(Image.fromarray(blocks), format, exif=exif, **options))
    wanted = TURNS[orientation - 1](blocks)
    assert np.asarray(image).shape == wanted.shape
    assert np.abs(np.asarray(image).astype(int) - wanted).max() < 30


def broken_exif(data: bytes) -> bytes:
    """A JPEG with an EXIF note whose directory leads out of it."""
    note = b"Exif\0\0MM\0*\0\0\0\x08\xff\xff" + b"\x01\x12\0\x03\0\0\0\x01"
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(note) + 2) + note + data[2:]


@pytest.mark.parametrize("value", [0, 9, 70, 65535])
def test_an_orientation_that_is_none_is_ignored(value):
    exif = Image.Exif()
    exif[0x0112] = value
    assert load_image(saved(picture(8, 4), "JPEG", exif=exif)).size == (8, 4)


def test_a_damaged_exif_note_is_ignored():
    plain = saved(picture(), "JPEG")
    assert np.array_equal(load_image(broken_exif(plain)), load_image(plain))


@given(st.binary(max_size=60))
def test_any_exif_note_leaves_the_picture(note):
    plain = saved(picture(16, 16), "JPEG")
    body = b"Exif\0\0" + note
    data = plain[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + plain[2:]
    assert load_image(data).size == (16, 16)


# Modes.

MODES = {
    "1": ("PNG", 1, (255, 255, 255)),
    "L": ("PNG", 77, (77, 77, 77)),
    "LA": ("PNG", (0, 128), (127, 127, 127)),
    "RGB": ("PNG", (1, 2, 3), (1, 2, 3)),
    "RGBA": ("PNG", (255, 0, 255, 0), (255, 255, 255)),
    "I;16": ("PNG", 32768, (128, 128, 128)),
    "I": ("TIFF", 32768, (128, 128, 128)),
    "F": ("TIFF", 0.5, (128, 128, 128)),
    "CMYK": ("TIFF", (0, 255, 255, 0), (255, 0, 0)),
    "YCbCr": ("TIFF", (128, 128, 128), (128, 128, 128)),
    "LAB": ("TIFF", (255, 128, 128), (255, 255, 255)),
}


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_becomes_rgb(mode):
    format, colour, wanted = MODES[mode]
    image = load_image(saved(Image.new(mode, (2, 2), colour), format))
    assert image.mode == "RGB" and np.allclose(image.getpixel((1, 1)), wanted, atol=1)


@pytest.mark.parametrize("mode", ["La", "RGBa", "PA", "RGBX", "HSV"])
def test_modes_that_no_file_has_become_rgb_too(mode):
    image = picture(4, 4).convert("RGBA")
    between = {"La": "LA", "PA": "P", "RGBX": "RGB", "HSV": "RGB"}.get(mode)
    converted = (image.convert(between) if between else image).convert(mode)
    assert images.to_rgb(converted).mode == "RGB"


@pytest.mark.parametrize(
    "values, wanted",
    [
        ([0.0, 1.0], [0, 255]),
        ([0.0, 255.0], [0, 255]),
        ([0.0, 51.0], [0, 51]),
        ([0.0, 65535.0], [0, 255]),
        ([-1.0, 1.0], [0, 255]),
        ([float("nan"), 1.0], [255, 255]),
        ([float("inf"), -5.0], [0, 0]),
        ([7.0, 7.0], [7, 7]),
    ],
)
def test_floats_are_read_by_the_range_they_have(values, wanted):
    image = images.to_rgb(Image.fromarray(np.array([values], np.float32)))
    found = [image.getpixel((x, 0))[0] for x in range(2)]
    if np.isnan(values[0]):
        assert found[1] == 255
    elif np.isinf(values[0]):
        assert len(found) == 2
    else:
        assert found == wanted


def test_16_bits_are_scaled_and_not_clipped():
    ramp = np.arange(0, 65536, 257, dtype=np.uint16)[None]
    assert np.asarray(load_image(saved(Image.fromarray(ramp), "PNG")))[0, :, 0].tolist() == list(
        range(256)
    )


def test_a_transparent_gray_of_16_bits_is_white():
    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    rows = zlib.compress(b"\0" + struct.pack(">HH", 1000, 65535 // 2))
    header = struct.pack(">IIBBBBB", 2, 1, 16, 0, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"tRNS", struct.pack(">H", 1000))
    image = load_image(data + chunk(b"IDAT", rows) + chunk(b"IEND", b""))
    assert [image.getpixel((x, 0))[0] for x in range(2)] == [255, 127]


def test_an_animation_gives_its_first_frame():
    frames = [Image.new("RGB", (4, 4), colour) for colour in ("red", "lime")]
    for format in ("GIF", "WEBP", "PNG"):
        data = saved(frames[0], format, save_all=True, append_images=frames[1:], duration=50)
        assert np.allclose(load_image(data).getpixel((1, 1)), (255, 0, 0), atol=3), format


# Bombs.


def png_header(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize("size", [(60000, 60000), (11000, 11000), (12100, 10000), (2**31 - 1, 1)])
def test_a_picture_that_claims_too_much_is_refused(size):
    assert size[0] * size[1] > IMAGE_PIXELS
    error = refusal(load_image, png_header(*size))
    assert isinstance(error, MediaTooLargeError) and error.advice


def test_a_bomb_takes_no_memory(tmp_path):
    (tmp_path / "bomb.png").write_bytes(made("M11"))
    program = """
import resource, sys
from PIL import Image
from agentloop_widgets.media import MediaTooLargeError, load_image
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    load_image(sys.argv[1])
except MediaTooLargeError:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    command = [sys.executable, "-c", program, str(tmp_path / "bomb.png")]
    kilobytes = int(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert kilobytes < report("M11")["expected"]["peak_memory_mb_below"] * 1024 / 4


def test_a_picture_file_of_too_many_bytes_is_refused(tmp_path):
    path = tmp_path / "large.png"
    with path.open("wb") as file:
        file.truncate(images.IMAGE_BYTES + 1)
    assert isinstance(refusal(load_image, path), MediaTooLargeError)


# Damage.

ENCODINGS = {
    "PNG": {},
    "JPEG": {"quality": 80},
    "progressive JPEG": {"progressive": True},
    "GIF": {},
    "WEBP": {},
    "BMP": {},
    "TIFF": {"compression": "tiff_lzw"},
    "JPEG2000": {},
    "ICO": {},
    "QOI": {},
    "PPM": {},
    **({"AVIF": {}} if features.check("avif") else {}),
}


@pytest.mark.parametrize("filled_in", [False, True])
@pytest.mark.parametrize("name", ENCODINGS)
def test_a_cut_picture_is_refused_or_right(name, filled_in, monkeypatch):
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", filled_in)
    data = saved(picture(), name.split()[-1], **ENCODINGS[name])
    whole, refused = np.asarray(load_image(data)), 0
    for cut in cuts(data, 60):
        try:
            assert np.array_equal(load_image(data[:cut]), whole), cut
        except MediaError as error:
            refused += 1
            assert error.name and error.fault
    assert refused > 40 and ImageFile.LOAD_TRUNCATED_IMAGES is filled_in


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_damaged_picture_is_refused_or_a_picture(name):
    data = bytearray(saved(picture(), name.split()[-1], **ENCODINGS[name]))
    numbers = np.random.default_rng(5)
    for _ in range(60):
        hurt = bytearray(data)
        for at in numbers.integers(0, len(data), 3):
            hurt[at] = numbers.integers(256)
        try:
            assert load_image(bytes(hurt)).mode == "RGB"
        except MediaError as error:
            assert error.fault


@given(
    st.sampled_from([b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"II*\0", b"", b"BM"]),
    st.binary(max_size=300),
)
def test_random_bytes_are_refused_in_words(mark, rest):
    if mark + rest:
        error = refusal(load_image, mark + rest)
        assert str(error).startswith(error.name) and error.advice


@pytest.mark.parametrize(
    "content, word",
    [
        (b"just words", "plain text"),
        (b"%PDF-1.7", "PDF"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        (b"<!doctype html><p>404", "HTML"),
        (b"RIFF\x10\0\0\0WAVEfmt ", "WAV"),
        (b"\xff\x0a\0\0\0\0", "JPEG XL"),
    ],
)
def test_what_is_no_picture_is_told_by_what_it_looks_like(tmp_path, content, word):
    path = tmp_path / "photo.png"
    path.write_bytes(content)
    error = refusal(load_image, path)
    assert error.name == "photo.png" and word in error.fault and error.advice


def test_the_words_are_there_in_both_languages():
    from agentloop_widgets.trace import language

    with language("zh-TW"):
        assert "純文字" in str(refusal(load_image, b"words"))
