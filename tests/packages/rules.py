"""Rules of an index: what each says, by the number that the index gives it or, where it gives none, that we do, and whether the
package keeps it."""
import dataclasses
from typing import Callable, Optional


@dataclasses.dataclass(frozen=True)
class Rule:
    """`check`: returns the fault, or nothing. `not_tried`: why it cannot be checked here."""
    number: str
    says: str
    check: Optional[Callable] = None
    not_tried: str = ''


def fault(held, seen=''):
    """The fault, where something does not hold."""
    return '' if held else str(seen) or 'it is not so'
