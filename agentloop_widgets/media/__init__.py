"""Files to pixels, samples and frames: pictures, sound and video as a model wants them, and the files given with a question."""

from agentloop_widgets.media.animations import (
    ANIMATION_PIXELS,
    UNTIMED_MS,
    animation_frames,
    load_animation,
)
from agentloop_widgets.media.attachments import Attachment, attach, kind_of
from agentloop_widgets.media.containers import (
    DAMAGED_SHARE,
    STREAM_BYTES,
    Contents,
    contents,
    has_sound,
)
from agentloop_widgets.media.decoding import KEPT_BYTES, SOUND_RATE, DecodedMedia, decoded
from agentloop_widgets.media.filenames import safe_name, shown_name
from agentloop_widgets.media.geometry import LONGER_SIDE
from agentloop_widgets.media.images import IMAGE_BYTES, IMAGE_PIXELS, load_image, to_rgb
from agentloop_widgets.media.kinds import KINDS, Look, looks_like
from agentloop_widgets.media.moments import FRAMES, even_indices, pick_frames
from agentloop_widgets.media.sound import SOUND_SECONDS, load_audio
from agentloop_widgets.media.sources import MediaError, MediaTooLargeError
from agentloop_widgets.media.thumbnails import THUMBNAIL_BYTES, THUMBNAIL_SIDE, thumbnail
from agentloop_widgets.media.video import VIDEO_PIXELS, load_video

__all__ = [
    "ANIMATION_PIXELS",
    "DAMAGED_SHARE",
    "FRAMES",
    "IMAGE_BYTES",
    "IMAGE_PIXELS",
    "KEPT_BYTES",
    "KINDS",
    "LONGER_SIDE",
    "SOUND_RATE",
    "SOUND_SECONDS",
    "STREAM_BYTES",
    "THUMBNAIL_BYTES",
    "THUMBNAIL_SIDE",
    "UNTIMED_MS",
    "VIDEO_PIXELS",
    "Attachment",
    "Contents",
    "DecodedMedia",
    "Look",
    "MediaError",
    "MediaTooLargeError",
    "animation_frames",
    "attach",
    "contents",
    "decoded",
    "even_indices",
    "has_sound",
    "kind_of",
    "load_animation",
    "load_audio",
    "load_image",
    "load_video",
    "looks_like",
    "pick_frames",
    "safe_name",
    "shown_name",
    "thumbnail",
    "to_rgb",
]
