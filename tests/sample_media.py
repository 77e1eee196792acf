"""Two images, two clips and two recordings in files, the same each time."""

from pathlib import Path

from media_files import clip, picture, saved, sine, wav


def make_image(path: Path, width: int, height: int, seed: int = 0) -> Path:
    path.write_bytes(saved(picture(width, height, seed), "PNG"))
    return path


def make_sound(path: Path, seconds: float, rate: int = 16000) -> Path:
    path.write_bytes(wav(sine(seconds, rate) * 32767, rate))
    return path


def make_video(path: Path, seconds: float, fps: int = 8, size: tuple[int, int] = (64, 48)) -> Path:
    path.write_bytes(clip(frames=round(seconds * fps), rate=fps, size=size))
    return path


def make_files(folder: Path) -> dict[str, Path]:
    """{image, photo, clip, film, sound, speech}: two of each kind, of different sizes."""
    return {
        "image": make_image(folder / "image.png", 140, 100, 1),
        "photo": make_image(folder / "photo.png", 640, 480, 2),
        "clip": make_video(folder / "clip.mp4", 1.0),
        "film": make_video(folder / "film.mp4", 5.0, size=(96, 48)),
        "sound": make_sound(folder / "sound.wav", 1.0),
        "speech": make_sound(folder / "speech.wav", 0.6),
    }
