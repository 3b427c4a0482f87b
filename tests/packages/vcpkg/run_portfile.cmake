# Runs a portfile as vcpkg does, whose commands are declared here as its documentation says, in this order and with what they
# leave; vcpkg itself is not here.
#
#   cmake -D PORT_FOLDER=... -D WORK=... -P run_portfile.cmake     WORK/packages/microparquet holds what it installs
cmake_minimum_required(VERSION 3.21)
set(CURRENT_PACKAGES_DIR ${WORK}/packages/microparquet)
set(PORT microparquet)
set(VCPKG_LIBRARY_LINKAGE static)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}: ${said}")
  endif()
endfunction()

function(vcpkg_check_linkage)
  if(NOT "ONLY_STATIC_LIBRARY" IN_LIST ARGV)
    message(FATAL_ERROR "vcpkg_check_linkage(${ARGV})")
  endif()
endfunction()

function(vcpkg_download_distfile result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FILENAME;SHA512" "URLS")
  file(DOWNLOAD ${arg_URLS} ${WORK}/downloads/${arg_FILENAME} EXPECTED_HASH SHA512=${arg_SHA512})
  set(${result} ${WORK}/downloads/${arg_FILENAME} PARENT_SCOPE)
endfunction()

function(vcpkg_extract_source_archive result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ARCHIVE" "")
  file(ARCHIVE_EXTRACT INPUT ${arg_ARCHIVE} DESTINATION ${WORK}/src)
  file(GLOB folders ${WORK}/src/*)
  list(LENGTH folders count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "the archive has ${count} folders at its top")
  endif()
  set(${result} ${folders} PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  foreach(type Debug Release)
    set(prefix ${CURRENT_PACKAGES_DIR})
    if(type STREQUAL "Debug")
      string(APPEND prefix /debug)
    endif()
    run(${CMAKE_COMMAND} -G Ninja -S ${arg_SOURCE_PATH} -B ${WORK}/build-${type} -DCMAKE_BUILD_TYPE=${type}
        -DCMAKE_INSTALL_PREFIX=${prefix} -DBUILD_SHARED_LIBS=OFF -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0
        ${arg_OPTIONS})
  endforeach()
endfunction()

function(vcpkg_cmake_install)
  foreach(type Debug Release)
    run(${CMAKE_COMMAND} --build ${WORK}/build-${type} --target install)
  endforeach()
endfunction()

# Moves the package's files to share, those of the debug build to the same folder, and makes their paths right there.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  set(share ${CURRENT_PACKAGES_DIR}/share/${PORT})
  file(GLOB files ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/*.cmake)
  if(NOT files)
    message(FATAL_ERROR "nothing in ${arg_CONFIG_PATH}")
  endif()
  foreach(file IN LISTS files)
    file(READ ${file} text)
    string(REPLACE "\${CMAKE_CURRENT_LIST_DIR}/../../../" "\${CMAKE_CURRENT_LIST_DIR}/../../" text "${text}")
    string(REGEX REPLACE
           "(get_filename_component\\(_IMPORT_PREFIX \"\\\${_IMPORT_PREFIX}\" PATH\\)\n)get_filename_component\\(_IMPORT_PREFIX \"\\\${_IMPORT_PREFIX}\" PATH\\)\n"
           "\\1" text "${text}")
    get_filename_component(name ${file} NAME)
    file(WRITE ${share}/${name} "${text}")
  endforeach()
  file(GLOB debug_targets ${CURRENT_PACKAGES_DIR}/debug/${arg_CONFIG_PATH}/*-debug.cmake)
  foreach(file IN LISTS debug_targets)
    file(READ ${file} text)
    string(REPLACE "\${_IMPORT_PREFIX}/" "\${_IMPORT_PREFIX}/debug/" text "${text}")
    get_filename_component(name ${file} NAME)
    file(WRITE ${share}/${name} "${text}")
  endforeach()
  file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/lib/cmake ${CURRENT_PACKAGES_DIR}/debug/lib/cmake)
endfunction()

function(vcpkg_fixup_pkgconfig)
  file(GLOB files ${CURRENT_PACKAGES_DIR}/lib/pkgconfig/*.pc)
  if(NOT files)
    message(FATAL_ERROR "no .pc file")
  endif()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  configure_file(${arg_FILE_LIST} ${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright COPYONLY)
endfunction()

# The portfile finds its own folder as CMAKE_CURRENT_LIST_DIR.
include(${PORT_FOLDER}/portfile.cmake)
