"""From logits to a token and its details, from token ids to text."""

from agentloop_widgets.sampling.sampler import Sampling, sample
