#include "query/measure/eval/document_tokens.h"

#include <algorithm>

#include "index/base/text/utf8.h"

namespace recall {

DocumentTokens::DocumentTokens(std::string_view text) {
  bool in_token = false;
  for (size_t position = 0; position < text.size();) {
    const size_t begin = position;
    const bool space = IsWhiteSpace(DecodeUtf8(text, &position));
    if (!space && !in_token) tokens_.push_back({begin, position});
    if (!space) tokens_.back().end = position;
    in_token = !space;
  }
}

DocumentTokens::Range DocumentTokens::Touched(Range bytes) const {
  if (bytes.begin >= bytes.end) return {};
  const auto first = std::ranges::upper_bound(tokens_, bytes.begin, {}, &Range::end);
  const auto last = std::ranges::lower_bound(tokens_, bytes.end, {}, &Range::begin);
  return {static_cast<uint64_t>(first - tokens_.begin()),
          static_cast<uint64_t>(std::max(first, last) - tokens_.begin())};
}

DocumentTokens::Range DocumentTokens::Bytes(Range tokens) const {
  return {tokens_[tokens.begin].begin, tokens_[tokens.end - 1].end};
}

}  // namespace recall
