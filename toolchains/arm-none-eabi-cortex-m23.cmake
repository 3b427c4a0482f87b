# Cortex-M23. QEMU has none; a Cortex-M33 executes all its instructions.
set(MICROPARQUET_TOOLS arm-none-eabi)
set(MICROPARQUET_CPU_FLAGS "-mcpu=cortex-m23 -mthumb -mfloat-abi=soft")
set(MICROPARQUET_QEMU_BOARD mps2-an505)
include(${CMAKE_CURRENT_LIST_DIR}/bare-metal-common.cmake)
