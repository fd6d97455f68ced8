"""Steps of a system whose rigid bodies touch by polygons: as `splitting.py`, in a kernel of its own.

Validity, source: as splitting.py and contacts/body_polygons.py.
"""

from __future__ import annotations

from haptos.core.jit import uncounted_entry
from haptos.dynamics.contacts.body_polygons import touch_polygons
from haptos.dynamics.march.splitting import march_with

CITES: tuple[str, ...] = ()


@uncounted_entry
def march_polygons(rows, system, motion, scratch, until, share, longest, most):
    """March to a time [s], or until `most` steps are done, or to a pause; whether the time was reached.

    rows   of contacts/polygon_rows.py         the rest as in `splitting.march_with`
    """
    return march_with(touch_polygons, rows, system, motion, scratch, until, share, longest, most)
