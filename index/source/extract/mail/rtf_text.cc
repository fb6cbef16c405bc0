#include "index/source/extract/mail/rtf_text.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/base/text/utf8.h"
#include "index/source/extract/charset/charset_decoder.h"
#include "storage/base/byte_cursor.h"

// Problem: Outlook keeps a message as RTF, packed by a method of its own, and often this RTF was
// made from HTML, whose tags stand in groups between the formats.
//
// Idea: one pass with a stack of groups. Each group knows whether its text counts: not that of
// tables of fonts and colours, of "\*" groups that are not known, and, if the RTF was made from
// HTML, not what \htmlrtf encloses. Bytes are collected until the charset changes, because two of
// them may be one character.
//
// Cost: linear. The stack is at most kMostGroups deep; groups below count as the last one does.

namespace recall {
namespace {

constexpr size_t kMostGroups = 1000;
constexpr size_t kRtfWindow = 4096;
// What the window of the packer contains at the beginning (MS-OXRTFCP, 2.1.2.1).
constexpr std::string_view kRtfStart =
    "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern "
    "\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0"
    "\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

// Groups without text of the message.
constexpr std::string_view kSkippedGroups[] = {
    "fonttbl", "colortbl",  "stylesheet", "info",      "pict",     "object",   "header",
    "headerl", "headerr",   "headerf",    "footer",    "footerl",  "footerr",  "footerf",
    "fldinst", "themedata", "datastore",  "listtable", "mhtmltag", "xmlnstbl", "rsidtbl"};

constexpr std::pair<std::string_view, std::string_view> kRtfTexts[] = {
    {"par", "\n"},        {"line", "\n"},          {"sect", "\n"},          {"page", "\n"},
    {"row", "\n"},        {"tab", "\t"},           {"cell", "\t"},          {"lquote", "\u2018"},
    {"rquote", "\u2019"}, {"ldblquote", "\u201C"}, {"rdblquote", "\u201D"}, {"bullet", "\u2022"},
    {"endash", "\u2013"}, {"emdash", "\u2014"},    {"emspace", " "},        {"enspace", " "}};

// Code pages of \fcharset.
constexpr std::pair<int, int> kFontCodePages[] = {
    {128, 932},  {129, 949},  {134, 936},  {136, 950},  {161, 1253}, {162, 1254}, {163, 1258},
    {177, 1255}, {178, 1256}, {186, 1257}, {204, 1251}, {222, 874},  {238, 1250}};

bool IsRtfLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int RtfHexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 32);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

struct RtfGroup {
  bool skipped = false;    // a group without text
  bool in_tag = false;     // \*\htmltag: HTML as it was
  bool is_format = false;  // \htmlrtf: what HTML has no text for
  int unicode_skip = 1;    // \uc: characters after \u that stand for it elsewhere
  int code_page = 0;       // of the font; 0: that of the document
};

class RtfReader final {
 public:
  RtfReader(std::string_view rtf, uint64_t max_bytes) : rtf_(rtf), max_bytes_(max_bytes) {}

  RtfText Run() {
    while (at_ < rtf_.size() && out_.text.size() <= max_bytes_) {
      const char c = rtf_[at_++];
      if (c == '{') {
        OpenGroup();
      } else if (c == '}') {
        CloseGroup();
      } else if (c == '\\') {
        Control();
      } else if (c != '\r' && c != '\n' && c != '\0') {
        AddByte(c);
      }
    }
    Flush();
    return std::move(out_);
  }

 private:
  RtfGroup& group() { return groups_.back(); }

  void OpenGroup() {
    skip_characters_ = 0;
    if (groups_.size() < kMostGroups) {
      groups_.push_back(groups_.back());
    } else {
      ++groups_below_;
    }
    group_begins_ = true;
  }

  void CloseGroup() {
    skip_characters_ = 0;
    if (groups_below_ > 0) {
      --groups_below_;
    } else if (groups_.size() > 1) {
      const int before = CodePage();
      groups_.pop_back();
      if (CodePage() != before) Flush(before);
    }
  }

  int CodePage() { return group().code_page != 0 ? group().code_page : code_page_; }
  bool HasText() {
    return !group().skipped && !(out_.is_html && group().is_format && !group().in_tag);
  }

