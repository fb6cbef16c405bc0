#include "index/source/code/import_lines.h"

#include <algorithm>

namespace recall {
namespace {

bool IsSpaceByte(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view TrimSpace(std::string_view text) {
  while (!text.empty() && IsSpaceByte(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpaceByte(text.back())) text.remove_suffix(1);
  return text;
}

bool StartsWithWord(std::string_view line, std::string_view word) {
  if (!line.starts_with(word) || line.size() == word.size()) return false;
  const char next = line[word.size()];
  return next == ' ' || next == '\t' || next == '(' || next == '"' || next == '\'' || next == '<' ||
         next == '{';
}

// "#include <x>", "# include <x>", "#import <x>"
bool IsDirective(std::string_view line) {
  if (line.front() != '#') return false;
  line = TrimSpace(line.substr(1));
  return StartsWithWord(line, "include") || StartsWithWord(line, "import") ||
         StartsWithWord(line, "include_next");
}

// Whether a trimmed line has the first word of an import; most lines have not.
bool MayBeginImport(std::string_view line) {
  const auto begins = [line](std::string_view word) { return line.starts_with(word); };
  switch (line.front()) {
    case '#':
    case '@':
      return true;
    case 'c':
      return begins("const ");
    case 'e':
      return begins("export ") || begins("extern ");
    case 'f':
      return begins("from ");
    case 'i':
      return begins("import");
    case 'l':
      return begins("let ") || begins("local ");
    case 'p':
      return begins("pub ") || begins("package ");
    case 'r':
      return begins("require");
    case 'u':
      return begins("use ") || begins("using ");
    case 'v':
      return begins("var ");
    default:
      return false;
  }
}

// Whether a trimmed line begins an import; it may go on in brackets.
bool BeginsImport(std::string_view line) {
  if (!MayBeginImport(line)) return false;
  if (IsDirective(line)) return true;
  if (line.starts_with("pub ")) line.remove_prefix(4);
  if (StartsWithWord(line, "import")) return !line.starts_with("import(");
  if (line.starts_with("from ")) return line.find(" import ") != line.npos;
  if (line.starts_with("export ")) {
    return line.find(" from ") != line.npos && line.find_first_of("'\"") != line.npos;
  }
  const bool is_statement = line.ends_with(';') || line.ends_with('{');
  if (line.starts_with("use ")) return is_statement && line.find('=') == line.npos;
  if (line.starts_with("using ")) return line.ends_with(';') && line.find('=') == line.npos;
  if (line.starts_with("extern crate ")) return true;
  if (line.starts_with("require ") || line.starts_with("require_relative ") ||
      line.starts_with("require_once ") || line.starts_with("@import ")) {
    return line.find_first_of("'\"") != line.npos || is_statement;
  }
  if (line.starts_with("const ") || line.starts_with("var ") || line.starts_with("let ") ||
      line.starts_with("local ")) {
    return line.find("= require(") != line.npos || line.find("= require ") != line.npos;
  }
  return line.starts_with("package ") && line.find_first_of("{(=") == line.npos;
}

// The bracket that an import leaves open at the end of its line; 0 if none.
char OpenBracket(std::string_view line) {
  if (line.empty()) return 0;
  const size_t open = line.find_last_of("({");
  if (open == line.npos) return 0;
  const char close = line[open] == '(' ? ')' : '}';
  return line.find(close, open) == line.npos ? close : 0;
}

// Calls visit(begin, end, size, is_import) for each line that is not blank, until it returns false;
// `size` is without white space at both ends.
template <typename Visit>
void ForEachCodeLine(std::string_view text, Visit visit) {
  constexpr int kLongestBlock = 200;  // lines; more is no block of imports
  char until = 0;
  int inside = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t newline = text.find('\n', at);
    const size_t end = newline == text.npos ? text.size() : newline + 1;
    const std::string_view line = TrimSpace(text.substr(at, end - at));
    if (!line.empty()) {
      bool is_import = until != 0;
      if (until != 0) {
        const bool closes = line.find(until) != line.npos;
        if (closes || ++inside > kLongestBlock) until = 0;
      } else if (BeginsImport(line)) {
        is_import = true;
        until = line.front() == '#' ? 0 : OpenBracket(line);
        inside = 0;
      }
      if (!visit(at, end, line.size(), is_import)) return;
    }
    at = end;
  }
}

}  // namespace

std::vector<LineSpan> FindImports(std::string_view text) {
  std::vector<LineSpan> found;
  bool goes_on = false;
  ForEachCodeLine(text, [&](size_t begin, size_t end, size_t, bool is_import) {
    if (is_import && goes_on) found.back().end = end;
    if (is_import && !goes_on) found.push_back({begin, end});
    goes_on = is_import;
    return true;
  });
  return found;
}

bool IsMostlyImports(std::string_view text) {
  size_t all = 0;
  size_t imports = 0;
  ForEachCodeLine(text, [&](size_t, size_t end, size_t size, bool is_import) {
    all += size;
    if (is_import) imports += size;
    // The rest of the text cannot make it up.
    return 2 * (imports + text.size() - end) >= all;
  });
  return imports > 0 && 2 * imports >= all;
}

}  // namespace recall
