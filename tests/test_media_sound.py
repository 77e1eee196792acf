"""Sound: one channel, at the asked rate, within [-1, 1], to the last sample; and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from media_files import clip, cuts, made, refusal, sine, sound, wav
from reports import report

from agentloop_widgets.media import MediaError, MediaTooLargeError, contents, has_sound, load_audio
from agentloop_widgets.media import sound as sound_module
from agentloop_widgets.media.sound import Resampler, mono


def test_two_equal_channels_stay_within_one():
    expected = report("M19")["expected"]
    heard = load_audio(made("M19"), 16000)
    assert len(heard) == expected["samples"] and heard.dtype == np.float32
    assert np.allclose(heard, expected["mono_value"], atol=expected["tolerance"])
    assert np.abs(heard).max() <= expected["max_abs_at_most"]


def test_the_resampler_is_emptied():
    expected = report("M20")["expected"]
    assert len(load_audio(made("M20"), expected["target_rate"])) == expected["samples"]


def test_a_video_without_sound_is_told():
    data = made("M14")
    assert has_sound(data) is False and "no sound" in refusal(load_audio, data, 16000).fault


@pytest.mark.parametrize("rate", [8000, 11025, 16000, 22050, 44100, 48000])
@pytest.mark.parametrize("count", [1, 7, 999, 44100])
def test_every_rate_gives_the_exact_count(rate, count):
    heard = load_audio(wav(np.full(count, 8192), 22050), rate)
    assert len(heard) == max(1, round(count * rate / 22050))


@given(
    st.lists(st.integers(1, 3000), min_size=1, max_size=8), st.sampled_from([8000, 22050, 48000])
)
def test_pieces_give_what_the_whole_gives(sizes, rate):
    samples = np.sin(np.arange(sum(sizes)) / 20).astype(np.float32)

    def resampled(pieces):
        resampler = Resampler(rate, 16000)
        return np.concatenate([*map(resampler.push, pieces), resampler.flush()])

    pieces = resampled(np.split(samples, np.cumsum(sizes)[:-1]))
    assert np.allclose(pieces, resampled([samples]), atol=1e-5)
    assert len(pieces) == max(1, int(sum(sizes) * 16000 / rate + 0.5))


def test_channels_that_cancel_out_are_silent():
    pair = np.stack([sine(0.2, 16000), -sine(0.2, 16000)], axis=1) * 32767
    assert np.abs(load_audio(wav(pair), 16000)).max() < 1e-4


FORMATS = ["u8", "s16", "s32", "s64", "flt", "dbl"]


@pytest.mark.parametrize("planar", ["", "p"])
@pytest.mark.parametrize("format", FORMATS)
def test_every_sample_format_is_read(format, planar):
    import av

    resampler = av.AudioResampler(format=format + planar, layout="stereo", rate=16000)
    frame = av.AudioFrame.from_ndarray(
        np.stack([np.full(100, 0.5, np.float32), np.full(100, -0.25, np.float32)]), "fltp", "stereo"
    )
    frame.sample_rate = 16000
    [converted] = resampler.resample(frame)
    assert np.allclose(mono(converted), 0.125, atol=0.01)


def test_what_is_no_number_is_silent():
    import av

    values = np.array([[np.nan, np.inf, -np.inf, 0.25]], np.float32)
    frame = av.AudioFrame.from_ndarray(values, format="fltp", layout="mono")
    assert mono(frame).tolist() == [0, 1, -1, 0.25]


def test_floats_beyond_one_are_cut_off():
    loud = sound("wav", "pcm_f32le", sine(0.1, 16000, height=3.0), 16000)
    heard = load_audio(loud, 16000)
    assert heard.max() == 1 and heard.min() == -1


EXACT = [
    ("wav", "pcm_s16le"),
    ("wav", "pcm_u8"),
    ("wav", "pcm_s24le"),
    ("wav", "pcm_s32le"),
    ("wav", "pcm_f32le"),
    ("w64", "pcm_s16le"),
    ("aiff", "pcm_s16be"),
    ("au", "pcm_s16be"),
    ("caf", "pcm_s16le"),
    ("avi", "pcm_s16le"),
    ("mov", "pcm_s16le"),
    ("flac", "flac"),
    ("matroska", "flac"),
    ("ipod", "alac"),
    ("mp3", "libmp3lame"),
    ("ipod", "aac"),
    ("mp4", "aac"),
    ("ogg", "libopus"),
    ("webm", "libopus"),
]


def in_format(format: str, codec: str) -> bytes:
    rate = 48000 if codec == "libopus" else 44100
    wave = sine(1.0, rate)
    return sound(format, codec, np.stack([wave, wave]) if codec != "libopus" else wave, rate)


@pytest.mark.parametrize("format, codec", EXACT)
def test_a_second_of_sound_has_rate_samples(format, codec):
    heard = load_audio(in_format(format, codec), 16000)
    assert len(heard) == 16000
    assert np.abs(heard[2000:14000] - sine(1.0, 16000)[2000:14000]).max() < 0.05


@pytest.mark.parametrize("format", ["adts", "mpegts", "flv"])
def test_a_format_without_its_length_is_read(format):
    assert 16000 <= len(load_audio(in_format(format, "aac"), 16000)) < 17000


@pytest.mark.parametrize("format, codec", EXACT)
def test_a_cut_sound_is_refused_or_right(format, codec):
    data, refused = in_format(format, codec), 0
    whole = load_audio(data, 16000)
    slack = 1700 if format == "mp3" else 0  # two frames, which its header may be off by
    for cut in cuts(data, 25):
        try:
            heard = load_audio(data[:cut], 16000)
        except MediaError:
            refused += 1
            continue
        assert len(whole) - slack <= len(heard) <= len(whole), cut
        assert slack or np.array_equal(heard, whole), cut
    assert refused > 15


@pytest.mark.parametrize("format, codec", [("adts", "aac"), ("mpegts", "aac"), ("ac3", "ac3")])
def test_a_cut_stream_without_a_container_is_shorter_or_refused(format, codec):
    data = in_format(format, codec)
    whole = load_audio(data, 16000)
    for cut in cuts(data, 25):
        try:
            assert len(load_audio(data[:cut], 16000)) <= len(whole)
        except MediaError as error:
            assert error.fault


def test_a_header_that_knows_no_length_is_believed():
    data = bytearray(wav(np.full(1600, 99)))
    data[4:8] = data[40:44] = b"\xff" * 4  # as a program writes that streams its output
    assert len(load_audio(bytes(data), 16000)) == 1600


# Damage within.


@pytest.mark.parametrize(
    "format, codec", [("mp3", "libmp3lame"), ("flac", "flac"), ("webm", "libopus"), ("mp4", "aac")]
)
def test_damage_within_keeps_the_length_or_is_refused(format, codec):
    numbers = np.random.default_rng(3)
    data = in_format(format, codec)
    for at in numbers.integers(len(data) // 4, 3 * len(data) // 4, 25).tolist():
        hurt = bytearray(data)
        hurt[at : at + 6] = numbers.bytes(6)
        try:
            heard = load_audio(bytes(hurt), 16000)
        except MediaError:
            continue
        assert np.abs(heard).max() <= 1 and abs(len(heard) - 16000) < 2000


def test_a_stretch_that_is_missing_is_silent():
    import io

    import av

    file = io.BytesIO()
    with av.open(file, "w", format="matroska") as container:
        track = container.add_stream("pcm_s16le", rate=16000, layout="mono")
        for start in (0, 16000, 48000):
            frame = av.AudioFrame.from_ndarray(np.full((1, 16000), 0.5, np.float32), "fltp", "mono")
            frame.sample_rate, frame.pts = 16000, start
            container.mux(track.encode(frame))
        container.mux(track.encode(None))
    heard = load_audio(file.getvalue(), 16000)
    assert len(heard) == 64000
    assert np.allclose(heard[32000:48000], 0) and np.allclose(heard[48000:], 0.5, atol=1e-3)


def test_a_packet_that_cannot_be_decoded_becomes_silence(monkeypatch):
    from av.error import InvalidDataError

    samples = np.full(160_000, 8192)
    data, number = wav(samples), 0
    real = sound_module.mono

    def failing(frame):
        nonlocal number
        number += 1
        if number == 5:
            raise InvalidDataError(1, "damaged")
        return real(frame)

    monkeypatch.setattr(sound_module, "mono", failing)
    monkeypatch.setattr(sound_module, "DAMAGED_SHARE", 0.5)
    heard = load_audio(data, 16000)
    assert len(heard) == 160_000 and 0 < (heard == 0).sum() < 10_000
    number = 0
    monkeypatch.setattr(sound_module, "DAMAGED_SHARE", 0.0)
    error = refusal(load_audio, data, 16000)
    assert "1 of its" in error.fault and error.advice


def test_sound_that_is_mostly_damaged_is_refused():
    data = bytearray(in_format("mp4", "aac"))
    body = data.find(b"mdat") + 40
    data[body : body + 9000] = np.random.default_rng(0).bytes(9000)
    assert refusal(load_audio, bytes(data), 16000).fault


# Streams.


def test_the_sound_track_of_a_video_is_read():
    data = clip(frames=25, hum=sine(1.0, 16000))
    assert contents(data).has_pictures and has_sound(data)
    assert len(load_audio(data, 16000)) == 16000


def test_the_first_of_several_sound_tracks_is_read():
    import io

    import av

    file = io.BytesIO()
    with av.open(file, "w", format="matroska") as container:
        tracks = [container.add_stream("pcm_s16le", rate=16000, layout="mono") for _ in range(2)]
        for track, height in zip(tracks, (0.25, 0.75), strict=True):
            frame = av.AudioFrame.from_ndarray(
                np.full((1, 1600), height, np.float32), "fltp", "mono"
            )
            frame.sample_rate, frame.pts = 16000, 0
            container.mux(track.encode(frame))
            container.mux(track.encode(None))
    assert np.allclose(load_audio(file.getvalue(), 16000), 0.25, atol=1e-3)


# Limits.


def test_a_caller_names_how_much_is_read():
    data = in_format("flac", "flac")
    assert len(load_audio(data, 16000, seconds=0.25)) == 4000
    assert np.array_equal(load_audio(data, 16000, seconds=9), load_audio(data, 16000))


def test_sound_that_is_too_long_is_refused_before_it_is_decoded(monkeypatch):
    data = in_format("flac", "flac")
    monkeypatch.setattr(sound_module, "SOUND_SECONDS", 0.5)
    monkeypatch.setattr(sound_module, "mono", None)
    error = refusal(load_audio, data, 16000)
    assert isinstance(error, MediaTooLargeError) and "ffmpeg" in error.advice


def test_sound_that_does_not_tell_its_length_is_refused_while_it_is_decoded(monkeypatch):
    monkeypatch.setattr(sound_module, "SOUND_SECONDS", 0.5)
    data = bytearray(wav(np.full(16000, 99)))
    data[4:8] = data[40:44] = b"\xff" * 4
    assert isinstance(refusal(load_audio, bytes(data), 16000), MediaTooLargeError)


@pytest.mark.parametrize("rate", [0, -1])
def test_a_rate_that_is_none_is_refused(rate):
    with pytest.raises(ValueError, match="rate"):
        load_audio(wav(np.zeros(10)), rate)


# Files that are none.


@given(
    st.sampled_from(
        [
            b"",
            b"RIFF\xff\0\0\0WAVEfmt ",
            b"ID3\4\0\0\0\0\0\0",
            b"OggS",
            b"fLaC",
            b"\xff\xfb",
            b"\x1aE\xdf\xa3",
        ]
    ),
    st.binary(max_size=400),
)
def test_random_bytes_are_refused_in_words(mark, rest):
    if mark + rest:
        try:
            heard = load_audio(mark + rest, 16000)
        except MediaError as error:
            assert str(error).startswith(error.name) and error.fault
        else:
            assert np.abs(heard).max() <= 1  # a frame of MP3 may be found by chance


@pytest.mark.parametrize(
    "content",
    [
        b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n",
        b"ffconcat version 1.0\nfile 'a.wav'\n",
        b"words",
    ],
)
def test_a_playlist_opens_no_other_file(tmp_path, content):
    (tmp_path / "a.wav").write_bytes(wav(np.full(100, 99)))
    path = tmp_path / "list.wav"
    path.write_bytes(content)
    error = refusal(load_audio, path, 16000)
    assert error.name == "list.wav" and "plain text" in error.fault
