# RISC-V of 32 bits: integers, multiplication, compressed instructions; with picolibc.
set(MICROPARQUET_TOOLS riscv64-unknown-elf)
set(MICROPARQUET_CPU_FLAGS "-march=rv32imc -mabi=ilp32")
set(MICROPARQUET_QEMU_BOARD virt)
include(${CMAKE_CURRENT_LIST_DIR}/bare-metal-common.cmake)
