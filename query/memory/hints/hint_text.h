#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "query/ask/passages/token_counter.h"

namespace recall {

// What is said of one document.
struct Hint {
  std::string path;      // of the document; "" if it quotes none
  std::string citation;  // "[docs/a.md:9-17]"
  std::string head;      // behind the citation: what the document is called
  std::string words;     // what it says, on a line of its own; left out where the budget is short
};

// Returns: the text on one line of at most `most_bytes` bytes and an ellipsis, without characters
// that are not seen, and so that it ends no element of a markup around it ("</" becomes "< /").
// What is quoted is for reading: its exact bytes are at its citation.
std::string HintLine(std::string_view text, size_t most_bytes);

// The lines of a citation: "[docs/a.md:9-17]"; without lines if `first_line` is 0.
std::string HintCitation(std::string_view path, uint32_t first_line, uint32_t last_line);

// Composes a text of hints that has at most `budget` tokens, by EstimateTokens:
//
//   HEAD
//   ```
//   [notes/a.md] decision: Use zstd level 3
//     Level 3 is the best trade for texts.
//   ```
//
// The fence is longer than any run of backticks in the hints. Not thread-safe.
class HintPacker final {
 public:
  // Errors: none with the estimate, which needs no file.
  static Result<HintPacker> Make(std::string head, int64_t budget);

  // Hints whose citation is in this text are not taken, nor those of a whole document of which it
  // cites any lines. It must outlive the packer.
  void LeaveOutCited(std::string_view text);
  // Adds a hint, if need be without its words. Returns: false if it is left out, or does not fit at
  // all.
  bool Offer(Hint hint);
  // Adds a line behind the fence, if there are hints and it fits.
  void AddRemark(const std::string& line);

  const std::vector<Hint>& hints() const { return hints_; }
  // "" without hints.
  std::string Text() const;
  int64_t used_tokens() { return hints_.empty() ? 0 : counter_.Count(Text()); }

 private:
  HintPacker(std::string head, int64_t budget, TokenCounter counter)
      : head_(std::move(head)), budget_(budget), counter_(std::move(counter)) {}
  bool Fits() { return used_tokens() <= budget_; }

  std::string head_;
  std::string remark_;
  int64_t budget_;
  TokenCounter counter_;
  std::unordered_set<std::string_view> cited_;  // with and without lines: "a.md:1-2" and "a.md"
  std::vector<Hint> hints_;
};

}  // namespace recall
