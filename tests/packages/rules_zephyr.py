"""The rules of a module of Zephyr, numbered here: Zephyr's pages on modules, on samples and on twister's files. With ZEPHYR_BASE
the boards are that tree's, else those of zephyr_boards.yaml."""
import os
import pathlib
import re

import yaml

from rules import Rule, fault


# Since which version of Zephyr a simulated board has been there.
SIMULATED = {'native_sim': '3.5'}


def supported_by(board):
    """The list `supported:` of a board."""
    base = os.environ.get('ZEPHYR_BASE')
    if base is None:
        return yaml.safe_load(pathlib.Path(__file__).with_name('zephyr_boards.yaml').read_text()).get(board, [])
    found = list(pathlib.Path(base, 'boards').rglob(f'{board}.yaml'))
    return yaml.safe_load(found[0].read_text()).get('supported', []) if found else []


def boards_lack(text):
    """Integration platforms of a sample or test that have not the devices which it depends on."""
    needs = text.get('common', {}).get('depends_on', '').split()
    platforms = [name for scenario in text['tests'].values() for name in scenario['integration_platforms']]
    return [f'{name}: {need}' for name in platforms for need in needs if need not in supported_by(name)]


def rules(module, tag):
    """`module`: the archive's folder."""
    description = yaml.safe_load((module / 'zephyr/module.yml').read_text())
    samples = [path.parent for folder in description['samples'] for path in (module / folder).rglob('sample.yaml')]
    tests = [path.parent for folder in description['tests'] for path in (module / folder).rglob('testcase.yaml')]
    sample_texts = [yaml.safe_load((path / 'sample.yaml').read_text()) for path in samples]
    test_texts = [yaml.safe_load((path / 'testcase.yaml').read_text()) for path in tests]
    applications = samples + tests
    kconfig = (module / description['build']['kconfig']).read_text()
    settings = '\n'.join((path / 'prj.conf').read_text() for path in applications)
    names = [name for text in sample_texts + test_texts for name in text['tests']]
    return [
        Rule('ZEP01', 'zephyr/module.yml at the root', lambda: fault((module / 'zephyr/module.yml').is_file())),
        Rule('ZEP02', 'no keys but those of its schema', lambda: fault(set(description) <= {'name', 'build', 'samples', 'tests', 'boards', 'runners',
                                                                                           'package-managers', 'security', 'blobs'}, list(description))),
        Rule('ZEP03', 'a name', lambda: fault(re.fullmatch(r'[A-Za-z0-9_-]+', description['name']))),
        Rule('ZEP04', 'build.cmake names a folder with CMakeLists.txt', lambda: fault((module / description['build']['cmake'] / 'CMakeLists.txt').is_file())),
        Rule('ZEP05', 'build.kconfig names a file', lambda: fault((module / description['build']['kconfig']).is_file())),
        Rule('ZEP06', 'samples and tests name folders', lambda: fault(all((module / folder).is_dir() for key in ('samples', 'tests') for folder in description[key]))),
        Rule('ZEP07', 'a sample has sample.yaml: sample, tests', lambda: fault(samples and all({'sample', 'tests'} <= set(text) for text in sample_texts))),
        Rule('ZEP08', 'with a name and a description', lambda: fault(all({'name', 'description'} <= set(text['sample']) for text in sample_texts))),
        Rule('ZEP09', 'a test has testcase.yaml', lambda: fault(tests and all('tests' in text for text in test_texts))),
        Rule('ZEP10', 'names of scenarios: two parts or more, unlike any other', lambda: fault(all('.' in name for name in names) and len(names) == len(set(names)), names)),
        Rule('ZEP11', 'those of samples begin with sample.', lambda: fault(all(name.startswith('sample.') for text in sample_texts for name in text['tests']))),
        Rule('ZEP12', 'each names platforms for integration', lambda: fault(all(scenario['integration_platforms'] for text in sample_texts + test_texts
                                                                               for scenario in text['tests'].values()))),
        Rule('ZEP13', 'an application has CMakeLists.txt, prj.conf, src', lambda: fault(all((path / 'CMakeLists.txt').is_file() and (path / 'prj.conf').is_file()
                                                                                          and (path / 'src').is_dir() for path in applications))),
        Rule('ZEP14', 'its CMakeLists.txt finds Zephyr before project()', lambda: fault(all(
            re.search(r'find_package\(Zephyr .*\n(.*\n)*project\(', (path / 'CMakeLists.txt').read_text()) for path in applications))),
        Rule('ZEP15', 'a sample does not use ztest', lambda: fault(all('ZTEST' not in (path / 'prj.conf').read_text() for path in samples))),
        Rule('ZEP16', 'a test does', lambda: fault(all('CONFIG_ZTEST=y' in (path / 'prj.conf').read_text() for path in tests))),
        Rule('ZEP17', 'a sample has a readme', lambda: fault(all((path / 'README.md').is_file() or (path / 'README.rst').is_file() for path in samples))),
        Rule('ZEP18', 'options begin with the module\'s name', lambda: fault(all(name.startswith('MICROPARQUET') for name in re.findall(r'^config (\w+)', kconfig, re.M)))),
        Rule('ZEP19', 'and those that applications set are there', lambda: fault(set(re.findall(r'CONFIG_(MICROPARQUET\w*)', settings))
                                                                               <= set(re.findall(r'^config (\w+)', kconfig, re.M)))),
        Rule('ZEP20', 'a licence', lambda: fault((module / 'LICENSE').is_file())),
        Rule('ZEP21', 'the page names the tag', lambda: fault(f'revision: {tag}' in (module / 'port/zephyr/README.md').read_text(), tag)),
        Rule('ZEP22', 'twister builds and runs sample and test', not_tried='Zephyr is not here; both are built and run on the host over stand-ins'),
        Rule('ZEP23', 'the platforms of each have the devices that it depends on', lambda: fault(
            not [lack for text in sample_texts + test_texts for lack in boards_lack(text)],
            [lack for text in sample_texts + test_texts for lack in boards_lack(text)])),
        Rule('ZEP24', 'the page says since which version the test\'s platforms exist', lambda: fault(all(
            re.search(rf'`{board}` exists\s+from\s+Zephyr\s+{SIMULATED.get(board, "none")}\b', (module / 'port/zephyr/README.md').read_text())
            for text in test_texts for scenario in text['tests'].values() for board in scenario['integration_platforms']))),
    ]
