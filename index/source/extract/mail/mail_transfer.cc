#include "index/source/extract/mail/mail_transfer.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "index/source/extract/mail/mail_words.h"

namespace recall {
namespace {

constexpr uint8_t kNoBase64 = 0xFF;

constexpr std::array<uint8_t, 256> MakeBase64Values() {
  std::array<uint8_t, 256> values{};
  for (uint8_t& value : values) value = kNoBase64;
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<uint8_t>(kAlphabet[i])] = static_cast<uint8_t>(i);
  }
  return values;
}

constexpr std::array<uint8_t, 256> kMailBase64Values = MakeBase64Values();

int MailHexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Returns the byte that the two hex digits at `at` mean; -1 if they are not digits.
int MailHexByte(std::string_view text, size_t at) {
  if (at + 2 > text.size()) return -1;
  const int high = MailHexDigit(text[at]);
  const int low = MailHexDigit(text[at + 1]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

// Returns the line at `at` without its end, and sets *next to the start of the next line.
std::string_view MailLineAt(std::string_view text, size_t at, size_t* next) {
  const size_t end = std::min(text.find('\n', at), text.size());
  *next = std::min(end + 1, text.size());
  std::string_view line = text.substr(at, end - at);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Whether a line has only letters of base64, and perhaps padding.
bool IsMailBase64Line(std::string_view line) {
  const size_t end = line.find_last_not_of('=') + 1;
  return line.size() - end <= 2 && std::ranges::all_of(line.substr(0, end), [](char c) {
           return kMailBase64Values[static_cast<uint8_t>(c)] != kNoBase64;
         });
}

// Decodes a line of uuencode. Returns: false if it is none.
bool AppendUuLine(std::string_view line, std::string* out) {
  if (line.empty() || line[0] < ' ' || line[0] > '`') return false;
  const size_t count = static_cast<size_t>(line[0] - ' ') & 63;
  const size_t needed = (count + 2) / 3 * 4;
  // Trailing spaces may have been cut off; a check sum may follow.
  if (line.size() > needed + 3 || (count > 0 && line.size() < 2)) return false;
  if (line.size() + 3 < needed + 1) return false;
  std::string decoded;
  for (size_t i = 1; i <= needed; i += 4) {
    uint32_t value = 0;
    for (size_t k = 0; k < 4; ++k) {
      const char c = i + k < line.size() ? line[i + k] : ' ';
      if (c < ' ' || c > '`') return false;
      value = value << 6 | (static_cast<uint32_t>(c - ' ') & 63);
    }
    decoded.push_back(static_cast<char>(value >> 16));
    decoded.push_back(static_cast<char>(value >> 8));
    decoded.push_back(static_cast<char>(value));
  }
  decoded.resize(count);
  *out += decoded;
  return true;
}

}  // namespace

std::string DecodeMailBase64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  uint32_t value = 0;
  int digits = 0;
  const auto flush = [&] {
    if (digits == 2) bytes.push_back(static_cast<char>(value >> 4));
    if (digits == 3) {
      bytes.push_back(static_cast<char>(value >> 10));
      bytes.push_back(static_cast<char>(value >> 2));
    }
    value = 0;
    digits = 0;
  };
  for (const char c : text) {
    const uint8_t digit = kMailBase64Values[static_cast<uint8_t>(c)];
    if (digit == kNoBase64) {
      if (c == '=') flush();
      continue;
    }
    value = value << 6 | digit;
    if (++digits < 4) continue;
    bytes.push_back(static_cast<char>(value >> 16));
    bytes.push_back(static_cast<char>(value >> 8));
    bytes.push_back(static_cast<char>(value));
    value = 0;
    digits = 0;
  }
  flush();
  return bytes;
}

std::string DecodeQuotedPrintable(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  size_t next = 0;
  for (size_t at = 0; at < text.size(); at = next) {
    std::string_view line = MailLineAt(text, at, &next);
    const std::string_view line_end = text.substr(at + line.size(), next - at - line.size());
    while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
    const bool soft = line.ends_with('=');
    if (soft) line.remove_suffix(1);
    for (size_t i = 0; i < line.size();) {
      const size_t equals = std::min(line.find('=', i), line.size());
      bytes.append(line.substr(i, equals - i));
      i = equals;
      if (i == line.size()) break;
      const int byte = MailHexByte(line, i + 1);
      bytes.push_back(byte < 0 ? '=' : static_cast<char>(byte));
      i += byte < 0 ? 1 : 3;
    }
    if (!soft) bytes.append(line_end);
  }
  return bytes;
}

std::string DecodeQWord(std::string_view text) {
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    const int byte = text[i] == '=' ? MailHexByte(text, i + 1) : -1;
    if (byte >= 0) {
      bytes.push_back(static_cast<char>(byte));
      i += 2;
    } else {
      bytes.push_back(text[i] == '_' ? ' ' : text[i]);
    }
  }
  return bytes;
}

bool ReadUuFile(std::string_view text, size_t* at, UuFile* file) {
  std::string_view line = MailLineAt(text, *at, at);
  // "begin 644 name"
  if (!line.starts_with("begin ")) return false;
  line.remove_prefix(6);
  const size_t mode = std::min(line.find_first_not_of("01234567"), line.size());
  if (mode < 3 || mode > 4 || mode == line.size() || line[mode] != ' ') return false;
  file->name = TrimMail(line.substr(mode));
  if (file->name.empty()) return false;
  file->bytes.clear();
  bool ended = false;  // a line of no bytes has been read
  while (*at < text.size()) {
    size_t next;
    line = MailLineAt(text, *at, &next);
    if (line == "end" && (ended || !file->bytes.empty())) {
      *at = next;
      return true;
    }
    if (ended || !AppendUuLine(line.empty() ? "`" : line, &file->bytes)) return false;
    ended = line.empty() || line[0] == '`' || line[0] == ' ';
    *at = next;
  }
  return false;
}

size_t MailBase64End(std::string_view text) {
  constexpr size_t kLongLine = 40;  // longer than a word of a footer
  // Whatever is before the last long line is base64, if damaged.
  size_t begin = 0;
  size_t next = 0;
  for (size_t at = 0; at < text.size(); at = next) {
    const std::string_view line = TrimMail(MailLineAt(text, at, &next));
    if (line.size() >= kLongLine && IsMailBase64Line(line)) begin = at;
  }
  bool begun = false, ended = false;
  for (size_t at = begin; at < text.size(); at = next) {
    const std::string_view line = TrimMail(MailLineAt(text, at, &next));
    if (line.empty()) {
      ended = begun;
      continue;
    }
    const bool is_data = IsMailBase64Line(line);
    if (!begun && !is_data) return text.size();
    if (ended || !is_data) return at;
    begun = true;
    ended = line.ends_with('=');
  }
  return text.size();
}

std::string_view DecodeMailTransfer(std::string_view text, std::string_view encoding,
                                    std::string* storage) {
  const std::string name = LowerMail(TrimMail(encoding));
  if (name == "base64") return *storage = DecodeMailBase64(text.substr(0, MailBase64End(text)));
  if (name == "quoted-printable") return *storage = DecodeQuotedPrintable(text);
  if (name == "x-uuencode" || name == "uuencode" || name == "x-uue" || name == "uue") {
    for (size_t at = 0; at < text.size();) {
      UuFile file;
      if (ReadUuFile(text, &at, &file)) return *storage = std::move(file.bytes);
    }
  }
  return text;
}

}  // namespace recall
