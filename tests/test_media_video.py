"""Video: which frames are kept, what they show, and their true times; and what is refused."""

from itertools import pairwise

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from media_files import clip, made, sine
from reports import report

from agentloop_widgets.media import (
    even_indices,
    load_video,
    pick_frames,
    video,
)
from agentloop_widgets.media.geometry import picture_of, turned


def everything(data: bytes) -> list[tuple[float, np.ndarray]]:
    """(time, picture) of every frame, by decoding all of a file whose frames need no shrinking."""
    import io

    with av.open(io.BytesIO(data)) as container:
        frames = [
            (frame.time, picture_of(frame, (frame.width, frame.height)))
            for frame in container.decode(video=0)
        ]
    return [(time - frames[0][0], picture) for time, picture in frames]


def check_times(metadata: dict) -> None:
    """What holds for every video."""
    times = metadata["times"]
    assert all(after > before for before, after in pairwise(times))
    assert all(isinstance(index, int) for index in metadata["frames_indices"])
    quotients = [index / metadata["fps"] for index in metadata["frames_indices"]]
    assert np.allclose(quotients, times, atol=0.0011)
    assert metadata["duration"] >= times[-1]


# What was reported.


def test_the_decoder_is_emptied():
    expected = report("M15")["expected"]
    frames, metadata = load_video(made("M15"))
    assert len(frames) == metadata["total_num_frames"] == expected["frames"]
    assert metadata["fps"] == 25 and metadata["duration"] == 1
    check_times(metadata)
    levels = frames.mean(axis=(1, 2, 3))
    assert np.allclose(levels, np.arange(25) * 10, atol=6)


def test_a_variable_rate_has_true_times():
    frames, metadata = load_video(made("M14"))
    assert len(frames) == 6
    assert np.allclose(metadata["times"], [0, 0.1, 0.2, 1.2, 1.3, 3.3], atol=1e-4)
    check_times(metadata)


def test_a_phones_video_is_upright():
    expected = report("M16")["expected"]
    frames, metadata = load_video(made("M16"))
    assert [frames.shape[2], frames.shape[1]] == expected["size"]
    assert (metadata["width"], metadata["height"]) == (48, 64)
    bright = frames[0].mean(axis=2) > 128
    assert bright[:24, 30:].mean() > 0.9 and bright[:24, :18].mean() < 0.1
    assert bright[40:].mean() < 0.1


# Which frames.

UNEVEN = np.cumsum(np.random.default_rng(0).integers(5, 120, 300)).tolist()
UNEVEN = [time - UNEVEN[0] for time in UNEVEN]
FILES = {
    "long GOP, B-frames": {"frames": 300, "g": "250", "bf": "3"},
    "open GOPs": {"frames": 600, "x264-params": "open-gop=1:keyint=60:scenecut=0:bframes=3"},
    "short GOPs": {"frames": 500, "g": "12", "bf": "2"},
    "far key frames": {"frames": 1000, "g": "100", "bf": "3"},
    "intra refresh": {"frames": 600, "x264-params": "intra-refresh=1:keyint=60:bframes=0"},
    "variable rate": {"times": UNEVEN, "g": "40", "bf": "3"},
    "mkv": {"format": "matroska", "frames": 600, "g": "30", "bf": "3"},
    "webm": {"format": "webm", "codec": "libvpx", "frames": 150},
    "avi": {"format": "avi", "codec": "mpeg4", "frames": 300, "bf": "2"},
    "ts": {"format": "mpegts", "frames": 600, "g": "100", "bf": "3"},
    "flv": {"format": "flv", "frames": 200},
    "mpeg": {"format": "mpeg", "codec": "mpeg2video", "frames": 300},
    "with sound": {"frames": 200, "hum": sine(8.0, 16000)},
}


@pytest.mark.parametrize("name", FILES)
def test_the_kept_frames_are_those_that_decoding_all_gives(name):
    data = clip(**FILES[name])
    frames, metadata = load_video(data)
    whole = everything(data)
    assert len(frames) == 64 and metadata["total_num_frames"] == len(whole)
    instants = np.array([time for time, _ in whole])
    kept = [int(np.abs(instants - time).argmin()) for time in metadata["times"]]
    assert (
        np.abs(np.array(kept) - even_indices(instants.tolist())).max() <= 1
    )  # two may be equally near
    assert np.allclose(instants[kept], metadata["times"], atol=1e-5)
    assert all(map(np.array_equal, frames, (whole[index][1] for index in kept)))
    check_times(metadata)


def test_a_far_key_frame_is_sought(monkeypatch):
    data, decoded = clip(frames=2000, g="20"), []
    real = video._Reading.frames

    def counted(self):
        for frame in real(self):
            decoded.append(frame.pts)
            yield frame

    monkeypatch.setattr(video._Reading, "frames", counted)
    monkeypatch.setattr(video, "SEEK_PACKETS", 5)
    few, _ = load_video(data, frames=8)
    assert len(few) == 8 and len(decoded) < 400
    monkeypatch.setattr(video, "SEEK_PACKETS", 10_000)
    assert np.array_equal(load_video(data, frames=8)[0], few) and len(decoded) > 2000


