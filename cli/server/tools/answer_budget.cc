#include "cli/server/tools/answer_budget.h"
#include "index/subword/token_estimate.h"

#include <algorithm>

namespace recall {

namespace {

// A token has at most this many bytes in what people write, so what is beyond need not be read.
constexpr size_t kMostBytesPerToken = 64;

size_t BytesOf(int64_t budget) {
  return static_cast<size_t>(std::max<int64_t>(budget, 0)) * kMostBytesPerToken;
}

// The greatest place at or before `at` where a character begins.
size_t FloorToCharacter(std::string_view text, size_t at) {
  while (at > 0 && at < text.size() && (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace

bool MayFit(std::string_view text, int64_t budget) { return text.size() <= BytesOf(budget); }

size_t LinesThatFit(std::span<const std::string> lines, std::string_view last, int64_t budget) {
  // The estimate of a whole differs a little from the sum of its parts, so the sum only proposes.
  int64_t sum = EstimateTokens(last);
  size_t count = 0;
  for (; count < lines.size(); ++count) {
    sum += EstimateTokens(lines[count] + "\n");
    if (sum > budget) break;
  }
  for (; count > 0; --count) {
    std::string text;
    for (const std::string& line : lines.first(count)) text += line + "\n";
    text += last;
    if (EstimateTokens(text) <= budget) break;
  }
  return count;
}

size_t PrefixThatFits(std::string_view text, int64_t budget) {
  if (MayFit(text, budget) && EstimateTokens(text) <= budget) return text.size();
  // A prefix that ends with a line has at most the tokens of a longer one, so the greatest that
  // fits can be found by bisection; so, nearly, with characters.
  size_t low = 0;
  size_t high = std::min(text.size(), BytesOf(budget));
  while (low < high) {
    const size_t middle = low + (high - low + 1) / 2;
    EstimateTokens(text.substr(0, middle)) <= budget ? low = middle : high = middle - 1;
  }
  const size_t line = text.rfind('\n', low == 0 ? 0 : low - 1);
  if (line != std::string_view::npos && line < low) low = line + 1;
  low = FloorToCharacter(text, low);
  while (low > 0 && EstimateTokens(text.substr(0, low)) > budget) {
    low = FloorToCharacter(text, low - 1);
  }
  return low;
}

}  // namespace recall
