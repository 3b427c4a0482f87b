# Programs for the emulated boards of toolchains/qemu.

set(MICROPARQUET_QEMU_DIR ${PROJECT_SOURCE_DIR}/toolchains/qemu)

# microparquet_firmware(NAME [MACHINE machine] SOURCES file... [LIBRARIES library...])
#
# Adds the program NAME.elf with the startup code, linker script and core settings of a firmware. MACHINE is an emulated
# board that has a linker script; without it, the one of the toolchain file. The link map lies beside it as NAME.map.
# Run it with toolchains/qemu/run MACHINE NAME.elf, or through add_test.
function(microparquet_firmware name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MACHINE" "SOURCES;LIBRARIES")
  set(machine ${arg_MACHINE})
  if(NOT machine)
    string(REGEX REPLACE ":.*" "" machine ${MICROPARQUET_QEMU_BOARD})
  endif()
  set(linker_script ${MICROPARQUET_QEMU_DIR}/${machine}.ld)

  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES SUFFIX .elf LINK_DEPENDS
                        "${linker_script};${MICROPARQUET_QEMU_DIR}/sections.ld")
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} microparquet_qemu_startup)
  target_link_options(
    ${name} PRIVATE -nostartfiles -L${MICROPARQUET_QEMU_DIR} -T${linker_script} -Wl,--gc-sections
    -Wl,-Map=$<TARGET_FILE_DIR:${name}>/${name}.map)
  microparquet_core_settings(${name})
endfunction()
