#include "index/source/extract/mail/mail_header.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/source/extract/charset/charset_decoder.h"
#include "index/source/extract/mail/mail_transfer.h"
#include "index/source/extract/mail/mail_words.h"

namespace recall {
namespace {

constexpr size_t kLongestMailFieldName = 128;
constexpr size_t kMostMailParameters = 256;
constexpr size_t kMostMailAddresses = 1000;

constexpr std::string_view kMailFieldNames[kMailFieldCount] = {"from",
                                                               "sender",
                                                               "to",
                                                               "cc",
                                                               "date",
                                                               "subject",
                                                               "message-id",
                                                               "in-reply-to",
                                                               "references",
                                                               "list-id",
                                                               "content-type",
                                                               "content-transfer-encoding",
                                                               "content-disposition",
                                                               "content-id",
                                                               "content-length",
                                                               "received",
                                                               "return-path",
                                                               "mime-version"};

// The length of the name of a field at the start of a line, with spaces before its colon; npos if
// there is none.
size_t MailFieldNameEnd(std::string_view line) {
  const size_t colon = line.substr(0, kLongestMailFieldName).find(':');
  if (colon == line.npos || colon == 0) return line.npos;
  size_t end = colon;
  while (end > 0 && (line[end - 1] == ' ' || line[end - 1] == '\t')) --end;
  if (end == 0) return line.npos;
  for (const char c : line.substr(0, end)) {
    if (c <= ' ' || c > '~') return line.npos;
  }
  return colon;
}

std::string_view HeaderLineAt(std::string_view text, size_t at, size_t* next) {
  const size_t end = std::min(text.find('\n', at), text.size());
  *next = std::min(end + 1, text.size());
  std::string_view line = text.substr(at, end - at);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void NoteCharsetFit(CharsetFit fit, MailNotes* notes) {
  if (fit == CharsetFit::kUnknown) notes->unknown_charset = true;
  if (fit == CharsetFit::kWrong) notes->wrong_charset = true;
}

// Bytes of a header that are in no encoded word.
void AppendRawMailText(std::string_view bytes, std::string_view charset, std::string* out,
                       MailNotes* notes) {
  if (IsValidUtf8(bytes)) {
    out->append(bytes);
  } else {
    NoteCharsetFit(AppendInCharset(bytes, charset, out), notes);
  }
}

struct EncodedMailWord {
  std::string_view charset;
  char encoding = 'q';  // or 'b'
  std::string_view text;
  size_t end = 0;  // the offset after it
};

// Reads "=?charset?encoding?text?=" at `at`.
bool ReadEncodedMailWord(std::string_view value, size_t at, EncodedMailWord* word) {
  if (value.substr(at, 2) != "=?") return false;
  const size_t charset_end = value.substr(0, std::min(at + 80, value.size())).find('?', at + 2);
  if (charset_end == value.npos || charset_end + 2 >= value.size()) return false;
  word->charset = value.substr(at + 2, charset_end - at - 2);
  word->encoding = LowerMailChar(value[charset_end + 1]);
  if (word->charset.empty() || (word->encoding != 'q' && word->encoding != 'b')) return false;
  if (value[charset_end + 2] != '?') return false;
  const size_t start = charset_end + 3;
  // A "?" within the text of a Q word is not allowed, but is written.
  size_t end = value.find('?', start);
  while (end != value.npos && end + 1 < value.size() && value[end + 1] != '=' &&
         word->encoding == 'q' && value[end + 1] != ' ' && end - start < 200) {
    end = value.find('?', end + 1);
  }
  if (end == value.npos || end + 1 >= value.size() || value[end + 1] != '=') return false;
  word->text = value.substr(start, end - start);
  word->end = end + 2;
  return true;
}

std::string UnfoldMailValue(std::string_view raw) {
  std::string value;
  value.reserve(raw.size());
  for (const char c : raw) {
    if (c == '\r' || c == '\n') continue;
    value.push_back(c == '\0' || c == '\t' ? ' ' : c);
  }
  return value;
}

// Decodes the encoded words of an unfolded value. Words of one character set that follow each other
// are decoded as one, since some writers divide a character.
std::string DecodeMailWords(std::string_view value, std::string_view charset, MailNotes* notes) {
  std::string out;
  size_t plain = 0;  // the start of what is not decoded yet
  for (size_t at = 0; (at = value.find("=?", at)) != value.npos;) {
    EncodedMailWord word;
    if (!ReadEncodedMailWord(value, at, &word)) {
      at += 2;
      continue;
    }
    AppendRawMailText(value.substr(plain, at - plain), charset, &out, notes);
    const std::string_view word_charset = word.charset;
    std::string bytes;
    for (;;) {
      bytes += word.encoding == 'b' ? DecodeMailBase64(word.text) : DecodeQWord(word.text);
      at = plain = word.end;
      // White space between two encoded words is not part of the text.
      const size_t next = value.find_first_not_of(' ', at);
      EncodedMailWord following;
      if (next == value.npos || !ReadEncodedMailWord(value, next, &following)) break;
      at = plain = next;
      if (following.charset != word_charset) break;
      word = following;
    }
    NoteCharsetFit(AppendInCharset(bytes, word_charset, &out), notes);
  }
  AppendRawMailText(value.substr(plain), charset, &out, notes);
  return out;
}

// A decoded value in one line, with single spaces.
std::string OneMailLine(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    const bool space = c >= 0 && c <= ' ';
    if (!space && c != 0x7F) {
      line.push_back(c);
    } else if (!line.empty() && line.back() != ' ') {
      line.push_back(' ');
    }
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

std::string_view CutMailValue(std::string_view raw, MailNotes* notes) {
  if (raw.size() <= kLongestMailValue) return raw;
  notes->cut_header = true;
  return raw.substr(0, FloorToCharacter(raw, kLongestMailValue));
}

// ---- dates

int MailMonth(std::string_view word) {
  static constexpr std::string_view kMonths = "janfebmaraprmayjunjulaugsepoctnovdec";
  if (word.size() < 3) return 0;
  const size_t at = kMonths.find(LowerMail(word.substr(0, 3)));
  return at == kMonths.npos || at % 3 != 0 ? 0 : static_cast<int>(at / 3) + 1;
}

bool ReadMailNumber(std::string_view word, int* number) {
  if (word.empty() || word.size() > 4) return false;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *number);
  return error == std::errc() && end == word.data() + word.size() && *number >= 0;
}

// "08:41" or "08:41:18".
bool ReadMailTime(std::string_view word, int* seconds) {
  int part[3] = {0, 0, 0};
  size_t count = 0;
  for (size_t start = 0; start <= word.size() && count < 3;) {
    const size_t end = std::min(word.find(':', start), word.size());
    std::string_view digits = word.substr(start, end - start);
    if (count == 2) digits = digits.substr(0, std::min(digits.find('.'), digits.size()));
    if (!ReadMailNumber(digits, &part[count++])) return false;
    start = end + 1;
  }
  if (count < 2 || part[0] > 23 || part[1] > 59 || part[2] > 60) return false;
  *seconds = part[0] * 3600 + part[1] * 60 + std::min(part[2], 59);
  return true;
}

// The offset from UTC in minutes; unknown names are UTC (RFC 5322, section 4.3).
int MailZone(std::string_view word) {
  if (word.size() == 5 && (word[0] == '+' || word[0] == '-')) {
    int value = 0;
    if (!ReadMailNumber(word.substr(1), &value)) return 0;
    const int minutes = value / 100 * 60 + value % 100;
    if (minutes > 24 * 60) return 0;
    return word[0] == '-' ? -minutes : minutes;
  }
  static constexpr std::pair<std::string_view, int> kZones[] = {
      {"est", -300}, {"edt", -240}, {"cst", -360}, {"cdt", -300}, {"mst", -420},
      {"mdt", -360}, {"pst", -480}, {"pdt", -420}, {"cet", 60},   {"cest", 120},
      {"met", 60},   {"mest", 120}, {"bst", 60}};
  for (const auto& [name, minutes] : kZones) {
    if (IsMailWord(word, name)) return minutes;
  }
  return 0;
}

// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
int64_t DaysOfMailDate(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2 ? 1 : 0;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
         719468;
}

void AppendMailDigits(int64_t value, size_t width, std::string* out) {
  const std::string digits = std::to_string(value);
  out->append(width > digits.size() ? width - digits.size() : 0, '0');
  *out += digits;
}

std::string MailTimestamp(int64_t seconds) {
  int64_t days = seconds / 86400;
  int64_t rest = seconds % 86400;
  if (rest < 0) {
    rest += 86400;
    --days;
  }
  const int64_t shifted = days + 719468;
  const int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const int64_t day_of_era = shifted - era * 146097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  const int64_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  const int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  if (year < 0 || year > 9999) return "";
  std::string out;
  AppendMailDigits(year, 4, &out);
  out += '-';
  AppendMailDigits(month, 2, &out);
  out += '-';
  AppendMailDigits(day, 2, &out);
  out += 'T';
  AppendMailDigits(rest / 3600, 2, &out);
  out += ':';
  AppendMailDigits(rest / 60 % 60, 2, &out);
  out += ':';
  AppendMailDigits(rest % 60, 2, &out);
  out += 'Z';
  return out;
}

// ---- parameters

bool EndsMailToken(char c) { return c == ';' || c == '=' || c == '"' || IsMailSpace(c); }

// A value at *at, quoted or not; *at is moved to after it.
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
    // "%41" is "=41" of the Q encoding.
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

// The pieces of one parameter of RFC 2231: "name*0*", "name*1".
struct MailPieces {
  std::map<int, std::pair<std::string, bool>> pieces;  // by number; whether percent-encoded
};

std::string JoinMailPieces(const MailPieces& parameter, MailNotes* notes) {
  std::string bytes, charset;
  bool first = true;
  for (const auto& [number, piece] : parameter.pieces) {
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

}  // namespace

bool IsMailFieldLine(std::string_view line) { return MailFieldNameEnd(line) != line.npos; }

MailHeader ReadMailHeader(std::string_view bytes) {
  MailHeader header;
  size_t at = 0;
  size_t next = 0;
  for (int skipped = 0; at < bytes.size() && skipped < 4; ++skipped) {
    const std::string_view line = HeaderLineAt(bytes, at, &next);
    if (!line.starts_with("From ") && !line.starts_with(">From ")) break;
    at = next;
  }
  int field = -1;  // the one whose value goes on; -1: none of those that are read
  while (at < bytes.size()) {
    const std::string_view line = HeaderLineAt(bytes, at, &next);
    if (line.empty()) {
      header.body = next;
      return header;
    }
    // A boundary, or the next message of a mailbox.
    if (line.starts_with("--") || line.starts_with("From ")) break;
    const size_t colon = MailFieldNameEnd(line);
    const bool continued = (line[0] == ' ' || line[0] == '\t') && header.fields > 0;
    if (!continued && colon == line.npos) {
      size_t after;
      const std::string_view following = HeaderLineAt(bytes, next, &after);
      if (header.fields == 0 || !IsMailFieldLine(following)) {
        header.body = at;
        return header;
      }
    }
    if (!continued && colon != line.npos) {
      ++header.fields;
      const std::string_view name = TrimMail(line.substr(0, colon));
      field = -1;
      for (size_t i = 0; i < kMailFieldCount; ++i) {
        if (header.present[i] || !IsMailWord(name, kMailFieldNames[i])) continue;
        header.present[i] = true;
        header.values[i] = line.substr(colon + 1);
        field = static_cast<int>(i);
      }
    } else if (field >= 0) {
      std::string_view& value = header.values[static_cast<size_t>(field)];
      value = std::string_view(value.data(),
                               static_cast<size_t>(line.data() + line.size() - value.data()));
    }
    at = next;
  }
  header.body = at;
  return header;
}

std::string DecodeMailValue(std::string_view raw, std::string_view charset, MailNotes* notes) {
  const std::string value = UnfoldMailValue(CutMailValue(raw, notes));
  std::string clean;
  AppendRepairedUtf8(OneMailLine(DecodeMailWords(value, charset, notes)), &clean);
  return clean;
}

std::vector<std::string> DecodeMailAddresses(std::string_view raw, std::string_view charset,
                                             MailNotes* notes) {
  std::vector<std::string> addresses;
  const std::string value = UnfoldMailValue(CutMailValue(raw, notes));
  std::string words, address, comment;
  bool quoted = false, in_angle = false, had_angle = false;
  int comments = 0;
  const auto finish = [&] {
    std::string name = DecodeMailValue(words, charset, notes);
    std::string angle = DecodeMailValue(address, charset, notes);
    if (!had_angle) {
      angle = std::exchange(name, DecodeMailValue(comment, charset, notes));
    }
    // A name that only repeats the address says nothing.
    if (name == angle) name.clear();
    if (!name.empty() && !angle.empty()) {
      addresses.push_back(name + " <" + angle + ">");
    } else if (!name.empty() || !angle.empty()) {
      addresses.push_back(name + angle);
    }
    words.clear();
    address.clear();
    comment.clear();
    in_angle = had_angle = false;
  };
  for (size_t i = 0; i < value.size() && addresses.size() < kMostMailAddresses; ++i) {
    const char c = value[i];
    std::string& text = comments > 0 ? comment : in_angle ? address : words;
    if ((quoted || comments > 0) && c == '\\' && i + 1 < value.size()) {
      text.push_back(value[++i]);
    } else if (quoted) {
      if (c == '"') {
        quoted = false;
        if (in_angle) text.push_back(c);
      } else {
        text.push_back(c);
      }
    } else if (c == '(') {
      if (comments++ > 0) text.push_back(c);
    } else if (comments > 0) {
      if (c == ')' && --comments == 0) continue;
      text.push_back(c);
    } else if (c == '"') {
      quoted = true;
      if (in_angle) text.push_back(c);
    } else if (c == '<') {
      in_angle = had_angle = true;
    } else if (c == '>') {
      in_angle = false;
    } else if (in_angle) {
      text.push_back(c);
    } else if (c == ',' || c == ';') {
      finish();
    } else if (c == ':' && words.find('@') == words.npos && words.find("=?") == words.npos) {
      words.clear();  // the name of a group
    } else {
      text.push_back(c);
    }
  }
  if (addresses.size() < kMostMailAddresses) {
    finish();
  } else {
    notes->cut_header = true;
  }
  return addresses;
}

std::string MailDateInUtc(std::string_view raw) {
  std::vector<std::string_view> words;
  raw = raw.substr(0, 200);
  raw = raw.substr(0, std::min(raw.find('('), raw.size()));
  for (size_t at = 0; at < raw.size() && words.size() < 12;) {
    const size_t start = raw.find_first_not_of(" \t\r\n,", at);
    if (start == raw.npos) break;
    const size_t end = std::min(raw.find_first_of(" \t\r\n,", start), raw.size());
    words.push_back(raw.substr(start, end - start));
    at = end;
  }
  // The month has a name; the numbers beside it are the day and the year.
  int day = -1, month = 0, year = -1, seconds = -1, zone = 0;
  for (const std::string_view word : words) {
    int number = 0;
    if (word.find(':') != word.npos) {
      if (seconds < 0) ReadMailTime(word, &seconds);
    } else if (month == 0 && MailMonth(word) != 0) {
      month = MailMonth(word);
    } else if (ReadMailNumber(word, &number)) {
      if (day < 0 && number >= 1 && number <= 31 && word.size() <= 2) {
        day = number;
      } else if (year < 0 && month > 0) {
        year = number;
        if (word.size() == 2) year += year < 50 ? 2000 : 1900;
        if (word.size() == 3) year += 1900;
      }
    } else if (seconds >= 0 && zone == 0) {
      zone = MailZone(word);
    }
  }
  if (day < 0 || month == 0 || year < 0 || seconds < 0) return "";
  return MailTimestamp(DaysOfMailDate(year, month, day) * 86400 + seconds - zone * 60);
}

std::vector<std::string> MailIds(std::string_view raw, size_t most) {
  MailNotes ignored;
  const std::string value = UnfoldMailValue(CutMailValue(raw, &ignored));
  std::vector<std::string> ids;
  const auto add = [&](std::string_view id) {
    std::string clean;
    AppendRepairedUtf8(OneMailLine(id), &clean);
    std::erase(clean, ' ');
    if (!clean.empty()) ids.push_back(std::move(clean));
  };
  for (size_t at = 0; ids.size() < most;) {
    const size_t start = value.find('<', at);
    const size_t end = start == value.npos ? value.npos : value.find('>', start);
    if (end == value.npos) break;
    add(std::string_view(value).substr(start + 1, end - start - 1));
    at = end + 1;
  }
  if (ids.empty() && most > 0) {
    const std::string_view word = TrimMail(value);
    add(word.substr(0, word.find_first_of(" <>")));
  }
  return ids;
}

MailParameters ReadMailParameters(std::string_view raw, MailNotes* notes) {
  MailParameters parameters;
  const std::string text = UnfoldMailValue(CutMailValue(raw, notes));
  size_t at = std::min(text.find(';'), text.size());
  for (const char c : LowerMail(text.substr(0, at))) {
    if (c > ' ' && c <= '~') parameters.value.push_back(c);
  }
  std::map<std::string, MailPieces> continued;
  for (size_t count = 0; at < text.size() && count < kMostMailParameters; ++count) {
    at = text.find_first_not_of("; \t", at);
    if (at == text.npos) break;
    size_t end = at;
    while (end < text.size() && !EndsMailToken(text[end])) ++end;
    std::string name = LowerMail(text.substr(at, end - at));
    at = end;
    while (at < text.size() && IsMailSpace(text[at])) ++at;
    if (at == text.size() || text[at] != '=') {
      // Not a parameter: skip to the next.
      at = std::min(text.find(';', at), text.size());
      continue;
    }
    ++at;
    while (at < text.size() && IsMailSpace(text[at])) ++at;
    std::string value = ReadMailParameterValue(text, &at);
    at = std::min(text.find(';', at), text.size());
    const size_t star = name.find('*');
    if (star == name.npos) {
      // A boundary is compared byte by byte.
      std::string decoded = name == "boundary" ? value : DecodeMailValue(value, "", notes);
      parameters.named.emplace(std::move(name), std::move(decoded));
      continue;
    }
    const bool encoded = name.ends_with('*');
    int number = 0;
    const size_t digits_end = encoded ? name.size() - 1 : name.size();
    if (star + 1 < digits_end &&
        !ReadMailNumber(std::string_view(name).substr(star + 1, digits_end - star - 1), &number)) {
      continue;
    }
    continued[name.substr(0, star)].pieces.emplace(number, std::pair(std::move(value), encoded));
  }
  // The extended form is the better one where both are given.
  for (const auto& [name, pieces] : continued) {
    std::string clean;
    AppendRepairedUtf8(OneMailLine(JoinMailPieces(pieces, notes)), &clean);
    parameters.named[name] = std::move(clean);
  }
  return parameters;
}

}  // namespace recall
