#include "index/source/secrets/dumped_text.h"

#include <algorithm>
#include <optional>

#include "index/source/secrets/secret_text.h"

namespace recall {
namespace {

constexpr size_t kMostDumpBytes = 256 << 10;
constexpr size_t kBytesOfLine = 16;

int HexDigit(char c) { return IsSecretDigit(c) ? c - '0' : SecretLowered(c) - 'a' + 10; }

// Returns the bytes behind the offset of a line: pairs of hexadecimal digits with at most two
// spaces between, until three spaces, a bar, or the end.
std::string HexBytes(std::string_view line) {
  std::string bytes;
  size_t spaces = 0;
  for (size_t at = 0; at < line.size() && bytes.size() < kBytesOfLine;) {
    if (line[at] == ' ' && ++spaces <= 2) {
      ++at;
      continue;
    }
    const bool pair = at + 1 < line.size() && IsSecretHex(line[at]) && IsSecretHex(line[at + 1]);
    if (!pair || spaces > 2 || (spaces == 2 && bytes.size() % 8 != 0)) break;
    bytes += static_cast<char>(HexDigit(line[at]) << 4 | HexDigit(line[at + 1]));
    spaces = 0;
    at += 2;
  }
  return bytes;
}

// Returns the bytes of a line of `od -c`: fields of four characters.
std::string NamedBytes(std::string_view line) {
  std::string bytes;
  for (; line.size() >= 4; line.remove_prefix(4)) {
    if (line[0] != ' ') return {};
    if (line[1] == ' ' && line[2] == ' ') {
      bytes += line[3];
    } else if (line[1] == ' ' && line[2] == '\\') {
      bytes += line[3] == 'n' ? '\n' : line[3] == 't' ? '\t' : '\0';
    } else if (IsSecretDigit(line[1]) && IsSecretDigit(line[2]) && IsSecretDigit(line[3])) {
      bytes += '\0';
    } else {
      return {};
    }
  }
  return bytes;
}

struct DumpLine {
  size_t begin;  // of its offset
  size_t end;
  std::string bytes;
};

std::optional<DumpLine> LineAt(std::string_view text, size_t begin) {
  size_t at = begin;
  while (at < text.size() && at < begin + 16 && IsSecretHex(text[at])) ++at;
  if (at - begin < kDumpBegin.size()) return std::nullopt;
  const size_t end = std::min(text.find('\n', at), text.size());
  std::string_view rest = text.substr(at, end - at);
  if (rest.starts_with(':')) rest.remove_prefix(1);
  if (!rest.starts_with(' ')) return std::nullopt;
  std::string bytes = rest.starts_with("   ") ? NamedBytes(rest) : HexBytes(rest);
  if (bytes.empty()) return std::nullopt;
  return DumpLine{begin, end, std::move(bytes)};
}

// Returns where the offset of a line stands: behind blanks, and the number that a tool gave it.
size_t OffsetIn(std::string_view text, size_t line) {
  const auto behind_blanks = [&](size_t at) {
    return std::min(text.find_first_not_of(" \t", at), text.size());
  };
  const size_t first = behind_blanks(line);
  size_t digits = first;
  while (digits < text.size() && IsSecretDigit(text[digits])) ++digits;
  if (digits == first || digits - first >= kDumpBegin.size()) return first;
  if (text.substr(digits).starts_with("\xE2\x86\x92")) return behind_blanks(digits + 3);
  return digits < text.size() && text[digits] == '\t' ? behind_blanks(digits) : first;
}

}  // namespace

DumpedText ReadDump(std::string_view text, size_t at) {
  DumpedText dump;
  text = text.substr(0, at + kMostDumpBytes);
  for (size_t next = at; next < text.size();) {
    const auto line = LineAt(text, next);
    if (!line) break;
    dump.bytes += line->bytes;
    dump.lines.resize(dump.bytes.size(), {line->begin, line->end});
    dump.end = line->end;
    next = line->end < text.size() ? OffsetIn(text, line->end + 1) : text.size();
  }
  return dump;
}

}  // namespace recall
