#include "query/rql/token_reader.h"

#include <string>
#include <utility>
#include <vector>

#include "index/base/text/text_fault.h"
#include "index/base/text/utf8.h"
#include "query/rql/rql.h"
#include "storage/base/nearest_word.h"

namespace recall {
namespace {

std::string Describe(const Token& token, std::string_view text) {
  switch (token.kind) {
    case TokenKind::kEnd:
      return "the end of the text";
    case TokenKind::kString:
      return "the text " + Quoted(token.literal.text);
    case TokenKind::kNumber:
      return "the number " + std::string(text.substr(token.begin, token.end - token.begin));
    default:
      return Quoted(text.substr(token.begin, token.end - token.begin));
  }
}

std::string InCapitals(std::string_view word) {
  std::string capitals(word);
  for (char& c : capitals) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return capitals;
}

// The keywords that a message names: "AND", "OR" of "AND, OR or ')'".
std::vector<std::string> KeywordsIn(std::string_view expected) {
  std::vector<std::string> keywords;
  std::string word;
  for (const char c : std::string(expected) + ' ') {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter) {
      word += c;
    } else if (!word.empty()) {
      if (word.size() > 1 && InCapitals(word) == word) keywords.push_back(word);
      word.clear();
    }
  }
  return keywords;
}

}  // namespace

Token TokenReader::Take() {
  Token taken = std::exchange(token_, Token());
  lexer_.Next(&token_);
  return taken;
}

bool TokenReader::Accept(TokenKind kind) {
  if (!At(kind)) return false;
  Advance();
  return true;
}

bool TokenReader::AcceptWord(std::string_view keyword) {
  if (!AtWord(keyword)) return false;
  Advance();
  return true;
}

Status TokenReader::Expect(TokenKind kind, std::string_view expected, std::string_view hint) {
  return Accept(kind) ? Status::Ok() : Unexpected(expected, hint);
}

Status TokenReader::Unexpected(std::string_view expected, std::string_view hint) const {
  if (At(TokenKind::kFault)) return token_.fault;
  const std::string keyword =
      At(TokenKind::kName) && token_.parts.size() == 1 && token_.parts[0].size() > 2
          ? NearestWord(InCapitals(token_.parts[0]), KeywordsIn(expected))
          : "";
  return Fault(token_.begin,
               "expected " + std::string(expected) + ", found " + Describe(token_, text_),
               keyword.empty() ? std::string(hint) : "did you mean " + keyword + "?");
}

Status TokenReader::Fault(size_t at, std::string message, std::string hint) const {
  return FaultAt(text_, at, std::move(message), std::move(hint));
}

Status CheckRqlText(std::string_view text) {
  if (text.size() > kMaxRqlBytes) {
    return LimitAt(text, FloorToCharacter(text, kMaxRqlBytes),
                   "the text has " + std::to_string(text.size()) + " bytes",
                   "at most " + std::to_string(kMaxRqlBytes) + " bytes are allowed");
  }
  size_t bad_byte = 0;
  if (!IsValidUtf8(text, &bad_byte)) {
    return FaultAt(text, bad_byte, "the text is not UTF-8", "save it as UTF-8");
  }
  if (const size_t nul = text.find('\0'); nul != text.npos) {
    return FaultAt(text, nul, "the text has a NUL byte", "remove it");
  }
  return {};
}

}  // namespace recall
