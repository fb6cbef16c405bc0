#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/filter/filter_expr.h"
#include "storage/base/status.h"

namespace recall {

enum class TokenKind : uint8_t {
  kEnd,
  kFault,   // what cannot be a token; no rule of the grammar accepts it
  kName,    // a keyword, or a field: parts joined by '.', without white space
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
  size_t begin = 0;  // bytes in the source; kEnd: where the last token ended
  size_t end = 0;
  std::vector<std::string> parts;  // kName, kAllOf: as meant, without quotes
  Literal literal;                 // kString, kNumber
  Status fault;                    // kFault

  // Whether it is this keyword, in capitals or not. Requires: `keyword` is in capitals.
  bool IsWord(std::string_view keyword) const;
  // Whether it begins a clause and so cannot be a name: SELECT, FROM, USING, FILTER, ORDER, LIMIT.
  // (OFFSET can: chunk.offset.)
  bool IsReserved() const;
};

// A name has at most this many parts.
inline constexpr size_t kMaxNameParts = 64;

bool EqualsIgnoringCase(std::string_view text, std::string_view capitals);

// Divides RQL into tokens, one at a time. Requires: text without NUL bytes, in UTF-8, that
// outlives the lexer.
class RqlLexer final {
 public:
  explicit RqlLexer(std::string_view text);

  // Reads the next token into *token; kEnd over and over at the end, kFault once.
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
