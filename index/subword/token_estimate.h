#pragma once

#include <cstdint>
#include <string_view>

namespace recall {

// Returns: an estimate of the number of tokens that the tokenizers of large language models cut
// `text` into, about the mean of five public vocabularies (docs/PERFORMANCE.md, "Token estimate").
// No vocabulary is read: the text is divided as these tokenizers do before they merge bytes, and
// the parts cost constant shares of a token. Integer arithmetic, so the same on every CPU. 0 for an
// empty text only. Linear in the size; safe to call from several threads.
//
// Sums over parts are estimates of the whole, because a part costs more or less after what precedes
// it. The estimate of a prefix that ends where a word ends is at most that of the whole.
int64_t EstimateTokens(std::string_view text);

}  // namespace recall
