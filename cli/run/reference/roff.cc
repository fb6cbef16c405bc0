#include "cli/run/reference/roff.h"

#include <algorithm>
#include <cstdio>

#include "cli/run/reference/command_reference.h"

namespace recall {
namespace {

// How '-' is printed: in prose as a hyphen inside words and as a minus in options; in text that may
// be copied to a shell always as a minus.
enum class Dashes { kProse, kLiteral };

std::string Symbol(char c) {
  switch (c) {
    case '\\':
      return "\\e";
    case '\'':
      return "\\(aq";
    case '`':
      return "\\(ga";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    default:
      return std::string(1, c);
  }
}

// The code point at `*i`, which is advanced to its last byte. Invalid UTF-8 becomes U+FFFD.
std::string UnicodeSymbol(std::string_view text, size_t* i) {
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(*i);
  const size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  unsigned code = first & (0x3Fu >> more);
  size_t read = 0;
  while (read < more && *i + 1 < text.size() && (byte(*i + 1) & 0xC0) == 0x80) {
    code = code << 6 | (byte(++*i) & 0x3Fu);
    ++read;
  }
  if (more == 0 || read < more || first >= 0xF8) code = 0xFFFD;
  char symbol[16];
  std::snprintf(symbol, sizeof(symbol), "\\[u%04X]", code);
  return symbol;
}

// Escapes one line of text.
std::string Line(std::string_view text, Dashes dashes) {
  std::string line;
  if (text.starts_with('.') || text.starts_with('\'')) line += "\\&";
  bool option = false;  // inside a word that starts with '-'
  bool word_start = true;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (word_start) option = c == '-';
    word_start = c == ' ' || c == '(' || c == '`' || c == '\'' || c == ',';
    if (c == '-') {
      line += option || dashes == Dashes::kLiteral ? "\\-" : "-";
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      line += UnicodeSymbol(text, &i);
    } else {
      line += Symbol(c);
    }
  }
  return line;
}

// Calls `each` for every line of `text`.
template <typename Each>
void ForEachLine(std::string_view text, Each each) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    each(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

RoffPage::RoffPage(std::string_view title, std::string_view source) {
  std::string upper;
  for (const char c : title) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  page_ = ".TH \"" + Line(upper, Dashes::kLiteral) + "\" \"1\" \"\" \"" +
          Line(source, Dashes::kProse) + "\" \"Recall\"\n";
}

void RoffPage::Section(std::string_view title) { page_ += ".SH " + std::string(title) + "\n"; }

void RoffPage::Text(std::string_view text) {
  bool verbatim = false;
  ForEachLine(text, [&](std::string_view line) {
    const bool indented = line.starts_with(' ');
    if (indented != verbatim) page_ += indented ? ".PP\n.nf\n" : ".fi\n.PP\n";
    verbatim = indented;
    if (line.empty()) {
      page_ += ".PP\n";
    } else {
      page_ += Line(line, indented ? Dashes::kLiteral : Dashes::kProse) + "\n";
    }
  });
  if (verbatim) page_ += ".fi\n";
}

void RoffPage::Verbatim(std::string_view lines) {
  page_ += ".nf\n";
  ForEachLine(lines, [&](std::string_view line) { page_ += Line(line, Dashes::kLiteral) + "\n"; });
  page_ += ".fi\n";
}

void RoffPage::Item(std::string_view term, std::string_view value, std::string_view meaning) {
  page_ += ".TP\n";
  if (!term.empty()) page_ += "\\fB" + Line(term, Dashes::kLiteral) + "\\fR";
  if (!term.empty() && !value.empty()) page_ += " ";
  if (!value.empty()) page_ += "\\fI" + Line(value, Dashes::kLiteral) + "\\fR";
  page_ += "\n";
  Text(meaning);
}

}  // namespace recall
