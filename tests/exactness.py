"""Our greedy decoding against the published way: the processor on the whole prompt, then `model.generate()`.

The reference decodes files by itself (Pillow, the wave module, every frame by PyAV), lets the processor expand the prompt, and shares none of our code but the template. Two tokens whose logits are closer than TIE may
come out either way: such a place ends a comparison and is counted.
"""

import wave
from dataclasses import dataclass

import numpy as np

from agentloop_widgets.backends.checkpoint import quiet_transformers
from agentloop_widgets.sampling import Sampling
from agentloop_widgets.trace.messages import media_parts

TIE = 1e-4


@dataclass
class Comparison:
    """ours, theirs: token ids; tie: the index at which the two best were as good as equal, or None; difference: where they part otherwise; apart: the largest difference of a written token's logarithmic probability."""

    ours: list[int]
    theirs: list[int]
    tie: int | None = None
    difference: int | None = None
    apart: float = 0.0


def ours(llm, encoded, count: int, reuse: bool = False) -> tuple[list[int], list[float]]:
    """What our loop writes, with no stop token, and each token's logarithmic probability."""
    stop_ids, llm.stop_ids = llm.stop_ids, frozenset()
    try:
        greedy = Sampling(temperature=0, max_new_tokens=count)
        events = list(llm.generate(encoded, greedy, reuse=reuse))
    finally:
        llm.stop_ids = stop_ids
    tokens = [event for event in events if event.type == "token"]
    return [token.id for token in tokens], [token.logprob for token in tokens]


def theirs(llm, inputs: dict, count: int):
    """What generate() writes to a processor's inputs, and its logits at each step."""
    import torch

    moved = {
        name: value.to(llm.model.device, llm.model.dtype if value.is_floating_point() else None)
        for name, value in inputs.items()
    }
    with torch.inference_mode(), quiet_transformers():
        made = llm.model.generate(
            **moved,
            max_new_tokens=count,
            eos_token_id=None,
            do_sample=False,
            temperature=None,
            top_p=None,
            top_k=None,
            return_dict_in_generate=True,
            output_logits=True,
        )
    return made.sequences[0, moved["input_ids"].shape[-1] :].tolist(), [
        step[0].float() for step in made.logits
    ]


def read_sound(path: str) -> np.ndarray:
    """A mono WAV file of 16 bit at the model's own rate."""
    with wave.open(path) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 16000)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / 32768


def read_video(path: str, processor) -> tuple[np.ndarray, dict]:
    """The frames that the processor itself chooses of a clip of constant rate, and their metadata."""
    import av
    from transformers.video_utils import VideoMetadata

    with av.open(path) as container:
        rate = float(container.streams.video[0].average_rate)
        frames = np.stack([frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)])
    count = len(frames)
    whole = VideoMetadata(total_num_frames=count, fps=rate, duration=count / rate)
    fewer = count <= (processor.num_frames or 1)  # a processor that wants more refuses
    chosen = (
        list(range(count))
        if fewer
        else [int(index) for index in processor.sample_frames(metadata=whole)]
    )
    height, width = frames.shape[1:3]
    return frames[chosen], {
        "fps": rate,
        "total_num_frames": count,
        "frames_indices": chosen,
        "duration": count / rate,
        "width": width,
        "height": height,
    }


def reference_inputs(llm, prompt: str, parts: list[dict]) -> dict:
    """What the processor makes of the whole prompt and its files."""
    from PIL import Image

    processor = llm.processor
    paths = {
        kind: [part["path"] for part in parts if part["type"] == kind]
        for kind in ("image", "audio", "video")
    }
    given: dict = {}
    if paths["image"]:
        given["images"] = [Image.open(path).convert("RGB") for path in paths["image"]]
    if paths["audio"]:
        given["audio"] = [read_sound(path) for path in paths["audio"]]
    if paths["video"]:
        frames, metadata = zip(
            *(read_video(path, processor.video_processor) for path in paths["video"]), strict=True
        )
        given |= {
            "videos": list(frames),
            "videos_kwargs": {"video_metadata": list(metadata), "do_sample_frames": False},
        }
    with quiet_transformers():
        made = processor(text=[prompt], return_tensors="pt", add_special_tokens=False, **given)
    return dict(made)


def check_inputs(encoded, reference: dict) -> None:
    """Our ids and tensors are the processor's."""
    import torch

    assert encoded.ids == reference["input_ids"][0].tolist()
    for name, value in encoded.inputs.items():
        assert torch.equal(value, reference[name]), name


def compared(llm, messages: list[dict], count: int = 24, thinking: bool = True) -> Comparison:
    """The same conversation written on by both."""
    prompt, parts = llm.render(messages, None, thinking), media_parts(messages)
    encoded = llm.encode(prompt, parts)
    reference = reference_inputs(llm, str(prompt), parts)
    check_inputs(encoded, reference)
    mine, logprobs = ours(llm, encoded, count)
    other, logits = theirs(llm, reference, count)
    found = Comparison(mine, other)
    for index, (a, b) in enumerate(zip(mine, other, strict=True)):
        if a != b:
            close = abs(float(logits[index][a] - logits[index][b])) < TIE
            found.tie, found.difference = (index, None) if close else (None, index)
            break
        found.apart = max(
            found.apart, abs(float(logits[index].log_softmax(-1)[b]) - logprobs[index])
        )
    return found
