#pragma once

#include <string_view>

#include "index/base/text/tokenizer.h"
#include "index/base/text/utf8.h"
#include "storage/base/check.h"

namespace recall {

// Checks that FTS5's `ascii` tokenizer would not split the token: [a-z0-9] and well-formed UTF-8
// above ASCII only.
inline void CheckTokenBytes(std::string_view token) {
  RECALL_CHECK(!token.empty());
  RECALL_CHECK(IsValidUtf8(token));
  for (const char c : token) {
    RECALL_CHECK((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                 static_cast<unsigned char>(c) >= 0x80);
  }
}

inline void CheckToken(std::string_view token) {
  CheckTokenBytes(token);
  RECALL_CHECK(token.size() <= kMaxTokenBytes);
}

// Checks a text of tokens separated by single spaces. Returns: the number of tokens.
inline uint32_t CheckTokens(std::string_view tokens) {
  if (tokens.empty()) return 0;
  uint32_t count = 1;
  for (size_t space = tokens.find(' '); space != std::string_view::npos; space = tokens.find(' ')) {
    CheckToken(tokens.substr(0, space));
    tokens.remove_prefix(space + 1);
    ++count;
  }
  CheckToken(tokens);
  return count;
}

}  // namespace recall
