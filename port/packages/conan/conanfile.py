"""A recipe of Conan 2 for microparquet: the library, and the ports of a desktop."""
import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import check_sha256, copy, get, rmdir, unzip

required_conan_version = ">=2.0"


class MicroparquetConan(ConanFile):
    name = "microparquet"
    version = "0.2.0"
    description = "Writes and reads Apache Parquet in kilobytes of RAM, without heap; files survive power cuts"
    license = "MIT"
    topics = ("parquet", "data-logger", "embedded", "microcontroller", "sd-card")
    package_type = "static-library"
    exports = "*.tar.gz"  # sources beside the recipe, where it has no address for them
    settings = "os", "arch", "compiler", "build_type"
    options = {"fPIC": [True, False]}
    default_options = {"fPIC": True}

    def config_options(self):
        if self.settings.os == "Windows":
            self.options.rm_safe("fPIC")

    def layout(self):
        cmake_layout(self, src_folder="src")

    def validate(self):
        check_min_cppstd(self, 17)

    def source(self):
        sources = self.conan_data["sources"][self.version]
        if "url" in sources:
            get(self, **sources, strip_root=True)
            return
        archive = os.path.join(self.recipe_folder, sources["file"])
        check_sha256(self, archive, sources["sha256"])
        unzip(self, archive, strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["MICROPARQUET_INSTALL"] = True
        for part in ("TESTS", "EXAMPLES", "TOOLS", "C_LIBRARY"):
            toolchain.cache_variables[f"MICROPARQUET_BUILD_{part}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        # Conan makes what find_package and pkg-config read.
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))
        rmdir(self, os.path.join(self.package_folder, "share"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "microparquet")
        core = self.cpp_info.components["microparquet"]
        core.set_property("cmake_target_name", "microparquet::microparquet")
        core.set_property("pkg_config_name", "microparquet")
        core.libs = ["microparquet"]
        # Both follow cmake/microparquet_platform.cmake.
        is_posix = self.settings.os in ("Linux", "FreeBSD", "Macos", "SunOS")
        is_desktop = is_posix or self.settings.os == "Windows"
        core.defines = [f"MICROPARQUET_DESKTOP={int(is_desktop)}"]
        ports = ["memory", "uart"]
        if is_posix:
            ports += ["posix", "stdout", "crc32_hardware"]
        for name in ports:
            port = self.cpp_info.components[name]
            port.set_property("cmake_target_name", f"microparquet::{name}")
            port.set_property("pkg_config_name", f"microparquet-{name}")
            port.libs = [f"microparquet_{name}"]
            port.requires = ["microparquet"]
