#include "index/source/extract/html/html_text_facts.h"

namespace recall {

void HtmlTextFacts::Add(const HtmlTextFacts& other, int sign) {
  length += sign * other.length;
  link_tenths += sign * other.link_tenths;
  list_length += sign * other.list_length;
  heading_length += sign * other.heading_length;
  commas += sign * other.commas;
  sentences += sign * other.sentences;
  paragraphs += sign * other.paragraphs;
  images += sign * other.images;
  items += sign * other.items;
}

HtmlTextFacts FactsOfText(std::string_view text) {
  HtmlTextFacts facts;
  bool in_blank = true;
  char last = ' ';
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte <= 0x20) {
      if (!in_blank) ++facts.length;
      in_blank = true;
      if (last == '.') facts.sentences = 1;
      last = c;
      continue;
    }
    in_blank = false;
    last = c;
    facts.length += (byte & 0xC0) != 0x80;
    facts.commas += c == ',';
  }
  if (last == '.') facts.sentences = 1;
  return facts;
}

}  // namespace recall
