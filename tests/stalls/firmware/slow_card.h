// The board's card, made as slow as a trace says.
#pragma once

#include "card_latency.h"

// Each write of a sector takes its time before it is done from now on.
void slow_down(stalls::CardLatency& latency);
