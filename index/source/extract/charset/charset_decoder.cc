#include "index/source/extract/charset/charset_decoder.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/source/extract/charset/charset_tables.h"

namespace recall {
namespace {

// Names that programs write, and those of the sets that have tables or readers here.
constexpr std::pair<std::string_view, std::string_view> kCharsetAliases[] = {
    {"utf8", "utf-8"},
    {"ascii", "us-ascii"},
    {"ansi-x3.4-1968", "us-ascii"},
    {"iso646-us", "us-ascii"},
    {"latin1", "iso-8859-1"},
    {"latin-1", "iso-8859-1"},
    {"l1", "iso-8859-1"},
    {"latin2", "iso-8859-2"},
    {"latin-9", "iso-8859-15"},
    {"latin9", "iso-8859-15"},
    {"iso-8859-9", "windows-1254"},
    {"latin5", "windows-1254"},
    {"iso-8859-11", "windows-874"},
    {"tis-620", "windows-874"},
    {"iso-8859-8-i", "iso-8859-8"},
    {"iso-8859-8-e", "iso-8859-8"},
    {"koi8", "koi8-r"},
    {"koi8r", "koi8-r"},
    {"koi8u", "koi8-u"},
    {"mac-roman", "macintosh"},
    {"macroman", "macintosh"},
    {"mac", "macintosh"},
    {"unicode", "utf-16"},
    {"ucs-2", "utf-16"},
    {"iso-10646-ucs-2", "utf-16"},
    {"sjis", "shift-jis"},
    {"ms-kanji", "shift-jis"},
    {"ibm932", "shift-jis"},
    {"ibm31j", "shift-jis"},  // windows-31j
    {"eucjp", "euc-jp"},
    {"ujis", "euc-jp"},
    {"ibm50220", "iso-2022-jp"},
    {"ibm50221", "iso-2022-jp"},
    {"jis", "iso-2022-jp"},
    {"gb2312", "gbk"},
    {"gb-2312", "gbk"},
    {"gb-2312-80", "gbk"},
    {"gb18030", "gbk"},
    {"gb-18030", "gbk"},
    {"euc-cn", "gbk"},
    {"chinese", "gbk"},
    {"ibm936", "gbk"},
    {"big-5", "big5"},
    {"big5-hkscs", "big5"},
    {"big5-tw", "big5"},
    {"ibm950", "big5"},
    {"ks-c-5601-1987", "euc-kr"},
    {"ks-c-5601-1989", "euc-kr"},
    {"ks-c-5601", "euc-kr"},
    {"ksc5601", "euc-kr"},
    {"ksc-5601", "euc-kr"},
    {"korean", "euc-kr"},
    {"uhc", "euc-kr"},
    {"ibm949", "euc-kr"},
};

// Returns a name in lower case with "-" between its parts, without quotes and prefixes of programs.
std::string LowerCharsetName(std::string_view charset) {
  std::string name;
  for (const char c : charset.substr(0, 64)) {
    if (c == '*') break;  // a language (RFC 2231)
    if (c >= 'A' && c <= 'Z') {
      name.push_back(static_cast<char>(c + 32));
    } else if (c == '_' || c == ' ') {
      name.push_back('-');
    } else if (c != '"' && c != '\'') {
      name.push_back(c);
    }
  }
  if (name.starts_with("x-")) name.erase(0, 2);
  if (name.starts_with("cs") && name.size() > 4) name.erase(0, 2);
  return name;
}

// Returns the name under which this file knows a charset; the name itself if it does not.
std::string NormalCharsetName(std::string_view charset) {
  std::string name = LowerCharsetName(charset);
  if (name.starts_with("iso8859")) name.insert(3, "-");
  if (name.starts_with("iso-8859") && name.size() > 8 && name[8] != '-') name.insert(8, "-");
  if (name.starts_with("iso-2022-jp")) return "iso-2022-jp";
  if (name.starts_with("cp") || name.starts_with("win-") || name.starts_with("dos-") ||
      name.starts_with("windows") || name.starts_with("ibm") || name.starts_with("ms9")) {
    const size_t digit = name.find_first_of("0123456789");
    const std::string number = digit == name.npos ? "" : name.substr(digit);
    name = (number.starts_with("125") || number == "874" ? "windows-" : "ibm") + number;
  }
  for (const auto& [alias, real] : kCharsetAliases) {
    if (name == alias) return std::string(real);
  }
  return name;
}

// Returns whether this is a name that mail programs write if they do not know the charset.
bool SaysNothing(std::string_view name) {
  return name.empty() || name == "unknown-8bit" || name == "unknown" || name == "8bit" ||
         name == "default" || name == "user-defined" || name == "none";
}

const CharsetTable* FindCharsetTable(std::string_view name) {
  if (name == "iso-8859-1") name = "windows-1252";
  for (size_t i = 0; i < kCharsetTableCount; ++i) {
    if (kCharsetTables[i].name == name) return &kCharsetTables[i];
  }
  return nullptr;
}

CharsetFit AppendByTable(std::string_view bytes, const CharsetTable& table, std::string* out,
                         uint64_t max_bytes) {
  CharsetFit fit = CharsetFit::kGood;
  for (size_t at = 0; at < bytes.size() && out->size() <= max_bytes; ++at) {
    const size_t run = at;
    while (at < bytes.size() && static_cast<uint8_t>(bytes[at]) < 0x80) ++at;
    out->append(bytes, run, at - run);
    if (at == bytes.size()) break;
    const auto byte = static_cast<uint8_t>(bytes[at]);
    const uint32_t code_point = table.upper[byte - 0x80];
    if (code_point == 0) fit = CharsetFit::kWrong;
    AppendUtf8(code_point == 0 ? 0xFFFD : code_point, out);
  }
  return fit;
}

// Appends valid UTF-8 as it is, and U+FFFD for each other byte.
void AppendRepaired(std::string_view bytes, std::string* out, uint64_t max_bytes) {
  for (size_t at = 0; at < bytes.size() && out->size() <= max_bytes;) {
    AppendUtf8(DecodeUtf8(bytes, &at), out);
  }
}

CharsetFit AppendAsUtf8(std::string_view bytes, std::string* out, uint64_t max_bytes) {
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  if (IsValidUtf8(bytes)) {
    out->append(bytes);
    return CharsetFit::kGood;
  }
  AppendRepaired(bytes, out, max_bytes);
  return CharsetFit::kWrong;
}

CharsetFit AppendGuessed(std::string_view bytes, std::string* out, uint64_t max_bytes) {
  if (IsValidUtf8(bytes)) return AppendAsUtf8(bytes, out, max_bytes);
  return AppendByTable(bytes, *FindCharsetTable("windows-1252"), out, max_bytes);
}

// Decodes UTF-16 (`width` 2) or UTF-32 (4). Without a byte order mark the text is big-endian,
// unless the name of the charset or the zero bytes of the first character say otherwise.
CharsetFit AppendWide(std::string_view bytes, size_t width, std::string_view order,
                      std::string* out, uint64_t max_bytes) {
  CharsetFit fit = CharsetFit::kGood;
  const auto unit = [&](size_t at, bool little) {
    uint32_t value = 0;
    for (size_t i = 0; i < width; ++i) {
      const size_t byte = little ? at + width - 1 - i : at + i;
      value = value << 8 | static_cast<uint8_t>(bytes[byte]);
    }
    return value;
  };
  bool little = order == "le";
  size_t at = 0;
  if (bytes.size() >= width) {
    if (unit(0, true) == 0xFEFF) {
      little = true;
      at = width;
    } else if (unit(0, false) == 0xFEFF) {
      little = false;
      at = width;
    } else if (order.empty()) {
      little = bytes[0] != '\0' && bytes[width - 1] == '\0';
    }
  }
  for (; at + width <= bytes.size() && out->size() <= max_bytes; at += width) {
    uint32_t code_point = unit(at, little);
    if (width == 2 && code_point >= 0xD800 && code_point < 0xDC00 && at + 4 <= bytes.size()) {
      const uint32_t low = unit(at + 2, little);
      if (low >= 0xDC00 && low < 0xE000) {
        code_point = 0x10000 + ((code_point - 0xD800) << 10) + (low - 0xDC00);
        at += 2;
      }
    }
    if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point < 0xE000)) {
      fit = CharsetFit::kWrong;
      code_point = 0xFFFD;
    }
    AppendUtf8(code_point, out);
  }
  return at == bytes.size() ? fit : CharsetFit::kWrong;
}

