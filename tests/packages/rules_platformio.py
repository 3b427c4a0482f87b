"""The rules of PlatformIO's library.json, numbered here: its documentation of each field (manifests/library-json), and the schema
that `pio pkg pack` and `pio pkg publish` hold it against, which comes with the client."""
import json
import re

from platformio.package.manifest.schema import ManifestSchema

from rules import Rule, fault

FRAMEWORKS = {'arduino', 'cmsis', 'espidf', 'freertos', 'libopencm3', 'mbed', 'spl', 'stm32cube', 'zephyr'}


def schema_says(manifest):
    """The client's schema, with the licences' list, which it fetches, in short."""
    ManifestSchema.load_spdx_licenses = staticmethod(lambda: {'licenses': [{'licenseId': 'MIT'}]})
    try:
        ManifestSchema().load_manifest(manifest)
    except Exception as error:  # pylint: disable=broad-except
        return str(error)
    return ''


def rules(package, tag):
    """`package`: the archive's folder."""
    manifest = json.loads((package / 'library.json').read_text())
    examples = manifest['examples']
    projects = {entry['base']: (package / entry['base'] / 'platformio.ini').read_text() for entry in examples}
    frameworks = set(re.findall(r'^framework = (\w+)', '\n'.join(projects.values()), re.M))
    size = sum(path.stat().st_size for path in package.rglob('*') if path.is_file())
    return [
        Rule('PIO01', 'library.json at the root', lambda: fault((package / 'library.json').is_file())),
        Rule('PIO02', 'its schema', lambda: schema_says(manifest)),
        Rule('PIO03', 'a name without :;/,@<>, of at most 100 characters', lambda: fault(re.fullmatch(r'[^:;/,@<>]{1,100}', manifest['name']))),
        Rule('PIO04', 'a semantic version, that of the tag', lambda: fault(manifest['version'] == tag.lstrip('v'))),
        Rule('PIO05', 'a description of at most 1,000 characters, without mark-up', lambda: fault(len(manifest['description']) <= 1000)),
        Rule('PIO06', 'keywords in lower case', lambda: fault(all(re.fullmatch(r'[a-z\d\-_+. ]{1,50}', word) for word in manifest['keywords']))),
        Rule('PIO07', 'a homepage that is not the repository', lambda: fault(manifest['homepage'] != manifest['repository']['url'])),
        Rule('PIO08', 'a repository with its type', lambda: fault(manifest['repository']['type'] == 'git' and manifest['repository']['url'].startswith('https://'))),
        Rule('PIO09', 'authors, one of them the maintainer', lambda: fault(any(author.get('maintainer') for author in manifest['authors']))),
        Rule('PIO10', 'a licence of SPDX\'s list, with its text', lambda: fault(manifest['license'] == 'MIT' and (package / 'LICENSE').is_file())),
        Rule('PIO11', 'frameworks by their names', lambda: fault(set(manifest['frameworks']) <= FRAMEWORKS)),
        Rule('PIO12', 'platforms by their names', lambda: fault(all(re.fullmatch(r'[a-z\d\-_]+', name) for name in manifest['platforms']))),
        Rule('PIO13', 'headers that are there', lambda: fault(all((package / 'include' / name).is_file() for name in manifest['headers']))),
        Rule('PIO14', 'examples: a name, a base, files that are there',
             lambda: fault(all((package / entry['base'] / file).is_file() for entry in examples for file in entry['files']))),
        Rule('PIO15', 'a project of each framework among them', lambda: fault(frameworks == set(manifest['frameworks']), frameworks)),
        Rule('PIO16', 'build.includeDir and srcDir are there', lambda: fault((package / manifest['build']['includeDir']).is_dir()
                                                                            and (package / manifest['build']['srcDir']).is_dir())),
        Rule('PIO17', 'build.extraScript is there', lambda: fault((package / manifest['build']['extraScript']).is_file())),
        Rule('PIO18', 'a readme and a changelog', lambda: fault((package / 'README.md').is_file() and (package / 'CHANGELOG.md').is_file())),
        Rule('PIO19', 'nothing that only the project needs', lambda: fault(size < 4 << 20 and not (package / 'tests').exists(), size)),
        Rule('PIO20', 'the name is free in the registry', not_tried='the registry is not here'),
        Rule('PIO21', 'platforms and boards of the examples are installed and flashed', not_tried='toolchains and boards are not here; the examples '
             'are built for the host by the client'),
    ]
