"""Videos that are refused, and what is said; damage, cuts and limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from media_files import clip, cuts, refusal, sine, sound

from agentloop_widgets.media import STREAM_BYTES, MediaError, MediaTooLargeError, load_video, video
from agentloop_widgets.media.sources import source_of


def test_a_large_file_is_refused_with_what_to_do(tmp_path):
    path = tmp_path / "lecture.mp4"
    with path.open("wb") as file:
        file.write(clip(frames=2))
        file.truncate(2 * 1024**3)
    error = refusal(load_video, path)
    assert isinstance(error, MediaTooLargeError) and path.stat().st_size > STREAM_BYTES
    assert "2.15 GB" in error.fault and 'ffmpeg -ss 0 -t 60 -i "lecture.mp4"' in error.advice


def test_frames_that_are_too_large_are_refused(monkeypatch):
    monkeypatch.setattr(video, "VIDEO_PIXELS", 100)
    assert isinstance(refusal(load_video, clip(frames=2)), MediaTooLargeError)


def test_a_recording_is_no_video():
    error = refusal(load_video, sound("ipod", "aac", sine()))
    assert "no moving pictures" in error.fault and error.advice


@pytest.mark.parametrize("words", [b"words", b"%PDF-1.7", bytes(500)])
def test_a_fake_is_refused(tmp_path, words):
    path = tmp_path / "clip.mp4"
    path.write_bytes(words)
    assert refusal(load_video, path).name == "clip.mp4"


CUT = {
    "mp4": {"frames": 40, "g": "12", "bf": "2"},
    "faststart": {"frames": 40, "movflags": "faststart"},
    "matroska": {"format": "matroska", "frames": 40},
    "webm": {"format": "webm", "codec": "libvpx", "frames": 30},
    "avi": {"format": "avi", "codec": "mpeg4", "frames": 40},
}


def front(data: bytes) -> bytes:
    """An MP4 with its index moved before the pictures, as files for the web have it."""
    at = data.find(b"moov") - 4
    index, size = bytearray(data[at:]), len(data) - at
    place = 0
    while (place := index.find(b"stco", place)) >= 0:
        count = int.from_bytes(index[place + 8 : place + 12], "big")
        for entry in range(place + 12, place + 12 + 4 * count, 4):
            offset = int.from_bytes(index[entry : entry + 4], "big") + size
            index[entry : entry + 4] = offset.to_bytes(4, "big")
        place += 4
    first = int.from_bytes(data[:4], "big")
    return data[:first] + bytes(index) + data[first:at]


@pytest.mark.parametrize("name", CUT)
def test_a_cut_video_is_refused_or_right(name):
    options = {key: value for key, value in CUT[name].items() if key != "movflags"}
    data = front(clip(**options)) if name == "faststart" else clip(**options)
    whole, metadata = load_video(data)
    assert len(whole) == metadata["total_num_frames"]
    refused = 0
    for cut in cuts(data, 40):
        try:
            frames, same = load_video(data[:cut])
        except MediaError as error:
            refused += 1
            assert error.fault
            continue
        assert np.array_equal(frames, whole) and same["times"] == metadata["times"], cut
    assert refused > 25


@pytest.mark.parametrize("name", CUT)
def test_damage_within_is_refused_or_gives_pictures(name):
    data = clip(**{key: value for key, value in CUT[name].items() if key != "movflags"})
    numbers = np.random.default_rng(4)
    for at in numbers.integers(0, len(data), 15).tolist():
        hurt = bytearray(data)
        hurt[at : at + 5] = numbers.bytes(5)
        try:
            frames, metadata = load_video(bytes(hurt))
        except MediaError as error:
            assert error.fault
        else:
            assert frames.shape[0] == len(metadata["times"]) <= 64 and frames.shape[3] == 3


@given(
    st.sampled_from([b"\0\0\0\x18ftypisom", b"\x1aE\xdf\xa3", b"RIFF\xff\0\0\0AVI ", b"G" * 400]),
    st.binary(max_size=300),
)
def test_random_bytes_are_refused_in_words(mark, rest):
    error = refusal(load_video, mark + rest)
    assert str(error).startswith(error.name)


def test_only_the_kept_frames_are_in_memory(tmp_path):
    import subprocess
    import sys

    path = tmp_path / "clip.mp4"
    path.write_bytes(
        clip(
            codec="mpeg4",
            frames=300,
            size=(640, 480),
            make=lambda n, w, h: np.full((h, w, 3), n % 256, np.uint8),
        )
    )
    program = """
import resource, sys
from agentloop_widgets.media import load_video
load_video(sys.argv[1], frames=2)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
load_video(sys.argv[1], frames=8)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    command = [sys.executable, "-c", program, str(path)]
    kilobytes = int(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert kilobytes < 300 * 640 * 480 * 3 / 1024 / 4  # a quarter of what all frames take


def test_a_name_is_never_read_as_a_pattern_or_a_protocol(tmp_path):
    path = tmp_path / "clip%03d:concat|.mp4"
    path.write_bytes(clip(frames=3))
    assert len(load_video(path)[0]) == 3 and source_of(path).name == path.name
