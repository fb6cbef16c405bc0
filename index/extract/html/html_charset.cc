#include "index/extract/html/html_charset.h"

#include <algorithm>
#include <array>

#include "index/extract/html/html_filter.h"
#include "index/text/utf8.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr size_t kCharsetScanBytes = 4096;
constexpr std::string_view kHtmlBlanks = " \t\r\n\f";

char LowerLabelByte(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::string HtmlLabelLower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), LowerLabelByte);
  return lower;
}

struct CharsetLabel {
  std::string_view label, name;
};
// Other names than the standard's own. Sets that are no more than a name apart share a table there.
constexpr CharsetLabel kCharsetLabels[] = {
    {"utf8", "utf-8"},
    {"unicode-1-1-utf-8", "utf-8"},
    {"us-ascii", "windows-1252"},
    {"ascii", "windows-1252"},
    {"ansi_x3.4-1968", "windows-1252"},
    {"iso-8859-1", "windows-1252"},
    {"iso8859-1", "windows-1252"},
    {"iso_8859-1", "windows-1252"},
    {"iso-ir-100", "windows-1252"},
    {"latin1", "windows-1252"},
    {"l1", "windows-1252"},
    {"latin2", "iso-8859-2"},
    {"latin3", "iso-8859-3"},
    {"latin4", "iso-8859-4"},
    {"cyrillic", "iso-8859-5"},
    {"arabic", "iso-8859-6"},
    {"greek", "iso-8859-7"},
    {"hebrew", "iso-8859-8"},
    {"iso-8859-8-i", "iso-8859-8"},
    {"logical", "iso-8859-8"},
    {"iso-8859-9", "windows-1254"},
    {"iso8859-9", "windows-1254"},
    {"latin5", "windows-1254"},
    {"latin6", "iso-8859-10"},
    {"iso-8859-11", "windows-874"},
    {"tis-620", "windows-874"},
    {"latin-9", "iso-8859-15"},
    {"latin9", "iso-8859-15"},
    {"koi8", "koi8-r"},
    {"koi", "koi8-r"},
    {"koi8-ru", "koi8-u"},
    {"cp866", "ibm866"},
    {"866", "ibm866"},
    {"mac", "macintosh"},
    {"x-mac-roman", "macintosh"},
    {"x-mac-ukrainian", "x-mac-cyrillic"},
    {"utf-16", "utf-16le"},
    {"ucs-2", "utf-16le"},
    {"unicode", "utf-16le"},
    {"gb2312", "gbk"},
    {"gb_2312-80", "gbk"},
    {"x-gbk", "gbk"},
    {"chinese", "gbk"},
    {"big5-hkscs", "big5"},
    {"x-x-big5", "big5"},
    {"x-euc-jp", "euc-jp"},
    {"sjis", "shift_jis"},
    {"shift-jis", "shift_jis"},
    {"x-sjis", "shift_jis"},
    {"windows-31j", "shift_jis"},
    {"ks_c_5601-1987", "euc-kr"},
    {"windows-949", "euc-kr"},
    {"korean", "euc-kr"},
};
constexpr std::string_view kUnreadCharsets[] = {"gbk",    "gb18030",   "big5",       "euc-jp",
                                                "euc-kr", "shift_jis", "iso-2022-jp"};

// The standard's name of a charset; "" for one that it does not know.
std::string CharsetName(std::string_view label) {
  constexpr size_t kMaxLabel = 40;
  label = Trim(label, kHtmlBlanks);
  if (label.size() > kMaxLabel) return {};
  std::string name = HtmlLabelLower(label);
  if (name.starts_with("x-cp")) name = "windows-" + name.substr(4);
  if (name.starts_with("cp125")) name = "windows-" + name.substr(2);
  if (name.starts_with("iso8859-")) name.insert(3, 1, '-');
  if (name.starts_with("iso_8859-")) name[3] = '-';
  for (const CharsetLabel& known : kCharsetLabels) {
    if (name == known.label) name = known.name;
  }
  if (name == "utf-8" || name == "utf-16le" || name == "utf-16be") return name;
  if (FindHtmlCodePage(name) != nullptr) return name;
  if (std::ranges::find(kUnreadCharsets, name) != std::end(kUnreadCharsets)) return name;
  return {};
}

// The value that follows `key` and "=" in the text of a tag: "charset = 'x'"; "" if there is none.
std::string_view TagValue(std::string_view tag, std::string_view lower, std::string_view key) {
  for (size_t at = lower.find(key); at != lower.npos; at = lower.find(key, at + 1)) {
    size_t i = lower.find_first_not_of(kHtmlBlanks, at + key.size());
    if (i == lower.npos || lower[i] != '=') continue;
    i = lower.find_first_not_of(kHtmlBlanks, i + 1);
    if (i == lower.npos) return {};
    if (lower[i] == '"' || lower[i] == '\'') {
      const size_t end = lower.find(lower[i], i + 1);
      return end == lower.npos ? std::string_view() : tag.substr(i + 1, end - i - 1);
    }
    const size_t end = std::min(lower.find_first_of(" \t\r\n\f;\"'>/", i), lower.size());
    return tag.substr(i, end - i);
  }
  return {};
}

