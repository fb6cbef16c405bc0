#pragma once

#include <string>
#include <string_view>

namespace recall {

// Writes a manual page in the man(7) macros, for any roff. All text given is plain text; what roff
// would take for a command is escaped.
class RoffPage final {
 public:
  // "recall-search", with what to print in the foot: "recall 0.1.0".
  RoffPage(std::string_view title, std::string_view source);

  void Section(std::string_view title);
  // Paragraphs are separated by empty lines; lines that start with a space are kept as they are.
  void Text(std::string_view text);
  // Lines kept as they are.
  void Verbatim(std::string_view lines);
  // A term in bold, a value in italics (either may be empty) and, indented below, what they mean.
  void Item(std::string_view term, std::string_view value, std::string_view meaning);

  const std::string& text() const { return page_; }

 private:
  std::string page_;
};

}  // namespace recall
