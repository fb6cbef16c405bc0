#include "index/source/extract/mail/mail_html.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/source/extract/mail/mail_words.h"

namespace recall {
namespace {

constexpr size_t kLongestMailTag = 16;

// Ascending.
constexpr std::pair<std::string_view, uint32_t> kMailEntities[] = {
    {"AElig", 0xC6},    {"Aacute", 0xC1},   {"Acirc", 0xC2},    {"Agrave", 0xC0},
    {"Aring", 0xC5},    {"Auml", 0xC4},     {"Ccedil", 0xC7},   {"Eacute", 0xC9},
    {"Ecirc", 0xCA},    {"Egrave", 0xC8},   {"Iacute", 0xCD},   {"Ntilde", 0xD1},
    {"Oacute", 0xD3},   {"Ocirc", 0xD4},    {"Oslash", 0xD8},   {"Ouml", 0xD6},
    {"Uacute", 0xDA},   {"Ucirc", 0xDB},    {"Uuml", 0xDC},     {"aacute", 0xE1},
    {"acirc", 0xE2},    {"aelig", 0xE6},    {"agrave", 0xE0},   {"amp", 0x26},
    {"apos", 0x27},     {"aring", 0xE5},    {"atilde", 0xE3},   {"auml", 0xE4},
    {"bdquo", 0x201E},  {"bull", 0x2022},   {"ccedil", 0xE7},   {"cent", 0xA2},
    {"copy", 0xA9},     {"deg", 0xB0},      {"divide", 0xF7},   {"eacute", 0xE9},
    {"ecirc", 0xEA},    {"egrave", 0xE8},   {"emsp", 0x2003},   {"ensp", 0x2002},
    {"euml", 0xEB},     {"euro", 0x20AC},   {"frac12", 0xBD},   {"gt", 0x3E},
    {"hellip", 0x2026}, {"iacute", 0xED},   {"icirc", 0xEE},    {"iexcl", 0xA1},
    {"igrave", 0xEC},   {"iquest", 0xBF},   {"iuml", 0xEF},     {"laquo", 0xAB},
    {"larr", 0x2190},   {"ldquo", 0x201C},  {"lsaquo", 0x2039}, {"lsquo", 0x2018},
    {"lt", 0x3C},       {"mdash", 0x2014},  {"middot", 0xB7},   {"nbsp", 0xA0},
    {"ndash", 0x2013},  {"ntilde", 0xF1},   {"oacute", 0xF3},   {"ocirc", 0xF4},
    {"ograve", 0xF2},   {"oslash", 0xF8},   {"otilde", 0xF5},   {"ouml", 0xF6},
    {"plusmn", 0xB1},   {"pound", 0xA3},    {"quot", 0x22},     {"raquo", 0xBB},
    {"rarr", 0x2192},   {"rdquo", 0x201D},  {"reg", 0xAE},      {"rsaquo", 0x203A},
    {"rsquo", 0x2019},  {"sbquo", 0x201A},  {"sect", 0xA7},     {"shy", 0xAD},
    {"szlig", 0xDF},    {"thinsp", 0x2009}, {"times", 0xD7},    {"trade", 0x2122},
    {"uacute", 0xFA},   {"ucirc", 0xFB},    {"ugrave", 0xF9},   {"uuml", 0xFC},
    {"yacute", 0xFD},   {"yen", 0xA5},      {"zwj", 0x200D},    {"zwnj", 0x200C}};

bool IsOneOf(std::string_view name, std::string_view names) {
  for (size_t at = 0; at < names.size();) {
    const size_t end = std::min(names.find(' ', at), names.size());
    if (names.substr(at, end - at) == name) return true;
    at = end + 1;
  }
  return false;
}

// Reads the entity at text[*at] == '&'. Returns: its code point, and *at is after it; 0: it is
// none.
uint32_t ReadMailEntity(std::string_view text, size_t* at) {
  const std::string_view rest = text.substr(*at + 1, 12);
  uint32_t code_point = 0;
  size_t end = 0;
  if (rest.starts_with('#')) {
    const bool hex = rest.size() > 1 && LowerMailChar(rest[1]) == 'x';
    size_t i = hex ? 2 : 1;
    const size_t first = i;
    for (; i < rest.size(); ++i) {
      const char c = LowerMailChar(rest[i]);
      const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
      if (digit >= (hex ? 16 : 10)) break;
      code_point =
          std::min<uint32_t>(code_point * (hex ? 16 : 10) + static_cast<uint32_t>(digit), 0x110000);
    }
    if (i == first) return 0;
    const bool bad =
        code_point == 0 || code_point > 0x10FFFF || (code_point >= 0xD800 && code_point < 0xE000);
    if (bad) code_point = 0xFFFD;
    end = i;
  } else {
    while (end < rest.size() &&
           ((rest[end] >= '0' && rest[end] <= '9') ||
            (LowerMailChar(rest[end]) >= 'a' && LowerMailChar(rest[end]) <= 'z'))) {
      ++end;
    }
    const std::string_view name = rest.substr(0, end);
    const auto* const found = std::lower_bound(
        std::begin(kMailEntities), std::end(kMailEntities), name,
        [](const auto& entity, std::string_view key) { return entity.first < key; });
    if (found == std::end(kMailEntities) || found->first != name) return 0;
    code_point = found->second;
  }
  *at += 1 + end;
  if (*at < text.size() && text[*at] == ';') ++*at;
  return code_point;
}

class MailHtmlReader {
 public:
  MailHtmlReader(std::string_view html, uint64_t max_bytes) : html_(html), max_bytes_(max_bytes) {}