std::string DeclaredCharset(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, kCharsetScanBytes);
  const std::string lower = HtmlLabelLower(head);
  const std::string_view view = lower;
  for (size_t i = view.find('<'); i != view.npos; i = view.find('<', i + 1)) {
    if (view.substr(i).starts_with("<!--")) {
      const size_t end = view.find("-->", i + 4);
      if (end == view.npos) break;
      i = end;
      continue;
    }
    if (!view.substr(i).starts_with("<meta")) continue;
    const size_t end = std::min(view.find('>', i), view.size());
    const std::string name =
        CharsetName(TagValue(head.substr(i, end - i), view.substr(i, end - i), "charset"));
    // Bytes in which "<meta" could be found are not those of UTF-16.
    if (name.starts_with("utf-16")) return "utf-8";
    if (!name.empty()) return name;
  }
  if (view.starts_with("<?xml")) {
    const size_t end = std::min(view.find("?>"), view.size());
    const std::string name =
        CharsetName(TagValue(head.substr(0, end), view.substr(0, end), "encoding"));
    return name.starts_with("utf-16") ? "utf-8" : name;
  }
  return {};
}

void DecodeUtf16(std::string_view bytes, bool big_endian, std::string* out) {
  out->reserve(bytes.size());
  const auto unit = [&](size_t i) {
    const uint32_t first = static_cast<uint8_t>(bytes[i]);
    const uint32_t second = static_cast<uint8_t>(bytes[i + 1]);
    return big_endian ? first << 8 | second : second << 8 | first;
  };
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    uint32_t c = unit(i);
    if (c >= 0xD800 && c < 0xDC00 && i + 3 < bytes.size()) {
      const uint32_t low = unit(i + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        i += 2;
      }
    }
    AppendUtf8(c >= 0xD800 && c < 0xE000 ? 0xFFFD : c, out);
  }
}

void DecodeCodePage(std::string_view bytes, const HtmlCodePage& page, std::string* out) {
  out->reserve(bytes.size() + bytes.size() / 8);
  size_t run = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<uint8_t>(bytes[i]);
    if (byte < 0x80) continue;
    out->append(bytes, run, i - run);
    AppendUtf8(page.upper[byte - 0x80], out);
    run = i + 1;
  }
  out->append(bytes, run);
}

bool IsAsciiText(std::string_view bytes) {
  for (const char c : bytes) {
    if (static_cast<uint8_t>(c) >= 0x80 || c == '\x1B') return false;
  }
  return true;
}

void DecodeUtf8Page(std::string_view bytes, HtmlText* result) {
  if (IsValidUtf8(bytes)) {
    result->text = bytes;
    return;
  }
  AppendRepairedUtf8(bytes, &result->storage);
  result->text = result->storage;
}

void DecodeNamed(std::string_view bytes, std::string_view name, HtmlText* result) {
  if (name == "utf-8") return DecodeUtf8Page(bytes, result);
  if (name == "utf-16le" || name == "utf-16be") {
    DecodeUtf16(bytes, name == "utf-16be", &result->storage);
  } else if (const HtmlCodePage* page = FindHtmlCodePage(name)) {
    DecodeCodePage(bytes, *page, &result->storage);
  } else if (IsAsciiText(bytes)) {
    result->text = bytes;
    return;
  } else {
    result->refusal = "pages in the charset " + std::string(name) + " are not read";
    return;
  }
  result->text = result->storage;
}

// NUL means nothing in a page; the filter uses U+F8F3, of private use, for marks.
void BlankMarks(HtmlText* result) {
  if (result->text.find('\0') == std::string_view::npos &&
      result->text.find(kHtmlMark) == std::string_view::npos) {
    return;
  }
  if (result->storage.empty()) result->storage = std::string(result->text);
  std::ranges::replace(result->storage, '\0', ' ');
  for (size_t i = result->storage.find(kHtmlMark); i != std::string::npos;
       i = result->storage.find(kHtmlMark, i)) {
    result->storage.replace(i, kHtmlMark.size(), kHtmlMark.size(), ' ');
  }
  result->text = result->storage;
}

}  // namespace

void DecodeHtml(std::string_view bytes, std::string_view charset, HtmlText* result) {
  constexpr std::string_view kBigEndianMark = "\xFE\xFF";
  constexpr std::string_view kLittleEndianMark = "\xFF\xFE";
  if (bytes.starts_with(kByteOrderMark)) {
    DecodeNamed(bytes.substr(kByteOrderMark.size()), "utf-8", result);
  } else if (bytes.starts_with(kBigEndianMark)) {
    DecodeNamed(bytes.substr(2), "utf-16be", result);
  } else if (bytes.starts_with(kLittleEndianMark)) {
    DecodeNamed(bytes.substr(2), "utf-16le", result);
  } else {
    std::string name = CharsetName(charset);
    if (name.empty()) name = DeclaredCharset(bytes);
    // An XML document in UTF-16 without a mark begins so.
    if (name.empty() && bytes.starts_with(std::string_view("<\0?\0", 4))) name = "utf-16le";
    if (name.empty() && bytes.starts_with(std::string_view("\0<\0?", 4))) name = "utf-16be";
    if (name.empty()) name = IsValidUtf8(bytes) ? "utf-8" : "windows-1252";
    DecodeNamed(bytes, name, result);
  }
  if (result->refusal.empty()) BlankMarks(result);
}

}  // namespace recall
