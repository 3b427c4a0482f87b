"""A log from Python, by ctypes alone: a thousand rows into a file, which is then read back.

    python log_from_python.py log.parquet [LIBRARY]

LIBRARY is the shared library microparquet_c, if the system does not find it. Structs of the library's headers that a caller fills
are declared here, as the headers of 0.2 have them; all else is memory of a size that the library says."""
import ctypes
import sys

NAME = 'libmicroparquet_c.so.0.2'
ROWS = 1000


class Row(ctypes.Structure):
    _fields_ = [('time', ctypes.c_int64), ('temperature', ctypes.c_float), ('has_temperature', ctypes.c_bool)]


class Column(ctypes.Structure):
    """mpq_column."""
    _fields_ = [('name', ctypes.c_char_p), ('type', ctypes.c_void_p), ('encoding', ctypes.c_void_p), ('optional', ctypes.c_void_p),
                ('page_bytes', ctypes.c_uint32), ('offset', ctypes.c_uint16), ('valid_offset', ctypes.c_uint16),
                ('bytes', ctypes.c_uint16), ('precision', ctypes.c_uint8), ('scale', ctypes.c_uint8)]


class Setup(ctypes.Structure):
    """mpq_setup."""
    _fields_ = [('columns', ctypes.POINTER(Column)), ('column_count', ctypes.c_size_t), ('options', ctypes.c_void_p),
                ('memory', ctypes.c_void_p), ('memory_bytes', ctypes.c_size_t)]


class Cell(ctypes.Structure):
    """mpq_cell."""
    _fields_ = [('data', ctypes.c_void_p), ('bytes', ctypes.c_uint32)]


class ColumnInfo(ctypes.Structure):
    """mpq_column_info."""
    _fields_ = [('name', ctypes.c_void_p), ('name_bytes', ctypes.c_size_t), ('type', ctypes.c_int), ('bytes', ctypes.c_uint32),
                ('logical', ctypes.c_int), ('unit', ctypes.c_int), ('utc', ctypes.c_bool), ('is_signed', ctypes.c_bool),
                ('bits', ctypes.c_uint8), ('precision', ctypes.c_uint8), ('scale', ctypes.c_uint8),
                ('max_definition_level', ctypes.c_uint8), ('max_repetition_level', ctypes.c_uint8)]


class Library:
    """The functions, each of which raises an error where it returns a status other than MPQ_OK."""

    def __init__(self, path):
        self.functions = ctypes.CDLL(path)
        for name in ('mpq_version', 'mpq_status_text'):
            getattr(self.functions, name).restype = ctypes.c_char_p
        for name in ('mpq_writer_bytes', 'mpq_reader_bytes', 'mpq_posix_bytes', 'mpq_writer_needed_bytes'):
            getattr(self.functions, name).restype = ctypes.c_size_t
        for name in ('mpq_reader_rows', 'mpq_reader_needed_bytes'):
            getattr(self.functions, name).restype = ctypes.c_uint64
        self.functions.mpq_reader_cell.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        self.functions.mpq_reader_cell.restype = Cell
        version = self.functions.mpq_version().decode()
        if not version.startswith('0.2.'):
            raise ImportError(f'microparquet_c is version {version}, and this program is for 0.2')

    def call(self, name, *arguments):
        status = getattr(self.functions, name)(*arguments)
        if status != 0:
            raise OSError(f'{name}: {self.functions.mpq_status_text(status).decode()}')

    def constant(self, name):
        return ctypes.addressof(ctypes.c_char.in_dll(self.functions, name))

    def object(self, kind):
        """Memory of an object, as long as the library says, and the object in it."""
        count = getattr(self.functions, f'mpq_{kind}_bytes')()
        memory = (ctypes.c_uint64 * ((count + 7) // 8))()
        made = ctypes.c_void_p()
        self.call(f'mpq_{kind}_in', memory, ctypes.c_size_t(count), ctypes.byref(made))
        return memory, made


def write(library, path):
    columns = (Column * 2)(
        Column(name=b'time', type=library.constant('mpq_timestamp_us'), encoding=library.constant('mpq_delta'), offset=Row.time.offset),
        Column(name=b'temperature', type=library.constant('mpq_float'), optional=library.constant('mpq_is_optional'),
               offset=Row.temperature.offset, valid_offset=Row.has_temperature.offset))
    memory = (ctypes.c_uint64 * 4000)()
    setup = Setup(columns, len(columns), None, ctypes.addressof(memory), ctypes.sizeof(memory))
    _port_memory, port = library.object('posix')
    _writer_memory, writer = library.object('writer')
    file = ctypes.c_void_p()
    library.call('mpq_posix_make', port)
    library.call('mpq_posix_create', port, path.encode(), ctypes.c_bool(True), ctypes.byref(file))
    library.call('mpq_writer_open', writer, file, ctypes.byref(setup))
    for i in range(ROWS):
        row = Row(1_700_000_000_000_000 + 10_000 * i, 20 + 0.01 * i, i % 10 == 0)
        library.call('mpq_writer_append', writer, ctypes.byref(row))
    library.call('mpq_writer_close', writer)
    library.call('mpq_posix_close', port)


def read(library, path):
    _port_memory, port = library.object('posix')
    _reader_memory, reader = library.object('reader')
    memory = (ctypes.c_uint64 * 4000)()
    file = ctypes.c_void_p()
    decoders = ctypes.c_void_p(library.constant('mpq_all_decoders'))
    options = (ctypes.c_uint64 * 2)(0, decoders.value)  # mpq_reader_options: two numbers of 32 bits, and the decoders
    library.call('mpq_posix_make', port)
    library.call('mpq_posix_open_for_reading', port, path.encode(), ctypes.byref(file))
    library.call('mpq_reader_open', reader, file, options, memory, ctypes.c_size_t(ctypes.sizeof(memory)))
    for i in range(2):
        name, info = ctypes.create_string_buffer(100), ColumnInfo()
        library.call('mpq_reader_describe_column', reader, ctypes.c_uint32(i), name, ctypes.c_size_t(len(name)), ctypes.byref(info))
        print(ctypes.string_at(info.name, info.name_bytes).decode(), 'physical', info.type, 'logical', info.logical, 'unit', info.unit)
    library.call('mpq_reader_choose_all', reader)
    total = 0.0
    for _ in range(library.functions.mpq_reader_rows(reader)):
        library.call('mpq_reader_next_row', reader)
        cell = library.functions.mpq_reader_cell(reader, 1)
        if cell.data:
            total += ctypes.cast(cell.data, ctypes.POINTER(ctypes.c_float))[0]
    library.call('mpq_posix_close', port)
    print(f'sum {total:.1f}')


def main():
    library = Library(sys.argv[2] if len(sys.argv) > 2 else NAME)
    write(library, sys.argv[1])
    read(library, sys.argv[1])


main()