  std::string Read() {
    while (at_ < html_.size() && out_.size() <= max_bytes_) {
      if (html_[at_] == '<' && ReadTag()) continue;
      ReadCharacter();
    }
    while (out_.ends_with('\n') || out_.ends_with(' ')) out_.pop_back();
    if (!out_.empty()) out_ += '\n';
    return std::move(out_);
  }

 private:
  // Reads the tag or comment at the cursor. Returns: false if there is none.
  bool ReadTag() {
    if (no_tags_) return false;
    if (html_.substr(at_, 4) == "<!--") {
      const size_t end = html_.find("-->", at_ + 4);
      at_ = end == html_.npos ? html_.size() : end + 3;
      return true;
    }
    const char first = at_ + 1 < html_.size() ? LowerMailChar(html_[at_ + 1]) : ' ';
    if (first != '/' && first != '!' && first != '?' && (first < 'a' || first > 'z')) return false;
    const size_t end = TagEnd();
    if (end == html_.npos) {
      no_tags_ = true;
      return false;
    }
    const bool closes = first == '/';
    std::string name;
    for (size_t i = at_ + (closes ? 2 : 1); i < end && name.size() < kLongestMailTag; ++i) {
      const char c = LowerMailChar(html_[i]);
      if ((c < 'a' || c > 'z') && (c < '0' || c > '9')) break;
      name.push_back(c);
    }
    at_ = end + 1;
    if (closes) {
      Close(name);
    } else {
      Open(name);
    }
    return true;
  }

  // The offset of the ">" of the tag at the cursor, outside of quotes of at most 4 KiB.
  size_t TagEnd() const {
    const size_t end = html_.find('>', at_);
    if (end == html_.npos) return end;
    char quote = '\0';
    const size_t most = std::min(html_.size(), at_ + (4 << 10));
    for (size_t i = at_; i < most; ++i) {
      const char c = html_[i];
      if (quote != '\0') {
        if (c == quote) quote = '\0';
      } else if ((c == '"' || c == '\'') && html_[i - 1] == '=') {
        quote = c;
      } else if (c == '>') {
        return i;
      }
    }
    return end;
  }

