#pragma once

#include <functional>
#include <string_view>

#include "index/source/chunk/text_range.h"

namespace recall {

// Cuts a range too large for a chunk into windows that overlap by up to limits.overlap_tokens,
// passes all but the last to `emit` in order and returns the last, to which the caller may still
// add the following text. Linear in the range; keeps one window's tokens in memory.
//
//  tokens   |..........................................|
//  window 1 |------------------|                ends at the strongest boundary of its last
//  window 2               |------------------|  quarter; starts at a line or sentence within
//  window 3                             |-------|      the overlap where there is one
TextRange CutWindows(std::string_view text, const TextRange& range, const ChunkLimits& limits,
                     const std::function<void(const TextRange&)>& emit);

}  // namespace recall
