#pragma once

// Cuts texts into chunks and returns them in a form that is easy to compare.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "index/source/chunk/chunker.h"

namespace recall {

inline std::string_view TextOf(std::string_view text, const ChunkSpan& span) {
  return text.substr(span.start_byte, span.end_byte - span.start_byte);
}

// The texts of the chunks.
inline std::vector<std::string> ChunkTexts(std::string_view text, Parser parser,
                                           const ChunkOptions& options) {
  std::vector<std::string> texts;
  for (const ChunkSpan& span : ChunkText(text, parser, options)) {
    texts.emplace_back(TextOf(text, span));
  }
  return texts;
}

// The chunks as "[heading] text".
inline std::vector<std::string> ChunkOutline(std::string_view text, Parser parser,
                                             const ChunkOptions& options) {
  std::vector<std::string> outline;
  for (const ChunkSpan& span : ChunkText(text, parser, options)) {
    outline.push_back("[" + span.heading + "] " + std::string(TextOf(text, span)));
  }
  return outline;
}

// "a b c d": `count` different words, starting with word number `first`.
inline std::string Words(size_t count, size_t first = 0) {
  std::string words;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) words += ' ';
    words += "w" + std::to_string(first + i);
  }
  return words;
}

using Texts = std::vector<std::string>;

}  // namespace recall
