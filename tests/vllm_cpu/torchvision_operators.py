"""Lets torchvision's CUDA build be imported beside PyTorch's CPU build.

Its library of compiled operators does not load there, and the import then stops where torchvision describes
two of them to PyTorch. They are declared here just before: nothing calls them.
"""

import sys

OPERATORS = ("nms", "qnms")
SIGNATURE = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"


class BeforeTorchvision:
    """An import hook that finds nothing: it acts once, when torchvision is first looked for."""

    declared = None  # PyTorch forgets the declarations when this is collected

    def find_spec(self, name, path=None, target=None):
        if name == "torchvision":
            sys.meta_path.remove(self)
            from torch import library

            BeforeTorchvision.declared = library.Library("torchvision", "FRAGMENT")
            for operator in OPERATORS:
                BeforeTorchvision.declared.define(operator + SIGNATURE)


sys.meta_path.insert(0, BeforeTorchvision())
