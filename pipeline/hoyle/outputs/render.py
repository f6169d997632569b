"""Images of pages for screens, made in a process of its own (see :func:`main`).

Images from outside are unpacked here, and PDFium draws pages of PDFs; either may need much memory or crash
on a broken file. The process has a limit of memory, and neither harms the one that asked. What to make comes
on standard input as lines of JSON; each line of the answer is empty, or says what is wrong with that image.
"""

from __future__ import annotations

import json
import sys
import warnings
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoyle.inputs.compressed import unpacked
from hoyle.inputs.images import MOST_PIXELS
from hoyle.inputs.pdfium import limit_memory

if TYPE_CHECKING:
    from PIL import Image
    from pypdfium2 import PdfDocument

SIZES = {"": 1500, "-small": 600}
"""Endings of the names of the images, and their greatest width, in pixels."""
_QUALITY = {"": 65, "-small": 50}
"""Of WebP, 0 to 100; print on paper stays legible."""
_LONGEST = 3.0
"""Greatest height of an image, in widths of its size."""


def main() -> None:
    """Make the images that standard input names."""
    limit_memory()
    for line in sys.stdin:
        wanted = json.loads(line)
        try:
            _make(wanted["image"], Path(wanted["to"]))
            fault = ""
        except MemoryError:
            fault = "needs too much memory; make it smaller"
        except Exception as error:  # noqa: BLE001 - Pillow raises errors of many kinds for broken files
            fault = f"cannot be read ({' '.join(str(error).split())[:120] or type(error).__name__})"
        print(json.dumps(fault), flush=True)  # noqa: T201 - this is what the process is for


def _make(image: str, to: Path) -> None:
    path, _, page = image.rpartition("#page=")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = _drawn(path, int(page)) if path else _opened(image)
    for ending, width in SIZES.items():
        made = whole if whole.mode in ("L", "RGB") else whole.convert("RGB")
        if made.width > width or made.height > _LONGEST * width:
            made = made.copy()
            made.thumbnail((width, int(_LONGEST * width)))
        made.save(to.with_name(f"{to.name}{ending}.webp"), "WEBP", quality=_QUALITY[ending], method=4)


def _opened(path: str) -> Image.Image:
    from PIL import Image, ImageOps  # noqa: PLC0415 - an extra

    with Image.open(path) as image:
        if image.width * image.height > MOST_PIXELS:
            raise ValueError(f"more than {MOST_PIXELS:,} pixels")
        # A JPEG is unpacked at a half, a quarter … of its size where that is enough.
        image.draft("RGB", (SIZES[""], SIZES[""]))
        return ImageOps.exif_transpose(image)


def _drawn(path: str, page: int) -> Image.Image:
    """A page of a PDF as wide as the widest image."""
    opened = _pdf(path)[page - 1]
    width, height = opened.get_size()
    scale = min(SIZES[""] / max(width, 1.0), _LONGEST * SIZES[""] / max(height, 1.0))
    bitmap: Any = opened.render(scale=scale)
    image: Image.Image = bitmap.to_pil()
    opened.close()
    return image


@lru_cache(maxsize=1)
def _pdf(path: str) -> PdfDocument:
    from pypdfium2 import PdfDocument  # noqa: PLC0415 - an extra

    data = Path(path).read_bytes()
    return PdfDocument(unpacked(data, name=path, max_bytes=sys.maxsize - 1) if data[:5] != b"%PDF-" else data)