// A character at the start of some bytes.
struct ReadCharacter {
  uint32_t code_point = 0xFFFD;
  size_t bytes = 1;
};

uint8_t ByteAt(std::string_view bytes, size_t at) {
  return at < bytes.size() ? static_cast<uint8_t>(bytes[at]) : 0;
}

// The character of two bytes at `index` of a table. A second byte in ASCII that makes none with the
// first is a character of its own.
ReadCharacter CharacterAt(std::u16string_view table, size_t index, uint8_t second) {
  if (index < table.size() && table[index] != 0xFFFD) return {table[index], 2};
  return {0xFFFD, second < 0x80 ? size_t{1} : size_t{2}};
}

constexpr size_t kNoIndex = SIZE_MAX / 2;

ReadCharacter ReadShiftJis(std::string_view bytes) {
  const uint8_t first = ByteAt(bytes, 0), second = ByteAt(bytes, 1);
  if (first >= 0xA1 && first <= 0xDF) return {0xFF61u + first - 0xA1u, 1};
  if (first == 0x80 || first == 0xA0 || first > 0xFC) return {};
  const size_t row = first < 0xA0 ? first - 0x81 : first - 0xC1;
  const bool fits = second >= 0x40 && second != 0x7F && second <= 0xFC;
  return CharacterAt(kShiftJisCharacters,
                     fits ? row * 188 + second - (second < 0x7F ? 0x40 : 0x41) : kNoIndex, second);
}

