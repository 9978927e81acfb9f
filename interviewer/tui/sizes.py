"""The sizes of a terminal at which the layout changes, in columns and rows; the stylesheet knows them by class."""

from __future__ import annotations

COLUMNS_MIN, ROWS_MIN = 60, 15
WIDE_COLUMNS = 100
HIGH_ROWS = 30
