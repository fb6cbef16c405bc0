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
// The text is split into tokens once (CodeTokens). A stack of braces says where declarations are:
// in the file, in namespaces, in `extern "C" {` and in classes; other braces have statements,
// initialisers or items in them. Both branches of `#if ... #else ... #endif` may open the same
// brace: `#else` goes back to the depth of `#if`.
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
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/source/code/code_tokens.h"

namespace recall {
namespace {

// Specifiers in front of which or behind which a macro may stand.
constexpr std::array kSpecifierWords = std::to_array<std::string_view>(
    {"static", "inline", "extern", "virtual", "constexpr", "consteval", "constinit", "explicit",
     "friend", "__extension__", "__inline", "__inline__", "_Noreturn", "thread_local"});
class MacroBlanker final {
 public:
  explicit MacroBlanker(std::string_view text) : code_(text), blanked_(text) {}

  std::string Blank() {
    size_t at = 0;
    while (code_.Kind(at) != TokenKind::kEnd) at = Step(at);
    return std::move(blanked_);
  }

 private:
  // The words of the open declaration so far. They decide what a `{` behind them opens.
  struct Head {
    bool scope = false;     // it has `namespace`, or is `extern "C"`
    bool type = false;      // it has `class`, `struct` or `union`
    bool items = false;     // it has `enum`
    bool function = false;  // it has parentheses behind a name, or `=`
    bool begun = false;     // something but specifiers was read
    bool external = false;  // the last word was `extern`
  };

  // Blanks the tokens from `from` to before `to`.
  void BlankTokens(size_t from, size_t to) {
    for (size_t i = code_.At(from).begin; i < code_.At(to - 1).end; ++i) {
      if (blanked_[i] != '\n' && blanked_[i] != '\r') blanked_[i] = ' ';
    }
  }

  // Whether a body follows at `at`, which is behind the name of a class, or of an enum (`items`).
  bool HasBody(size_t at, bool items) const {
    if (code_.IsMark(at, '{')) return items || !IsInitialiser(at);
    const bool is_bit_field = code_.IsMark(at, ':') && code_.Kind(at + 1) == TokenKind::kNumber;
    if (code_.IsScope(at) || is_bit_field) return false;
    const bool has_bases = code_.IsMark(at, ':');
    if (!has_bases && !code_.IsPlainWord(at, "final")) return false;
    size_t next = at + 1;
    for (size_t steps = 0; steps < CodeTokens::kMostLookahead; ++steps) {
      if (code_.IsMark(next, '{')) return true;
      // Parentheses in a list of bases are those of a macro or of decltype.
      if (code_.Kind(next) == TokenKind::kEnd || code_.IsMark(next, ';') ||
          code_.IsMark(next, '=') || code_.IsMark(next, '}') ||
          (code_.IsMark(next, '(') && !has_bases)) {
        return false;
      }
      const size_t behind =
          code_.IsMark(next, '<') ? code_.BehindAngles(next) : code_.BehindBracket(next);
      if (code_.IsMark(next, '<') && behind == next) return false;
      next = std::max(next + 1, behind);
    }
    return false;
  }

