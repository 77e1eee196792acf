"""From logits to a token and its details, and from token ids to text.

Importing this loads neither torch nor NumPy: `sample` and `distribution` load them when called."""

from agentloop_widgets.sampling.detokenizer import Detokenizer
from agentloop_widgets.sampling.sampler import (
    Candidate,
    Distribution,
    Guess,
    Sampling,
    TokenDetails,
    distribution,
    probability,
    residual,
    sample,
    speculative_accept,
)

__all__ = [
    "Candidate",
    "Detokenizer",
    "Distribution",
    "Guess",
    "Sampling",
    "TokenDetails",
    "distribution",
    "probability",
    "residual",
    "sample",
    "speculative_accept",
]
