// The problem: a name in a comment or a text is no use of what it names, and there is no grammar at
// hand when a question is asked.
//
// The idea: what begins and ends comments and texts can be read without a grammar. The languages
// with grammars here differ in a few properties, which a table has by extension. The text is read
// once; a stack has what is open:
//
//   f("a ${g(x)}");      code | text "..." | code within ${...}
//
// Invariants: each byte is read at most twice. A text of one line ends with its line, so an error
// is forgotten there.

#include "index/source/code/code_words.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "index/base/text/code_name.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

struct CodeSyntax {
  std::string_view extensions;  // " .c .h ", with blanks around each
  std::string_view line_comment;
  std::string_view open_comment;  // "": there are no such comments
  std::string_view close_comment;
  std::string_view quotes;       // that begin a text of one line
  std::string_view long_quotes;  // three of which begin a text of several lines
  std::string_view raw_quotes;   // that begin a text of several lines
  std::string_view opens_code;   // within texts with other quotes than '; "{": of f"..." alone
};

constexpr CodeSyntax kSyntaxes[] = {
    {" .c .h .cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .inl .ipp .tpp .cu .cuh ", "//", "/*", "*/",
     "\"", "", "", ""},
    {" .java .cs .rs ", "//", "/*", "*/", "\"", "\"", "", ""},
    {" .kt .kts .scala .sc ", "//", "/*", "*/", "\"", "\"", "", "${"},
    {" .swift ", "//", "/*", "*/", "\"", "\"", "", "\\("},
    {" .go ", "//", "/*", "*/", "\"", "", "`", ""},
    {" .zig ", "//", "", "", "\"", "", "", ""},
    {" .js .cjs .mjs .jsx .ts .cts .mts .tsx ", "//", "/*", "*/", "\"'", "", "`", "${"},
    {" .php ", "//", "/*", "*/", "\"'", "", "", ""},
    {" .py .pyi .pyw ", "#", "", "", "\"'", "\"'", "", "{"},
    {" .rb .rake .gemspec ", "#", "", "", "\"'", "", "", "#{"},
    {" .ex .exs ", "#", "", "", "\"", "\"", "", "#{"},
    {" .sh .bash ", "#", "", "", "'", "", "", ""},
    {" .lua ", "--", "--[[", "]]", "\"'", "", "", ""},
    {" .hs ", "--", "{-", "-}", "\"", "", "", ""},
};
constexpr CodeSyntax kPlainCode = {};

const CodeSyntax& SyntaxOf(std::string_view path) {
  const size_t dot = path.find_last_of("./");
  if (dot == path.npos || path[dot] == '/') return kPlainCode;
  std::string wanted = " ";
  for (const char c : path.substr(dot)) wanted += ToAsciiLower(c);
  wanted += ' ';
  const auto* const found = std::ranges::find_if(kSyntaxes, [&](const CodeSyntax& syntax) {
    return syntax.extensions.find(wanted) != syntax.extensions.npos;
  });
  return found == std::end(kSyntaxes) ? kPlainCode : *found;
}

// Calls visitor.Word(begin, end) for each word of code, and visitor.Other(at) for each other byte.
template <typename Visitor>
class CodeWordReader final {
 public:
  CodeWordReader(const CodeSyntax& syntax, std::string_view text, Visitor& visitor)
      : syntax_(syntax), text_(text), visitor_(visitor) {}

  void Read() {
    while (at_ < text_.size()) {
      if (open_.empty() || open_.back().is_code) {
        ReadCode();
      } else {
        ReadText();
      }
    }
  }

 private:
  // A text, or code within a text.
  struct Open {
    bool is_code = false;
    std::string_view end = {};      // of a text
    bool has_lines = false;         // the text may have several lines
    std::string_view code_by = {};  // what begins code in the text; "": nothing does
    int brackets = 0;               // that are open in code
  };

  bool Has(std::string_view bytes) const {
    return !bytes.empty() && text_.substr(at_).starts_with(bytes);
  }

  void ReadCode() {
    const char c = text_[at_];
    if (Has(syntax_.open_comment)) return SkipBehind(syntax_.close_comment);
    if (Has(syntax_.line_comment) && BeginsComment()) {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return;
    }
    if (BeginsText(c)) return;
    if (!open_.empty() && (IsEndOfCode(c) || EndsWithLine(c))) return;
    if (!IsCodeNameByte(c)) return visitor_.Other(at_++);
    const size_t begin = at_;
    while (at_ < text_.size() && IsCodeNameByte(text_[at_])) ++at_;
    visitor_.Word(begin, at_);
  }

  // `$#` and `a#b` of a shell are none.
  bool BeginsComment() const {
    if (syntax_.line_comment != "#" || at_ == 0) return true;
    const char before = text_[at_ - 1];
    return syntax_.quotes != "'" || before == ' ' || before == '\t' || before == '\n' ||
           before == ';';
  }

  bool BeginsText(char c) {
    if (syntax_.raw_quotes.find(c) != std::string_view::npos) {
      Push(text_.substr(at_, 1), true, syntax_.opens_code);
      return true;
    }
    const bool is_char = c == '\'' && syntax_.quotes.find('\'') == std::string_view::npos;
    if (is_char && !syntax_.quotes.empty()) return SkipCharacter();
    if (syntax_.quotes.find(c) == std::string_view::npos) return false;
    if (c == '"' && BeginsRawText()) return true;
    const bool is_long = syntax_.long_quotes.find(c) != std::string_view::npos &&
                         at_ + 2 < text_.size() && text_[at_ + 1] == c && text_[at_ + 2] == c;
    std::string_view code_by = syntax_.opens_code;
    if (code_by == "{" && !IsFormatted()) code_by = {};
    if (code_by != "{" && c == '\'') code_by = {};
    Push(text_.substr(at_, is_long ? 3 : 1), is_long, code_by);
    return true;
  }

