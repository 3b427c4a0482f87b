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

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/microparquet)
install(TARGETS ${installed_targets} EXPORT microparquet-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT microparquet-targets NAMESPACE microparquet:: DESTINATION ${package_dir})

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
                              PATH_VARS data_dir)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/microparquet-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/microparquet-config.cmake ${PROJECT_BINARY_DIR}/microparquet-config-version.cmake
        DESTINATION ${package_dir})
