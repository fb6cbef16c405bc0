#include "cli/options/settings/toml_nesting.h"

#include <algorithm>

namespace recall {
namespace {

// Reads a text from left to right and counts dots and brackets outside strings and comments (TOML
// 1.0.0, https://toml.io/en/v1.0.0). A dot within a number is counted as well, which does no harm:
// a number has one.
class TomlScan final {
 public:
  explicit TomlScan(std::string_view text) : text_(text) {}

  std::optional<size_t> LineOfDeepPlace() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        SkipString(c);
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        Count(c);
        ++at_;
      }
      if (dots_ >= kMaxTomlNesting || open_ > kMaxTomlNesting) return Line();
    }
    return std::nullopt;
  }

 private:
  void Count(char c) {
    if (c == '.') ++dots_;
    if (c == '[' || c == '{') ++open_;
    if ((c == ']' || c == '}') && open_ > 0) --open_;
    // Each of these ends a key.
    if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) dots_ = 0;
  }

  // Skips "...", '...', """...""" and '''...'''. Only double quotes have escapes.
  void SkipString(char quote) {
    const std::string_view three(quote == '"' ? "\"\"\"" : "\'\'\'");
    const bool long_string = text_.substr(at_, 3) == three;
    at_ += long_string ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (long_string ? text_.substr(at_, 3) == three : c == quote || c == '\n') break;
      at_ += c == '\\' && quote == '"' ? 2 : 1;
    }
    if (at_ >= text_.size()) return;
    at_ += long_string ? 3 : 1;
    // A long string may end with up to two more quotes, which belong to it.
    for (int more = 0; long_string && more < 2 && at_ < text_.size() && text_[at_] == quote;
         ++more) {
      ++at_;
    }
  }

  size_t Line() const {
    const std::string_view before = text_.substr(0, std::min(at_, text_.size()));
    return 1 + static_cast<size_t>(std::ranges::count(before, '\n'));
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t dots_ = 0;  // in the key that is read
  size_t open_ = 0;  // brackets
};

}  // namespace

std::optional<size_t> LineOfDeepToml(std::string_view text) {
  return TomlScan(text).LineOfDeepPlace();
}

}  // namespace recall
