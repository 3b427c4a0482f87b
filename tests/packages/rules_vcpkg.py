"""The rules of vcpkg, numbered here in the order of its maintainer guide, its checklist for reviews and its reference of vcpkg.json;
`installed` is what the portfile's steps installed."""
import json
import re

from rules import Rule, fault

FIELDS = {'name', 'version-semver', 'description', 'homepage', 'documentation', 'license', 'supports', 'dependencies', 'port-version', 'features'}
DEPRECATED = ('vcpkg_extract_source_archive_ex', 'vcpkg_apply_patches', 'vcpkg_build_msbuild', 'vcpkg_copy_tool_dependencies',
              'vcpkg_configure_cmake', 'vcpkg_build_cmake', 'vcpkg_install_cmake', 'vcpkg_fixup_cmake_targets')


def rules(port, installed, tag):
    """`port`: the archive's folder microparquet."""
    manifest = json.loads((port / 'vcpkg.json').read_text())
    portfile = (port / 'portfile.cmake').read_text()
    names = [path.relative_to(installed).as_posix() for path in installed.rglob('*') if path.is_file()]
    config = '\n'.join(path.read_text() for path in (installed / 'share/microparquet').glob('*.cmake'))
    hashes = re.findall(r'SHA512 (\S+)', portfile)
    hosts = {entry['name']: entry.get('host') for entry in manifest['dependencies']}
    return [
        Rule('VCP01', 'no file of another port: all below its own names', lambda: fault(all(
            re.match(r'(debug/)?(include/microparquet/|lib/libmicroparquet|lib/pkgconfig/microparquet|share/microparquet/)', name) for name in names), names)),
        Rule('VCP02', 'a name in lower case that says which project it is', lambda: fault(re.fullmatch(r'[a-z0-9]+(-[a-z0-9]+)*', manifest['name']) and len(manifest['name']) > 5)),
        Rule('VCP03', 'no deprecated functions', lambda: fault(not [name for name in DEPRECATED if re.search(rf'\b{name}\b', portfile)])),
        Rule('VCP04', 'few comments in the portfile', lambda: fault(portfile.count('#') == 0)),
        Rule('VCP05', 'hashes in lower case', lambda: fault(len(hashes) == 1 and re.fullmatch(r'[0-9a-f]{128}', hashes[0]))),
        Rule('VCP06', 'nothing depends on what is installed already', lambda: fault('CURRENT_INSTALLED_DIR' not in portfile and 'EXISTS' not in portfile)),
        Rule('VCP07', 'CMake\'s package is the project\'s own, with its own name', lambda: fault('microparquet::microparquet' in config)),
        Rule('VCP08', 'the file copyright', lambda: fault('share/microparquet/copyright' in names)),
        Rule('VCP09', 'by vcpkg_install_copyright()', lambda: fault('vcpkg_install_copyright(' in portfile)),
        Rule('VCP10', 'no constraints of versions', lambda: fault(not [entry for entry in manifest['dependencies'] if 'version>=' in entry])),
        Rule('VCP11', 'no unused variables are excused', lambda: fault('MAYBE_UNUSED_VARIABLES' not in portfile)),
        Rule('VCP12', 'no features for alternatives', lambda: fault('features' not in manifest)),
        Rule('VCP13', 'no default feature adds an API', lambda: fault('default-features' not in manifest)),
        Rule('VCP14', 'no vendored dependencies', lambda: fault(hosts.keys() == {'vcpkg-cmake', 'vcpkg-cmake-config'})),
        Rule('VCP15', 'by CMake', lambda: fault('vcpkg_cmake_configure(' in portfile)),
        Rule('VCP16', 'static or shared, as is asked for', lambda: fault('vcpkg_check_linkage(ONLY_STATIC_LIBRARY)' in portfile)),
        Rule('VCP17', 'nothing is found by chance', lambda: fault('find_dependency(' not in config)),
        Rule('VCP18', 'no prebuilt binaries', lambda: fault('vcpkg_install_msbuild' not in portfile)),
        Rule('VCP19', 'the project\'s kind of version', lambda: fault(manifest['version-semver'] == tag.lstrip('v'))),
        Rule('VCP20', 'no port-version for the first', lambda: fault('port-version' not in manifest)),
        Rule('VCP21', 'no patches', lambda: fault('PATCHES' not in portfile)),
        Rule('VCP22', 'no tests, examples or documents are built', lambda: fault(all(
            f'-DMICROPARQUET_BUILD_{part}=OFF' in portfile for part in ('TESTS', 'EXAMPLES', 'TOOLS')))),
        Rule('VCP23', 'no headers or files in debug', lambda: fault(not [name for name in names if re.match(r'debug/(include|share)/', name)], names)),
        Rule('VCP24', 'no files of CMake outside of share', lambda: fault(not [name for name in names if name.endswith('.cmake') and not name.startswith('share/')])),
        Rule('VCP25', 'paths of the build are not installed', lambda: fault('/build-' not in config)),
        Rule('VCP26', 'a description', lambda: fault(20 < len(manifest['description']) < 200)),
        Rule('VCP27', 'a licence of SPDX\'s list', lambda: fault(manifest['license'] == 'MIT')),
        Rule('VCP28', 'a homepage', lambda: fault(re.match(r'(https|file)://', manifest['homepage']))),
        Rule('VCP29', 'no fields but those of the reference', lambda: fault(set(manifest) <= FIELDS, set(manifest) - FIELDS)),
        Rule('VCP30', 'a usage that names the targets', lambda: fault('microparquet::microparquet' in (installed / 'share/microparquet/usage').read_text())),
        Rule('VCP31', 'helpers are dependencies of the host', lambda: fault(all(hosts.values()))),
        Rule('VCP32', 'it builds in an official triplet, beside all other ports', not_tried='vcpkg is not here; the portfile\'s steps run on this machine'),
        Rule('VCP33', 'versions/ of the registry names it', not_tried='that lies in the registry'),
        Rule('VCP34', 'Windows', not_tried='`supports` leaves it out: no test has run there'),
    ]
