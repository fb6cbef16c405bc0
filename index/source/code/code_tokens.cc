// The lexer passes over comments. A preprocessor directive is one token, as a literal is, so that
// nothing in them is taken for code. A literal that is not closed ends with its line, and a comment
// with the text: any bytes give tokens.

#include "index/source/code/code_tokens.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "index/base/text/code_name.h"

namespace recall {
namespace {

bool IsDigitByte(char c) { return c >= '0' && c <= '9'; }
bool IsCapitalByte(char c) { return c >= 'A' && c <= 'Z'; }
bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

// At least two characters, one of them a capital letter, and no other letters.
bool IsCapitals(std::string_view word) {
  bool letter = false;
  for (const char c : word) {
    if (!IsCapitalByte(c) && !IsDigitByte(c) && c != '_') return false;
    letter = letter || IsCapitalByte(c);
  }
  return letter && word.size() >= 2;
}

// Splits a text into tokens.
class CodeLexer final {
 public:
  explicit CodeLexer(std::string_view text) : text_(text) {}

  std::vector<CodeToken> Tokens() {
    tokens_.reserve(text_.size() / 5 + 16);
    while (at_ < text_.size()) Step();
    for (int i = 0; i < 2; ++i) Add(TokenKind::kEnd, text_.size(), text_.size());
    return std::move(tokens_);
  }

 private:
  char Peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : 0; }

  void Add(TokenKind kind, size_t begin, size_t end) {
    tokens_.push_back(
        {static_cast<uint32_t>(begin), static_cast<uint32_t>(end), CodeToken::kNoPartner, kind});
  }

  void Step() {
    const char c = Peek();
    if (c == '\n' || IsBlank(c)) {
      begins_line_ = begins_line_ || c == '\n';
      ++at_;
    } else if (c == '\\' && (Peek(1) == '\n' || (Peek(1) == '\r' && Peek(2) == '\n'))) {
      at_ += 2;  // the line continues: a `#` behind this is no directive
    } else if (c == '/' && Peek(1) == '/') {
      SkipLine();
    } else if (c == '/' && Peek(1) == '*') {
      SkipComment();
    } else if (c == '#' && begins_line_) {
      ReadDirective();
    } else {
      begins_line_ = false;
      ReadToken(c);
    }
  }

  void ReadToken(char c) {
    const size_t begin = at_;
    if (IsDigitByte(c) || (c == '.' && IsDigitByte(Peek(1)))) {
      while (IsCodeNameByte(Peek()) || Peek() == '.' || (Peek() == '\'' && IsCodeNameByte(Peek(1))))
        ++at_;
      Add(TokenKind::kNumber, begin, at_);
    } else if (IsCodeNameByte(c)) {
      while (IsCodeNameByte(Peek())) ++at_;
      const std::string_view word = text_.substr(begin, at_ - begin);
      if (Peek() == '"' &&
          (word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R")) {
        SkipRawString();
        Add(TokenKind::kLiteral, begin, at_);
      } else {
        Add(IsCapitals(word) ? TokenKind::kCapitals : TokenKind::kWord, begin, at_);
      }
    } else if (c == '"' || c == '\'') {
      SkipLiteral();
      Add(TokenKind::kLiteral, begin, at_);
    } else {
      ++at_;
      Add(TokenKind::kMark, begin, at_);
    }
  }

  // Goes to the line break, but not behind it.
  void SkipLine() {
    while (at_ < text_.size() && text_[at_] != '\n') SkipByteOfLine();
  }

  // Passes over a byte, and over the line break behind a backslash.
  void SkipByteOfLine() {
    if (text_[at_] == '\\') {
      at_ += Peek(1) == '\r' && Peek(2) == '\n' ? 3 : 2;
    } else {
      ++at_;
    }
    at_ = std::min(at_, text_.size());
  }

  void SkipComment() {
    at_ = text_.find("*/", at_ + 2);
    at_ = at_ == text_.npos ? text_.size() : at_ + 2;
  }

  // A literal that is not closed ends with its line.
  void SkipLiteral() {
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != quote) SkipByteOfLine();
    if (Peek() == quote) ++at_;
  }

  void SkipRawString() {
    constexpr size_t kLongestDelimiter = 16;
    const size_t open =
        text_.substr(0, std::min(text_.size(), at_ + kLongestDelimiter + 2)).find('(', at_);
    if (open == text_.npos) return SkipLiteral();
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const size_t end = text_.find(close, open);
    at_ = end == text_.npos ? text_.size() : end + close.size();
  }

  void ReadDirective() {
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (Peek() == '/' && Peek(1) == '/') {
        SkipLine();
      } else if (Peek() == '/' && Peek(1) == '*') {
        SkipComment();
      } else if (Peek() == '"' || Peek() == '\'') {
        SkipLiteral();
      } else {
        SkipByteOfLine();
      }
    }
    Add(TokenKind::kDirective, begin, at_);
  }

  std::string_view text_;
  size_t at_ = 0;
  bool begins_line_ = true;
  std::vector<CodeToken> tokens_;
};

