#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/search/filter/filter_expr.h"
#include "storage/base/status.h"

namespace recall {

enum class TokenKind : uint8_t {
  kEnd,
  kFault,   // invalid text; no rule of the grammar accepts it
  kName,    // a keyword or a field: parts joined by '.', without white space
  kAllOf,   // name.*
  kString,  // in '..' or ".."
  kNumber,
  kComma,
  kOpen,
  kClose,
  kStar,
  kSemicolon,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  size_t begin = 0;  // byte offset in the source; kEnd: the end of the last token
  size_t end = 0;
  std::vector<std::string> parts;  // kName, kAllOf: without quotes and escapes
  Literal literal;                 // kString, kNumber
  Status fault;                    // kFault

  // Whether the token is this keyword, ignoring case. Requires: `keyword` is in capitals.
  bool IsWord(std::string_view keyword) const;
  // Whether the token begins a clause and therefore cannot be a name: SELECT, FROM, USING, FILTER,
  // ORDER, LIMIT. OFFSET can be a name, because chunk.offset is a field.
  bool IsReserved() const;
};

// The maximum number of parts of a name.
inline constexpr size_t kMaxNameParts = 64;

// Compares ASCII text, ignoring case. Requires: `capitals` is in capitals.
bool EqualsIgnoringCase(std::string_view text, std::string_view capitals);

// Divides RQL into tokens, one at a time. Requires: the text is UTF-8 without NUL bytes and
// outlives the lexer.
class RqlLexer final {
 public:
  explicit RqlLexer(std::string_view text);

  // Reads the next token into *token. At the end of the text, and after a kFault, each call yields
  // kEnd.
  void Next(Token* token);

 private:
  bool SkipSpaceAndComments(Token* token);
  void ReadName(Token* token);
  void ReadNumber(Token* token);
  void ReadMark(Token* token);
  bool ReadQuoted(std::string* content, Token* token);
  bool NumberStartsAt(size_t at) const;
  bool DigitAt(size_t at) const;
  char At(size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  void Fail(Token* token, size_t at, std::string message, std::string hint);

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace recall
