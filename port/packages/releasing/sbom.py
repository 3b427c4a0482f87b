"""The bill of materials of a release, SPDX 2.3: the project, each archive, and what the pages for browsers have inside."""
import hashlib
import json
import re
import time

LICENCE = 'MIT'
NO_VERSION = 'NOASSERTION'


def _element(name):
    return 'SPDXRef-' + ''.join(char if char.isalnum() or char in '.-' else '-' for char in name)


def _checksums(data):
    return [{'algorithm': kind.upper(), 'checksumValue': hashlib.new(kind, data).hexdigest()} for kind in ('sha1', 'sha256')]


def _package(name, version, **more):
    return {'SPDXID': _element(f'Package-{name}'), 'name': name, 'versionInfo': version, 'downloadLocation': 'NOASSERTION',
            'filesAnalyzed': False, 'licenseConcluded': LICENCE, 'licenseDeclared': LICENCE, 'copyrightText': 'NOASSERTION', **more}


def _carried(library, licence, package, version):
    return _package(library, NO_VERSION, licenseConcluded=licence, licenseDeclared=licence, sourceInfo=f'as {package} {version} carries it',
                    externalRefs=[{'referenceCategory': 'PACKAGE-MANAGER', 'referenceType': 'purl',
                                   'referenceLocator': f'pkg:pypi/{package}@{version}'}])


def _viewer_packages(tree):
    """The packages of npm that are part of viewer.html, with what package-lock.json says of them."""
    viewer = tree / 'port/desktop/viewer'
    locked = json.loads((viewer / 'package-lock.json').read_text())['packages']
    wanted = list(json.loads((viewer / 'package.json').read_text())['dependencies'])
    for name in wanted:
        entry = locked[f'node_modules/{name}']
        wanted += [needed for needed in entry.get('dependencies', {}) if needed not in wanted]
        licence = entry.get('license', 'NOASSERTION')
        yield _package(name, entry['version'], licenseConcluded=licence, licenseDeclared=licence,
                       externalRefs=[{'referenceCategory': 'PACKAGE-MANAGER', 'referenceType': 'purl',
                                      'referenceLocator': f'pkg:npm/{name}@{entry["version"]}'}])


# What rescue.html has inside of each source archive that port/packages/wheel/fetch takes it from.
RESCUE_LIBRARIES = {'zstd': 'BSD-3-Clause', 'zlib': 'Zlib', 'brotli': 'MIT', 'lz4': 'BSD-2-Clause'}
# What it has of the compiler, ziglang: the libraries of C and C++.
COMPILER_LIBRARIES = {'musl': 'MIT', 'libcxx': 'Apache-2.0 WITH LLVM-exception'}


def _rescue_packages(tree):
    """What is part of rescue.html, by the packages of PyPI that carry the sources."""
    for line in (tree / 'port/packages/wheel/fetch').read_text().splitlines():
        words = line.split()
        if len(words) == 6 and words[4] in RESCUE_LIBRARIES:
            yield _carried(words[4], RESCUE_LIBRARIES[words[4]], *words[:2])
    compiler = re.search(r'^ziglang==(\S+)', (tree / 'tests/requirements-wheel.txt').read_text(), re.M)[1]
    for library, licence in COMPILER_LIBRARIES.items():
        yield _carried(library, licence, 'ziglang', compiler)


def bill_of_materials(release, files):
    """`files`: what the release consists of, by path, so far."""
    root = _package('microparquet', release.version, supplier='Organization: the microparquet authors',
                    copyrightText=(release.tree / 'LICENSE').read_text().splitlines()[2])
    packages, relations = [root], [('SPDXRef-DOCUMENT', 'DESCRIBES', root['SPDXID'])]
    entries = []
    for path in files:
        entry = {'SPDXID': _element(f'File-{path.name}'), 'fileName': f'./{path.name}', 'checksums': _checksums(path.read_bytes()),
                 'licenseConcluded': LICENCE, 'licenseInfoInFiles': [LICENCE], 'copyrightText': 'NOASSERTION'}
        entries.append(entry)
        relations.append((entry['SPDXID'], 'GENERATED_FROM', root['SPDXID']))
    for ending, packages_of in (('viewer.html', _viewer_packages), ('rescue.html', _rescue_packages)):
        for page in (entry for entry in entries if entry['fileName'].endswith(ending)):
            for package in packages_of(release.tree):
                packages.append(package)
                relations.append((page['SPDXID'], 'CONTAINS', package['SPDXID']))
    document = {
        'spdxVersion': 'SPDX-2.3', 'dataLicense': 'CC0-1.0', 'SPDXID': 'SPDXRef-DOCUMENT', 'name': f'microparquet-{release.version}',
        'documentNamespace': f'{release.home or "urn:microparquet"}/spdx/{release.version}-{release.commit}',
        'creationInfo': {'created': time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(release.seconds)),
                         'creators': ['Organization: the microparquet authors', f'Tool: release-{release.version}']},
        'packages': packages, 'files': entries,
        'relationships': [{'spdxElementId': one, 'relationshipType': kind, 'relatedSpdxElement': other} for one, kind, other in relations],
    }
    return json.dumps(document, indent=2) + '\n'
