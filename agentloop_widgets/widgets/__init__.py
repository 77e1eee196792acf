"""The views of a run."""
