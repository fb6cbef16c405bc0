#include "index/source/extract/mail/mail_parameters.h"

#include <algorithm>
#include <utility>

#include "index/source/extract/mail/mail_date.h"
#include "index/source/extract/mail/mail_transfer.h"
#include "index/source/extract/mail/mail_words.h"

namespace recall {
namespace {

constexpr size_t kMostMailParameters = 256;

bool EndsMailToken(char c) { return c == ';' || c == '=' || c == '"' || IsMailSpace(c); }

// Reads the value at *at, quoted or not, and moves *at behind it.
std::string ReadMailParameterValue(std::string_view text, size_t* at) {
  std::string value;
  size_t i = *at;
  if (i < text.size() && text[i] == '"') {
    for (++i; i < text.size() && text[i] != '"'; ++i) {
      // A backslash of a Windows path is not an escape.
      if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\'))
        ++i;
      value.push_back(text[i]);
    }
    if (i < text.size()) ++i;
  } else {
    for (; i < text.size() && text[i] != ';'; ++i) value.push_back(text[i]);
    value = TrimMail(value);
  }
  *at = i;
  return value;
}

std::string DecodePercent(std::string_view text) {
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    // "%41" stands for the byte that is "=41" in the Q encoding.
    if (text[i] == '%' && i + 2 < text.size()) {
      const std::string word = "=" + std::string(text.substr(i + 1, 2));
      const std::string decoded = DecodeQWord(word);
      if (decoded.size() == 1) {
        bytes += decoded;
        i += 2;
        continue;
      }
    }
    bytes.push_back(text[i]);
  }
  return bytes;
}

// The pieces of one parameter of RFC 2231 ("name*0*", "name*1") by number: the text, and whether it
// is percent-encoded.
using MailPieces = std::map<int, std::pair<std::string, bool>>;

std::string JoinMailPieces(const MailPieces& pieces, MailNotes* notes) {
  std::string bytes, charset;
  bool first = true;
  for (const auto& [number, piece] : pieces) {
    std::string_view text = piece.first;
    if (first && piece.second) {
      const size_t language = text.find('\'');
      const size_t start = language == text.npos ? text.npos : text.find('\'', language + 1);
      if (start != text.npos) {
        charset = text.substr(0, language);
        text.remove_prefix(start + 1);
      }
    }
    first = false;
    bytes += piece.second ? DecodePercent(text) : std::string(text);
  }
  std::string value;
  NoteCharsetFit(AppendInCharset(bytes, charset, &value), notes);
  return value;
}

// Reads the name at *at, its "=" and the white space around that, and moves *at behind them.
// Returns false if no "=" follows, with *at at the next ";".
bool ReadMailParameterName(std::string_view text, size_t* at, std::string* name) {
  size_t end = *at;
  while (end < text.size() && !EndsMailToken(text[end])) ++end;
  *name = LowerMail(text.substr(*at, end - *at));
  while (end < text.size() && IsMailSpace(text[end])) ++end;
  if (end == text.size() || text[end] != '=') {
    *at = std::min(text.find(';', end), text.size());
    return false;
  }
  ++end;
  while (end < text.size() && IsMailSpace(text[end])) ++end;
  *at = end;
  return true;
}

// Reads the number of a piece from "name*", "name*1" or "name*1*"; 0 if it has none. Returns
// whether it is a number.
bool ReadMailPieceNumber(std::string_view name, int* number) {
  std::string_view digits = name.substr(name.find('*') + 1);
  if (digits.ends_with('*')) digits.remove_suffix(1);
  *number = 0;
  return digits.empty() || ReadMailNumber(digits, number);
}

}  // namespace

MailParameters ReadMailParameters(std::string_view raw, MailNotes* notes) {
  MailParameters parameters;
  const std::string text = UnfoldMailValue(raw, notes);
  size_t at = std::min(text.find(';'), text.size());
  for (const char c : LowerMail(text.substr(0, at))) {
    if (c > ' ' && c <= '~') parameters.value.push_back(c);
  }
  std::map<std::string, MailPieces> continued;
  for (size_t count = 0; at < text.size() && count < kMostMailParameters; ++count) {
    at = text.find_first_not_of("; \t", at);
    if (at == text.npos) break;
    std::string name;
    if (!ReadMailParameterName(text, &at, &name)) continue;
    std::string value = ReadMailParameterValue(text, &at);
    at = std::min(text.find(';', at), text.size());
    const size_t star = name.find('*');
    int number = 0;
    if (star == name.npos) {
      // A boundary is compared byte by byte.
      std::string decoded = name == "boundary" ? value : DecodeMailValue(value, "", notes);
      parameters.named.emplace(std::move(name), std::move(decoded));
    } else if (ReadMailPieceNumber(name, &number)) {
      continued[name.substr(0, star)].emplace(number,
                                              std::pair(std::move(value), name.ends_with('*')));
    }
  }
  // Where a parameter is also given in the form of RFC 2231, that form is the better one.
  for (const auto& [name, pieces] : continued) {
    parameters.named[name] = CleanMailLine(JoinMailPieces(pieces, notes));
  }
  return parameters;
}

}  // namespace recall
