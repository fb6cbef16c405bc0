// The lexer of RQL: hand-written, one token at a time, without backtracking.
//
// Three parts of the language need care:
//   - "--" begins a comment, but '-' may also be part of a name or start a number. The first part
//     of a name therefore contains no '-' (SELECT--comment is a keyword and a comment); later parts
//     may contain it, as in doc.meta.build-id.
//   - A name is one token with its dots: doc.meta."two words".x. Only keys of metadata may be
//     quoted. doc.* is one token, too (kAllOf).
//   - A number that continues with letters, ':' or '-', such as 2026-02-04 or 7d, is an error with
//     the hint to quote it, instead of a number followed by a name.
//
// Equal numbers are equal literals: 1, 1.0 and 1e0 all become the integer 1, and canonical text is
// printed from the value by std::to_chars, independent of the locale.
//
// An invalid token does not fail at once. It becomes kFault with its error, and the text ends
// there; the parser reports the error when it reaches the token (TokenReader::Unexpected), so of
// several errors the first one in the text is reported. Cost: linear in the text.

#include "query/rql/rql_lexer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "index/base/text/text_fault.h"
#include "index/base/text/utf8.h"
#include "index/search/filter/fields.h"
#include "storage/base/from_chars.h"

namespace recall {
namespace {

bool IsAsciiWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Returns: the size in bytes of the character at `at` if it can be part of a name, else 0. It is
// NameCharacterSize with a fast path for ASCII.
size_t NameCharacterAt(std::string_view text, size_t at) {
  return at < text.size() && IsAsciiWord(text[at]) ? 1 : NameCharacterSize(text, at);
}

// Returns: whether the next part of the name is a metadata key, which may be quoted.
bool IsBelowMeta(const std::vector<std::string>& parts) {
  return parts[0] == "meta" || (parts.size() > 1 && parts[1] == "meta");
}

char ToUpper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

template <typename T>
std::string Spell(T number) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof(buffer), number).ptr};
}

template <typename T>
std::optional<T> ReadWhole(std::string_view text) {
  T value{};
  const auto [end, error] = FromChars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Returns: the literal of a well-formed number, or nullopt if the number is out of range. Every
// whole number that fits into int64 becomes an integer, also if it is spelled 1.0 or 1e0, so that
// equal numbers are equal literals.
std::optional<Literal> NumberLiteral(std::string_view spelling) {
  if (spelling.starts_with('+')) spelling.remove_prefix(1);
  Literal literal;
  literal.kind = Literal::Kind::kNumber;
  std::optional<int64_t> integer = ReadWhole<int64_t>(spelling);
  if (!integer) {
    const std::optional<double> number = ReadWhole<double>(spelling);
    if (!number || !std::isfinite(*number)) return std::nullopt;
    literal.number = *number;
    if (std::trunc(*number) == *number && *number >= -0x1p63 && *number < 0x1p63) {
      integer = static_cast<int64_t>(*number);
    }
  }
  if (integer) {
    literal.is_integer = true;
    literal.integer = *integer;
    literal.number = static_cast<double>(*integer);
  }
  literal.text = integer ? Spell(*integer) : Spell(literal.number);
  return literal;
}

std::string HintForCharacter(uint32_t character) {
  switch (character) {
    case '!':
      return "write != for 'not equal', and NOT before a predicate to negate it";
    case '&':
      return "write AND";
    case '|':
      return "write OR";
    case '-':
      return "a comment begins with --; in a negative number, digits follow the - directly";
    case '/':
      return "a comment begins with --, or is enclosed in /* and */";
    case '.':
      return "write a name without spaces: doc.path";
    case '`':
    case 0x2018:
    case 0x2019:
    case 0x201C:
    case 0x201D:
    case 0xAB:
    case 0xBB:
      return "enclose text in ' and ' or in \" and \"";
    default:
      return "text, dates and keys with special characters need quotes";
  }
}

}  // namespace

bool EqualsIgnoringCase(std::string_view text, std::string_view capitals) {
  return text.size() == capitals.size() && std::ranges::equal(text, capitals, {}, ToUpper);
}

