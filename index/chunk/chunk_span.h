#pragma once

#include <cstdint>
#include <string>

namespace recall {

struct ChunkOptions {
  // Most whitespace tokens in a chunk, which also has at most 16 bytes (and never less than 64)
  // for each: text with hardly any white space is cut by that. 0 means 1.
  uint32_t chunk_tokens = 256;
  // Most tokens a window repeats of the one before it; more than half a chunk counts as half.
  uint32_t overlap_tokens = 32;
};

// A byte range of the text. Spans ascend by start_byte and by end_byte; their union holds every
// byte that is not white space. A span has at least one token, starts and ends at one (or between
// two characters of one that was cut), but takes in the indentation of its first line. No two
// spans of a text have the same offset and byte_in_token.
struct ChunkSpan {
  uint64_t start_byte = 0;
  uint64_t end_byte = 0;       // exclusive
  uint32_t start_line = 1;     // from 1
  uint32_t end_line = 1;       // the line of the last byte
  uint64_t offset = 0;         // index of the whitespace token the span starts in
  uint32_t byte_in_token = 0;  // not 0 when a token too long for a chunk was cut
  uint32_t tokens = 0;
  // "Guide > Install", outermost first; empty when there is none; each title at most 200 bytes.
  // Several tiny sections that share a chunk have the path of their parent.
  std::string heading;
};

}  // namespace recall
