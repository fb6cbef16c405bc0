#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "index/source/extract/html/filtered_html.h"

namespace recall {

// Writes the text of the filtered page, with marks in place of long texts (filtered_html.h). The
// page must outlive the result.
class HtmlFilterOutput final {
 public:
  explicit HtmlFilterOutput(size_t page_bytes) {
    result_.html.reserve(page_bytes / 3 + 64);
    result_.html = "<!DOCTYPE html>";
  }

  // Counts an element that is to be written. Returns whether the page may have it.
  bool CountElement() {
    result_.too_many_elements = ++elements_ > kMaxHtmlElements;
    return !result_.too_many_elements;
  }
  bool is_full() const { return result_.too_many_elements; }
  bool EndsWith(std::string_view text) const { return result_.html.ends_with(text); }

  // Text that follows is in a `pre`, so its white space is kept.
  void SetInPre(bool in_pre) { in_pre_ = in_pre; }

  // Writes markup as it is.
  void Raw(std::string_view text) { result_.html += text; }
  // Writes an attribute, whose value has character references.
  void Attribute(std::string_view name, std::string_view value);
  // Writes text with character references, in which "<" is an ordinary character. Long pieces
  // without references, and those with "<", are replaced by marks.
  void Text(std::string_view text);
  // Writes text in which "&" and "<" are ordinary characters.
  void Literal(std::string_view text);
  // Writes the text of a title, as Text does, but without marks: they are not in the tree's texts.
  void Title(std::string_view text);

  FilteredHtml Finish() { return std::move(result_); }

 private:
  void Piece(std::string_view piece);
  void Mark(std::string_view piece);
  size_t Reference(std::string_view text, size_t start);
  size_t Name(std::string_view text, size_t start);
  void Number(uint32_t value);

  FilteredHtml result_;
  int64_t elements_ = 0;
  bool in_pre_ = false;
  bool in_title_ = false;
};

}  // namespace recall
