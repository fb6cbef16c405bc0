#include "index/source/extract/pdf/bbox_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/source/extract/pdf/visual_order.h"

// The dialect has one element on a line, attributes in double quotes, and escapes "<", ">", "&" and
// both quotes in texts. So a text ends at the next "<", and the tags that matter are found by
// searching for "<". Only the boxes of words are read: those of lines and blocks follow from them.

namespace recall {
namespace {

constexpr float kMaxCoordinate = 1e6f;
// The limit of the value of one fact; the rest is cut.
constexpr size_t kMaxFactBytes = 4096;
constexpr size_t kMaxFactValues = 100;

bool IsDigitByte(char c) { return c >= '0' && c <= '9'; }

// A decimal number such as "-12.345000"; nothing for "nan", "inf" and anything else.
std::optional<float> ReadCoordinate(std::string_view value) {
  size_t at = 0;
  const bool negative = !value.empty() && value[0] == '-';
  if (negative) ++at;
  if (at >= value.size() || !IsDigitByte(value[at])) return std::nullopt;
  double number = 0;
  for (; at < value.size() && IsDigitByte(value[at]); ++at) {
    number = std::min(number * 10 + (value[at] - '0'), 1e9);
  }
  if (at < value.size() && value[at] == '.') {
    double place = 0.1;
    for (++at; at < value.size() && IsDigitByte(value[at]); ++at, place *= 0.1) {
      number += place * (value[at] - '0');
    }
  }
  if (at != value.size()) return std::nullopt;
  const float limited = std::min(static_cast<float>(number), kMaxCoordinate);
  return negative ? -limited : limited;
}

// Removes the next attribute from `attributes`, which is a tag without its name and ">".
bool NextAttribute(std::string_view* attributes, std::string_view* name, std::string_view* value) {
  const size_t begin = attributes->find_first_not_of(" \t\r\n");
  if (begin == attributes->npos) return false;
  const size_t equals = attributes->find("=\"", begin);
  if (equals == attributes->npos) return false;
  const size_t end = attributes->find('"', equals + 2);
  if (end == attributes->npos) return false;
  *name = attributes->substr(begin, equals - begin);
  *value = attributes->substr(equals + 2, end - equals - 2);
  attributes->remove_prefix(end + 1);
  return true;
}

std::optional<PdfBox> ReadBox(std::string_view attributes) {
  std::optional<float> x0, y0, x1, y1;
  std::string_view name, value;
  while (NextAttribute(&attributes, &name, &value)) {
    if (name == "xMin") x0 = ReadCoordinate(value);
    if (name == "yMin") y0 = ReadCoordinate(value);
    if (name == "xMax") x1 = ReadCoordinate(value);
    if (name == "yMax") y1 = ReadCoordinate(value);
  }
  if (!x0 || !y0 || !x1 || !y1) return std::nullopt;
  return PdfBox{std::min(*x0, *x1), std::min(*y0, *y1), std::max(*x0, *x1), std::max(*y0, *y1)};
}

// Reads the entity at `at`, where an "&" is, and moves past it; nothing if no entity is there.
std::optional<uint32_t> ReadEntity(std::string_view text, size_t* at) {
  const size_t end = text.substr(0, *at + 12).find(';', *at);
  if (end == text.npos) return std::nullopt;
  const std::string_view name = text.substr(*at + 1, end - *at - 1);
  std::optional<uint32_t> code;
  if (name == "amp") code = '&';
  if (name == "lt") code = '<';
  if (name == "gt") code = '>';
  if (name == "quot") code = '"';
  if (name == "apos") code = '\'';
  if (name.size() >= 2 && name[0] == '#') {
    const bool hex = name[1] == 'x' || name[1] == 'X';
    for (const char c : name.substr(hex ? 2 : 1)) {
      const char lower = static_cast<char>(c | 32);
      const bool letter = hex && lower >= 'a' && lower <= 'f';
      if (!IsDigitByte(c) && !letter) return std::nullopt;
      const auto digit = static_cast<uint32_t>(letter ? lower - 'a' + 10 : c - '0');
      code = std::min<uint32_t>(code.value_or(0) * (hex ? 16 : 10) + digit, 0x110000);
    }
    if (code && (*code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000))) code = 0xFFFD;
  }
  if (code) *at = end + 1;
  return code;
}

// Whether a character is no text: control characters, the byte order mark and U+FFFE.
bool IsNoCharacter(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xFEFF || code == 0xFFFE ||
         code == 0xFFFF;
}

// Appends the decoded text, with `space` for white space. 0: white space is left out.
void AppendDecoded(std::string_view raw, char space, std::string* out) {
  for (size_t at = 0; at < raw.size();) {
    const auto byte = static_cast<unsigned char>(raw[at]);
    if (byte > 0x20 && byte < 0x7F && byte != '&') {
      *out += raw[at++];
      continue;
    }
    const auto entity = byte == '&' ? ReadEntity(raw, &at) : std::nullopt;
    const uint32_t code = entity ? *entity : DecodeUtf8(raw, &at);
    if (IsWhiteSpace(code)) {
      if (space != 0) *out += space;
    } else if (!IsNoCharacter(code)) {
      AppendUtf8(code, out);
    }
  }
}

class PageBuilder final {
 public:
  explicit PageBuilder(PdfPage* page) : page_(page) {}