// Of JIS X 0208 with row and cell from 0; Shift_JIS has two of its rows in one.
ReadCharacter ReadJisCell(size_t row, size_t cell, uint8_t second) {
  return CharacterAt(kShiftJisCharacters, cell < 94 ? row * 94 + cell : kNoIndex, second);
}

ReadCharacter ReadEucJp(std::string_view bytes) {
  const uint8_t first = ByteAt(bytes, 0), second = ByteAt(bytes, 1);
  if (first == 0x8E && second >= 0xA1 && second <= 0xDF) return {0xFF61u + second - 0xA1u, 2};
  // JIS X 0212 is not known.
  if (first == 0x8F && second >= 0xA1 && ByteAt(bytes, 2) >= 0xA1) return {0xFFFD, 3};
  if (first < 0xA1 || second < 0xA1) return {};
  return ReadJisCell(first - 0xA1u, second - 0xA1u, second);
}

// GBK, and of the four bytes of GB 18030 what is beyond the basic multilingual plane.
ReadCharacter ReadGbk(std::string_view bytes) {
  const uint8_t first = ByteAt(bytes, 0), second = ByteAt(bytes, 1);
  if (first == 0x80) return {0x20AC, 1};
  if (first == 0xFF) return {};
  const uint8_t third = ByteAt(bytes, 2), fourth = ByteAt(bytes, 3);
  if (second >= 0x30 && second <= 0x39 && third >= 0x81 && third <= 0xFE && fourth >= 0x30 &&
      fourth <= 0x39) {
    const uint32_t index =
        ((first - 0x81u) * 10 + (second - 0x30u)) * 1260 + (third - 0x81u) * 10 + (fourth - 0x30u);
    const bool beyond = index >= 189'000 && index - 189'000 <= 0xFFFFF;
    return {beyond ? 0x10000 + index - 189'000 : 0xFFFD, 4};
  }
  const bool fits = second >= 0x40 && second != 0x7F && second <= 0xFE;
  return CharacterAt(
      kGbkCharacters,
      fits ? (first - 0x81u) * 190u + second - (second < 0x7F ? 0x40u : 0x41u) : kNoIndex, second);
}

ReadCharacter ReadBig5(std::string_view bytes) {
  const uint8_t first = ByteAt(bytes, 0), second = ByteAt(bytes, 1);
  const bool low = second >= 0x40 && second <= 0x7E;
  const bool fits = first >= 0xA1 && first <= 0xF9 && (low || (second >= 0xA1 && second <= 0xFE));
  return CharacterAt(
      kBig5Characters,
      fits ? (first - 0xA1u) * 157u + (low ? second - 0x40u : second - 0xA1u + 63u) : kNoIndex,
      second);
}

ReadCharacter ReadUhc(std::string_view bytes) {
  const uint8_t first = ByteAt(bytes, 0), second = ByteAt(bytes, 1);
  size_t cell = kNoIndex;
  if (second >= 0x41 && second <= 0x5A) cell = second - 0x41u;
  if (second >= 0x61 && second <= 0x7A) cell = second - 0x61u + 26u;
  if (second >= 0x81 && second <= 0xFE) cell = second - 0x81u + 52u;
  const bool fits = first >= 0x81 && first <= 0xFE && cell != kNoIndex;
  return CharacterAt(kUhcCharacters, fits ? (first - 0x81u) * 178u + cell : kNoIndex, second);
}

struct DoubleByteSet {
  std::string_view name;
  ReadCharacter (*read)(std::string_view bytes);  // of a first byte that is not ASCII
};

constexpr DoubleByteSet kDoubleByteSets[] = {{"shift-jis", &ReadShiftJis},
                                             {"euc-jp", &ReadEucJp},
                                             {"gbk", &ReadGbk},
                                             {"big5", &ReadBig5},
                                             {"euc-kr", &ReadUhc}};

const DoubleByteSet* FindDoubleByteSet(std::string_view name) {
  for (const DoubleByteSet& set : kDoubleByteSets) {
    if (set.name == name) return &set;
  }
  return nullptr;
}

CharsetFit AppendDoubleBytes(std::string_view bytes, ReadCharacter (*read)(std::string_view),
                             std::string* out, uint64_t max_bytes) {
  CharsetFit fit = CharsetFit::kGood;
  while (!bytes.empty() && out->size() <= max_bytes) {
    if (static_cast<uint8_t>(bytes[0]) < 0x80) {
      out->push_back(bytes[0]);
      bytes.remove_prefix(1);
      continue;
    }
    const ReadCharacter character = read(bytes);
    if (character.code_point == 0xFFFD) fit = CharsetFit::kWrong;
    AppendUtf8(character.code_point, out);
    bytes.remove_prefix(std::min(character.bytes, bytes.size()));
  }
  return fit;
}

// RFC 1468; with half-width Katakana, as iso-2022-jp-3 and code page 50221 have them.
CharsetFit AppendIso2022Jp(std::string_view bytes, std::string* out, uint64_t max_bytes) {
  enum class Set { kAscii, kKatakana, kJis, kOther };
  static constexpr std::pair<std::string_view, Set> kEscapes[] = {
      {"\x1B(B", Set::kAscii}, {"\x1B(J", Set::kAscii}, {"\x1B(I", Set::kKatakana},
      {"\x1B$@", Set::kJis},   {"\x1B$B", Set::kJis},   {"\x1B$(B", Set::kJis},
      {"\x1B$(D", Set::kOther}};
  CharsetFit fit = CharsetFit::kGood;
  Set set = Set::kAscii;
  for (size_t at = 0; at < bytes.size() && out->size() <= max_bytes;) {
    const uint8_t byte = ByteAt(bytes, at);
    if (byte == 0x1B) {
      const auto* const escape = std::find_if(
          std::begin(kEscapes), std::end(kEscapes),
          [&](const auto& one) { return bytes.substr(at, one.first.size()) == one.first; });
      if (escape != std::end(kEscapes)) {
        set = escape->second;
        at += escape->first.size();
        continue;
      }
    }
    ReadCharacter character;
    if (byte >= 0xA1 && byte <= 0xDF) {
      character = {0xFF61u + byte - 0xA1u, 1};
    } else if (byte <= 0x20 || byte == 0x7F || (set == Set::kAscii && byte < 0x80)) {
      character = {byte, 1};
      // A line begins in ASCII.
      if (byte == '\n') set = Set::kAscii;
    } else if (set == Set::kKatakana && byte <= 0x5F) {
      character = {0xFF61u + byte - 0x21u, 1};
    } else if (set == Set::kJis && byte < 0x80) {
      const uint8_t second = ByteAt(bytes, at + 1);
      if (second > 0x20 && second < 0x7F)
        character = ReadJisCell(byte - 0x21u, second - 0x21u, 0xFF);
    } else if (set == Set::kOther) {
      character = {0xFFFD, 2};
    }
    if (character.code_point == 0xFFFD) fit = CharsetFit::kWrong;
    AppendUtf8(character.code_point, out);
    at += character.bytes;
  }
  return fit;
}

}  // namespace

