// The program around the page's code.
#pragma once

#include "microparquet/status.h"
#include "motion.h"

// Functions that the page takes from the program.
Motion read_sensor();
void card_failed(microparquet::Status status);

// Called by a task that is about to wait to be woken: the logger.
void before_waiting();
