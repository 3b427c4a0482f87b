// What a Logger needs of Arduino's core: the clock.
#pragma once

extern "C" unsigned long millis();
