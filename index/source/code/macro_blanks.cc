// The problem: a parser without a preprocessor cannot know that `class API_EXPORT Widget : Base {`
// defines Widget. tree-sitter reads a variable there, loses the class, and its members become free
// functions. Few headers of libraries are without such macros.
//
// The idea: macros are written in capitals by convention. A word in capitals, with or without
// arguments, is blanked where the grammar of C++ has no place for a name, so that it must be a
// macro; where it can be a type or a name, it stays. The places:
//
//    class API Widget : Base {     the head of a class: a name follows, and then `:`, `{`, `<` or
//    enum class API Mode {         `final`; a body follows before anything that ends a declaration
//    namespace std VISIBLE {       behind the name of a namespace
//    API void f();                 where a declaration begins: a word that begins one follows, or
//    API Item* f();                a type and a name: two names in a row, one of them a macro
//    Q_OBJECT                      alone on its line: what follows begins a declaration, or ends
//    PROPERTY(int x READ y)        the class
//    Item* CALL f();               between a type and the name of a function
//    int f() const PURE;           behind the parameters of a function
//    public SLOTS:                 in front of the colon of an access specifier, or instead of one
//    SIGNALS:
//
// `FOO bar;`, `FOO bar(int);`, `FOO* f();`, `struct FOO bar;`, `struct FOO bar{1, 2};`, the items
// of an enum, and `TEST(Suite, Case) {` stay as they are.
//
// The text is split into tokens once: comments are passed over, a preprocessor directive is one
// token, as a literal is. A stack of braces tells where declarations are: in the file, in
// namespaces, in `extern "C" {` and in classes; other braces have statements, initialisers or items
// in them. Both branches of `#if ... #else ... #endif` may open the same brace: `#else` goes back
// to the depth of `#if`.
//
// Invariants: the result has as many bytes; a byte is blanked only in a whole run of tokens, and
// line breaks never are, so that lines keep their numbers.
//
// Cost: linear. Nothing looks further ahead than kMostLookahead names or brackets, each of which
// may have as many tokens of template arguments; other brackets with their contents are one step,
// as their ends are found once for all.

#include "index/source/code/macro_blanks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace recall {
namespace {

constexpr size_t kMostLookahead = 64;  // tokens, and nested as many
constexpr uint32_t kNoPartner = UINT32_MAX;

enum class TokenKind : uint8_t {
  kWord,
  kCapitals,  // a word that may be a macro
  kLiteral,   // a string or a character
  kNumber,
  kDirective,  // of the preprocessor, to the end of its last line
  kMark,       // any other character, each by itself
  kEnd,
};

struct CodeToken {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t partner = kNoPartner;  // of an opening bracket: the token that closes it
  TokenKind kind = TokenKind::kEnd;
};

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
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
class MacroLexer final {
 public:
  explicit MacroLexer(std::string_view text) : text_(text) {}

  std::vector<CodeToken> Tokens() {
    tokens_.reserve(text_.size() / 5 + 16);
    while (at_ < text_.size()) Step();
    for (int i = 0; i < 2; ++i) Add(TokenKind::kEnd, text_.size(), text_.size());
    return std::move(tokens_);
  }

 private:
  char Peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : 0; }

