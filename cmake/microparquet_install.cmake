# Installation: the headers, the library, the ports of this platform, the licence, and what find_package(microparquet) and
# pkg-config read; for a device the toolchain files too.
include(CMakePackageConfigHelpers)
include(microparquet_core_flags)
include(microparquet_pkgconfig)

microparquet_pkgconfig(microparquet microparquet "${PROJECT_DESCRIPTION}")

# The ports that exist on this platform, each installed as microparquet::<port> with its header in microparquet/port.
set(installed_targets microparquet)
foreach(port IN LISTS MICROPARQUET_PORTS)
  set_target_properties(microparquet_${port} PROPERTIES EXPORT_NAME ${port})
  list(APPEND installed_targets microparquet_${port})
  microparquet_pkgconfig(microparquet-${port} microparquet_${port} "The port ${port} of microparquet" microparquet)
  get_target_property(folder microparquet_${port} SOURCE_DIR)
  install(DIRECTORY ${folder}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()

if(TARGET microparquet_c)
  list(APPEND installed_targets microparquet_c)
  microparquet_pkgconfig(microparquet-c microparquet_c "The functions of microparquet for C, as a shared library")
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/microparquet)
install(TARGETS ${installed_targets} EXPORT microparquet-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT microparquet-targets NAMESPACE microparquet:: DESTINATION ${package_dir})

# Headers of src that the programs in port/desktop include, and what these include: without promise.
set(private_dir ${CMAKE_INSTALL_INCLUDEDIR}/microparquet/detail/private)
set(private_list ${PROJECT_SOURCE_DIR}/port/desktop/private_headers.txt)
set(private_headers "")
if(MICROPARQUET_DESKTOP AND EXISTS ${private_list})
  file(STRINGS ${private_list} private_headers REGEX "^[a-z]")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${private_list})
endif()
set(installed_headers "")
while(private_headers)
  list(POP_FRONT private_headers header)
  set(source ${PROJECT_SOURCE_DIR}/src/${header})
  if(EXISTS ${source} AND NOT header IN_LIST installed_headers)
    list(APPEND installed_headers ${header})
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${source} DESTINATION ${private_dir}/${folder})
    file(STRINGS ${source} includes REGEX "^#include \"")
    list(TRANSFORM includes REPLACE "^#include \"([^\"]+)\".*" "\\1")
    list(APPEND private_headers ${includes})
  endif()
endwhile()

# Ports over file systems that the program brings: their sources, which the program's own build compiles.
set(data_dir ${CMAKE_INSTALL_DATADIR}/microparquet)
foreach(port IN LISTS MICROPARQUET_PORTS_OVER_SOURCES)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/port/${port} DESTINATION ${data_dir}/port)
endforeach()
install(FILES ${CMAKE_CURRENT_LIST_DIR}/microparquet_build_settings.cmake
              ${CMAKE_CURRENT_LIST_DIR}/microparquet_core_flags.cmake
              ${CMAKE_CURRENT_LIST_DIR}/microparquet_port.cmake DESTINATION ${data_dir}/cmake)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${data_dir})

set(core_flags "")
if(NOT MICROPARQUET_DESKTOP)
  microparquet_core_flags(core_flags)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/toolchains DESTINATION ${data_dir} FILES_MATCHING PATTERN "*.cmake")
  install(PROGRAMS ${PROJECT_SOURCE_DIR}/toolchains/qemu/run DESTINATION ${data_dir}/toolchains/qemu)
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/microparquet-config.cmake.in
                              ${PROJECT_BINARY_DIR}/microparquet-config.cmake INSTALL_DESTINATION ${package_dir}
                              PATH_VARS data_dir private_dir)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/microparquet-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/microparquet-config.cmake ${PROJECT_BINARY_DIR}/microparquet-config-version.cmake
        DESTINATION ${package_dir})
