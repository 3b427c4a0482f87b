"""readers.md: which readers, at which versions, and what each refuses or returns otherwise."""

HEAD = """# Readers

Written by `tests/interop/interop_check.py`. Each of these readers reads, value by value, every type that microparquet
writes, but for what the last two columns name.

| reader | version | refuses | returns otherwise |
|---|---|---|---|
"""


def spelled(name):
    """time_ms_utc is TIME(ms, UTC); other types are their names in capitals."""
    word, *parameters = name.split('_')
    if word not in ('time', 'timestamp'):
        return name.upper()
    unit, zone = parameters
    return f"{word.upper()}({unit}, {'UTC' if zone == 'utc' else zone})"


def listed(names):
    return ', '.join(spelled(name) for name in sorted(names)) or 'nothing'


def row(reader, table):
    refused = [name for (family, name) in table.refusals if family == reader.family and not table.setting(reader, name)]
    settings = {}
    for (family, name), setting in table.settings.items():
        if family == reader.family:
            settings.setdefault(setting, []).append(name)
    refusals = '; '.join([listed(refused), *(f'without `{s}` also {listed(names)}' for s, names in settings.items())])
    changed = {}
    for (family, name), becomes in table.differences.items():
        if family == reader.family:
            changed.setdefault(becomes, []).append(name)
    otherwise = '; '.join([*(f'{listed(names)}: {becomes}' for becomes, names in changed.items()),
                           *(f'{says}: wrong values, or none' for (name, _), says in sorted(table.broken.items())
                             if name == reader.family)])
    return f"| {reader.name} | {reader.version()} | {refusals} | {otherwise or 'nothing'} |\n"


def write(readers, table, path):
    text = HEAD + ''.join(row(r, table) for r in readers)
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)
