#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace recall {

enum class TokenKind : uint8_t {
  kWord,
  kCapitals,  // a word that may be a macro: it has capital letters, and no lower-case ones
  kLiteral,   // a string or a character
  kNumber,
  kDirective,  // of the preprocessor, to the end of its last line
  kMark,       // any other character, each by itself
  kEnd,        // behind the last token
};

struct CodeToken {
  static constexpr uint32_t kNoPartner = UINT32_MAX;
  uint32_t begin = 0;  // bytes of the text
  uint32_t end = 0;
  uint32_t partner = kNoPartner;  // of an opening bracket: the token that closes it
  TokenKind kind = TokenKind::kEnd;
};

// The tokens of a text of C or C++, and what can be said of them without its meaning. Tokens are
// named by their index. Every function may be called with an index behind the last token, where it
// finds kEnd. Comments and white space are no tokens.
//
// The functions Behind... return the index behind something that begins at `at`, or `at` itself if
// it does not begin there. They look at no more than kMostLookahead names or brackets. Thread-safe.
class CodeTokens final {
 public:
  static constexpr size_t kMostLookahead = 64;

  // The text must outlive this. Cost: linear.
  explicit CodeTokens(std::string_view text);

  // With two tokens kEnd at the end.
  size_t size() const { return tokens_.size(); }
  const CodeToken& At(size_t at) const {
    return tokens_[at < tokens_.size() ? at : tokens_.size() - 1];
  }
  TokenKind Kind(size_t at) const { return At(at).kind; }
  std::string_view Text(size_t at) const {
    const CodeToken& token = At(at);
    return text_.substr(token.begin, token.end - token.begin);
  }

  bool IsMark(size_t at, char c) const {
    return Kind(at) == TokenKind::kMark && text_[At(at).begin] == c;
  }
  bool IsPlainWord(size_t at, std::string_view word) const {
    return Kind(at) == TokenKind::kWord && Text(at) == word;
  }
  // Whether `::` is there.
  bool IsScope(size_t at) const { return IsMark(at, ':') && IsMark(at + 1, ':'); }
  // Whether a word is there that begins a declaration, or continues one behind a macro, but never
  // follows the name of a type.
  bool IsDeclarationWord(size_t at) const;
  // Whether `int`, `unsigned` or the like is there.
  bool IsSimpleType(size_t at) const;
  // Whether a word is there that is no keyword of a declaration or statement.
  bool IsName(size_t at) const;
  // Whether the token is the first of the text, or behind a line break.
  bool BeginsLine(size_t at) const;

  // A bracket with its contents.
  size_t BehindBracket(size_t at) const {
    return At(at).partner == CodeToken::kNoPartner ? at : At(at).partner + size_t{1};
  }
  // A word in capitals and its arguments.
  size_t BehindMacro(size_t at) const;
  // `__attribute__((...))`, `__declspec(...)`, `alignas(...)`, `[[...]]`.
  size_t BehindAttribute(size_t at) const;
  // `<...>`.
  size_t BehindAngles(size_t at) const;
  // A name such as `a::b<c>::d`.
  size_t BehindName(size_t at) const;

 private:
  void FindPartners();
  // A word and the parentheses that may follow it.
  size_t BehindArguments(size_t word) const;

  std::string_view text_;
  std::vector<CodeToken> tokens_;
};

}  // namespace recall