  // Whether the braces behind `struct FOO bar` have values in them, and no statement or label.
  bool IsInitialiser(size_t at) const {
    const size_t end =
        code_.At(at).partner == CodeToken::kNoPartner ? code_.size() : code_.At(at).partner;
    if (end == at + 1) return !IsDeclarationContext();
    size_t next = at + 1;
    for (size_t steps = 0; next < end && steps < CodeTokens::kMostLookahead; ++steps) {
      if (code_.IsMark(next, ';') || code_.IsMark(next, ':') ||
          code_.Kind(next) == TokenKind::kDirective) {
        return false;
      }
      next = std::max(next + 1, code_.BehindBracket(next));
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
      const size_t behind_attribute = code_.BehindAttribute(next);
      if (behind_attribute != next) {
        next = behind_attribute;
        continue;
      }
      const size_t behind = code_.BehindMacro(next);
      if (behind == next || macros == from.size()) break;
      // The last word is the name, and has no macro behind it.
      const bool goes_on = (code_.IsName(behind) && !code_.IsScope(behind)) ||
                           code_.BehindAttribute(behind) != behind;
      if (!goes_on) break;
      from[macros] = next;
      to[macros++] = behind;
      next = behind;
    }
    const size_t behind_name = code_.BehindName(next);
    size_t body = behind_name;
    if (behind_name != next) {
      // `class Name FINAL : Base {`: a macro behind the name.
      const size_t behind = code_.BehindMacro(behind_name);
      if (behind != behind_name && (code_.IsMark(behind, '{') || code_.IsMark(behind, ':')) &&
          HasBody(behind, items) && macros < from.size()) {
        from[macros] = behind_name;
        to[macros++] = body = behind;
      }
    }
    if (behind_name == next || macros == 0) return at;
    // The arguments of a specialisation are a part of the name.
    if (!code_.IsMark(body, '{') && !code_.IsMark(body, ':') && !code_.IsPlainWord(body, "final"))
      return at;
    if (!HasBody(body, items)) return at;
    for (size_t i = 0; i < macros; ++i) BlankTokens(from[i], to[i]);
    return next;
  }

  bool IsDeclarationContext() const { return other_braces_ == 0; }

  // Whether what begins at `at` can only be a declaration that is whole without the macro before
  // it: a word that begins one, or a type and a name. line: the macro is alone on its line.
  bool IsWholeDeclaration(size_t at, bool line) const {
    size_t type = at;
    for (size_t steps = 0; steps < CodeTokens::kMostLookahead; ++steps) {
      if (code_.IsDeclarationWord(type)) return true;
      if (!code_.IsPlainWord(type, "const") && !code_.IsPlainWord(type, "volatile") &&
          !code_.IsPlainWord(type, "mutable")) {
        break;
      }
      ++type;
    }
    return (type == at && NeedsNoType(at, line)) || IsTypeAndName(type, line);
  }

  // Whether a destructor, an attribute, or the end of the declarations is there.
  bool NeedsNoType(size_t at, bool line) const {
    if (code_.IsMark(at, '~') && code_.IsName(at + 1)) return true;
    if (code_.IsMark(at, '[') && code_.IsMark(at + 1, '[')) return true;
    return line && (code_.IsMark(at, '}') || code_.Kind(at) == TokenKind::kDirective ||
                    code_.Kind(at) == TokenKind::kEnd);
  }

  bool IsTypeAndName(size_t type, bool line) const {
    size_t behind = code_.BehindName(type);
    if (behind == type) return false;
    const bool capitals = code_.Kind(type) == TokenKind::kCapitals;
    // A macro, or a chain of them, in front of a declaration.
    if (capitals && behind == type + 1) {
      const size_t behind_macro = code_.BehindMacro(type);
      if (code_.IsDeclarationWord(behind_macro) &&
          code_.BehindAttribute(behind_macro) == behind_macro) {
        return true;
      }
      if (line && behind_macro > type + 1 && !code_.IsMark(behind_macro, '{')) return true;
      behind = behind_macro;
    }
    // Two macros in a row, each alone on its line.
    if (line && capitals && behind == type + 1 && code_.BeginsLine(behind)) return true;
    size_t name = behind;
    while (code_.IsMark(name, '*') || code_.IsMark(name, '&') || code_.IsPlainWord(name, "const")) {
      ++name;
    }
    if (code_.IsPlainWord(name, "operator")) return true;
    if (!code_.IsName(name)) return false;
    // `FOO bar UNUSED;` has its macro behind the name.
    const size_t behind_macro = code_.BehindMacro(name);
    return behind_macro == name || name > behind ||
           !(code_.IsMark(behind_macro, ';') || code_.IsMark(behind_macro, '=') ||
             code_.IsMark(behind_macro, ','));
  }

