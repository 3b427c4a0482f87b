"""Compressed pages to what they were before, by the reference libraries that pyarrow has."""

NAMES = {1: 'snappy', 2: 'gzip', 4: 'brotli', 6: 'zstd', 7: 'lz4_raw'}  # by their number in parquet.thrift


class CodecError(Exception):
    pass


def decompress(codec, stored, size):
    """`size` bytes; another number of them, or what cannot be decompressed, is a CodecError."""
    import pyarrow  # few files are compressed, and the checker does without it else

    try:
        out = pyarrow.Codec(NAMES[codec]).decompress(bytes(stored), size).to_pybytes()
    except (pyarrow.ArrowException, OSError, ValueError) as e:
        raise CodecError(str(e)) from None
    if len(out) != size:
        raise CodecError(f'{len(out)} bytes, {size} are stated')
    return out