  void AddByte(char c) {
    group_begins_ = false;
    if (skip_characters_ > 0) {
      --skip_characters_;
    } else if (HasText()) {
      bytes_ += c;
    }
  }

  void AddText(std::string_view text) {
    if (!HasText()) return;
    Flush();
    out_.text += text;
  }

  void Flush() { Flush(CodePage()); }
  void Flush(int code_page) {
    if (bytes_.empty()) return;
    AppendInCharset(bytes_, CharsetOfCodePage(code_page), &out_.text);
    bytes_.clear();
  }

  void Control() {
    if (at_ == rtf_.size()) return;
    const char c = rtf_[at_];
    if (IsRtfLetter(c)) {
      ControlWord();
      return;
    }
    ++at_;
    if (c == '*') {
      is_optional_ = group_begins_;
      return;
    }
    if (c == '\'') {
      const int high = at_ < rtf_.size() ? RtfHexDigit(rtf_[at_]) : -1;
      const int low = at_ + 1 < rtf_.size() ? RtfHexDigit(rtf_[at_ + 1]) : -1;
      if (high < 0 || low < 0) return;
      at_ += 2;
      AddByte(static_cast<char>(high * 16 + low));
    } else if (c == '\\' || c == '{' || c == '}') {
      AddByte(c);
    } else if (c == '~') {
      AddText("\u00A0");
    } else if (c == '_') {
      AddText("-");
    } else if (c == '\r' || c == '\n') {
      AddText("\n");
    }
  }

  void ControlWord() {
    const size_t begin = at_;
    while (at_ < rtf_.size() && IsRtfLetter(rtf_[at_])) ++at_;
    const std::string_view word = rtf_.substr(begin, at_ - begin);
    const char* const number_begin = rtf_.data() + at_;
    int64_t number = -1;
    bool has_number = false;
    const auto [end, error] =
        std::from_chars(number_begin, rtf_.data() + std::min(rtf_.size(), at_ + 12), number);
    if (error == std::errc()) {
      has_number = true;
      at_ += static_cast<size_t>(end - number_begin);
    }
    if (at_ < rtf_.size() && rtf_[at_] == ' ') ++at_;
    const bool optional = std::exchange(is_optional_, false);
    const bool begins = std::exchange(group_begins_, false);
    if (begins && Destination(word, optional)) return;
    Command(word, has_number, number);
  }

  // Decides about a group by its first word. Returns whether the word was that of a group.
  bool Destination(std::string_view word, bool optional) {
    if (word == "htmltag") {
      group().in_tag = true;
      return true;
    }
    const bool known = std::ranges::find(kSkippedGroups, word) != std::end(kSkippedGroups);
    if (known || optional) group().skipped = true;
    return known || optional;
  }

