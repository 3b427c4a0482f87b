// As Zephyr's documentation declares it.
#pragma once

void printk(const char* format, ...);
