#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/chunk/chunk_span.h"
#include "index/source/chunk/code_outline.h"
#include "index/source/chunk/parser.h"

namespace recall {

// Divides text into chunks along its structure (docs/RETRIEVAL.md, "Chunks"). Small adjacent blocks
// under one heading share a chunk; a block too large for one becomes overlapping windows that start
// and end at lines, or at sentences where lines are long. Text must be valid UTF-8. Deterministic;
// linear in the size of the text. `outline`: with kCode, cut along its definitions; null: along the
// lines that look like definitions. `page_starts`: ascending bytes where pages begin, so that small
// pages do not share a chunk.
std::vector<ChunkSpan> ChunkText(std::string_view text, Parser parser, const ChunkOptions& options,
                                 const CodeOutline* outline = nullptr,
                                 std::span<const uint64_t> page_starts = {});

// The span of a document without text: no bytes and no tokens, in line 1. By it the document has a
// chunk, and is found by the words of its path and title.
void AddNameSpan(std::vector<ChunkSpan>* spans);

}  // namespace recall