  void Command(std::string_view word, bool has_number, int64_t number) {
    if (word == "u" && has_number) {
      AddUnicode(number);
    } else if (word == "uc") {
      group().unicode_skip = static_cast<int>(std::clamp<int64_t>(number, 0, 16));
    } else if (word == "bin" && number > 0) {
      at_ += std::min<uint64_t>(static_cast<uint64_t>(number), rtf_.size() - at_);
    } else if (word == "ansicpg" && number > 0) {
      code_page_ = static_cast<int>(std::min<int64_t>(number, 100'000));
    } else if (word == "fromhtml") {
      out_.is_html = true;
    } else if (word == "htmlrtf") {
      group().is_format = !has_number || number != 0;
    } else if (word == "f" && has_number) {
      Font(number);
    } else if (word == "plain") {
      SetCodePage(0);
    } else if (word == "fcharset" && has_number) {
      const auto* const found =
          std::ranges::find(kFontCodePages, static_cast<int>(number), &std::pair<int, int>::first);
      if (group().skipped && found != std::end(kFontCodePages)) font_pages_[font_] = found->second;
    } else {
      const auto* const text =
          std::ranges::find(kRtfTexts, word, &std::pair<std::string_view, std::string_view>::first);
      if (text != std::end(kRtfTexts)) AddText(text->second);
    }
  }

  void Font(int64_t number) {
    if (group().skipped) {
      font_ = number;
      return;
    }
    const auto page = font_pages_.find(number);
    SetCodePage(page == font_pages_.end() ? 0 : page->second);
  }

  void SetCodePage(int code_page) {
    const int before = CodePage();
    group().code_page = code_page;
    if (CodePage() != before) Flush(before);
  }

  // Adds a unit of UTF-16, which is written as a signed number.
  void AddUnicode(int64_t number) {
    skip_characters_ = group().unicode_skip;
    const auto unit = static_cast<uint32_t>(number & 0xFFFF);
    if (!HasText()) return;
    Flush();
    const uint32_t high = std::exchange(high_surrogate_, 0);
    if (unit >= 0xD800 && unit < 0xDC00) {
      high_surrogate_ = unit;
    } else if (unit >= 0xDC00 && unit < 0xE000) {
      AppendUtf8(high == 0 ? 0xFFFD : 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00),
                 &out_.text);
    } else if (unit != 0) {
      AppendUtf8(unit, &out_.text);
    }
  }

  std::string_view rtf_;
  uint64_t max_bytes_;
  size_t at_ = 0;
  RtfText out_;
  std::string bytes_;  // text that is not decoded yet
  std::vector<RtfGroup> groups_ = std::vector<RtfGroup>(1);
  size_t groups_below_ = 0;
  bool group_begins_ = false;
  bool is_optional_ = false;  // "\*" precedes the next word
  int skip_characters_ = 0;   // stand for a character that was given by its number
  uint32_t high_surrogate_ = 0;
  int code_page_ = 1252;
  int64_t font_ = 0;  // in the table of fonts
  std::unordered_map<int64_t, int> font_pages_;
};

}  // namespace

std::optional<std::string> UnpackRtf(std::string_view bytes, uint64_t max_bytes) {
  constexpr uint32_t kPacked = 0x75465A4C, kPlain = 0x414C454D;  // "LZFu", "MELA"
  ByteCursor cursor(bytes);
  cursor.Fixed(4);  // the size of what follows
  const uint64_t size = cursor.Fixed(4);
  const uint64_t kind = cursor.Fixed(4);
  cursor.Fixed(4);  // a checksum, which is not compared: a damaged text is better than none
  if (cursor.broken() || (kind != kPacked && kind != kPlain) || size > max_bytes) {
    return std::nullopt;
  }
  if (kind == kPlain) return std::string(cursor.Text(std::min<uint64_t>(size, cursor.left())));
  std::string window(kRtfStart);
  size_t at = window.size();
  window.resize(kRtfWindow);
  std::string text;
  const auto add = [&](char c) {
    text += c;
    window[at] = c;
    at = (at + 1) % kRtfWindow;
  };
  while (!cursor.at_end() && text.size() < size) {
    const uint8_t flags = cursor.Byte();
    for (int bit = 0; bit < 8 && !cursor.at_end(); ++bit) {
      if ((flags >> bit & 1) == 0) {
        add(static_cast<char>(cursor.Byte()));
        continue;
      }
      const size_t high = cursor.Byte(), low = cursor.Byte();
      const size_t from = high << 4 | low >> 4;
      if (cursor.broken() || from == at) return text;  // refers to nothing: the end
      for (size_t i = 0; i < (low & 15) + 2; ++i) add(window[(from + i) % kRtfWindow]);
    }
  }
  text.resize(std::min<uint64_t>(text.size(), size));
  return text;
}

RtfText ReadRtf(std::string_view rtf, uint64_t max_bytes) {
  return RtfReader(rtf, max_bytes).Run();
}

std::string CharsetOfCodePage(int64_t code_page) {
  static constexpr std::pair<int64_t, std::string_view> kNames[] = {
      {65001, "utf-8"},     {932, "shift_jis"},  {936, "gbk"},        {949, "euc-kr"},
      {950, "big5"},        {20866, "koi8-r"},   {21866, "koi8-u"},   {50220, "iso-2022-jp"},
      {874, "windows-874"}, {1200, "utf-16le"},  {20127, "us-ascii"}, {51932, "euc-jp"},
      {54936, "gb18030"},   {10000, "macintosh"}};
  for (const auto& [known, name] : kNames) {
    if (known == code_page) return std::string(name);
  }
  if (code_page >= 28591 && code_page <= 28606) {
    return "iso-8859-" + std::to_string(code_page - 28590);
  }
  if (code_page >= 1250 && code_page <= 1258) return "windows-" + std::to_string(code_page);
  return code_page > 0 && code_page < 1000 ? "ibm" + std::to_string(code_page) : "";
}

}  // namespace recall
