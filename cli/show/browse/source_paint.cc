// A scanner of lexemes, not a parser: it knows where comments and literals begin and end, because
// what is in them looks like code, and takes words of a list for keywords. A literal that is not
// closed ends with its line, so a mistake, or a language that is more than this, does not colour
// the rest of a file. Cost: linear in the text.

#include "cli/show/browse/source_paint.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>

namespace recall {
namespace {

using WordList = std::span<const std::string_view>;

constexpr std::string_view kWordsOfC[] = {
    "abstract", "alignas",  "as",        "async",    "auto",       "await",    "bool",
    "break",    "case",     "catch",     "char",     "class",      "const",    "constexpr",
    "continue", "default",  "defer",     "delete",   "do",         "double",   "else",
    "enum",     "explicit", "export",    "extends",  "extern",     "false",    "final",
    "finally",  "float",    "fn",        "for",      "func",       "fun",      "function",
    "go",       "goto",     "if",        "impl",     "implements", "import",   "in",
    "inline",   "int",      "interface", "let",      "long",       "loop",     "match",
    "mod",      "mut",      "namespace", "new",      "nil",        "noexcept", "null",
    "nullptr",  "object",   "operator",  "override", "package",    "private",  "protected",
    "protocol", "pub",      "public",    "return",   "select",     "self",     "short",
    "signed",   "sizeof",   "static",    "struct",   "super",      "switch",   "template",
    "this",     "throw",    "throws",    "trait",    "true",       "try",      "type",
    "typedef",  "typename", "union",     "unsafe",   "unsigned",   "use",      "using",
    "val",      "var",      "virtual",   "void",     "volatile",   "when",     "where",
    "while",    "yield",
};
constexpr std::string_view kWordsOfScripts[] = {
    "and",    "as",        "assert",   "async",  "await", "begin",  "break", "case",    "class",
    "def",    "defmodule", "del",      "do",     "done",  "elif",   "else",  "elsif",   "end",
    "ensure", "esac",      "except",   "export", "False", "false",  "fi",    "finally", "fn",
    "for",    "from",      "function", "global", "if",    "import", "in",    "is",      "lambda",
    "local",  "module",    "my",       "next",   "nil",   "None",   "not",   "or",      "pass",
    "raise",  "require",   "rescue",   "return", "self",  "sub",    "then",  "True",    "true",
    "try",    "unless",    "until",    "use",    "when",  "while",  "with",  "yield",
};
constexpr std::string_view kWordsOfQueries[] = {
    "and",    "as",      "by",     "case",     "class", "create", "data",     "delete", "do",
    "else",   "elseif",  "end",    "false",    "for",   "from",   "function", "group",  "if",
    "import", "in",      "insert", "instance", "into",  "join",   "let",      "limit",  "local",
    "module", "newtype", "nil",    "not",      "null",  "of",     "on",       "or",     "order",
    "repeat", "return",  "select", "set",      "table", "then",   "true",     "type",   "until",
    "update", "values",  "where",  "while",
};

// How the lexemes of some languages look.
struct SourceSyntax {
  std::string_view suffixes;  // each between spaces
  std::string_view line_comment;
  std::string_view block_begin = {};
  std::string_view block_end = {};
  std::string_view quotes = "\"'";    // of literals on one line
  std::string_view long_quotes = {};  // of literals on several lines
  WordList keywords;
  bool ignores_case = false;
};

constexpr SourceSyntax kSyntaxes[] = {
    {" c h cc cpp cxx hh hpp hxx java cs php ", "//", "/*", "*/", "\"'", "", kWordsOfC},
    {" js jsx mjs cjs ts tsx go kt kts swift scala dart zig ", "//", "/*", "*/", "\"'", "`",
     kWordsOfC},
    // A quote may also begin a lifetime.
    {" rs ", "//", "/*", "*/", "\"", "", kWordsOfC},
    {" py pyi rb sh bash zsh pl pm r ex exs ", "#", "", "", "\"'", "", kWordsOfScripts},
    {" lua ", "--", "--[[", "]]", "\"'", "", kWordsOfQueries},
    {" hs ", "--", "{-", "-}", "\"", "", kWordsOfQueries},
    {" sql ", "--", "/*", "*/", "'\"", "", kWordsOfQueries, true},
};

bool IsNameByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

const SourceSyntax* SyntaxOf(std::string_view path) {
  const size_t dot = path.rfind('.');
  if (dot == path.npos || path.find('/', dot) != path.npos) return nullptr;
  const std::string suffix = " " + std::string(path.substr(dot + 1)) + " ";
  const auto found = std::ranges::find_if(kSyntaxes, [&](const SourceSyntax& syntax) {
    return syntax.suffixes.find(suffix) != std::string_view::npos;
  });
  return found == std::end(kSyntaxes) ? nullptr : found;
}

class SourceScanner final {
 public:
  SourceScanner(std::string_view text, const SourceSyntax& syntax) : text_(text), syntax_(syntax) {}

