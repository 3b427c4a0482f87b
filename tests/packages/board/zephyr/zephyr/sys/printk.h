// Declarations from Zephyr's documentation.
#pragma once

void printk(const char* format, ...);
