"""The sections of CHANGELOG.md: one for each version, headed by it and its date, or "in progress"."""
import re

FILE = 'CHANGELOG.md'
HEADING = re.compile(r'^## (\d+\.\d+\.\d+), (.+)$', re.M)
LINK = re.compile(r'\[([^]]+)\]\(([^)]+)\)')
DATE = re.compile(r'\d{4}-\d{2}-\d{2}')


def section(tree, version):
    """Finds the date of a version in the list of changes, and its text."""
    text = (tree / FILE).read_text()
    headings = list(HEADING.finditer(text))
    for heading, following in zip(headings, [*headings[1:], None]):
        if heading[1] == version:
            return heading[2], text[heading.start():following.start() if following else len(text)].strip() + '\n'
    raise ValueError(f'{FILE} has no section "## {version}, ..."')


def _without_path(link):
    text, target = link[1], link[2].partition('#')[0]
    if '://' in target:
        return link[0]
    if not target:
        return text
    return f'`{target}`' if target.endswith(f'/{text}') or target == text else f'{text} (`{target}`)'


def text_of_release(text, source):
    """A section where no file lies beside it: links to files of the tree become their paths in the archive `source`."""
    return LINK.sub(_without_path, text) + f'\nFiles that are named here lie in `{source}`.\n'


def write_date(tree, version, date):
    """Says when the version was released."""
    if not DATE.fullmatch(date):
        raise ValueError(f'{date} is no date such as 2030-01-31')
    file = tree / FILE
    text, count = re.subn(rf'^## {re.escape(version)}, .*$', f'## {version}, {date}', file.read_text(), flags=re.M)
    if count != 1:
        raise ValueError(f'{FILE} has {count} sections of {version}')
    file.write_text(text)
