# Cortex-M4 with single-precision floating point. The next core is one more file like this one, with a linker script
# for its board in qemu/ and a preset in CMakePresets.json.
set(MICROPARQUET_CPU_FLAGS "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard")
set(MICROPARQUET_QEMU_MACHINE mps2-an386)
include(${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi-common.cmake)
