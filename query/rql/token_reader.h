#pragma once

#include <string>
#include <string_view>

#include "query/rql/rql_lexer.h"

namespace recall {

// The tokens of a text with one token of look-ahead, and the errors that a parser reports. An error
// of the lexer is reported when the parser reaches its token, because no rule accepts kFault.
class TokenReader final {
 public:
  // Requires: as RqlLexer.
  explicit TokenReader(std::string_view text) : text_(text), lexer_(text) { lexer_.Next(&token_); }

  std::string_view text() const { return text_; }
  const Token& token() const { return token_; }
  bool At(TokenKind kind) const { return token_.kind == kind; }
  bool AtWord(std::string_view keyword) const { return token_.IsWord(keyword); }

  void Advance() { lexer_.Next(&token_); }
  // Consumes the current token and returns it.
  Token Take();
  // Accept and AcceptWord consume the current token if it is of this kind, or this keyword. They
  // return whether it was.
  bool Accept(TokenKind kind);
  bool AcceptWord(std::string_view keyword);
  // Consumes a token of this kind, or fails with "expected ..., found ...".
  Status Expect(TokenKind kind, std::string_view expected, std::string_view hint);

  // Returns: the error "expected ..., found ..." at the current token, or the lexer's error if the
  // token is kFault.
  Status Unexpected(std::string_view expected, std::string_view hint) const;
  // Returns: an InvalidArgument error with the position of byte `at`.
  Status Fault(size_t at, std::string message, std::string hint) const;

 private:
  std::string_view text_;
  RqlLexer lexer_;
  Token token_;
};

// Checks that `text` is UTF-8 without NUL bytes and has at most kMaxRqlBytes. Errors:
// InvalidArgument and LimitExceeded, with a position.
Status CheckRqlText(std::string_view text);

}  // namespace recall