def test_where_the_walk_and_the_decoder_disagree_all_is_decoded(monkeypatch):
    data = clip(frames=100, g="20")
    frames, metadata = load_video(data)
    monkeypatch.setattr(video, "_seeking", lambda *_: None)
    again, same = load_video(data)
    assert np.array_equal(frames, again) and metadata == same


@pytest.mark.parametrize("format", ["h264", "avi"])
def test_a_stream_without_times_has_those_of_its_rate(format):
    frames, metadata = load_video(clip(format=format, frames=100, rate=25, bf="2"))
    assert len(frames) == 64 and metadata["total_num_frames"] == 100
    assert np.allclose(np.array(metadata["times"]) * 25, metadata["frames_indices"])


@pytest.mark.parametrize("count", [1, 2, 3, 63, 64, 65])
def test_few_frames_are_all_kept(count):
    frames, metadata = load_video(clip(frames=count))
    assert len(frames) == min(count, 64) and metadata["total_num_frames"] == count
    assert metadata["times"][0] == 0 and metadata["fps"] > 0
    check_times(metadata)


@given(st.lists(st.floats(0.001, 5), min_size=1, max_size=300), st.integers(1, 80))
def test_frames_are_taken_evenly(steps, most):
    times = np.cumsum(steps).tolist()
    kept = even_indices(times, most)
    assert len(kept) == min(most, len(times)) == len(set(kept)) and kept == sorted(kept)
    assert kept[0] == 0 and (most == 1 or kept[-1] == len(times) - 1)


def test_at_a_constant_rate_every_so_many_frames_are_taken():
    kept = even_indices([number / 30 for number in range(3000)])
    assert np.abs(np.array(kept) - np.linspace(0, 2999, 64)).max() <= 0.5 + 1e-9


def test_fewer_frames_are_picked_evenly():
    frames, metadata = load_video(clip(frames=100))
    few, fewer = pick_frames(frames, metadata, 5)
    assert few.shape[0] == 5 and np.array_equal(few[-1], frames[-1]) and fewer["fps"] == 25
    assert np.allclose(fewer["times"], np.linspace(0, 99 / 25, 5), atol=0.04)
    check_times(fewer)
    same, _ = pick_frames(frames, metadata, 64)
    assert same is frames and len(metadata["times"]) == 64


# What they show.


@pytest.mark.parametrize("angle", [0, 90, 180, 270, -90])
def test_a_turned_video_is_upright(angle):
    data = clip(codec="mpeg4", frames=3, rotation=angle)
    frames, _ = load_video(data)
    plain, _ = load_video(clip(codec="mpeg4", frames=3))
    quarters = angle // 90 % 4
    assert np.array_equal(frames[0], np.rot90(plain[0], quarters))


def test_the_eight_matrices_are_eight_pictures():
    picture = np.arange(6).reshape(2, 3)
    matrices = [(x, 0, 0, 0, y, 0, 0, 0, 1) for x in (1, -1) for y in (1, -1)]
    matrices += [(0, x, 0, y, 0, 0, 0, 0, 1) for x in (1, -1) for y in (1, -1)]
    seen = {
        (turned(picture, matrix).shape, turned(picture, matrix).tobytes()) for matrix in matrices
    }
    assert len(seen) == 8 and turned(picture, matrices[0]) is not None


@pytest.mark.parametrize(
    "size, wanted", [((1920, 1080), (432, 768)), ((480, 1280), (768, 288)), ((64, 48), (48, 64))]
)
def test_the_longer_side_is_768_at_most(size, wanted):
    frames, _ = load_video(
        clip(
            codec="mpeg4",
            frames=2,
            size=size,
            make=lambda number, w, h: np.full((h, w, 3), 99, np.uint8),
        )
    )
    assert frames.shape[1:3] == wanted and frames.dtype == np.uint8


def test_pixels_are_square():
    import io
    from fractions import Fraction

    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 720, 576, "yuv420p"
        stream.codec_context.sample_aspect_ratio = Fraction(64, 45)
        frame = av.VideoFrame.from_ndarray(np.full((576, 720, 3), 99, np.uint8), format="rgb24")
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    frames, _ = load_video(file.getvalue())
    assert frames.shape == (1, 432, 768, 3)


def test_black_and_white_are_so():
    def halves(number, width, height):
        frame = np.zeros((height, width, 3), np.uint8)
        frame[:, width // 2 :] = 255
        return frame

    frames, _ = load_video(clip(frames=2, make=halves))
    assert frames[0, :, :40].max() < 8 and frames[0, :, 90:].min() > 247
