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

// The pattern of "Replace" and "Split": a literal text, or a regular expression in Oniguruma's
// syntax that can be translated to RE2's. This covers the constructs that tokenizers use: named
// classes, \s \w \d with their Unicode meaning, and the ending "\s+(?!\S)|\s+". Immutable: safe to
// use from several threads.
class TextPattern final {
 public:
  // Reads {"String": ...} or {"Regex": ...}. Errors: Corruption; Unsupported for an expression that
  // RE2 cannot evaluate.
  static Result<TextPattern> Make(const Json& pattern);
  TextPattern(TextPattern&&) noexcept;
  TextPattern& operator=(TextPattern&&) noexcept;
  ~TextPattern();

  // Begin and end of all matches in `text`, in order; never empty ones.
  using Matches = std::vector<std::pair<size_t, size_t>>;
  void FindAll(std::string_view text, Matches* matches) const;

 private:
  TextPattern();

  std::string literal_;
  std::unique_ptr<re2::RE2> expression_;  // null: the literal
  int space_group_ = 0;                   // of the ending; 0: there is none
};

// Translates an expression to RE2's syntax; the ending becomes a group named "space". Unsupported
// if the expression needs a feature that RE2 lacks.
Result<std::string> TranslateExpression(std::string_view expression);

}  // namespace recall