  // 'a', '\n', '\u0041'; not 'a of a lifetime, nor 1'000.
  bool SkipCharacter() {
    constexpr size_t kMostEscape = 12;
    size_t end = at_ + 1;
    if (end < text_.size() && text_[end] == '\\') {
      end = std::min(text_.find('\'', end + 2), text_.size());
      if (end > at_ + kMostEscape) return false;
    } else {
      do ++end;
      while (end < text_.size() && (text_[end] & 0xC0) == 0x80);
    }
    if (end >= text_.size() || text_[end] != '\'') return false;
    at_ = end + 1;
    return true;
  }

  // R"x(...)x" of C++, r#"..."# of Rust.
  bool BeginsRawText() {
    size_t hashes = 0;
    while (hashes < at_ && text_[at_ - 1 - hashes] == '#') ++hashes;
    const char mark = hashes < at_ ? text_[at_ - 1 - hashes] : '\0';
    if (mark == 'r' && (hashes > 0 || syntax_.long_quotes == "\"")) {
      ++at_;
      SkipBehind("\"" + std::string(hashes, '#'));
      return true;
    }
    if (mark != 'R' || hashes > 0) return false;
    const size_t open = text_.find('(', at_);
    if (open == text_.npos || open > at_ + 17) return false;
    const std::string end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    at_ = open;
    SkipBehind(end);
    return true;
  }

  // Whether the quote is behind the prefix f of Python.
  bool IsFormatted() const {
    for (size_t i = at_; i > 0 && i + 3 > at_ && IsAsciiLetter(text_[i - 1]); --i) {
      if (ToAsciiLower(text_[i - 1]) == 'f') return true;
    }
    return false;
  }

  void Push(std::string_view end, bool has_lines, std::string_view code_by) {
    at_ += end.size();
    open_.push_back({.end = end, .has_lines = has_lines, .code_by = code_by});
  }

  void ReadText() {
    const Open& top = open_.back();
    if (Has(top.end)) {
      at_ += top.end.size();
      open_.pop_back();
    } else if (top.code_by == "{" && (Has("{{") || Has("}}"))) {
      at_ += 2;
    } else if (Has(top.code_by)) {
      at_ += top.code_by.size();
      open_.push_back({.is_code = true, .end = top.code_by.ends_with('(') ? ")" : "}"});
    } else if (text_[at_] == '\n' && !top.has_lines) {
      open_.clear();
    } else {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
  }

  // Counts brackets; the one that is not open ends the code.
  bool IsEndOfCode(char c) {
    Open& top = open_.back();
    const char close = top.end[0];
    if (c == (close == ')' ? '(' : '{')) ++top.brackets;
    if (c != close || top.brackets-- > 0) return false;
    ++at_;
    open_.pop_back();
    return true;
  }

  // Code within a text of one line ends with the line at the latest.
  bool EndsWithLine(char c) {
    if (c != '\n' || open_[open_.size() - 2].has_lines) return false;
    open_.clear();
    return true;
  }

  void SkipBehind(std::string_view end) {
    const size_t found = text_.find(end, at_ + 1);
    at_ = found == text_.npos ? text_.size() : found + end.size();
  }

  const CodeSyntax& syntax_;
  std::string_view text_;
  Visitor& visitor_;
  size_t at_ = 0;
  std::vector<Open> open_;
};

// Finds the places of one name, which may have other bytes than words have: "operator==", "empty?".
class PlacesOfName final {
 public:
  // Requires: `name` is not empty.
  PlacesOfName(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  void Word(size_t begin, size_t) {
    if (text_.substr(begin).starts_with(name_) && EndsWord(begin + name_.size())) {
      found_.push_back(begin);
    }
  }
  void Other(size_t at) {
    if (text_.substr(at).starts_with(name_)) found_.push_back(at);
  }
  std::vector<size_t> Take() { return std::move(found_); }

 private:
  bool EndsWord(size_t end) const {
    if (!IsCodeNameByte(name_.back())) return true;  // empty?
    return end == text_.size() || !IsCodeNameByte(text_[end]);
  }

  std::string_view text_;
  std::string_view name_;
  std::vector<size_t> found_;
};

struct WordsOfCode {
  std::string_view text;
  const std::function<void(size_t begin, std::string_view word)>& visit;

  void Word(size_t begin, size_t end) const { visit(begin, text.substr(begin, end - begin)); }
  void Other(size_t) const {}
};

}  // namespace

std::vector<size_t> FindCodeWords(std::string_view path, std::string_view text,
                                  std::string_view name) {
  if (name.empty()) return {};
  PlacesOfName places(text, name);
  CodeWordReader(SyntaxOf(path), text, places).Read();
  return places.Take();
}

void VisitCodeWords(std::string_view path, std::string_view text,
                    const std::function<void(size_t begin, std::string_view word)>& visit) {
  const WordsOfCode words{text, visit};
  CodeWordReader(SyntaxOf(path), text, words).Read();
}

}  // namespace recall
