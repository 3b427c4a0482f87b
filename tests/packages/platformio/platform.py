"""A platform of PlatformIO that needs nothing but this machine's compiler."""
from platformio.public import PlatformBase


class StandinPlatform(PlatformBase):
    """The name is that of platform.json."""