CharsetFit AppendInCharset(std::string_view bytes, std::string_view charset, std::string* out,
                           uint64_t max_bytes) {
  const std::string name = NormalCharsetName(charset);
  if (name == "utf-8") return AppendAsUtf8(bytes, out, max_bytes);
  if (name == "us-ascii" || SaysNothing(name)) return AppendGuessed(bytes, out, max_bytes);
  const std::string_view order = std::string_view(name).substr(std::min<size_t>(6, name.size()));
  if (name.starts_with("utf-16")) return AppendWide(bytes, 2, order, out, max_bytes);
  if (name.starts_with("utf-32")) return AppendWide(bytes, 4, order, out, max_bytes);
  if (const CharsetTable* const table = FindCharsetTable(name)) {
    return AppendByTable(bytes, *table, out, max_bytes);
  }
  if (const DoubleByteSet* const set = FindDoubleByteSet(name)) {
    return AppendDoubleBytes(bytes, set->read, out, max_bytes);
  }
  if (name == "iso-2022-jp") return AppendIso2022Jp(bytes, out, max_bytes);
  AppendRepaired(bytes, out, max_bytes);
  return CharsetFit::kUnknown;
}

bool IsKnownCharset(std::string_view charset) {
  const std::string name = NormalCharsetName(charset);
  return name == "utf-8" || name == "us-ascii" || name == "iso-2022-jp" ||
         name.starts_with("utf-16") || name.starts_with("utf-32") ||
         FindCharsetTable(name) != nullptr || FindDoubleByteSet(name) != nullptr;
}

bool SaysNoCharset(std::string_view charset) {
  const std::string name = NormalCharsetName(charset);
  return name == "us-ascii" || SaysNothing(name);
}

}  // namespace recall
