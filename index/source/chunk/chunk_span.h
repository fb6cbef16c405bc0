#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "storage/tables/symbol.h"

namespace recall {

struct ChunkOptions {
  // The maximum of white-space tokens in a chunk. A chunk also has at most 16 bytes per token of
  // this limit (but at least 64 in total), which limits text with hardly any white space. 0 means
  // 1.
  uint32_t chunk_tokens = 256;
  // The maximum of tokens that a window repeats of the preceding one; at most half a chunk.
  uint32_t overlap_tokens = 32;
};

// A byte range of the text. Spans ascend by start_byte and by end_byte; their union contains every
// byte that is not white space. A span has at least one token and starts and ends at a token
// boundary (or between two characters of a token that was cut), but includes the indentation of its
// first line. No two spans of a text have the same offset and byte_in_token.
//
// A text without a token has no span, or the one of AddNameSpan, which has no bytes.
struct ChunkSpan {
  uint64_t start_byte = 0;
  uint64_t end_byte = 0;       // exclusive
  uint32_t start_line = 1;     // from 1
  uint32_t end_line = 1;       // the line of the last byte
  uint64_t offset = 0;         // index of the whitespace token the span starts in
  uint32_t byte_in_token = 0;  // not 0 if a token too long for a chunk was cut
  uint32_t tokens = 0;
  // "Guide > Install", outermost first; empty if there is none; each title has at most 200 bytes.
  // Several tiny sections that share a chunk have the path of their parent.
  // Of source code that was parsed: the qualified names of definitions, "Store > Commit, Vacuum".
  std::string heading;
  std::vector<Symbol> symbols = {};  // of source code that was parsed (code_outline.h)
};

}  // namespace recall
