#!/usr/bin/env python3
"""The rules of each index, by number, on what a release has for it; and the table of port/packages/README.md, which names those
that are not tried.

check_rules.py WORK VERSION: WORK has the archives, unpacked, and what Conan's and vcpkg's steps made of them. The last line
is "N passed, N failed"."""
import pathlib
import re
import sys

import rules_arduino
import rules_conan
import rules_esp
import rules_platformio
import rules_vcpkg
import rules_zephyr

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / 'support'))
from checks import Checks  # pylint: disable=wrong-import-position

WORK, VERSION = pathlib.Path(sys.argv[1]), sys.argv[2]
PAGE = pathlib.Path(__file__).parents[2] / 'port/packages/README.md'
checks = Checks()


def package_of_conan():
    """Finds the package that `conan create` put into its cache."""
    found = [path.parent for path in (WORK / 'conan_home/p').glob('b/*/p/conaninfo.txt')]
    assert len(found) == 1, found
    return found[0]


def all_rules():
    tag = f'v{VERSION}'
    return [
        ('Arduino', rules_arduino.rules(WORK / 'arduino/microparquet', tag)),
        ('PlatformIO', rules_platformio.rules(WORK / 'platformio', tag)),
        ('ESP component registry', rules_esp.rules(WORK / 'esp_idf', tag)),
        ('Zephyr', rules_zephyr.rules(WORK / 'zephyr/microparquet', tag)),
        ('Conan', rules_conan.rules(WORK / 'conan/microparquet-conan', package_of_conan(), (WORK / 'conan_said').read_text(), tag)),
        ('vcpkg', rules_vcpkg.rules(WORK / 'vcpkg/microparquet-vcpkg/microparquet', WORK / 'vcpkg_work/packages/microparquet', tag)),
    ]


def faults_of(rule):
    try:
        return rule.check()
    except Exception as error:  # pylint: disable=broad-except
        return f'{type(error).__name__}: {error}'


def check_page(indexes):
    """The page's tables say how many rules there are and which are not tried, and why."""
    page = PAGE.read_text()
    for name, rules in indexes:
        tried = sum(not rule.not_tried for rule in rules)
        row = re.search(rf'^\| {name} \|.*\| (\d+) of (\d+) \|$', page, re.M)
        checks.check(f'{PAGE.name} says how many rules of {name} are checked: {tried} of {len(rules)}',
                     '' if row and row.groups() == (str(tried), str(len(rules))) else row and row[0] or 'no row')
        for rule in rules:
            if rule.not_tried:
                line = f'| {name} | {rule.number} | {rule.says} | {rule.not_tried} |'
                checks.check(f'{PAGE.name} names {rule.number} of {name} as not tried', '' if line in page else f'no line "{line}"')
    untried = sum(bool(rule.not_tried) for _, rules in indexes for rule in rules)
    checks.check('and no others', '' if len(re.findall(r'^\| [\w ]+ \| (?:[A-Z]+\d+|KB-H\d+) \|', page, re.M)) == untried else 'more lines than rules')


def main():
    indexes = all_rules()
    for name, rules in indexes:
        numbers = [rule.number for rule in rules]
        checks.check(f'{name}: each rule has a number of its own', '' if len(set(numbers)) == len(numbers) else numbers)
        for rule in rules:
            if not rule.not_tried:
                checks.check(f'{name} {rule.number}: {rule.says}', faults_of(rule))
    check_page(indexes)
    tried = sum(not rule.not_tried for _, rules in indexes for rule in rules)
    (WORK / 'figures').write_text(f'packages.rules {tried} rules\n')
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