constexpr std::array kDeclarationWords = std::to_array<std::string_view>(
    {"alignas",       "asm",          "auto",       "bool",      "char",          "char16_t",
     "char32_t",      "char8_t",      "class",      "consteval", "constexpr",     "constinit",
     "double",        "enum",         "explicit",   "extern",    "float",         "friend",
     "inline",        "int",          "long",       "namespace", "private",       "protected",
     "public",        "short",        "signed",     "static",    "static_assert", "struct",
     "template",      "thread_local", "typedef",    "typename",  "union",         "unsigned",
     "using",         "virtual",      "void",       "wchar_t",   "__attribute__", "__declspec",
     "__extension__", "__inline",     "__inline__", "_Noreturn", "_Static_assert"});
constexpr std::array kSimpleTypes = std::to_array<std::string_view>(
    {"void", "int", "bool", "char", "long", "short", "float", "double", "unsigned", "signed"});
constexpr std::array kNoNames = std::to_array<std::string_view>(
    {"noexcept", "const",    "volatile",  "override", "final",    "try",        "catch",
     "throw",    "requires", "operator",  "return",   "if",       "else",       "for",
     "while",    "do",       "switch",    "case",     "default",  "goto",       "break",
     "continue", "new",      "delete",    "sizeof",   "this",     "not",        "and",
     "or",       "xor",      "decltype",  "register", "restrict", "__restrict", "mutable",
     "concept",  "co_await", "co_return", "co_yield"});

template <size_t kCount>
bool IsOneOf(std::string_view word, const std::array<std::string_view, kCount>& words) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

CodeTokens::CodeTokens(std::string_view text) : text_(text), tokens_(CodeLexer(text).Tokens()) {
  FindPartners();
}

// Finds the end of each bracket. `)` does not close `{`.
void CodeTokens::FindPartners() {
  std::vector<uint32_t> open;
  for (size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].kind != TokenKind::kMark) continue;
    const char c = text_[tokens_[i].begin];
    if (c == '(' || c == '[' || c == '{') {
      open.push_back(static_cast<uint32_t>(i));
    } else if (c == ')' || c == ']' || c == '}') {
      const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
      // A brace closes all parentheses in it that are still open: they have no partner.
      while (c == '}' && !open.empty() && text_[tokens_[open.back()].begin] != '{') {
        open.pop_back();
      }
      if (open.empty() || text_[tokens_[open.back()].begin] != opening) continue;
      tokens_[open.back()].partner = static_cast<uint32_t>(i);
      open.pop_back();
    }
  }
}

bool CodeTokens::IsDeclarationWord(size_t at) const {
  return Kind(at) == TokenKind::kWord && IsOneOf(Text(at), kDeclarationWords);
}

bool CodeTokens::IsSimpleType(size_t at) const {
  return Kind(at) == TokenKind::kWord && IsOneOf(Text(at), kSimpleTypes);
}

bool CodeTokens::IsName(size_t at) const {
  return Kind(at) == TokenKind::kCapitals ||
         (Kind(at) == TokenKind::kWord && !IsOneOf(Text(at), kNoNames) &&
          !IsOneOf(Text(at), kDeclarationWords));
}

bool CodeTokens::BeginsLine(size_t at) const {
  if (at == 0) return true;
  const size_t from = At(at - 1).end;
  return text_.substr(from, At(at).begin - from).find('\n') != text_.npos;
}

size_t CodeTokens::BehindArguments(size_t word) const {
  return IsMark(word + 1, '(') ? std::max(word + 1, BehindBracket(word + 1)) : word + 1;
}

size_t CodeTokens::BehindMacro(size_t at) const {
  return Kind(at) == TokenKind::kCapitals ? BehindArguments(at) : at;
}

size_t CodeTokens::BehindAttribute(size_t at) const {
  if (IsMark(at, '[') && IsMark(at + 1, '[')) return BehindBracket(at);
  const std::string_view word = Kind(at) == TokenKind::kWord ? Text(at) : std::string_view();
  const bool attribute = word == "__attribute__" || word == "__attribute" || word == "__declspec" ||
                         word == "alignas" || word == "_Alignas";
  return attribute ? BehindArguments(at) : at;
}

size_t CodeTokens::BehindAngles(size_t at) const {
  if (!IsMark(at, '<')) return at;
  size_t depth = 0;
  size_t next = at;
  for (size_t steps = 0; steps < kMostLookahead; ++steps) {
    if (At(next).kind == TokenKind::kEnd || IsMark(next, ';') || IsMark(next, '}')) return at;
    if (IsMark(next, '<')) ++depth;
    if (IsMark(next, '>') && --depth == 0) return next + 1;
    next = std::max(next + 1, BehindBracket(next));
  }
  return at;
}

size_t CodeTokens::BehindName(size_t at) const {
  size_t next = IsScope(at) ? at + 2 : at;
  for (size_t steps = 0; steps < kMostLookahead; ++steps) {
    if (!IsName(next)) return at;
    next = BehindAngles(next + 1);
    if (!IsScope(next)) return next;
    next += 2;
  }
  return at;
}

}  // namespace recall
