// Objects of layouts that plans and programs name. Their types are the library's own, in
// src/write/layout_ops.h.
#pragma once

#include "microparquet/layout.h"
#include "microparquet/status.h"

namespace microparquet::detail {

struct WriterState;

// Types of the constants below.
struct PageLengthening;
struct Blocks;
struct ExtentForecast;
// NOLINTBEGIN(readability-identifier-naming, bugprone-dynamic-static-initializers)
extern const PageLengthening kPageLengthening;
extern const PageLengthening kSectorTails;
extern const Blocks kBlocks;
extern const ExtentForecast kSmoothedForecast;
extern const ExtentForecast kSectorTailForecast;
// NOLINTEND(readability-identifier-naming, bugprone-dynamic-static-initializers)

// Functions for compressed pages that follow each other without padding, instead of those of
// kInPlaceNoCheckpoints: other layouts in place ask the lengthening.
extern const LayoutOps
    kSectorTailsOps;  // NOLINT(readability-identifier-naming, bugprone-dynamic-static-initializers)

// Functions that open the writer after the last footer: see ResumeLayout.
Status resume_in_place_layout(WriterState& state);
Status resume_forward_layout(WriterState& state);
Status resume_forecast_layout(WriterState& state);  // resumes in place, with forecast extents

// Functions that tell a layout that its file is there again: see ReconnectLayout.
Status reconnect_in_place_layout(WriterState& state);
Status reconnect_checkpointed_layout(WriterState& state);
Status reconnect_forward_layout(WriterState& state);

}  // namespace microparquet::detail
