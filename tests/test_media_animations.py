"""Animated pictures: the frames as they are seen, and their times."""

import numpy as np
import pytest
from media_files import cuts, made, picture, refusal, saved
from PIL import Image
from reports import report

from agentloop_widgets.media import (
    MediaError,
    MediaTooLargeError,
    load_animation,
    load_image,
    load_video,
)


@pytest.mark.parametrize("name", ["M08", "M09"])
def test_a_reported_animation_is_composed_right(name):
    expected = report(name)["expected"]
    frames, durations = load_animation(made(name))
    assert len(frames) == expected["frames"] and durations == expected["durations_ms"]
    assert all(frame.mode == "RGB" and list(frame.size) == expected["size"] for frame in frames)
    for place, wanted in expected["frame2_pixels"].items():
        assert list(frames[2].getpixel(tuple(map(int, place.split(","))))) == wanted


def test_a_gif_of_one_frame_is_one_frame():
    frames, durations = load_animation(made("M10"))
    assert len(frames) == 1 and durations == [100]


@pytest.mark.parametrize("format", ["GIF", "WEBP", "PNG"])
def test_an_animation_has_its_frames_and_times(format):
    shown = [picture(24, 16, seed).quantize(64).convert("RGB") for seed in range(4)]
    options = {"lossless": True} if format == "WEBP" else {}
    times = [50, 120, 300, 70]
    data = saved(
        shown[0], format, save_all=True, append_images=shown[1:], duration=times, **options
    )
    frames, durations = load_animation(data)
    assert durations == times
    assert all(np.array_equal(one, other) for one, other in zip(frames, shown, strict=True))


def test_the_still_picture_of_an_animated_png_is_no_frame():
    still, *shown = [Image.new("RGB", (4, 4), colour) for colour in ("red", "lime", "blue")]
    data = saved(still, "PNG", save_all=True, append_images=shown, default_image=True, duration=40)
    frames, durations = load_animation(data)
    assert [frame.getpixel((0, 0)) for frame in frames] == [(0, 255, 0), (0, 0, 255)]
    assert durations == [40, 40] and load_image(data).getpixel((0, 0)) == (255, 0, 0)


def test_an_animation_of_too_many_pixels_is_refused():
    frames = [Image.new("1", (8000, 8000), number % 2) for number in range(5)]
    data = saved(frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert isinstance(refusal(load_animation, data), MediaTooLargeError)
    assert load_image(data).size == (8000, 8000)


@pytest.mark.parametrize("format", ["GIF", "WEBP", "PNG"])
def test_a_cut_animation_is_refused_or_right(format):
    frames = [picture(24, 16, seed) for seed in range(3)]
    data = saved(frames[0], format, save_all=True, append_images=frames[1:], duration=[50, 70, 90])
    whole, times = load_animation(data)
    for cut in cuts(data, 60):
        try:
            shown, durations = load_animation(data[:cut])
        except MediaError:
            continue
        assert durations == times and all(map(np.array_equal, shown, whole)), cut


# As a video.


def animated(times: list[int], size: tuple[int, int] = (24, 16)) -> bytes:
    frames = [picture(*size, seed).quantize(64).convert("RGB") for seed in range(len(times))]
    return saved(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=times)


def test_an_animation_is_a_video_with_true_times():
    frames, metadata = load_video(animated([50, 120, 300, 70]))
    assert frames.shape == (4, 16, 24, 3) and frames.dtype == np.uint8
    assert metadata["times"] == [0, 0.05, 0.17, 0.47] and metadata["duration"] == 0.54
    shown, _ = load_animation(animated([50, 120, 300, 70]))
    assert all(map(np.array_equal, frames, shown))


def test_a_long_animation_gives_64_frames():
    frames, metadata = load_video(animated([40] * 100))
    assert len(frames) == 64 and metadata["fps"] == 25 and metadata["total_num_frames"] == 100
    assert metadata["frames_indices"][0] == 0 and metadata["frames_indices"][-1] == 99


def test_a_large_animation_is_shrunk():
    frames, _ = load_video(animated([40, 40], (1600, 400)))
    assert frames.shape == (2, 192, 768, 3)


def test_a_still_picture_is_no_video():
    error = refusal(load_video, saved(picture(), "PNG"))
    assert "still" in error.fault and "picture" in error.advice
