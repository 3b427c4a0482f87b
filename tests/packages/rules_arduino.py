"""The rules of arduino-lint for a library that is submitted to the Library Manager, by its numbers (arduino-lint 1.3,
internal/rule/ruleconfiguration). The program itself cannot be had from the package registries."""
import re
import subprocess

from rules import Rule, fault

CATEGORIES = ('Display', 'Communication', 'Signal Input/Output', 'Sensors', 'Device Control', 'Timing', 'Data Storage', 'Data Processing', 'Other')
FIELDS = {'name', 'version', 'author', 'maintainer', 'sentence', 'paragraph', 'category', 'url', 'architectures', 'includes', 'dot_a_linkage'}
SEMVER = r'(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?'
FULL_NAME = r'[A-Za-z][A-Za-z0-9 _.\-]*'


def one_error(library):
    """Whether the header, in C++11 and C++14, ends in its own message alone, which names the file to change."""
    said = [subprocess.run(['g++', f'-std=gnu++{number}', '-fsyntax-only', '-I', library / 'src', '-x', 'c++', '-'], check=False,
                           input='#include <microparquet.h>\n', capture_output=True, text=True).stderr for number in (11, 14)]
    return all(text.count('error:') == 1 and 'platform.local.txt' in text for text in said)


def rules(library, tag):
    """`library`: the folder as the index has it. `tag`: of the release."""
    text = (library / 'library.properties').read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith('#')]
    pairs = dict(line.split('=', 1) for line in lines if '=' in line)
    names = [path.name for path in library.iterdir()]
    everything = list(library.rglob('*'))
    sources = [path for path in everything if path.suffix in ('.h', '.cpp', '.ino')]
    architectures = pairs.get('architectures', '').split(',')
    sketches = [path for path in everything if path.suffix == '.ino']
    keywords = [line.split('\t') for line in (library / 'keywords.txt').read_text().splitlines() if line and line[0] != '#']
    headers = '\n'.join(path.read_text() for path in library.glob('src/microparquet/**/*.h')) + '\n'.join(
        path.read_text() for path in library.glob('src/*.h'))

    def no_file(pattern):
        return lambda: fault(not [path for path in everything if re.search(pattern, path.name)])

    def has(field, least=1):
        return lambda: fault(len(pairs.get(field, '')) >= least, pairs)

    # Rows of the page's table: each architecture and the number of the standard that its core asks for.
    rows = re.findall(r'^\| [^|]+ \| ([\w, ]+) \| gnu\+\+(\d+) \| (.+) \|$', (library / 'README.md').read_text(), re.M)
    standards = {name: (int(number), what) for names_of, number, what in rows for name in names_of.split(', ')}

    return [
        Rule('LS001', 'it is a library', lambda: fault('library.properties' in names and 'src' in names, names)),
        Rule('LS002', 'the folder\'s name has at most 63 characters', lambda: fault(len(library.name) <= 63)),
        Rule('LS003', 'nor prohibited ones', lambda: fault(re.fullmatch(r'[A-Za-z0-9_.\-]+', library.name))),
        Rule('LS004', 'no submodule', no_file(r'^\.gitmodules$')),
        Rule('LS005', 'no symbolic link', lambda: fault(not [path for path in everything if path.is_symlink()])),
        Rule('LS006', 'no .development file', no_file(r'^\.development$')),
        Rule('LS007', 'no .exe file', no_file(r'\.exe$')),
        Rule('LS008', 'a header has the library\'s name', lambda: fault((library / 'src' / f'{pairs["name"]}.h').is_file())),
        Rule('LS009', 'the folder src is in lower case', lambda: fault('src' in names and not {'Src', 'SRC'} & set(names))),
        Rule('LS010', 'no folder utility beside src', lambda: fault('utility' not in names)),
        Rule('LS011', 'extras is not named extra', lambda: fault('extra' not in names)),
        Rule('LS012', 'nor in capitals', lambda: fault(not [name for name in names if name.lower() == 'extras' and name != 'extras'])),
        Rule('LP001', 'library.properties at the root', lambda: fault('library.properties' in names)),
        Rule('LP002', 'under no other name', lambda: fault(not [name for name in names if re.fullmatch(r'librar(y|ies)\.propert(y|ie)', name)])),
        Rule('LP003', 'in lower case', lambda: fault([name for name in names if name.lower() == 'library.properties'] == ['library.properties'])),
        Rule('LP004', 'only once', lambda: fault(len(list(library.rglob('library.properties'))) == 1)),
        Rule('LP005', 'lines of key=value', lambda: fault(all('=' in line for line in lines), lines)),
        Rule('LP006', 'no other fields', lambda: fault(set(pairs) <= FIELDS, set(pairs) - FIELDS)),
        Rule('LP007', 'a name', has('name')),
        Rule('LP008', 'of 1 character or more', has('name')),
        Rule('LP009', 'at most 63', lambda: fault(len(pairs['name']) <= 63)),
        Rule('LP010', 'better 32', lambda: fault(len(pairs['name']) <= 32)),
        Rule('LP011', 'and only some', lambda: fault(re.fullmatch(FULL_NAME, pairs['name']))),
        Rule('LP012', 'that does not begin with Arduino', lambda: fault(not pairs['name'].lower().startswith('arduino'))),
        Rule('LP013', 'an official library begins with Arduino_', not_tried='this is no official library'),
        Rule('LP014', 'nor contains it', lambda: fault('arduino' not in pairs['name'].lower())),
        Rule('LP015', 'nor spaces', lambda: fault(' ' not in pairs['name'])),
        Rule('LP016', 'nor "library"', lambda: fault('library' not in pairs['name'].lower())),
        Rule('LP017', 'no other library has the name', not_tried='the index is not here'),
        Rule('LP018', 'it is in the index', not_tried='it has not been submitted'),
        Rule('LP019', 'a version', has('version')),
        Rule('LP020', 'of three numbers', lambda: fault(re.fullmatch(SEMVER, pairs['version']))),
        Rule('LP021', 'by semver.org', lambda: fault(re.fullmatch(SEMVER, pairs['version']))),
        Rule('LP022', 'the tag has it', lambda: fault(tag.lstrip('v') == pairs['version'], tag)),
        Rule('LP023', 'an author', has('author')),
        Rule('LP024', 'of 1 character or more', has('author')),
        Rule('LP025', 'a maintainer', has('maintainer')),
        Rule('LP026', 'of 1 character or more', has('maintainer')),
        Rule('LP027', 'who does not begin with Arduino', lambda: fault(not pairs['maintainer'].lower().startswith('arduino'))),
        Rule('LP028', 'no email in the place of maintainer', lambda: fault('email' not in pairs)),
        Rule('LP029', 'an email of 1 character or more', lambda: fault(pairs.get('email', 'none'))),
        Rule('LP030', 'that does not begin with Arduino', lambda: fault(not pairs.get('email', '').lower().startswith('arduino'))),
        Rule('LP031', 'a sentence', has('sentence')),
        Rule('LP032', 'of 1 character or more', has('sentence')),
        Rule('LP033', 'well spelt', not_tried='its list of misspellings is not here'),
        Rule('LP034', 'a paragraph', lambda: fault('paragraph' in pairs)),
        Rule('LP035', 'well spelt', not_tried='its list of misspellings is not here'),
        Rule('LP036', 'that does not repeat the sentence', lambda: fault(not pairs['paragraph'].startswith(pairs['sentence']))),
        Rule('LP037', 'a category', has('category')),
        Rule('LP038', 'one of those there are', lambda: fault(pairs['category'] in CATEGORIES, pairs['category'])),
        Rule('LP039', 'not Uncategorized', lambda: fault(pairs['category'] != 'Uncategorized')),
        Rule('LP040', 'a url', has('url')),
        Rule('LP041', 'that is one', lambda: fault(re.fullmatch(r'https?://[\w.-]+(/\S*)?', pairs['url']), pairs['url'])),
        Rule('LP042', 'that answers', not_tried='the project has no public address yet; `release --home` writes it'),
        Rule('LP043', 'architectures', has('architectures')),
        Rule('LP044', 'not blank', lambda: fault(all(architectures), architectures)),
        Rule('LP045', 'by their own names', lambda: fault(not {'arm', 'atmelavr', 'espressif32', 'atmelsam'} & set(architectures))),
        Rule('LP046', 'in their own case', lambda: fault(not [name for name in architectures if name.lower() in architectures and name != name.lower()
                                                              and name != 'STM32'], architectures)),
        Rule('LP047', 'depends is a list of names', lambda: fault('depends' not in pairs)),
        Rule('LP048', 'that are in the index', lambda: fault('depends' not in pairs)),
        Rule('LP049', 'dot_a_linkage is true or false', lambda: fault(pairs.get('dot_a_linkage', 'true') in ('true', 'false'))),
        Rule('LP050', 'only with src', lambda: fault('src' in names)),
        Rule('LP051', 'includes is not blank', has('includes')),
        Rule('LP052', 'and is in the library', lambda: fault(all((library / 'src' / name.strip()).is_file() for name in pairs['includes'].split(',')))),
        Rule('LP053', 'precompiled is true or full', lambda: fault('precompiled' not in pairs)),
        Rule('LP054', 'only with src', lambda: fault('precompiled' not in pairs)),
        Rule('LP055', 'ldflags of 1 character or more', lambda: fault(pairs.get('ldflags', 'none'))),
        Rule('LP056', 'a url of 1 character or more', has('url')),
        Rule('LP057', 'the maintainer does not contain Arduino', lambda: fault('arduino' not in pairs['maintainer'].lower())),
        Rule('LP058', 'depends has constraints of versions', lambda: fault('depends' not in pairs)),
        Rule('LC001', 'Arduino.h is spelt so', lambda: fault(not [path for path in sources for name in
                                                                  re.findall(r'#include\s*[<"](arduino\.h)[>"]', path.read_text(), re.I) if name != 'Arduino.h'])),
        Rule('LD001', 'a readme', lambda: fault('README.md' in names)),
        Rule('LD002', 'a licence', lambda: fault('LICENSE' in names)),
        Rule('LD003', 'no sketch outside examples', lambda: fault(all('examples' in path.relative_to(library).parts for path in sketches))),
        Rule('LD004', 'an example', lambda: fault(sketches)),
        Rule('LD005', 'the folder is not named example', lambda: fault(not {'example', 'Example'} & set(names))),
        Rule('LD006', 'nor in capitals', lambda: fault(not [name for name in names if name.lower() == 'examples' and name != 'examples'])),
        Rule('spec.1', 'a sketch has the name of its folder', lambda: fault(all(path.stem == path.parent.name for path in sketches), sketches)),
        Rule('spec.2', 'keywords.txt: a word, a tab, its kind', lambda: fault(all(len(entry) == 2 and entry[1] in ('KEYWORD1', 'KEYWORD2', 'LITERAL1')
                                                                                 for entry in keywords), keywords)),
        Rule('spec.3', 'and the words are the library\'s', lambda: fault(all(re.search(rf'\b{entry[0]}\b', headers) for entry in keywords),
                                                                       [entry[0] for entry in keywords if entry[0] not in headers])),
        Rule('spec.4', 'architectures are those whose cores compile C++17 by themselves, as the page says', lambda: fault(
            set(architectures) == {name for name, (number, _) in standards.items() if number >= 17}, architectures)),
        Rule('spec.5', 'and for the others it says what to do', lambda: fault(
            standards and all((what == 'nothing') == (number >= 17) for number, what in standards.values()), standards)),
        Rule('spec.6', 'an older standard gets one error and nothing more', lambda: fault(one_error(library))),
    ]