  std::vector<PaintedRange> Finish() && {
    while (at_ < text_.size()) {
      if (TakeComment() || TakeLiteral() || TakeWord()) continue;
      ++at_;
    }
    return std::move(ranges_);
  }

 private:
  bool Sees(std::string_view what) const {
    return !what.empty() && text_.substr(at_).starts_with(what);
  }

  void TakeUpTo(size_t end, Paint paint) {
    end = std::min(end, text_.size());
    ranges_.push_back({at_, end, paint});
    at_ = end;
  }

  // Behind the next `what` from `from` on; the end of the text if there is none.
  size_t Behind(std::string_view what, size_t from) const {
    const size_t found = text_.find(what, from);
    return found == text_.npos ? text_.size() : found + what.size();
  }

  bool TakeComment() {
    if (Sees(syntax_.block_begin)) {
      TakeUpTo(Behind(syntax_.block_end, at_ + syntax_.block_begin.size()), Paint::kDim);
      return true;
    }
    if (!Sees(syntax_.line_comment)) return false;
    // In shells, `$#` and `${x#y}` are code.
    const bool behind_word = at_ > 0 && text_[at_ - 1] != ' ' && text_[at_ - 1] != '\t' &&
                             text_[at_ - 1] != '\n' && text_[at_ - 1] != ';';
    if (syntax_.line_comment == "#" && behind_word) return false;
    TakeUpTo(text_.find('\n', at_), Paint::kDim);
    return true;
  }

  bool TakeLiteral() {
    const char quote = text_[at_];
    const std::string tripled(3, quote);
    const bool is_quote = syntax_.quotes.find(quote) != std::string_view::npos;
    if (is_quote && quote == '"' && Sees(tripled)) {
      TakeUpTo(Behind(tripled, at_ + 3), Paint::kLiteral);
      return true;
    }
    const bool is_long = syntax_.long_quotes.find(quote) != std::string_view::npos;
    if (!is_quote && !is_long) return false;
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && (is_long || text_[end] != '\n')) {
      end += text_[end] == '\\' ? 2 : 1;
    }
    const bool closed = end < text_.size() && text_[end] == quote;
    TakeUpTo(closed ? end + 1 : end, Paint::kLiteral);
    return true;
  }

  bool TakeWord() {
    if (!IsNameByte(text_[at_])) return false;
    size_t end = at_;
    while (end < text_.size() && IsNameByte(text_[end])) ++end;
    std::string word(text_.substr(at_, end - at_));
    if (syntax_.ignores_case) {
      for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    const bool is_number = word[0] >= '0' && word[0] <= '9';
    const bool is_keyword = std::ranges::find(syntax_.keywords, word) != syntax_.keywords.end();
    if (is_number || is_keyword) {
      TakeUpTo(end, is_number ? Paint::kLiteral : Paint::kStrong);
    } else {
      at_ = end;
    }
    return true;
  }

  const std::string_view text_;
  const SourceSyntax& syntax_;
  size_t at_ = 0;
  std::vector<PaintedRange> ranges_;
};

}  // namespace

std::vector<PaintedRange> PaintSource(std::string_view text, std::string_view path) {
  const SourceSyntax* const syntax = SyntaxOf(path);
  if (syntax == nullptr) return {};
  return SourceScanner(text, *syntax).Finish();
}

}  // namespace recall