  // Blanks a macro where a declaration begins. Returns: behind it, or `at`.
  size_t BlankAtDeclaration(size_t at) {
    const size_t behind = code_.BehindMacro(at);
    if (behind == at || code_.IsScope(behind)) return at;
    if (in_class_ && code_.IsMark(behind, ':') && behind == at + 1 && !code_.IsScope(behind) &&
        code_.Kind(behind + 1) != TokenKind::kNumber) {
      BlankTokens(at, behind + 1);
      return behind + 1;
    }
    const bool has_arguments = behind > at + 1;
    const bool line =
        code_.BeginsLine(at) && (code_.Kind(behind) == TokenKind::kEnd || code_.BeginsLine(behind));
    bool blank = IsWholeDeclaration(behind, line);
    // Only a macro has arguments and a line of its own in front of a name, except that `API(Item*)`
    // may be the type of a function.
    if (!blank && line && has_arguments) {
      blank = code_.IsName(behind) && (in_class_ || !code_.IsMark(code_.BehindName(behind), '('));
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
    std::string_view line = code_.Text(at).substr(1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.starts_with("if")) {
      branches_.push_back(braces_.size());
    } else if (line.starts_with("el")) {
      while (!branches_.empty() && braces_.size() > branches_.back()) CloseBrace();
    } else if (line.starts_with("endif") && !branches_.empty()) {
      branches_.pop_back();
    }
  }

  // Reads a token, and what belongs to it. Returns: the index behind that.
  size_t Step(size_t at) {
    switch (code_.Kind(at)) {
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
    switch (code_.Text(at).front()) {
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
        const size_t behind = code_.BehindAttribute(at);
        if (behind != at) return behind;
        head_.begun = true;
        return at + 1;
      }
      default:
        head_.begun = true;
        return at + 1;
    }
  }

  // Nothing is blanked in parameters, because a type in capitals is frequent there.
  size_t ReadParentheses(size_t at) {
    head_.begun = true;
    if (!IsDeclarationContext()) return at + 1;
    const bool first = !head_.function;
    head_.function = true;
    const size_t behind = code_.BehindBracket(at);
    if (behind == at) return at + 1;
    if (first) BlankBehindParameters(at, behind);
    return behind;
  }

  // `int f() const PURE;`: `open` is the parenthesis, `at` what is behind its partner. Not where
  // `TYPE_OF(int) NAME;` can be meant: the name of the function must have a type before it, unless
  // it is in a class, where it may be a constructor.
  void BlankBehindParameters(size_t open, size_t at) {
    if (open == 0 || code_.Kind(open - 1) != TokenKind::kWord || !code_.IsName(open - 1)) return;
    if (!in_class_ &&
        (open < 2 || !(code_.IsName(open - 2) || code_.IsMark(open - 2, '*') ||
                       code_.IsMark(open - 2, '&') || code_.IsMark(open - 2, ':') ||
                       code_.IsMark(open - 2, '>') || code_.IsSimpleType(open - 2)))) {
      return;
    }
    std::array<size_t, 8> macros{};
    size_t count = 0;
    size_t next = at;
    for (size_t steps = 0; steps < CodeTokens::kMostLookahead; ++steps) {
      const size_t behind_macro = code_.BehindMacro(next);
      const size_t behind_attribute = code_.BehindAttribute(next);
      if (behind_macro != next && count < macros.size()) {
        macros[count++] = next;
        next = behind_macro;
      } else if (behind_attribute != next) {
        next = behind_attribute;
      } else if (code_.IsPlainWord(next, "const") || code_.IsPlainWord(next, "override") ||
                 code_.IsPlainWord(next, "final") || code_.IsPlainWord(next, "noexcept")) {
        next = std::max(next + 1, code_.BehindBracket(next + 1));
      } else {
        break;
      }
    }
    if (!code_.IsMark(next, ';') && !code_.IsMark(next, '{') && !code_.IsMark(next, '=')) return;
    for (size_t i = 0; i < count; ++i) BlankTokens(macros[i], code_.BehindMacro(macros[i]));
  }

  size_t ReadWord(size_t at) {
    const bool declarations = IsDeclarationContext();
    const bool external = head_.external;
    head_.external = false;
    if (declarations && !head_.begun) {
      const size_t behind = BlankAtDeclaration(at);
      if (behind != at) return behind;
    }
    const std::string_view word = code_.Text(at);
    const size_t behind_attribute = code_.BehindAttribute(at);
    if (behind_attribute != at) return behind_attribute;
    if (word == "class" || word == "struct" || word == "union" || word == "enum") {
      return ReadClassHead(at, word == "enum");
    }
    if (!declarations) return at + 1;
    if (word == "namespace") return ReadNamespaceHead(at);
    if (word == "template" && code_.IsMark(at + 1, '<')) {
      return std::max(at + 1, code_.BehindAngles(at + 1));
    }
    if (word == "public" || word == "private" || word == "protected") return ReadAccess(at);
    if (std::ranges::find(kSpecifierWords, word) != kSpecifierWords.end()) {
      head_.external = word == "extern";
      return at + 1;
    }
    if (code_.IsSimpleType(at) || (code_.Kind(at) == TokenKind::kWord && code_.IsName(at))) {
      BlankBeforeFunction(code_.BehindAngles(at + 1));
    }
    if (external) head_.scope = false;
    head_.begun = true;
    return at + 1;
  }

  // `items`: of an enum. Returns: behind what was read.
  size_t ReadClassHead(size_t at, bool items) {
    head_.begun = true;
    (items ? head_.items : head_.type) = true;
    size_t next = at + 1;
    if (items && (code_.Text(next) == "class" || code_.Text(next) == "struct")) ++next;
    return BlankClassHead(next, items);
  }

  size_t ReadNamespaceHead(size_t at) {
    head_.begun = head_.scope = true;
    const size_t behind_name = code_.BehindName(at + 1);
    const size_t behind_macro = code_.BehindMacro(behind_name);
    if (behind_name == at + 1 || behind_macro == behind_name || !code_.IsMark(behind_macro, '{')) {
      return at + 1;
    }
    BlankTokens(behind_name, behind_macro);
    return behind_macro;
  }

  // `public:`, `public SLOTS:`
  size_t ReadAccess(size_t at) {
    if (head_.begun) return at + 1;
    size_t colon = at + 1;
    const size_t behind_macro = code_.BehindMacro(colon);
    if (behind_macro != colon && code_.IsMark(behind_macro, ':') && !code_.IsScope(behind_macro)) {
      BlankTokens(colon, behind_macro);
      colon = behind_macro;
    }
    return code_.IsMark(colon, ':') ? colon + 1 : colon;
  }

  // `int CALL f(`, `Item* CALL f(`: `at` is behind the type.
  void BlankBeforeFunction(size_t at) {
    while (code_.IsMark(at, '*') || code_.IsMark(at, '&')) ++at;
    if (code_.Kind(at) != TokenKind::kCapitals) return;
    const size_t behind = at + 1;
    if (code_.IsName(behind) && code_.IsMark(code_.BehindName(behind), '('))
      BlankTokens(at, behind);
  }

  enum class Brace : uint8_t { kScope, kClass, kOther };

  const CodeTokens code_;
  std::string blanked_;
  Head head_;
  std::vector<Brace> braces_;
  size_t other_braces_ = 0;       // the number of Brace::kOther in braces_
  bool in_class_ = false;         // the innermost brace is that of a class
  std::vector<size_t> branches_;  // the size of braces_ at each open `#if`
};

}  // namespace

std::string BlankMacros(std::string_view text) { return MacroBlanker(text).Blank(); }

}  // namespace recall
