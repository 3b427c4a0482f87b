"""The sections of CHANGELOG.md: one for each version, headed by it and its date, or "in progress"."""
import re

FILE = 'CHANGELOG.md'
HEADING = re.compile(r'^## (\d+\.\d+\.\d+), (.+)$', re.M)
DATE = re.compile(r'\d{4}-\d{2}-\d{2}')


def section(tree, version):
    """Finds the date of a version in the list of changes, and its text."""
    text = (tree / FILE).read_text()
    headings = list(HEADING.finditer(text))
    for heading, following in zip(headings, [*headings[1:], None]):
        if heading[1] == version:
            return heading[2], text[heading.start():following.start() if following else len(text)].strip() + '\n'
    raise ValueError(f'{FILE} has no section "## {version}, ..."')


def write_date(tree, version, date):
    """Says when the version was released."""
    if not DATE.fullmatch(date):
        raise ValueError(f'{date} is no date such as 2030-01-31')
    file = tree / FILE
    text, count = re.subn(rf'^## {re.escape(version)}, .*$', f'## {version}, {date}', file.read_text(), flags=re.M)
    if count != 1:
        raise ValueError(f'{FILE} has {count} sections of {version}')
    file.write_text(text)
