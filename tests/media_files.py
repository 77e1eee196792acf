"""Pictures, sounds and videos made for a test, and what is said of one that is refused."""

import io
import wave
from fractions import Fraction

import av
import numpy as np
from PIL import Image
from reports import report

from agentloop_widgets.media import MediaError


def made(name: str) -> bytes:
    """The data that a report's snippet makes."""
    values: dict = {}
    exec(report(name)["input"], values)
    return values["data"]


def picture(width: int = 40, height: int = 32, seed: int = 0) -> Image.Image:
    """A picture with slopes and noise."""
    steps = np.random.default_rng(seed).normal(0, 8, (height, width, 3))
    return Image.fromarray(np.clip(np.cumsum(steps, axis=1) + 128, 0, 255).astype(np.uint8))


def saved(image: Image.Image, format: str, **options) -> bytes:
    file = io.BytesIO()
    image.save(file, format, **options)
    return file.getvalue()


def sine(seconds: float = 1.0, rate: int = 44100, height: float = 0.5) -> np.ndarray:
    return (height * np.sin(2 * np.pi * 440 * np.arange(round(seconds * rate)) / rate)).astype(
        np.float32
    )


def wav(samples: np.ndarray, rate: int = 16000) -> bytes:
    """A WAV file of int16 [samples] or [samples, channels]."""
    file = io.BytesIO()
    channels = 1 if samples.ndim == 1 else samples.shape[1]
    with wave.open(file, "wb") as writer:
        writer.setparams((channels, 2, rate, 0, "NONE", ""))
        writer.writeframes(samples.astype("<i2").tobytes())
    return file.getvalue()


def sound(format: str, codec: str, samples: np.ndarray, rate: int = 44100) -> bytes:
    """A file of float32 [samples] or [channels, samples]."""
    file, channels = io.BytesIO(), np.atleast_2d(samples)
    layout = "mono" if len(channels) == 1 else "stereo"
    with av.open(file, "w", format=format) as container:
        stream = container.add_stream(codec, rate=rate)
        stream.layout = layout
        frame = av.AudioFrame.from_ndarray(
            np.ascontiguousarray(channels), format="fltp", layout=layout
        )
        frame.sample_rate, frame.pts = rate, 0
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return file.getvalue()


def moving(number: int, width: int = 128, height: int = 96) -> np.ndarray:
    """The frame with this number of a video in which no two frames are alike."""
    noise = np.random.default_rng(1).integers(0, 255, (6, 8, 3), dtype=np.uint8)
    frame = np.roll(noise.repeat(height // 6, 0).repeat(width // 8, 1), number * 3, axis=1)
    frame[: height // 8] = number * 7 % 256
    return frame


def clip(
    format: str = "mp4",
    codec: str = "libx264",
    frames: int = 50,
    rate: int = 25,
    times: list[int] | None = None,  # milliseconds
    size: tuple[int, int] = (128, 96),
    rotation: int | None = None,
    hum: np.ndarray | None = None,
    make=moving,
    **options: str,
) -> bytes:
    file = io.BytesIO()
    with av.open(file, "w", format=format) as container:
        stream = container.add_stream(codec, rate=rate, options=options)
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        if rotation is not None:
            stream.set_display_rotation(rotation)
        track = container.add_stream("aac", rate=16000, layout="mono") if hum is not None else None
        if times:
            stream.codec_context.time_base = Fraction(1, 1000)
        for number in range(len(times) if times else frames):
            frame = av.VideoFrame.from_ndarray(make(number, *size), format="rgb24")
            if times:
                frame.pts, frame.time_base = times[number], Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
        if track:
            heard = av.AudioFrame.from_ndarray(hum[None], format="fltp", layout="mono")
            heard.sample_rate, heard.pts = 16000, 0
            container.mux(track.encode(heard))
            container.mux(track.encode(None))
    return file.getvalue()


def refusal(function, *arguments, **options) -> MediaError:
    """The MediaError that a call raises."""
    try:
        given = function(*arguments, **options)
    except MediaError as error:
        return error
    raise AssertionError(f"nothing was refused: {given!r}")


def cuts(data: bytes, count: int) -> list[int]:
    """Where to cut a file: `count` places evenly, and each of its last 12 bytes."""
    even = np.linspace(1, len(data) - 13, count).astype(int).tolist()
    return even + list(range(len(data) - 12, len(data)))
