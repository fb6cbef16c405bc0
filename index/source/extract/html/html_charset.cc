#include "index/source/extract/html/html_charset.h"

#include <algorithm>

#include "index/base/text/utf8.h"
#include "index/source/extract/charset/charset_decoder.h"
#include "index/source/extract/charset/text_bytes.h"
#include "index/source/extract/html/html_filter.h"
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

// Returns the name of a charset in lower case; "" if the decoder does not know it.
std::string CharsetName(std::string_view label) {
  label = Trim(label, kHtmlBlanks);
  return IsKnownCharset(label) ? HtmlLabelLower(label) : std::string();
}

// Returns the value after `key` and "=" in the text of a tag: x in "charset = 'x'"; "" if there is
// none. `lower`: the tag in lower case.
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

// Returns the start of a page without its comments, which may be long.
std::string HeadWithoutComments(std::string_view bytes) {
  std::string head;
  while (head.size() < kCharsetScanBytes && !bytes.empty()) {
    const std::string_view next = bytes.substr(0, kCharsetScanBytes - head.size());
    const size_t comment = next.find("<!--");
    head += next.substr(0, comment);
    if (comment == next.npos) break;
    const size_t end = bytes.find("-->", comment + 2);
    if (end == bytes.npos) break;
    bytes.remove_prefix(end + 3);
  }
  return head;
}

std::string DeclaredCharset(std::string_view bytes) {
  const std::string kept = HeadWithoutComments(bytes);
  const std::string_view head = kept;
  const std::string lower = HtmlLabelLower(head);
  const std::string_view view = lower;
  for (size_t i = view.find('<'); i != view.npos; i = view.find('<', i + 1)) {
    if (!view.substr(i).starts_with("<meta")) continue;
    const size_t end = std::min(view.find('>', i), view.size());
    const std::string name =
        CharsetName(TagValue(head.substr(i, end - i), view.substr(i, end - i), "charset"));
    // A declared UTF-16 is wrong: the `<meta` tag was found byte by byte.
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

void DecodeNamed(std::string_view bytes, std::string_view name, HtmlText* result) {
  // Most pages are UTF-8 and need not be copied.
  if (name.starts_with("utf") && name.ends_with("8") && IsValidUtf8(bytes)) {
    result->text = bytes;
    return;
  }
  const CharsetFit fit = AppendInCharset(bytes, name, &result->storage);
  if (fit == CharsetFit::kWrong) result->wrong_charset = true;
  result->text = result->storage;
}

// Replaces NUL, which means nothing in a page, and U+F8F3, with which the filter begins its marks.
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
  constexpr std::string_view kWideMark("\xFF\xFE\0\0", 4);
  constexpr std::string_view kBigEndianMark = "\xFE\xFF";
  constexpr std::string_view kLittleEndianMark = "\xFF\xFE";
  if (bytes.starts_with(kByteOrderMark)) {
    DecodeNamed(bytes.substr(kByteOrderMark.size()), "utf-8", result);
  } else if (bytes.starts_with(kWideMark)) {
    DecodeNamed(bytes.substr(kWideMark.size()), "utf-32le", result);
  } else if (bytes.starts_with(kBigEndianMark)) {
    DecodeNamed(bytes.substr(2), "utf-16be", result);
  } else if (bytes.starts_with(kLittleEndianMark)) {
    DecodeNamed(bytes.substr(2), "utf-16le", result);
  } else {
    std::string name = CharsetName(charset);
    if (name.empty()) name = DeclaredCharset(bytes);
    // XML in UTF-16 without a byte order mark begins with these bytes.
    if (name.empty() && bytes.starts_with(std::string_view("<\0?\0", 4))) name = "utf-16le";
    if (name.empty() && bytes.starts_with(std::string_view("\0<\0?", 4))) name = "utf-16be";
    if (name.empty() && IsValidUtf8(bytes)) name = "utf-8";
    const CharsetChoice choice = ReconcileCharset(bytes, name);
    result->wrong_charset = choice.contradicts;
    DecodeNamed(bytes, choice.charset, result);
  }
  BlankMarks(result);
}

}  // namespace recall
