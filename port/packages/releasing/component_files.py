"""Lists the files of the project that a component of ESP-IDF has: those that idf_component.yml includes."""
import re


def _list_under(text, key):
    block = re.search(rf'^ +{key}:\n((?: +- .*\n| *#.*\n)+)', text, re.M)
    return [line.strip(' -"\n') for line in block[1].splitlines() if line.lstrip().startswith('- ')]


def _is_included(name, patterns):
    return any(name.startswith(pattern[:-len('**/*')]) if pattern.endswith('/**/*') else name == pattern for pattern in patterns)


def files_of_component(tree):
    """Their paths below the tree, in order."""
    patterns = _list_under((tree / 'idf_component.yml').read_text(), 'include')
    names = sorted(path.relative_to(tree).as_posix() for path in tree.rglob('*') if path.is_file())
    return [name for name in names if _is_included(name, patterns)]
