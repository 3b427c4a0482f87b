// The board's card, made as slow as a trace says.
#pragma once

#include "card_latency.h"

// Makes each write of a sector take its time before it is done.
void slow_down(stalls::CardLatency& latency);
