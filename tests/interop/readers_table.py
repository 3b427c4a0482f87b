"""readers.md: which readers, at which versions, and what each refuses or returns otherwise."""

HEAD = """# Readers

Written by `tests/interop/interop_check.py`. Each of these readers reads, value by value, every type that microparquet
writes, but for what the last two columns name.

| reader | version | refuses | returns otherwise |
|---|---|---|---|
"""


def listed(items):
    return '; '.join(items) if items else 'nothing'


def grouped(names):
    """time_ms_utc, time_us_utc ... as short words."""
    return ', '.join(f'`{n}`' for n in names)


def row(reader, table):
    refused = [name for (family, name) in table.refusals if family == reader.family]
    changed = {}
    for (family, name), becomes in table.differences.items():
        if family == reader.family:
            changed.setdefault(becomes, []).append(name)
    return '| {} | {} | {} | {} |\n'.format(
        reader.name, reader.version(), grouped(refused) or 'nothing',
        listed([f'{grouped(names)}: {becomes}' for becomes, names in changed.items()]))


def write(readers, table, path):
    text = HEAD + ''.join(row(r, table) for r in readers)
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)
