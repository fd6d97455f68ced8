"""three.js, the 3-D library of the viewer, out of the installed wheel that carries it.

trimesh ships three.js inside the page of its own viewer. We take it from there when a page is written:
nothing of it is kept with haptos, and nothing is fetched. docs/decisions/0015 says why from there.
"""

from __future__ import annotations

import functools
import zipfile
from importlib import metadata, resources

from haptos.core.errors import HaptosError

ARCHIVE = ("resources", "templates", "viewer.zip")
BEGIN, END = "<script>", '"__esModule",{value:!0})}));'
GLOBAL_NAME = ".THREE={}"


@functools.cache
def three_script() -> str:
    """Source of three.js; as a script of a page it defines THREE."""
    try:
        path = resources.files("trimesh").joinpath(*ARCHIVE)
        with path.open("rb") as handle, zipfile.ZipFile(handle) as archive:
            page = archive.read(archive.namelist()[0]).decode("utf-8")
    except (OSError, KeyError, IndexError, zipfile.BadZipFile, UnicodeDecodeError) as error:
        raise _missing(f"no page of a viewer ({error})") from None
    begin = page.find(BEGIN)
    end = page.find(END, begin)
    script = page[begin + len(BEGIN) : end + len(END)]
    if begin < 0 or end < 0 or GLOBAL_NAME not in script or "</script" in script:
        raise _missing("a page of a viewer without three.js as expected")
    return script


def _missing(found: str) -> HaptosError:
    version = metadata.version("trimesh")
    allowed = "a trimesh that carries three.js, as 4.5 to 5.2 do"
    return HaptosError(f"trimesh {version}", found, allowed, "pip install 'trimesh==5.2.0'")
