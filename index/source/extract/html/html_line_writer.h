#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// Writes the lines of a Markdown text with the prefixes of the list items, terms and quotes that
// contain them, and notes at which element each line is.
class HtmlLineWriter final {
 public:
  // Appends to `*out`, which must outlive it.
  explicit HtmlLineWriter(std::string* out);

  // Separates the next line from the one before by at least `lines` new lines: 2 is an empty line.
  void Break(int lines) { break_ = std::max(break_, lines); }
  // As above, whatever was asked for before.
  void SetBreak(int lines) { break_ = lines; }

  // Opens a container. Lines are in it until Close is called for the same node. Containers are
  // closed in the reverse order.
  void OpenItem(int32_t node, std::string marker, bool is_first_item);
  void OpenTermText(int32_t node);
  void OpenQuote(int32_t node);
  void Close(int32_t node);
  bool IsInQuote() const;

  // Writes a line. `id`: of the nearest element before the line that has one; must outlive this.
  void Line(std::string_view line, std::string_view id, bool with_prefix);
  // Writes an empty line of code, without prefix.
  void EmptyLine() { out_ += '\n'; }

  struct Mark {
    uint64_t position;  // in the text; lines from here on, to the next mark, are at the element
    std::string_view id;
  };
  const std::vector<Mark>& marks() const { return marks_; }

 private:
  struct Container {
    int32_t node;
    std::string marker;   // the prefix of the first line: "- ", ": "
    std::string further;  // the prefix of further lines
    bool waits;           // the first line is not yet written
    bool is_first_item;   // of a list that is in no other
  };

  bool IsInStartedQuote() const;
  void WriteSeparator(bool with_prefix);
  void WritePrefixes();
  void WriteEmptyPrefixes();

  std::string& out_;
  std::vector<Container> containers_;
  std::vector<Mark> marks_;
  bool first_line_;
  int break_ = 2;
  int quote_lines_ = 0;  // lines of the quote so far
};

}  // namespace recall
