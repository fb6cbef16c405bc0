#pragma once

#include <string>
#include <string_view>

namespace recall {

// Writes a manual page with man(7) macros, for any roff. All input is plain text; characters with a
// meaning in roff are escaped.
class RoffPage final {
 public:
  // `title`: "recall-search". `source` is printed in the footer: "recall 0.3.0".
  RoffPage(std::string_view title, std::string_view source);

  void Section(std::string_view title);
  // Appends text. Paragraphs are separated by empty lines; lines that start with a space are
  // printed verbatim.
  void Text(std::string_view text);
  // Appends lines verbatim.
  void Verbatim(std::string_view lines);
  // Appends a term in bold, a value in italics (either may be empty) and, indented below, their
  // meaning.
  void Item(std::string_view term, std::string_view value, std::string_view meaning);

  const std::string& text() const { return page_; }

 private:
  std::string page_;
};

}  // namespace recall
