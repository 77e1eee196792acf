"""Each file decoded once, and small enough to be drawn in a view."""

import base64
import io
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from media_files import clip, picture, refusal, saved, sine, wav
from PIL import Image

from agentloop_widgets.media import THUMBNAIL_BYTES, DecodedMedia, attach, decoding, thumbnail

PNG = saved(picture(), "PNG")


# Decoding once.


def test_each_file_is_decoded_once(tmp_path, monkeypatch):
    calls = []
    real = decoding.load_audio
    monkeypatch.setattr(decoding, "load_audio", lambda *given: calls.append(given) or real(*given))
    kept, part = DecodedMedia(), attach(("a.wav", wav(np.full(1600, 99))), tmp_path).part()
    threads = [threading.Thread(target=kept, args=(part, 16000)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1 and kept(part) is kept(part, 16000)
    assert len(kept(part, 8000)) == 800 and len(calls) == 2
    Path(part["path"]).write_bytes(wav(np.full(3200, 99)))
    assert len(kept(part)) == 3200 and len(calls) == 3


def test_a_videos_metadata_may_be_changed_by_who_asked(tmp_path):
    part = attach(("a.mp4", clip(frames=3)), tmp_path).part()
    kept = DecodedMedia()
    kept(part)[1]["frames_indices"].append(7)
    assert kept(part)[1]["frames_indices"] == [0, 1, 2] and kept(part)[0] is kept(part)[0]


def test_what_is_kept_is_bounded_and_the_unused_goes_first(tmp_path):
    parts = [
        attach((f"{seed}.png", saved(picture(10, 10, seed), "PNG")), tmp_path).part()
        for seed in range(4)
    ]
    kept = DecodedMedia(limit=1300)
    first = kept(parts[0])
    for part in (*parts[1:3], parts[0], parts[3]):
        kept(part)
    assert kept.bytes <= 1300 and kept(parts[0]) is first
    large = DecodedMedia(limit=10)
    assert large(parts[0]).size == (10, 10) and large.bytes == 0


def test_a_file_that_is_damaged_is_asked_again(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(PNG[:100])
    kept, part = DecodedMedia(), {"type": "image", "path": str(path), "name": "mine.png"}
    assert refusal(kept, part).name == "mine.png"
    path.write_bytes(PNG)
    assert kept(part).size == (40, 32)


# Thumbnails.


def drawn(url: str) -> Image.Image:
    assert len(url) <= THUMBNAIL_BYTES and url.startswith("data:image/")
    return Image.open(io.BytesIO(base64.b64decode(url.split(",")[1])))


def test_a_thumbnail_is_small_and_always_the_same(tmp_path):
    noise = Image.fromarray(
        np.random.default_rng(0).integers(0, 255, (900, 1200, 3), dtype=np.uint8)
    )
    files = {
        "image": attach(("a.png", saved(noise, "PNG")), tmp_path),
        "audio": attach(("a.wav", wav(sine(2.0, 16000) * 32767)), tmp_path),
        "video": attach(("a.mp4", clip(frames=40)), tmp_path),
    }
    urls = {kind: thumbnail(file.path, kind) for kind, file in files.items()}
    assert urls == {kind: thumbnail(file.path, kind) for kind, file in files.items()}
    assert max(drawn(urls["image"]).size) <= 128 and drawn(urls["audio"]).size == (192, 48)
    strip = drawn(urls["video"])
    assert strip.width == 4 * 64 + 6 and strip.height == 48
    assert thumbnail(files["audio"].path, "file") == ""


@pytest.mark.parametrize("size", [(1, 1), (4000, 1), (1, 4000), (3, 2)])
def test_a_picture_of_any_shape_has_a_thumbnail(tmp_path, size):
    assert drawn(thumbnail(attach(("a.png", saved(picture(*size), "PNG")), tmp_path).path, "image"))


@pytest.mark.parametrize("samples", [1, 5, 191])
def test_a_short_sound_has_a_waveform(tmp_path, samples):
    kept = attach(("a.wav", wav(np.full(samples, 20000))), tmp_path)
    assert drawn(thumbnail(kept.path, "audio")).convert("RGBA").getextrema()[3][1] == 255


def test_nothing_heavy_is_imported_with_the_room():
    import subprocess

    program = "import sys, agentloop_widgets.media; print([n for n in ('av', 'PIL', 'numpy', 'torch') if n in sys.modules])"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "av" not in run.stdout and "PIL" not in run.stdout and "torch" not in run.stdout
