"""The schema tree of a footer: its leaves, and the rules of parquet.thrift and LogicalTypes.md about each element."""

from parquet_thrift import ENUMS

# LogicalType member -> (ConvertedType it must carry or None, physical types allowed). INTEGER, TIME and TIMESTAMP
# depend on their parameters: see converted_type() and physical_types().
ANNOTATIONS = {
    'STRING': ('UTF8', ('BYTE_ARRAY',)), 'ENUM': ('ENUM', ('BYTE_ARRAY',)), 'JSON': ('JSON', ('BYTE_ARRAY',)),
    'BSON': ('BSON', ('BYTE_ARRAY',)), 'DATE': ('DATE', ('INT32',)),
    'DECIMAL': ('DECIMAL', ('INT32', 'INT64', 'FIXED_LEN_BYTE_ARRAY', 'BYTE_ARRAY')),
    'UUID': (None, ('FIXED_LEN_BYTE_ARRAY',)), 'FLOAT16': (None, ('FIXED_LEN_BYTE_ARRAY',)),
    'UNKNOWN': (None, tuple(ENUMS['Type'].values())), 'MAP': ('MAP', ()), 'LIST': ('LIST', ()),
}
FIXED_LENGTHS = {'UUID': 16, 'FLOAT16': 2, 'INTERVAL': 12}


class Leaf:
    """A primitive column: its annotation flattened to what the other modules ask for."""

    def __init__(self, element, path, max_definition_level, max_repetition_level):
        self.element, self.path = element, path
        self.max_definition_level, self.max_repetition_level = max_definition_level, max_repetition_level
        self.physical = ENUMS['Type'][element.type]
        self.type_length = element.type_length
        self.logical, self.parameters = logical_type(element)

    @property
    def name(self):
        return '.'.join(self.path)

    @property
    def unsigned(self):
        return self.logical == 'INTEGER' and not self.parameters.isSigned


def logical_type(element):
    """(name, its parameter record) of an element's annotation; INTERVAL has only a ConvertedType."""
    if element.logicalType is not None:
        return next(iter(element.logicalType.fields.items()))
    if element.converted_type is not None and ENUMS['ConvertedType'][element.converted_type] == 'INTERVAL':
        return 'INTERVAL', None
    return None, None


def time_unit(parameters):
    return next(iter(parameters.unit.fields))


def converted_type(logical, parameters):
    """The ConvertedType that must stand beside a LogicalType, None when it has none."""
    if logical == 'INTEGER':
        return f"{'INT' if parameters.isSigned else 'UINT'}_{parameters.bitWidth}"
    if logical in ('TIME', 'TIMESTAMP'):
        unit = time_unit(parameters)
        return None if unit == 'NANOS' else f'{logical}_{unit}'
    if logical == 'INTERVAL':
        return 'INTERVAL'
    return ANNOTATIONS[logical][0] if logical in ANNOTATIONS else None


def physical_types(logical, parameters):
    if logical == 'INTEGER':
        return ('INT64',) if parameters.bitWidth == 64 else ('INT32',)
    if logical == 'TIMESTAMP':
        return ('INT64',)
    if logical == 'TIME':
        return ('INT32',) if time_unit(parameters) == 'MILLIS' else ('INT64',)
    if logical == 'INTERVAL':
        return ('FIXED_LEN_BYTE_ARRAY',)
    return ANNOTATIONS[logical][1] if logical in ANNOTATIONS else None


def max_precision(physical, type_length):
    """Largest DECIMAL precision a physical type holds; None when unlimited."""
    if physical == 'BYTE_ARRAY':
        return None
    size = {'INT32': 4, 'INT64': 8}.get(physical, type_length or 0)
    return len(str(2 ** (8 * size - 1) - 1)) - 1 if size else 0


