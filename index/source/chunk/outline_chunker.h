#pragma once

#include <string_view>
#include <vector>

#include "index/source/chunk/chunk_span.h"
#include "index/source/chunk/code_outline.h"
#include "index/source/chunk/text_range.h"

namespace recall {

// Cuts source code along its outline (docs/code.md): chunks, their headings and their symbols.
// `outline` may be of another text, but its definitions must be nested as code_outline.h says.
std::vector<ChunkSpan> CutAtDefinitions(std::string_view text, const CodeOutline& outline,
                                        const ChunkLimits& limits);

}  // namespace recall