  void AddWord(std::string_view attributes, std::string_view raw) {
    PdfWord word;
    word.start = static_cast<uint32_t>(page_->text.size());
    AppendDecoded(raw, 0, &page_->text);
    word.size = static_cast<uint32_t>(page_->text.size()) - word.start;
    if (word.size == 0) return;
    turns_ = turns_ || HasRightToLeft(page_->TextOf(word));
    if (const auto box = ReadBox(attributes)) {
      word.box = *box;
    } else if (!page_->words.empty()) {
      word.box = page_->words.back().box;
    }
    page_->words.push_back(word);
  }

  void EndLine() {
    const auto end = static_cast<uint32_t>(page_->words.size());
    const uint32_t first = page_->lines.empty() ? 0 : page_->lines.back().end_word;
    if (end == first) return;
    page_->lines.push_back({first, end});
    if (turns_) TurnRound(first, end);
    turns_ = false;
  }

  void EndBlock() {
    EndLine();
    const auto end = static_cast<uint32_t>(page_->lines.size());
    const uint32_t first = page_->blocks.empty() ? 0 : page_->blocks.back().end_line;
    if (end > first) page_->blocks.push_back({first, end});
  }

 private:
  // Puts the words of a line, and their letters, in the order of reading.
  void TurnRound(uint32_t first, uint32_t end) {
    std::vector<std::string_view> texts;
    for (uint32_t w = first; w < end; ++w) texts.push_back(page_->TextOf(page_->words[w]));
    const std::vector<PdfWord> words(page_->words.begin() + first, page_->words.begin() + end);
    const auto order = ReadingOrder(texts);
    for (uint32_t i = 0; i < order.size(); ++i) {
      const PdfWord& word = words[order[i]];
      // The boxes keep their order, so that the gaps between words stay where they were.
      page_->words[first + i] = {words[i].box, word.start, word.size};
      if (!HasRightToLeft(page_->TextOf(word))) continue;
      page_->text.replace(word.start, word.size, InReadingOrder(page_->TextOf(word)));
    }
  }

  PdfPage* page_;
  bool turns_ = false;  // the line has words from right to left
};

std::string DecodedFact(std::string_view raw) {
  std::string decoded;
  AppendDecoded(raw.substr(0, FloorToWord(raw, kMaxFactBytes)), ' ', &decoded);
  const size_t begin = decoded.find_first_not_of(' ');
  if (begin == decoded.npos) return "";
  return decoded.substr(begin, decoded.find_last_not_of(' ') + 1 - begin);
}

// Poppler prints "2023-03-06T18:06:57Z", "...+02:00", "...-07" or, for dates that it cannot read,
// what the file says.
bool IsIsoDate(std::string_view date) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd";
  if (date.size() < kForm.size() || date.size() > kForm.size() + 6) return false;
  for (size_t i = 0; i < date.size(); ++i) {
    const bool digit = IsDigitByte(date[i]);
    if (i < kForm.size()
            ? (kForm[i] == 'd' ? !digit : date[i] != kForm[i])
            : (!digit && std::string_view("Z+-:").find(date[i]) == std::string::npos)) {
      return false;
    }
  }
  return true;
}