class SchemaTree:
    """Walks the flattened tree, reports what breaks a rule through `report(code, offset, message)`."""

    def __init__(self, elements, report):
        self.elements, self.report, self.position, self.leaves = elements, report, 0, []
        if not elements:
            report('schema.empty', 0, 'no schema elements')
            return
        root = self.next()
        self.check_root(root)
        self.children(root, [], 0, 0)
        if self.position != len(elements):
            report('schema.tree', root.start,
                   f'{len(elements)} elements, the tree of num_children has {self.position}')

    def next(self):
        self.position += 1
        return self.elements[self.position - 1]

    def check_root(self, root):
        if root.type is not None:
            self.report('schema.root', root.at('type'), 'the root has a physical type')
        if root.repetition_type is not None:
            self.report('schema.root', root.at('repetition_type'), 'the root has a repetition type')
        if not root.num_children:
            self.report('schema.root', root.at('num_children'), 'the root has no columns')

    def children(self, parent, path, definition_level, repetition_level):
        seen = {}
        for _ in range(parent.num_children or 0):
            if self.position >= len(self.elements):
                self.report('schema.tree', parent.start, f'group {parent.name}: children missing')
                return
            element = self.next()
            self.check_name(element, seen)
            self.node(element, path + [element.name], definition_level, repetition_level)

    def check_name(self, element, seen):
        """Some readers compare names without case, so names that differ in case only are refused as well."""
        folded = element.name.lower()
        if not element.name:
            self.report('schema.name', element.at('name'), 'empty name')
        if folded in seen:
            self.report('schema.name', element.at('name'), f'names {seen[folded]!r} and {element.name!r} clash')
        seen[folded] = element.name

    def node(self, element, path, definition_level, repetition_level):
        if element.repetition_type is None:
            self.report('schema.repetition', element.start, f'{element.name}: no repetition type')
        repetition = ENUMS['FieldRepetitionType'].get(element.repetition_type)
        definition_level += repetition in ('OPTIONAL', 'REPEATED')
        repetition_level += repetition == 'REPEATED'
        if element.type is None:
            if not element.num_children:
                self.report('schema.group', element.start, f'{element.name}: neither type nor children')
            self.children(element, path, definition_level, repetition_level)
            return
        if element.num_children is not None:
            self.report('schema.leaf', element.at('num_children'), f'{element.name}: a primitive type with children')
        leaf = Leaf(element, path, definition_level, repetition_level)
        self.leaves.append(leaf)
        self.check_leaf(leaf)

    def check_leaf(self, leaf):
        self.check_type_length(leaf)
        self.check_annotation(leaf)
        self.check_decimal(leaf)

    def check_type_length(self, leaf):
        element = leaf.element
        fixed = leaf.physical == 'FIXED_LEN_BYTE_ARRAY'
        if fixed and not (element.type_length and element.type_length > 0):
            self.report('schema.type_length', element.start, f'{leaf.name}: FIXED_LEN_BYTE_ARRAY without a length')
        if not fixed and element.type_length is not None:
            self.report('schema.type_length', element.at('type_length'), f'{leaf.name}: {leaf.physical} with a length')
        wanted = FIXED_LENGTHS.get(leaf.logical)
        if fixed and wanted and element.type_length != wanted:
            self.report('schema.type_length', element.at('type_length'),
                        f'{leaf.name}: {leaf.logical} of {element.type_length} bytes, must be {wanted}')

    def check_annotation(self, leaf):
        element, logical = leaf.element, leaf.logical
        if logical == 'INTEGER' and leaf.parameters.bitWidth not in (8, 16, 32, 64):
            self.report('schema.logical_type', element.at('logicalType'),
                        f'{leaf.name}: INTEGER of {leaf.parameters.bitWidth} bits')
            return
        wanted = converted_type(logical, leaf.parameters)
        actual = ENUMS['ConvertedType'].get(element.converted_type)
        if actual != wanted:
            self.report('schema.converted_type', element.at('converted_type'),
                        f'{leaf.name}: ConvertedType {actual} beside LogicalType {logical}, must be {wanted}')
        allowed = physical_types(logical, leaf.parameters)
        if allowed is not None and leaf.physical not in allowed:
            self.report('schema.logical_type', element.at('logicalType'),
                        f'{leaf.name}: {logical} cannot annotate {leaf.physical}')

    def check_decimal(self, leaf):
        element = leaf.element
        if leaf.logical != 'DECIMAL':
            for name in ('scale', 'precision'):
                if element.fields.get(name) is not None:
                    self.report('schema.decimal', element.at(name), f'{leaf.name}: {name} without DECIMAL')
            return
        scale, precision = leaf.parameters.scale, leaf.parameters.precision
        if (element.scale, element.precision) != (scale, precision):
            self.report('schema.decimal', element.start,
                        f'{leaf.name}: SchemaElement scale {element.scale} precision {element.precision}, '
                        f'LogicalType scale {scale} precision {precision}')
        limit = max_precision(leaf.physical, leaf.type_length)
        if precision < 1 or not 0 <= scale <= precision or (limit is not None and precision > limit):
            self.report('schema.decimal', element.at('logicalType'),
                        f'{leaf.name}: DECIMAL({precision},{scale}) on {leaf.physical}, at most {limit} digits')
