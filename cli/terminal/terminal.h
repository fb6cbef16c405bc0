#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recall {

enum class ColorMode { kAuto, kAlways, kNever };

// Whether file descriptor `fd` is a terminal that a person reads.
bool IsTerminal(int fd);
// Columns of the terminal at `fd`, 80 when unknown.
size_t TerminalColumns(int fd);
// kAuto: only on a terminal, without NO_COLOR, and not on TERM=dumb.
bool UseColor(ColorMode mode, int fd);

// How text is dressed for the reader of one stream.
struct TextStyle {
  bool color = false;
  bool escape = false;  // the reader is a terminal, which acts on control characters
  size_t columns = 0;   // 0: do not shorten lines

  std::string Bold(std::string_view text) const { return Paint("1", text); }
  std::string Dim(std::string_view text) const { return Paint("2", text); }
  std::string Path(std::string_view text) const { return Paint("36", text); }
  std::string Score(std::string_view text) const { return Paint("32", text); }
  std::string Error(std::string_view text) const { return Paint("1;31", text); }
  std::string Warning(std::string_view text) const { return Paint("1;33", text); }

 private:
  std::string Paint(std::string_view code, std::string_view text) const;
};

TextStyle StyleOf(int fd, ColorMode mode);

// Text that came from files or users, safe to show: control characters but newline and tab, and
// the characters that reorder lines (CVE-2021-42574), become \x1b or \u202e; bytes that are not
// UTF-8 become U+FFFD.
std::string EscapeControls(std::string_view text);
// The same for a field that must stay on its line: newline and tab are escaped, too.
std::string EscapeLine(std::string_view text);

}  // namespace recall