std::vector<std::string> SplitKeywords(std::string_view keywords) {
  const char separator = keywords.find(';') != keywords.npos ? ';' : ',';
  std::vector<std::string> values;
  while (!keywords.empty() && values.size() < kMaxFactValues) {
    const size_t end = std::min(keywords.find(separator), keywords.size());
    std::string_view value = keywords.substr(0, end);
    keywords.remove_prefix(std::min(end + 1, keywords.size()));
    while (value.starts_with(' ')) value.remove_prefix(1);
    while (value.ends_with(' ')) value.remove_suffix(1);
    if (!value.empty() && std::ranges::find(values, value) == values.end()) {
      values.emplace_back(value);
    }
  }
  return values;
}

}  // namespace

void ReadBboxPage(std::string_view xhtml, PdfPage* page) {
  page->width = page->height = 0;
  page->text.clear();
  page->words.clear();
  page->lines.clear();
  page->blocks.clear();
  PageBuilder builder(page);
  // The attributes of <page> come first.
  std::string_view attributes = xhtml.substr(0, std::min(xhtml.find('>'), xhtml.size()));
  std::string_view name, value;
  while (NextAttribute(&attributes, &name, &value)) {
    if (name == "width") page->width = ReadCoordinate(value).value_or(0);
    if (name == "height") page->height = ReadCoordinate(value).value_or(0);
  }
  for (size_t at = xhtml.find('<'); at < xhtml.size(); at = xhtml.find('<', at)) {
    const std::string_view tag = xhtml.substr(at);
    if (tag.starts_with("<word")) {
      const size_t close = tag.find('>');
      if (close == tag.npos) break;
      const size_t end = std::min(tag.find('<', close), tag.size());
      builder.AddWord(tag.substr(5, close - 5), tag.substr(close + 1, end - close - 1));
      at += end;
      continue;
    }
    if (tag.starts_with("</line") || tag.starts_with("<line")) builder.EndLine();
    if (tag.starts_with("</block") || tag.starts_with("<block")) builder.EndBlock();
    ++at;
  }
  builder.EndBlock();
}

std::map<std::string, std::vector<std::string>> ReadBboxHead(std::string_view xhtml) {
  constexpr std::pair<std::string_view, std::string_view> kFacts[] = {
      {"Author", "author"},        {"Subject", "subject"},  {"Keywords", "keywords"},
      {"CreationDate", "created"}, {"ModDate", "modified"},
  };
  std::map<std::string, std::vector<std::string>> facts;
  const size_t title = xhtml.find("<title>");
  if (title != xhtml.npos) {
    const std::string_view rest = xhtml.substr(title + 7);
    std::string value = DecodedFact(rest.substr(0, std::min(rest.find("</title>"), rest.size())));
    if (!value.empty()) facts["title"] = {std::move(value)};
  }
  constexpr std::string_view kMeta = "<meta ";
  for (size_t at = xhtml.find(kMeta); at != xhtml.npos; at = xhtml.find(kMeta, at)) {
    at += kMeta.size();
    std::string_view attributes =
        xhtml.substr(at, std::min(xhtml.find('<', at), xhtml.size()) - at);
    std::string_view name, fact, key, content;
    while (NextAttribute(&attributes, &name, &fact)) (name == "name" ? key : content) = fact;
    for (const auto& [poppler_name, ours] : kFacts) {
      if (key != poppler_name) continue;
      std::string value = DecodedFact(content);
      const bool is_date = ours == "created" || ours == "modified";
      if (value.empty() || (is_date && !IsIsoDate(value))) continue;
      facts[std::string(ours)] =
          ours == "keywords" ? SplitKeywords(value) : std::vector<std::string>{std::move(value)};
      if (facts[std::string(ours)].empty()) facts.erase(std::string(ours));
    }
  }
  return facts;
}

}  // namespace recall
