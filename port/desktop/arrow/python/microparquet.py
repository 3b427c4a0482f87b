"""Parquet files by microparquet, for whatever library of Python speaks the Arrow C stream interface.

    import microparquet
    log = microparquet.read("log.parquet")
    pyarrow.table(log); polars.DataFrame(log); duckdb.sql("SELECT max(temperature) FROM log")
    microparquet.write(table, "copy.parquet", codec="zstd")

It needs no package, but the shared library microparquet_arrow: beside this file, or where MICROPARQUET_ARROW says.
"""
import ctypes
import os
import pathlib
import sys

_SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
_LIBRARY = os.environ.get("MICROPARQUET_ARROW") or pathlib.Path(__file__).with_name("libmicroparquet_arrow" + _SUFFIX)
_ERROR_BYTES = 4096
_CAPSULE = b"arrow_array_stream"


class Error(Exception):
    """An error, in words for people."""


class _Stream(ctypes.Structure):
    """An ArrowArrayStream."""
    _fields_ = [(name, ctypes.c_void_p) for name in ("get_schema", "get_next", "get_last_error", "release", "private_data")]


_library = ctypes.CDLL(os.fspath(_LIBRARY))
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_handed_out = []  # streams in capsules, which nobody may have taken yet


def _call(function, *arguments):
    error = ctypes.create_string_buffer(_ERROR_BYTES)
    if function(*arguments, error, ctypes.c_size_t(_ERROR_BYTES)) != 0:
        raise Error(error.value.decode(errors="replace"))


def _release(stream):
    if stream.release:
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(stream.release)(ctypes.addressof(stream))


def _capsule_of(stream):
    """Whoever takes the stream out of its capsule leaves an empty one. A capsule that is thrown away keeps its file open: a
    destructor would be Python, and run while errors are on their way."""
    _handed_out[:] = [old for old in _handed_out if old.release]
    _handed_out.append(stream)
    return _new_capsule(ctypes.addressof(stream), _CAPSULE, None)


class read:
    """The rows of a file, of all columns or of those named. Read again each time that somebody asks. `physical`: numbers of columns
    that have a key-value scale.NAME or offset.NAME come as doubles in their unit."""

    def __init__(self, path, columns=(), batch_rows=0, physical=False):
        self._path = os.fsencode(path)
        self._columns = [name.encode() for name in columns]
        self._batch_rows = batch_rows
        self._read = _library.microparquet_read_arrow_physical if physical else _library.microparquet_read_arrow
        _release(self._stream())  # so that what is wrong with the name is found here

    def __arrow_c_stream__(self, requested_schema=None):
        return _capsule_of(self._stream())

    def _stream(self):
        stream = _Stream()
        names = (ctypes.c_char_p * len(self._columns))(*self._columns)
        _call(self._read, ctypes.c_char_p(self._path), names, ctypes.c_size_t(len(names)),
              ctypes.c_uint32(self._batch_rows), ctypes.byref(stream))
        return stream


def write(rows, path, codec=None):
    """Writes what has rows as Arrow: a table of pyarrow, a frame of Polars, a relation of DuckDB, with their lists, maps and structs.
    `codec`: "zstd", "snappy" and others; none: values are encoded, and not compressed."""
    capsule = rows.__arrow_c_stream__()
    stream = ctypes.c_void_p(_pointer_of(ctypes.py_object(capsule), ctypes.c_char_p(_CAPSULE)))
    _call(_library.microparquet_write_arrow, stream, ctypes.c_char_p(os.fsencode(path)),
          ctypes.c_char_p(codec.encode() if codec else None))
