"""The rules of the ESP component registry, numbered here: the component manager's pages on the manifest, on a component's files and
on publishing, and the schema that comes with its client."""
import re

import yaml
from idf_component_tools.manager import ManifestManager, UploadMode

from rules import Rule, fault

TARGETS = {'esp32', 'esp32s2', 'esp32s3', 'esp32c2', 'esp32c3', 'esp32c5', 'esp32c6', 'esp32c61', 'esp32h2', 'esp32p4', 'linux'}


def schema_says(component):
    """Complaints of the client about the manifest of a component that is uploaded."""
    manager = ManifestManager(str(component), 'microparquet', upload_mode=UploadMode.component).validate()
    return '' if manager.is_valid else str(manager.validation_errors)


def rules(component, tag):
    """`component`: the archive's folder."""
    manifest = yaml.safe_load((component / 'idf_component.yml').read_text())
    examples = [component / entry['path'] for entry in manifest['examples']]
    size = sum(path.stat().st_size for path in component.rglob('*') if path.is_file())
    return [
        Rule('ESP01', 'idf_component.yml at the root, by the client\'s schema', lambda: schema_says(component)),
        Rule('ESP02', 'a version, that of the tag', lambda: fault(manifest['version'] == tag.lstrip('v'))),
        Rule('ESP03', 'a description', lambda: fault(manifest['description'])),
        Rule('ESP04', 'a licence of SPDX\'s list, or its file', lambda: fault(manifest['license'] == 'MIT' and (component / 'LICENSE').is_file())),
        Rule('ESP05', 'a url', lambda: fault(manifest['url'].startswith('https://'))),
        Rule('ESP06', 'a repository that git can fetch', lambda: fault(re.fullmatch(r'https://\S+\.git', manifest['repository']))),
        Rule('ESP07', 'documentation', lambda: fault(manifest['documentation'].startswith('https://'))),
        Rule('ESP08', 'maintainers', lambda: fault(manifest['maintainers'])),
        Rule('ESP09', 'tags', lambda: fault(all(re.fullmatch(r'[a-z0-9-]{3,32}', word) for word in manifest['tags']), manifest['tags'])),
        Rule('ESP10', 'targets by their names', lambda: fault(set(manifest['targets']) <= TARGETS, manifest['targets'])),
        Rule('ESP11', 'a dependency on a version of ESP-IDF', lambda: fault(manifest['dependencies']['idf'])),
        Rule('ESP12', 'no dependency on a folder or a repository', lambda: fault(list(manifest['dependencies']) == ['idf'])),
        Rule('ESP13', 'files: what only the project needs is left out', lambda: fault(size < 4 << 20 and not (component / 'tests').exists(), size)),
        Rule('ESP14', 'CMakeLists.txt registers the component', lambda: fault('ESP_PLATFORM' in (component / 'CMakeLists.txt').read_text())),
        Rule('ESP15', 'a readme', lambda: fault((component / 'README.md').is_file())),
        Rule('ESP16', 'a changelog', lambda: fault((component / 'CHANGELOG.md').is_file())),
        Rule('ESP17', 'examples that are projects', lambda: fault(all((path / 'CMakeLists.txt').is_file() and (path / 'main/CMakeLists.txt').is_file()
                                                                      for path in examples))),
        Rule('ESP18', 'with a manifest that finds the component', lambda: fault(all(
            (path / 'main' / yaml.safe_load((path / 'main/idf_component.yml').read_text())['dependencies']['microparquet']['override_path']).resolve()
            == component.resolve() for path in examples))),
        Rule('ESP19', 'the archive is smaller than the registry\'s limit', lambda: fault(size < 100 << 20)),
        Rule('ESP20', 'the namespace and the name are free', not_tried='the registry is not here'),
        Rule('ESP21', 'the examples build for each target', not_tried='ESP-IDF is not here; they are built for the host over stand-ins'),
    ]
