"""Rules: what must never be missed, as rows of TOML that carry their own proof."""

from elision.rules.engine import Match, Rules, Sure, shipped_rules
from elision.rules.pack import Pack, pack_names, read_pack
from elision.rules.row import Row

__all__ = ["Match", "Pack", "Row", "Rules", "Sure", "pack_names", "read_pack", "shipped_rules"]
