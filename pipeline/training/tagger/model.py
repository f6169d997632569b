"""The net: characters, how common their word is and the document's profile in, two labels a character out."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from hoyle.correction.tagger import FREQUENCY_CLASSES, TOP_K


@dataclass(frozen=True)
class Shape:
    """Sizes of a net; it sees ``sum(dilations) * (kernel // 2)`` characters to either side."""

    inputs: int
    outputs: int
    width: int = 192
    kernel: int = 7
    dilations: tuple[int, ...] = (1, 1, 2, 2, 4, 4)


class Block(nn.Module):
    """Depthwise convolution over the text, then two linear layers at each character, with a residual."""

    def __init__(self, width: int, kernel: int, dilation: int) -> None:
        super().__init__()
        self.mix = nn.Conv1d(
            width, width, kernel, padding=dilation * (kernel // 2), dilation=dilation, groups=width
        )
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, hidden: Tensor) -> Tensor:
        """``hidden`` has the axes batch, character, feature."""
        exported = torch.onnx.is_in_onnx_export()
        mixed = self.mix(hidden.transpose(1, 2)).transpose(1, 2) if exported else self._mixed(hidden)
        out: Tensor = hidden + self.down(functional.gelu(self.up(self.norm(mixed))))
        return out

    def _mixed(self, hidden: Tensor) -> Tensor:
        """What :attr:`mix` makes of ``hidden``, five times as fast to train.

        Every dilation-th character is a row of its own, and features stand last, as they lie in memory:
        PyTorch has a quick depthwise convolution for that, but none for one that is dilated.
        """
        dilation, kernel = self.mix.dilation[0], self.mix.kernel_size[0]
        batch, length, width = hidden.shape
        rows = functional.pad(hidden, (0, 0, 0, -length % dilation)).view(batch, -1, dilation, width)
        weight = self.mix.weight.unsqueeze(3).contiguous(memory_format=torch.channels_last)
        mixed = functional.conv2d(
            rows.permute(0, 3, 1, 2), weight, self.mix.bias, padding=(kernel // 2, 0), groups=width
        )
        return mixed.permute(0, 2, 3, 1).reshape(batch, -1, width)[:, :length]


class Tagger(nn.Module):
    """Scores of what each character becomes, and of what follows it.

    Class 0 is "stays" (or "nothing follows"), 1 "goes", the rest are characters.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.chars = nn.Embedding(shape.inputs, shape.width)
        self.known = nn.Embedding(FREQUENCY_CLASSES, shape.width)
        nn.init.normal_(self.chars.weight, 0, 0.3)
        self.profile = nn.Linear(shape.inputs, shape.width, bias=False)
        nn.init.normal_(self.known.weight, 0, 0.3)
        nn.init.zeros_(self.profile.weight)
        self.blocks = nn.ModuleList(Block(shape.width, shape.kernel, d) for d in shape.dilations)
        self.norm = nn.LayerNorm(shape.width)
        self.becomes = nn.Linear(shape.width, shape.outputs)
        self.after = nn.Linear(shape.width, shape.outputs)

    def forward(self, chars: Tensor, known: Tensor, profile: Tensor) -> tuple[Tensor, Tensor]:
        """Scores (logits) of both heads, each with the axes batch, character, class."""
        hidden = self.chars(chars) + self.known(known) + self.profile(profile)[:, None, :]
        # What pads a text to the length of its batch is as good as no text, so that texts are read alike
        # whatever stands beside them.
        text = (chars != 0)[:, :, None]
        for block in self.blocks:
            hidden = block(hidden * text)
        hidden = self.norm(hidden)
        return self.becomes(hidden), self.after(hidden)


class Decided(nn.Module):
    """The tagger as it is exported: for each head the likeliest changes and their probabilities."""

    def __init__(self, tagger: Tagger) -> None:
        super().__init__()
        self.tagger = tagger

    def forward(self, chars: Tensor, known: Tensor, profile: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The :data:`CHOICES` likeliest changes (classes, from 1 on), likeliest first, and their chances.

        Of what becomes and of what follows, each with the axes batch, character, choice.
        """
        out: list[Tensor] = []
        for scores in self.tagger(chars, known, profile):
            best = scores.softmax(-1)[..., 1:].topk(TOP_K, -1)
            out += [best.indices + 1, best.values]
        return out[0], out[1], out[2], out[3]
