// Sketches that use a card include it.
#pragma once
