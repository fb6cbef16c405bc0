#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/subword/json_fields.h"
#include "storage/base/result.h"

namespace re2 {
class RE2;
}

namespace recall {

// What "Replace" and "Split" look for: a text, or a regular expression in the syntax of Oniguruma
// as far as it can be said in RE2's, which is the part that tokenizers use: classes by name, \s \w
// \d as Unicode means them, and the ending "\s+(?!\S)|\s+".
// Immutable: safe to use from several threads.
class TextPattern final {
 public:
  // From {"String": ...} or {"Regex": ...}. Errors: Corruption; Unsupported for an expression that
  // RE2 cannot evaluate.
  static Result<TextPattern> Make(const Json& pattern);
  TextPattern(TextPattern&&) noexcept;
  TextPattern& operator=(TextPattern&&) noexcept;
  ~TextPattern();

  // Begins and ends of all matches in `text`, in order; never empty ones.
  using Matches = std::vector<std::pair<size_t, size_t>>;
  void FindAll(std::string_view text, Matches* matches) const;

 private:
  TextPattern();

  std::string literal_;
  std::unique_ptr<re2::RE2> expression_;  // null: the literal
  int space_group_ = 0;                   // of the ending; 0: there is none
};

// The expression in RE2's syntax; the ending is a group named "space" then. Unsupported if it has
// what RE2 lacks.
Result<std::string> TranslateExpression(std::string_view expression);

}  // namespace recall
