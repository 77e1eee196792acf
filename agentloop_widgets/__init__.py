"""See one question travel through a language model's agent loop."""

__version__ = "0.1.0"
