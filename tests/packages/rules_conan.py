"""The rules of Conan Center, by the numbers of its hooks (KB-H001 to KB-H078 of conan-io/hooks, as far as they are for Conan 2 or say
what still holds); `package` is what `conan create` made."""
import re
import subprocess

import yaml

from rules import Rule, fault


def rules(recipe, package, said, tag):
    """`recipe`: the archive's folder. `package`: the package's folder. `said`: what `conan create` printed."""
    text = (recipe / 'conanfile.py').read_text()
    data = yaml.safe_load((recipe / 'conandata.yml').read_text())
    test = '\n'.join(path.read_text() for path in (recipe / 'test_package').iterdir() if path.is_file())
    files = [path for path in package.rglob('*') if path.is_file()]
    names = [path.relative_to(package).as_posix() for path in files]
    texts = [path.read_text() for path in recipe.rglob('*') if path.is_file() and '__pycache__' not in path.parts]
    size = sum(len(entry) for entry in texts)
    topics = re.findall(r'"([^"]+)"', re.search(r'topics = \((.*?)\)', text, re.S)[1])
    libs = re.findall(r'lib(\w+)\.a', ' '.join(names))
    foreign = subprocess.run(['nm', '-C', '--undefined-only', *[str(path) for path in files if path.suffix == '.a']],
                             capture_output=True, text=True, check=True).stdout

    def lacks(*words):
        return lambda: fault(not [word for word in words if word in text], words)

    def no_files(pattern):
        return lambda: fault(not [name for name in names if re.search(pattern, name)], names)

    return [
        Rule('KB-H001', 'no global cppstd: the profile chooses', lacks('settings.cppstd')),
        Rule('KB-H002', 'the name is in lower case', lambda: fault(re.search(r'^    name = "[a-z0-9_.+-]+"$', text, re.M))),
        Rule('KB-H003', 'description, license, homepage, topics, url', lambda: fault(all(
            re.search(rf'^    {word} = ', text, re.M) for word in ('description', 'license', 'homepage', 'topics', 'url')))),
        Rule('KB-H005', 'only a recipe of headers has no build()', lambda: fault('def build(self)' in text)),
        Rule('KB-H006', 'the option fPIC', lambda: fault('"fPIC": [True, False]' in text)),
        Rule('KB-H007', 'which Windows has not', lambda: fault('rm_safe("fPIC")' in text)),
        Rule('KB-H008', 'no ranges of versions', lambda: fault(not re.search(r'requires\(.*\[', text))),
        Rule('KB-H009', 'the recipe is smaller than 256 KB', lambda: fault(size < 256 << 10, size)),
        Rule('KB-H010', 'the sources stay as they are', lacks('replace_in_file', 'patch(')),
        Rule('KB-H011', 'libcxx stays: it is C++', lacks('rm_safe("compiler.libcxx")')),
        Rule('KB-H012', 'the licence in licenses/', lambda: fault('licenses/LICENSE' in names, names)),
        Rule('KB-H013', 'nothing but include, lib, bin, res, licenses', lambda: fault(
            {name.split('/')[0] for name in names} <= {'include', 'lib', 'bin', 'res', 'licenses', 'conaninfo.txt', 'conanmanifest.txt'}, names)),
        Rule('KB-H014', 'headers and libraries are there', lambda: fault(libs and [name for name in names if name.endswith('.h')])),
        Rule('KB-H015', 'nothing shared without an option for it', no_files(r'\.(so|dylib|dll)')),
        Rule('KB-H016', 'no files of CMake', no_files(r'\.cmake$')),
        Rule('KB-H017', 'no .pdb', no_files(r'\.pdb$')),
        Rule('KB-H018', 'no .la', no_files(r'\.la$')),
        Rule('KB-H019', 'none outside of build folders', no_files(r'(^|/)(Find|find)?\w+-config\.cmake$')),
        Rule('KB-H020', 'no .pc', no_files(r'\.pc$')),
        Rule('KB-H021', 'no runtime of Microsoft', no_files(r'msvc[rp].*\.dll$')),
        Rule('KB-H022', 'the standard is checked, not set', lambda: fault('check_min_cppstd(self, 17)' in text and 'cppstd =' not in text)),
        Rule('KB-H023', 'no licence beside the recipe', lambda: fault(not (recipe / 'LICENSE').exists())),
        Rule('KB-H024', 'test_package with conanfile.py, CMakeLists.txt and a source', lambda: fault(
            {'conanfile.py', 'CMakeLists.txt', 'test_package.cpp'} <= {path.name for path in (recipe / 'test_package').iterdir()})),
        Rule('KB-H025', 'no lines for editors', lambda: fault(not re.search(r'^# -\*- coding|^#!|^# vim', text, re.M))),
        Rule('KB-H026', 'its linter', not_tried='it needs the index\'s own files'),
        Rule('KB-H027', 'url is the index', not_tried='the recipe is the project\'s own; in the index url is the index\'s'),
        Rule('KB-H028', 'cmake_minimum_required() first', lambda: fault((recipe / 'test_package/CMakeLists.txt').read_text().startswith('cmake_minimum_required('))),
        Rule('KB-H029', 'the test runs in the run environment', lambda: fault('env="conanrun"' in test)),
        Rule('KB-H030', 'conandata.yml: sources with url and sha256', lambda: fault(
            set(data['sources'][tag.lstrip('v')]) == {'url', 'sha256'} and re.fullmatch(r'[0-9a-f]{64}', data['sources'][tag.lstrip('v')]['sha256']))),
        Rule('KB-H031', 'of no other version', lambda: fault(list(data['sources']) == [tag.lstrip('v')])),
        Rule('KB-H032', 'no requirements of the system', lacks('system_requirements')),
        Rule('KB-H034', 'the test imports nothing', lambda: fault('def imports' not in test)),
        Rule('KB-H037', 'no author', lacks('    author =')),
        Rule('KB-H039', 'no build_policy', lacks('build_policy')),
        Rule('KB-H040', 'names of targets by set_property', lacks('.names[', 'cmake_find_package')),
        Rule('KB-H041', 'a newline at each end', lambda: fault(all(entry.endswith('\n') for entry in texts))),
        Rule('KB-H043', 'libraries of the system are named', lambda: fault(not re.search(r'\b(pthread_|dlopen|sqrtf?|powf?)\b', foreign), foreign[:500])),
        Rule('KB-H044', 'no requires.add()', lacks('requires.add(')),
        Rule('KB-H045', 'options by rm_safe', lacks('del self.options')),
        Rule('KB-H046', 'no CMAKE_VERBOSE_MAKEFILE', lacks('CMAKE_VERBOSE_MAKEFILE')),
        Rule('KB-H048', 'CMake 3 or later in the test', lambda: fault(re.search(r'VERSION 3\.\d+', test))),
        Rule('KB-H049', 'exported symbols of Windows', lacks('WINDOWS_EXPORT_ALL_SYMBOLS')),
        Rule('KB-H050', 'static is the default', lacks('"shared": True')),
        Rule('KB-H051', 'default_options is a dictionary', lambda: fault('default_options = {' in text)),
        Rule('KB-H052', 'config.yml has the version', not_tried='config.yml lies in the index'),
        Rule('KB-H053', 'no private imports', lacks('from conans')),
        Rule('KB-H054', 'each library that is named is there', lambda: fault(set(libs) == set(
            ['microparquet'] + [f'microparquet_{name}' for name in ('memory', 'uart', 'posix', 'stdout', 'crc32_hardware')]), libs)),
        Rule('KB-H055', 'requires once', lambda: fault(text.count('requires =') <= 1)),
        Rule('KB-H056', 'no public domain', lacks('Public Domain')),
        Rule('KB-H057', 'no tools.rename()', lacks('tools.rename')),
        Rule('KB-H058', 'names of files without odd characters', lambda: fault(all(re.fullmatch(r'[\w./+-]+', name) for name in names))),
        Rule('KB-H059', 'the class is named after the package', lambda: fault('class MicroparquetConan(ConanFile)' in text)),
        Rule('KB-H060', 'no carriage returns', lambda: fault(not [entry for entry in texts if '\r' in entry])),
        Rule('KB-H061', 'nothing that asks the machine, not the settings', lacks('platform.system', 'os.name', 'sys.platform')),
        Rule('KB-H062', 'cross building by conan.tools.build', lacks('tools.cross_building')),
        Rule('KB-H064', 'topics in lower case, without the name of a package manager', lambda: fault(
            all(re.fullmatch(r'[a-z0-9-]+', topic) for topic in topics) and 'conan' not in topics, topics)),
        Rule('KB-H065', 'required_conan_version', lambda: fault('required_conan_version = ' in text)),
        Rule('KB-H066', 'no short_paths', lacks('short_paths')),
        Rule('KB-H068', 'test_type is explicit or none', lambda: fault('test_type' not in test or 'explicit' in test)),
        Rule('KB-H069', 'the test has no default options', lambda: fault('default_options' not in test)),
        Rule('KB-H070', 'settings: os, arch, compiler, build_type', lambda: fault('settings = "os", "arch", "compiler", "build_type"' in text)),
        Rule('KB-H071', 'folders of headers that are there', lambda: fault((package / 'include/microparquet').is_dir())),
        Rule('KB-H072', 'pylint is not switched off', lambda: fault('pylint: skip-file' not in text)),
        Rule('KB-H074', 'only what the option says, static', lambda: fault(all(name.endswith('.a') for name in names if name.startswith('lib/')), names)),
        Rule('KB-H075', 'no requirement overrides another', lacks('override=True')),
        Rule('KB-H076', 'each library in one form', no_files(r'\.so')),
        Rule('KB-H077', 'shared libraries that can be moved', no_files(r'\.dylib')),
        Rule('KB-H078', 'no patches that nothing applies', lambda: fault(not (recipe / 'patches').exists())),
        Rule('create', '`conan create` ends with the test\'s own line', lambda: fault('written: 3 rows' in said, said[-500:])),
    ]