bool Token::IsWord(std::string_view keyword) const {
  return kind == TokenKind::kName && parts.size() == 1 && EqualsIgnoringCase(parts[0], keyword);
}

bool Token::IsReserved() const {
  constexpr std::string_view kReserved[] = {"SELECT", "FROM", "USING", "FILTER", "ORDER", "LIMIT"};
  return std::ranges::any_of(kReserved, [this](std::string_view word) { return IsWord(word); });
}

RqlLexer::RqlLexer(std::string_view text) : text_(text) {
  if (text.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
}

void RqlLexer::Next(Token* token) {
  const size_t last_end = at_;
  token->kind = TokenKind::kEnd;
  token->parts.clear();
  if (!SkipSpaceAndComments(token)) return;
  token->begin = at_;
  if (at_ == text_.size()) {
    token->begin = last_end;
  } else if (At(at_) == '\'' || At(at_) == '"') {
    token->literal = Literal();
    token->literal.position = at_;
    if (ReadQuoted(&token->literal.text, token)) token->kind = TokenKind::kString;
  } else if (NumberStartsAt(at_)) {
    ReadNumber(token);
  } else if (At(at_) != '-' && NameCharacterAt(text_, at_) > 0) {
    ReadName(token);
  } else {
    ReadMark(token);
  }
  token->end = at_;
}

// Returns: false if a comment is not closed; the token is then kFault.
bool RqlLexer::SkipSpaceAndComments(Token* token) {
  while (at_ < text_.size()) {
    size_t next = at_;
    if (At(at_) == ' ' || At(at_) == '\n') {
      ++at_;
    } else if (text_.substr(at_).starts_with("--")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (text_.substr(at_).starts_with("/*")) {
      const size_t end = text_.find("*/", at_ + 2);
      if (end == text_.npos) {
        Fail(token, at_, "the comment is not closed", "close it with */");
        return false;
      }
      at_ = end + 2;
    } else if (!IsAsciiWord(At(at_)) && IsWhiteSpace(DecodeUtf8(text_, &next))) {
      at_ = next;
    } else {
      break;
    }
  }
  return true;
}

void RqlLexer::ReadName(Token* token) {
  token->kind = TokenKind::kName;
  // The first part contains no '-', so that a comment may follow a keyword without a space.
  for (size_t size = 1; size > 0; at_ += size) {
    size = At(at_) == '-' ? 0 : NameCharacterAt(text_, at_);
  }
  token->parts.emplace_back(text_.substr(token->begin, at_ - token->begin));
  while (At(at_) == '.') {
    const size_t dot = at_++;
    if (At(at_) == '*') {
      ++at_;
      token->kind = TokenKind::kAllOf;
      return;
    }
    if (token->parts.size() == kMaxNameParts) {
      Fail(token, token->begin, "a name has more than " + std::to_string(kMaxNameParts) + " parts",
           "a field is doc.NAME, chunk.NAME or doc.meta.KEY");
      return;
    }
    const bool quoted = (At(at_) == '"' || At(at_) == '\'') && IsBelowMeta(token->parts);
    std::string& next = token->parts.emplace_back();
    if (quoted) {
      if (!ReadQuoted(&next, token)) return;
      continue;
    }
    const size_t begin = at_;
    while (const size_t size = NameCharacterAt(text_, at_)) at_ += size;
    next = text_.substr(begin, at_ - begin);
    if (next.empty()) {
      Fail(token, dot, "expected a field after '" + token->parts[0] + ".'",
           "as in doc.path, doc.meta.author or doc.meta.\"two words\"");
      return;
    }
  }
}

bool RqlLexer::DigitAt(size_t at) const { return At(at) >= '0' && At(at) <= '9'; }

bool RqlLexer::NumberStartsAt(size_t at) const {
  if (At(at) == '-' || At(at) == '+') ++at;
  return DigitAt(at) || (At(at) == '.' && DigitAt(at + 1));
}

// Reads [sign] digits [. digits] [e [sign] digits]. The digits before or after the point may be
// missing, but not both.
void RqlLexer::ReadNumber(Token* token) {
  const size_t begin = at_;
  if (!DigitAt(at_) && At(at_) != '.') ++at_;
  while (DigitAt(at_)) ++at_;
  if (At(at_) == '.') ++at_;
  while (DigitAt(at_)) ++at_;
  if (At(at_) == 'e' || At(at_) == 'E') {
    const size_t sign = At(at_ + 1) == '-' || At(at_ + 1) == '+' ? 1 : 0;
    if (DigitAt(at_ + 1 + sign)) {
      at_ += 1 + sign;
      while (DigitAt(at_)) ++at_;
    }
  }
  const size_t end = at_;
  for (size_t size = 1; size > 0; at_ += size) {
    size = At(at_) == '.' || At(at_) == ':' ? 1 : NameCharacterAt(text_, at_);
  }
  const std::string_view spelling = text_.substr(begin, at_ - begin);
  if (at_ != end) {
    Fail(token, begin, Quoted(spelling) + " is not a number",
         "write dates and other text in quotes, as in '2026-02-04' or '-7d'");
    return;
  }
  std::optional<Literal> literal = NumberLiteral(spelling);
  if (!literal) {
    Fail(token, begin, "the number " + Quoted(spelling) + " is out of range",
         "numbers must be between -1.7976931348623157e308 and 1.7976931348623157e308, and the "
         "smallest "
         "above 0 is 5e-324");
    return;
  }
  token->kind = TokenKind::kNumber;
  token->literal = *std::move(literal);
  token->literal.position = begin;
}

// Reads a text in quotes. A backslash makes the next character literal, and a doubled quote is one
// quote. Returns: false if the closing quote is missing; the token is then kFault.
bool RqlLexer::ReadQuoted(std::string* content, Token* token) {
  const size_t begin = at_++;
  const char quote = text_[begin];
  while (true) {
    size_t stop = at_;
    while (stop < text_.size() && text_[stop] != quote && text_[stop] != '\\') ++stop;
    const bool escape = stop < text_.size() && text_[stop] == '\\';
    if (stop + (escape ? 1 : 0) >= text_.size()) {
      const std::string mark(1, quote);
      Fail(token, begin, "the quoted text is not closed",
           "close it with " + mark + "; inside, write " + mark + " as " + mark + mark);
      return false;
    }
    content->append(text_, at_, stop - at_);
    at_ = stop + 1;
    if (!escape && At(at_) != quote) return true;
    *content += text_[at_++];
  }
}

void RqlLexer::ReadMark(Token* token) {
  struct Mark {
    std::string_view text;
    TokenKind kind;
  };
  constexpr Mark kMarks[] = {
      {"==", TokenKind::kEqual},        {"=", TokenKind::kEqual},      {"!=", TokenKind::kNotEqual},
      {"<>", TokenKind::kNotEqual},     {"<=", TokenKind::kLessEqual}, {"<", TokenKind::kLess},
      {">=", TokenKind::kGreaterEqual}, {">", TokenKind::kGreater},    {",", TokenKind::kComma},
      {"(", TokenKind::kOpen},          {")", TokenKind::kClose},      {"*", TokenKind::kStar},
      {";", TokenKind::kSemicolon},
  };
  for (const Mark& mark : kMarks) {
    if (!text_.substr(at_).starts_with(mark.text)) continue;
    token->kind = mark.kind;
    at_ += mark.text.size();
    return;
  }
  size_t end = at_;
  const uint32_t character = DecodeUtf8(text_, &end);
  Fail(token, at_, "unexpected character " + Quoted(text_.substr(at_, end - at_)),
       HintForCharacter(character));
}

void RqlLexer::Fail(Token* token, size_t at, std::string message, std::string hint) {
  token->kind = TokenKind::kFault;
  token->begin = at;
  token->fault = FaultAt(text_, at, std::move(message), std::move(hint));
  at_ = text_.size();
}

}  // namespace recall
