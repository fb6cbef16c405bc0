#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace recall {

enum class ColorMode { kAuto, kAlways, kNever };

// True if the file descriptor `fd` is a terminal.
bool IsTerminal(int fd);
// Returns: the width of the terminal at `fd` in columns; 80 if unknown.
size_t TerminalColumns(int fd);
// True if the locale of the environment (LC_ALL, LC_CTYPE, LANG) has the character set UTF-8.
bool IsUtf8Locale();
// Returns: the rows of the terminal at `fd`; 0 if unknown.
size_t TerminalRows(int fd);
// True if colours are printed. kAuto: only on a terminal, without NO_COLOR, and not with TERM=dumb.
bool UseColor(ColorMode mode, int fd);

// Returns: the columns that a text on one line takes, with wide characters as two and combining
// ones as none.
size_t DisplayColumns(std::string_view utf8);
// Returns: the bytes of the first character of a text, and of the combining ones that follow it; 1
// if it does not begin with UTF-8. Characters that EscapeLine replaces stay alone. 0 for "".
size_t FirstCharacter(std::string_view utf8);
// Returns: the text if it takes at most `columns`; otherwise its start, or its end, with an
// ellipsis in place of the rest.
std::string CutToColumns(std::string_view utf8, size_t columns, bool keep_end);

// How text is formatted for one output stream.
struct TextStyle {
  bool color = false;
  bool escape = false;  // escape control characters, because the output is a terminal
  size_t columns = 0;   // 0: do not shorten lines
  bool terminal = false;
  bool utf8 = false;  // block elements can be printed
  bool hyperlinks = false;
  std::string host{};  // of this machine, for links to its files
  // Both absolute. With `from`, the paths of documents are printed as they are spelt there;
  // otherwise as the store has them.
  std::string store_directory{};
  std::string from{};

  std::string Bold(std::string_view text) const { return Paint("1", text); }
  std::string Dim(std::string_view text) const { return Paint("2", text); }
  std::string Path(std::string_view text) const { return Paint("36", text); }
  std::string Score(std::string_view text) const { return Paint("32", text); }
  std::string Error(std::string_view text) const { return Paint("1;31", text); }
  std::string Warning(std::string_view text) const { return Paint("1;33", text); }

  // `text` as a hyperlink (OSC 8); the text alone if `target` is empty or links are off.
  std::string Link(std::string_view target, std::string_view text) const;
  // The path of a document for people: relative to `from`, on one line, not painted.
  std::string DocPathText(const std::string& doc_path) const;
  // The file:// address of the file or archive that a document was read from; "" without links or
  // if there is no such file.
  std::string DocLink(const std::string& doc_path) const;
  // Both, painted as a path.
  std::string DocPath(const std::string& doc_path) const {
    return Link(DocLink(doc_path), Path(DocPathText(doc_path)));
  }

 private:
  std::string Paint(std::string_view code, std::string_view text) const;
};

TextStyle StyleOf(int fd, ColorMode mode);
// The same, with hyperlinks. kAuto: on a terminal, where colours are printed.
TextStyle StyleOf(int fd, ColorMode color, ColorMode hyperlinks);

// Makes untrusted text safe to print on a terminal: control characters except newline and tab, and
// characters that reorder text (CVE-2021-42574), become escapes such as \x1b or \u202e; bytes that
// are not UTF-8 become U+FFFD.
std::string EscapeControls(std::string_view text);
// As EscapeControls, for text that must stay on one line: newline and tab are escaped as well.
std::string EscapeLine(std::string_view text);

// Makes JSON safe to print on a terminal: the same characters, except C0, which JSON escapes
// anyway, become \u escapes. The result is equal JSON.
std::string EscapeJson(std::string_view json);

}  // namespace recall
