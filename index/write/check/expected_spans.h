#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "index/source/chunk/chunk_span.h"
#include "storage/check/document_check.h"

namespace recall {

// The spans that the chunks of a document must have, computed from its text, parallel to `chunks`.
// Empty if that cannot be said: the parser is not known, or it cuts the text into other chunks, as
// for documents that were imported from a store with other settings. `chunks` may lack some chunks
// of the document; rows ascending. `page_starts`: as for ChunkText; chunks that were cut without
// regard to pages, as before 0.4.0, are accepted, too.
std::vector<ChunkSpan> ComputeSpans(std::string_view text, std::string_view parser,
                                    const ChunkOptions& options,
                                    std::span<const uint64_t> page_starts,
                                    std::span<const ChunkRow> chunks);

// Whether a row has the place of a span: bytes, lines, offset.
bool HasPlaceOf(const ChunkRow& chunk, const ChunkSpan& span);

}  // namespace recall
