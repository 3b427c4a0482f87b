# Cortex-M55 with floating point and vectors.
set(MICROPARQUET_TOOLS arm-none-eabi)
set(MICROPARQUET_CPU_FLAGS "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard")
set(MICROPARQUET_QEMU_BOARD mps3-an547)
include(${CMAKE_CURRENT_LIST_DIR}/bare-metal-common.cmake)
