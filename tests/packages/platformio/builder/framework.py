"""The frameworks are headers and libraries that platformio.ini names."""
Import("env")  # noqa: F821  pylint: disable=undefined-variable