  void Add(TokenKind kind, size_t begin, size_t end) {
    tokens_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end), kNoPartner, kind});
  }

  void Step() {
    const char c = Peek();
    if (c == '\n' || IsBlank(c)) {
      begins_line_ = begins_line_ || c == '\n';
      ++at_;
    } else if (c == '\\' && (Peek(1) == '\n' || (Peek(1) == '\r' && Peek(2) == '\n'))) {
      at_ += 2;  // a line goes on: no line begins
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
      while (IsWordByte(Peek()) || Peek() == '.' || (Peek() == '\'' && IsWordByte(Peek(1)))) ++at_;
      Add(TokenKind::kNumber, begin, at_);
    } else if (IsWordByte(c)) {
      while (IsWordByte(Peek())) ++at_;
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

  // To the line break, which is left.
  void SkipLine() {
    while (at_ < text_.size() && text_[at_] != '\n') SkipByteOfLine();
  }

  // A byte, or a line break behind a backslash with it.
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

// Words that begin a declaration, or go on one behind a macro, but never behind the name of a type.
constexpr std::array kDeclarationWords = std::to_array<std::string_view>(
    {"alignas",       "asm",          "auto",       "bool",      "char",          "char16_t",
     "char32_t",      "char8_t",      "class",      "consteval", "constexpr",     "constinit",
     "double",        "enum",         "explicit",   "extern",    "float",         "friend",
     "inline",        "int",          "long",       "namespace", "private",       "protected",
     "public",        "short",        "signed",     "static",    "static_assert", "struct",
     "template",      "thread_local", "typedef",    "typename",  "union",         "unsigned",
     "using",         "virtual",      "void",       "wchar_t",   "__attribute__", "__declspec",
     "__extension__", "__inline",     "__inline__", "_Noreturn", "_Static_assert"});
// Specifiers in front of which or behind which a macro may stand.
constexpr std::array kSpecifierWords = std::to_array<std::string_view>(
    {"static", "inline", "extern", "virtual", "constexpr", "consteval", "constinit", "explicit",
     "friend", "__extension__", "__inline", "__inline__", "_Noreturn", "thread_local"});
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

class MacroBlanker final {
 public:
  explicit MacroBlanker(std::string_view text)
      : text_(text), tokens_(MacroLexer(text).Tokens()), blanked_(text) {}

  std::string Blank() {
    FindPartners();
    size_t at = 0;
    while (tokens_[at].kind != TokenKind::kEnd) at = Step(at);
    return std::move(blanked_);
  }

 private:
  // What is known of the declaration that is being read: `{` needs it.
  struct Head {
    bool scope = false;     // it has `namespace`, or is `extern "C"`
    bool type = false;      // it has `class`, `struct` or `union`
    bool items = false;     // it has `enum`
    bool function = false;  // it has parentheses behind a name, or `=`
    bool begun = false;     // something but specifiers was read
    bool external = false;  // the last word was `extern`
  };

  const CodeToken& At(size_t at) const { return tokens_[std::min(at, tokens_.size() - 1)]; }
  std::string_view Text(size_t at) const {
    const CodeToken& token = At(at);
    return text_.substr(token.begin, token.end - token.begin);
  }
  bool IsMark(size_t at, char c) const {
    return At(at).kind == TokenKind::kMark && text_[At(at).begin] == c;
  }
  bool IsPlainWord(size_t at, std::string_view word) const {
    return At(at).kind == TokenKind::kWord && Text(at) == word;
  }
  bool IsScope(size_t at) const { return IsMark(at, ':') && IsMark(at + 1, ':'); }
  bool IsDeclarationWord(size_t at) const {
    return At(at).kind == TokenKind::kWord && IsOneOf(Text(at), kDeclarationWords);
  }
  bool IsSimpleType(size_t at) const {
    return At(at).kind == TokenKind::kWord && IsOneOf(Text(at), kSimpleTypes);
  }
  // A word that is no keyword, as far as that matters here.
  bool IsName(size_t at) const {
    return At(at).kind == TokenKind::kCapitals ||
           (At(at).kind == TokenKind::kWord && !IsOneOf(Text(at), kNoNames) &&
            !IsOneOf(Text(at), kDeclarationWords));
  }

  bool BreaksLine(size_t from, size_t to) const {
    return text_.substr(from, to - from).find('\n') != text_.npos;
  }

  // The ends of all brackets of one kind each; `)` does not close `{`.
  void FindPartners() {
    std::vector<uint32_t> open;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != TokenKind::kMark) continue;
      const char c = text_[tokens_[i].begin];
      if (c == '(' || c == '[' || c == '{') {
        open.push_back(static_cast<uint32_t>(i));
      } else if (c == ')' || c == ']' || c == '}') {
        const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
        // Braces are stronger: parentheses within that are not closed never are.
        while (c == '}' && !open.empty() && text_[tokens_[open.back()].begin] != '{') {
          open.pop_back();
        }
        if (open.empty() || text_[tokens_[open.back()].begin] != opening) continue;
        tokens_[open.back()].partner = static_cast<uint32_t>(i);
        open.pop_back();
      }
    }
  }

  // Behind the bracket that closes this one. `at` itself if it is none, or none closes it.
  size_t BehindBracket(size_t at) const {
    return At(at).partner == kNoPartner ? at : At(at).partner + size_t{1};
  }

  // Behind a word in capitals and its arguments. `at` itself if it is none.
  size_t BehindMacro(size_t at) const {
    if (At(at).kind != TokenKind::kCapitals) return at;
    return IsMark(at + 1, '(') ? std::max(at + 1, BehindBracket(at + 1)) : at + 1;
  }

  // Behind `__attribute__((...))`, `__declspec(...)`, `alignas(...)`, `[[...]]`. `at` itself if
  // none of them is there.
  size_t BehindAttribute(size_t at) const {
    if (IsMark(at, '[') && IsMark(at + 1, '[')) return BehindBracket(at);
    const std::string_view word = At(at).kind == TokenKind::kWord ? Text(at) : std::string_view();
    if (word == "__attribute__" || word == "__attribute" || word == "__declspec" ||
        word == "alignas" || word == "_Alignas") {
      return IsMark(at + 1, '(') ? std::max(at + 1, BehindBracket(at + 1)) : at + 1;
    }
    return at;
  }

  // Behind `<...>`, or `at` itself.
  size_t BehindAngles(size_t at) const {
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

  // Behind a name such as `a::b<c>::d`, or `at` itself.
  size_t BehindName(size_t at) const {
    size_t next = IsScope(at) ? at + 2 : at;
    for (size_t steps = 0; steps < kMostLookahead; ++steps) {
      if (!IsName(next)) return at;
      next = BehindAngles(next + 1);
      if (!IsScope(next)) return next;
      next += 2;
    }
    return at;
  }

  void BlankTokens(size_t from, size_t to) {
    for (size_t i = tokens_[from].begin; i < tokens_[to - 1].end; ++i) {
      if (blanked_[i] != '\n' && blanked_[i] != '\r') blanked_[i] = ' ';
    }
  }

  // Whether the head of a class or an enum (`items`), from behind its name, goes on to a body.
  bool HasBody(size_t at, bool items) const {
    if (IsMark(at, '{')) return items || !IsInitialiser(at);
    if (IsScope(at) || (IsMark(at, ':') && At(at + 1).kind == TokenKind::kNumber)) return false;
    const bool has_bases = IsMark(at, ':');
    if (!has_bases && !IsPlainWord(at, "final")) return false;
    size_t next = at + 1;
    for (size_t steps = 0; steps < kMostLookahead; ++steps) {
      if (IsMark(next, '{')) return true;
      // Parentheses in a list of bases are those of a macro or of decltype.
      if (At(next).kind == TokenKind::kEnd || IsMark(next, ';') || IsMark(next, '=') ||
          IsMark(next, '}') || (IsMark(next, '(') && !has_bases)) {
        return false;
      }
      const size_t behind = IsMark(next, '<') ? BehindAngles(next) : BehindBracket(next);
      if (IsMark(next, '<') && behind == next) return false;
      next = std::max(next + 1, behind);
    }
    return false;
  }

  // Whether braces behind `struct FOO bar` hold values: no statement, no label.
  bool IsInitialiser(size_t at) const {
    const size_t end = At(at).partner == kNoPartner ? tokens_.size() : At(at).partner;
    if (end == at + 1) return !IsDeclarationContext();
    size_t next = at + 1;
    for (size_t steps = 0; next < end && steps < kMostLookahead; ++steps) {
      if (IsMark(next, ';') || IsMark(next, ':') || At(next).kind == TokenKind::kDirective) {
        return false;
      }
      next = std::max(next + 1, BehindBracket(next));
    }
    return next >= end;
  }

  // Blanks the macros between `class` and the name of a class; `at` is behind the keyword. Returns:
  // behind what was read.
  size_t BlankClassHead(size_t at, bool items) {
    std::array<size_t, 8> from{};
    std::array<size_t, 8> to{};
    size_t macros = 0;
    size_t next = at;
    for (;;) {
      const size_t behind_attribute = BehindAttribute(next);
      if (behind_attribute != next) {
        next = behind_attribute;
        continue;
      }
      const size_t behind = BehindMacro(next);
      if (behind == next || macros == from.size()) break;
      // The last word is the name, and has no macro behind it.
      const bool goes_on =
          (IsName(behind) && !IsScope(behind)) || BehindAttribute(behind) != behind;
      if (!goes_on) break;
      from[macros] = next;
      to[macros++] = behind;
      next = behind;
    }
    const size_t behind_name = BehindName(next);
    size_t body = behind_name;
    if (behind_name != next) {
      // `class Name FINAL : Base {`: a macro behind the name.
      const size_t behind = BehindMacro(behind_name);
      if (behind != behind_name && (IsMark(behind, '{') || IsMark(behind, ':')) &&
          HasBody(behind, items) && macros < from.size()) {
        from[macros] = behind_name;
        to[macros++] = body = behind;
      }
    }
    if (behind_name == next || macros == 0) return at;
    // The arguments of a specialisation are a part of the name.
    if (!IsMark(body, '{') && !IsMark(body, ':') && !IsPlainWord(body, "final")) return at;
    if (!HasBody(body, items)) return at;
    for (size_t i = 0; i < macros; ++i) BlankTokens(from[i], to[i]);
    return next;
  }

  bool IsDeclarationContext() const { return other_braces_ == 0; }

  // Whether what begins at `at` can only be a declaration that is whole without the macro before
  // it: a word that begins one, or a type and a name.
  bool IsWholeDeclaration(size_t at, bool line) const {
    size_t next = at;
    for (size_t steps = 0; steps < kMostLookahead; ++steps) {
      if (IsDeclarationWord(next)) return true;
      if (IsPlainWord(next, "const") || IsPlainWord(next, "volatile") ||
          IsPlainWord(next, "mutable")) {
        ++next;
        continue;
      }
      if (next > at) break;
      if (IsMark(next, '~') && IsName(next + 1)) return true;
      if (IsMark(next, '[') && IsMark(next + 1, '[')) return true;
      if (line && (IsMark(next, '}') || At(next).kind == TokenKind::kDirective ||
                   At(next).kind == TokenKind::kEnd)) {
        return true;
      }
      break;
    }
    size_t behind = BehindName(next);
    if (behind == next) return false;
    // A macro, or a chain of them, in front of a declaration.
    if (At(next).kind == TokenKind::kCapitals && behind == next + 1) {
      const size_t behind_macro = BehindMacro(next);
      if (IsDeclarationWord(behind_macro) && BehindAttribute(behind_macro) == behind_macro) {
        return true;
      }
      if (line && behind_macro > next + 1 && !IsMark(behind_macro, '{')) return true;
      behind = behind_macro;
    }
    // Two macros in a row, each alone on its line.
    if (line && At(next).kind == TokenKind::kCapitals && behind == next + 1 &&
        BreaksLine(tokens_[next].end, At(behind).begin)) {
      return true;
    }
    size_t name = behind;
    while (IsMark(name, '*') || IsMark(name, '&') || IsPlainWord(name, "const")) ++name;
    if (IsPlainWord(name, "operator")) return true;
    if (!IsName(name)) return false;
    // `FOO bar UNUSED;` has its macro behind the name.
    const size_t behind_macro = BehindMacro(name);
    return behind_macro == name || name > behind ||
           !(IsMark(behind_macro, ';') || IsMark(behind_macro, '=') || IsMark(behind_macro, ','));
  }

  // Blanks a macro where a declaration begins. Returns: behind it, or `at`.
  size_t BlankAtDeclaration(size_t at) {
    const size_t behind = BehindMacro(at);
    if (behind == at || IsScope(behind)) return at;
    if (in_class_ && IsMark(behind, ':') && behind == at + 1 && !IsScope(behind) &&
        At(behind + 1).kind != TokenKind::kNumber) {
      BlankTokens(at, behind + 1);
      return behind + 1;
    }
    const bool has_arguments = behind > at + 1;
    const bool line = (at == 0 || BreaksLine(tokens_[at - 1].end, tokens_[at].begin)) &&
                      (At(behind).kind == TokenKind::kEnd ||
                       BreaksLine(tokens_[behind - 1].end, At(behind).begin));
    bool blank = IsWholeDeclaration(behind, line);
    // Nothing but a macro has arguments and a line of its own in front of a name.
    // But `API(Item*)` may be the type of a function.
    if (!blank && line && has_arguments) {
      blank = IsName(behind) && (in_class_ || !IsMark(BehindName(behind), '('));
    }
    if (!blank) return at;
    BlankTokens(at, behind);
    return behind;
  }

  void OpenBrace() {
    const bool declarations = !head_.function && (head_.scope || (head_.type && !head_.items));
    braces_.push_back(declarations ? (head_.type ? Brace::kClass : Brace::kScope) : Brace::kOther);
    if (!declarations) ++other_braces_;
    UpdateContext();
    head_ = Head();
  }

  void CloseBrace() {
    if (!braces_.empty()) {
      const Brace brace = braces_.back();
      if (brace == Brace::kOther) --other_braces_;
      braces_.pop_back();
      UpdateContext();
    }
    head_ = Head();
  }

  void UpdateContext() { in_class_ = !braces_.empty() && braces_.back() == Brace::kClass; }

  void ReadDirective(size_t at) {
    std::string_view line = Text(at).substr(1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.starts_with("if")) {
      branches_.push_back(braces_.size());
    } else if (line.starts_with("el")) {
      while (!branches_.empty() && braces_.size() > branches_.back()) CloseBrace();
    } else if (line.starts_with("endif") && !branches_.empty()) {
      branches_.pop_back();
    }
  }

  // Reads what is at `at`. Returns: behind it.
  size_t Step(size_t at) {
    const CodeToken& token = tokens_[at];
    switch (token.kind) {
      case TokenKind::kDirective:
        ReadDirective(at);
        return at + 1;
      case TokenKind::kMark:
        return ReadMark(at);
      case TokenKind::kCapitals:
      case TokenKind::kWord:
        return ReadWord(at);
      case TokenKind::kLiteral:
        if (head_.external) {
          head_.scope = true;
        } else {
          head_.begun = true;
        }
        return at + 1;
      default:
        head_.begun = true;
        return at + 1;
    }
  }

  size_t ReadMark(size_t at) {
    head_.external = false;
    switch (text_[tokens_[at].begin]) {
      case ';':
        head_ = Head();
        return at + 1;
      case '{':
        OpenBrace();
        return at + 1;
      case '}':
        CloseBrace();
        return at + 1;
      case '(':
        return ReadParentheses(at);
      case '=':
        head_.begun = head_.function = true;
        return at + 1;
      case '[': {
        const size_t behind = BehindAttribute(at);
        if (behind != at) return behind;
        head_.begun = true;
        return at + 1;
      }
      default:
        head_.begun = true;
        return at + 1;
    }
  }

  // Parameters are no declarations: nothing is blanked in them.
  size_t ReadParentheses(size_t at) {
    head_.begun = true;
    if (!IsDeclarationContext()) return at + 1;
    const bool first = !head_.function;
    head_.function = true;
    const size_t behind = BehindBracket(at);
    if (behind == at) return at + 1;
    if (first) BlankBehindParameters(at, behind);
    return behind;
  }

  // `int f() const PURE;`: `open` is the parenthesis, `at` what is behind its partner. Not where
  // `TYPE_OF(int) NAME;` can be meant: the name of the function must have a type before it, unless
  // it is in a class, where it may be a constructor.
  void BlankBehindParameters(size_t open, size_t at) {
    if (open == 0 || At(open - 1).kind != TokenKind::kWord || !IsName(open - 1)) return;
    if (!in_class_ &&
        (open < 2 || !(IsName(open - 2) || IsMark(open - 2, '*') || IsMark(open - 2, '&') ||
                       IsMark(open - 2, ':') || IsMark(open - 2, '>') || IsSimpleType(open - 2)))) {
      return;
    }
    std::array<size_t, 8> macros{};
    size_t count = 0;
    size_t next = at;
    for (size_t steps = 0; steps < kMostLookahead; ++steps) {
      const size_t behind_macro = BehindMacro(next);
      const size_t behind_attribute = BehindAttribute(next);
      if (behind_macro != next && count < macros.size()) {
        macros[count++] = next;
        next = behind_macro;
      } else if (behind_attribute != next) {
        next = behind_attribute;
      } else if (IsPlainWord(next, "const") || IsPlainWord(next, "override") ||
                 IsPlainWord(next, "final") || IsPlainWord(next, "noexcept")) {
        next = std::max(next + 1, BehindBracket(next + 1));
      } else {
        break;
      }
    }
    if (!IsMark(next, ';') && !IsMark(next, '{') && !IsMark(next, '=')) return;
    for (size_t i = 0; i < count; ++i) BlankTokens(macros[i], BehindMacro(macros[i]));
  }

  size_t ReadWord(size_t at) {
    const bool declarations = IsDeclarationContext();
    const bool external = head_.external;
    head_.external = false;
    if (declarations && !head_.begun) {
      const size_t behind = BlankAtDeclaration(at);
      if (behind != at) return behind;
    }
    const std::string_view word = Text(at);
    const size_t behind_attribute = BehindAttribute(at);
    if (behind_attribute != at) return behind_attribute;
    if (word == "class" || word == "struct" || word == "union" || word == "enum") {
      head_.begun = true;
      size_t next = at + 1;
      const bool items = word == "enum";
      if (items && (Text(next) == "class" || Text(next) == "struct")) ++next;
      (items ? head_.items : head_.type) = true;
      return BlankClassHead(next, items);
    }
    if (!declarations) return at + 1;
    if (word == "namespace") {
      head_.begun = head_.scope = true;
      const size_t behind_name = BehindName(at + 1);
      const size_t behind_macro = BehindMacro(behind_name);
      if (behind_name != at + 1 && behind_macro != behind_name && IsMark(behind_macro, '{')) {
        BlankTokens(behind_name, behind_macro);
        return behind_macro;
      }
      return at + 1;
    }
    if (word == "template" && IsMark(at + 1, '<')) {
      return std::max(at + 1, BehindAngles(at + 1));
    }
    if (word == "public" || word == "private" || word == "protected") {
      if (head_.begun) return at + 1;
      size_t colon = at + 1;
      const size_t behind_macro = BehindMacro(colon);
      if (behind_macro != colon && IsMark(behind_macro, ':') && !IsScope(behind_macro)) {
        BlankTokens(colon, behind_macro);
        colon = behind_macro;
      }
      return IsMark(colon, ':') ? colon + 1 : colon;
    }
    if (IsOneOf(word, kSpecifierWords)) {
      head_.external = word == "extern";
      return at + 1;
    }
    if (IsSimpleType(at) || (tokens_[at].kind == TokenKind::kWord && IsName(at))) {
      BlankBeforeFunction(BehindAngles(at + 1));
    }
    if (external) head_.scope = false;
    head_.begun = true;
    return at + 1;
  }

  // `int CALL f(`, `Item* CALL f(`: `at` is behind the type.
  void BlankBeforeFunction(size_t at) {
    while (IsMark(at, '*') || IsMark(at, '&')) ++at;
    if (At(at).kind != TokenKind::kCapitals) return;
    const size_t behind = at + 1;
    if (IsName(behind) && IsMark(BehindName(behind), '(')) BlankTokens(at, behind);
  }

  enum class Brace : uint8_t { kScope, kClass, kOther };

  const std::string_view text_;
  std::vector<CodeToken> tokens_;
  std::string blanked_;
  Head head_;
  std::vector<Brace> braces_;
  size_t other_braces_ = 0;       // of braces_: those with anything but declarations in them
  bool in_class_ = false;         // directly
  std::vector<size_t> branches_;  // the depth of braces_ at each `#if`
};

}  // namespace

std::string BlankMacros(std::string_view text) { return MacroBlanker(text).Blank(); }

}  // namespace recall