  void Open(const std::string& name) {
    if (IsOneOf(name, "script style head template")) {
      SkipTo(name);
    } else if (name == "br") {
      Newline(1);
    } else if (name == "li") {
      Newline(1);
      Put("- ");
    } else if (name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6') {
      Newline(2);
      Put(std::string(static_cast<size_t>(name[1] - '0'), '#') + " ");
    } else if (name == "blockquote") {
      Newline(2);
      if (quotes_ < 32) ++quotes_;
    } else if (IsOneOf(name, "td th")) {
      if (!AtLineStart()) Put("\t");
    } else if (name == "pre") {
      Newline(2);
      ++pre_;
    } else if (IsOneOf(name, "p table ul ol dl")) {
      Newline(2);
    } else if (IsOneOf(name, "div tr dt dd hr section article header footer address center")) {
      Newline(1);
    }
  }

  void Close(const std::string& name) {
    if (name == "blockquote") {
      Newline(2);
      if (quotes_ > 0) --quotes_;
    } else if (name == "pre") {
      if (pre_ > 0) --pre_;
      Newline(2);
    } else if (IsOneOf(name, "p table ul ol dl h1 h2 h3 h4 h5 h6")) {
      Newline(2);
    } else if (IsOneOf(name,
                       "div tr li dt dd section article header footer address center title")) {
      Newline(1);
    }
  }

  // Moves the cursor after the end tag of `name`; where there is none, after the start tag of a
  // head, or to the end.
  void SkipTo(const std::string& name) {
    for (size_t i = at_; (i = html_.find("</", i)) != html_.npos; i += 2) {
      if (!IsMailWord(html_.substr(i + 2, name.size()), name)) continue;
      const size_t end = html_.find('>', i);
      at_ = end == html_.npos ? html_.size() : end + 1;
      return;
    }
    if (name == "script" || name == "style") at_ = html_.size();
  }

  bool AtLineStart() const { return pending_ > 0 || out_.empty() || out_.ends_with('\n'); }

  // Makes at least `count` line ends precede the next text.
  void Newline(int count) {
    space_ = false;
    if (!out_.empty()) pending_ = std::max(pending_, count);
  }

  void Put(std::string_view text) {
    if (pending_ > 0) {
      while (out_.ends_with(' ') || out_.ends_with('\t')) out_.pop_back();
      out_.append(static_cast<size_t>(pending_), '\n');
      pending_ = 0;
    }
    if (out_.empty() || out_.ends_with('\n')) {
      for (int i = 0; i < quotes_; ++i) out_ += "> ";
    }
    out_ += text;
  }

  void ReadCharacter() {
    const char c = html_[at_];
    if (c == '&') {
      const uint32_t code_point = ReadMailEntity(html_, &at_);
      if (code_point != 0) {
        if (code_point == 0xAD) return;  // a soft hyphen
        std::string text;
        AppendUtf8(code_point == 0xA0 ? ' ' : code_point, &text);
        PutWord(text);
        return;
      }
    }
    if (IsMailSpace(c)) {
      ++at_;
      if (pre_ > 0 && c == '\n') {
        ++pending_;
      } else if (pre_ > 0) {
        Put(" ");
      } else {
        space_ = true;
      }
      return;
    }
    const size_t end = std::min(html_.find_first_of("<& \t\r\n", at_ + 1), html_.size());
    PutWord(html_.substr(at_, end - at_));
    at_ = end;
  }

  void PutWord(std::string_view word) {
    if (space_ && !AtLineStart() && !out_.ends_with(' ') && !out_.ends_with('\t')) Put(" ");
    space_ = false;
    Put(word);
  }

  const std::string_view html_;
  const uint64_t max_bytes_;
  size_t at_ = 0;
  std::string out_;
  int pending_ = 0;       // line ends that must precede the next text
  bool space_ = false;    // a space must precede the next text
  int quotes_ = 0;        // the number of open blockquotes
  int pre_ = 0;           // the number of open `pre`
  bool no_tags_ = false;  // no ">" follows
};

}  // namespace

std::string MailHtmlText(std::string_view html, uint64_t max_bytes) {
  return MailHtmlReader(html, max_bytes).Read();
}

}  // namespace recall
