# Cortex-M55 with floating point and vectors. Its hardware loops (-fbranch-count-reg) cost the writer 2 % of its size.
set(MICROPARQUET_TOOLS arm-none-eabi)
set(MICROPARQUET_CPU_FLAGS "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard -fno-branch-count-reg")
set(MICROPARQUET_QEMU_BOARD mps3-an547)
include(${CMAKE_CURRENT_LIST_DIR}/bare-metal-common.cmake)
