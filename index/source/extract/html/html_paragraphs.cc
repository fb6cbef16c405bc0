#include "index/source/extract/html/html_paragraphs.h"

#include <algorithm>

#include "index/source/extract/html/html_text_facts.h"

namespace recall {
namespace {

constexpr int64_t kSentenceLength = 40;   // characters of a text outside `p` that has a sentence
constexpr int64_t kLongTextLength = 100;  // of one without an end of a sentence, as in Chinese
constexpr int64_t kLeastNoscript = 200;   // characters; less is a remark or an image

// Returns the position of `lower` in the text, without regard to the case of ASCII letters.
size_t FindTagStart(std::string_view text, std::string_view lower, size_t from) {
  const auto found = std::search(
      text.begin() + static_cast<std::ptrdiff_t>(std::min(from, text.size())), text.end(),
      lower.begin(), lower.end(),
      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b; });
  return found == text.end() ? text.npos : static_cast<size_t>(found - text.begin());
}

// Returns how many characters of HTML are outside tags, with white space collapsed.
int64_t LengthOutsideTags(std::string_view html) {
  int64_t length = 0;
  for (size_t at = 0; at < html.size();) {
    const size_t open = std::min(html.find('<', at), html.size());
    length += FactsOfText(html.substr(at, open - at)).length;
    at = std::min(html.find('>', open), html.size());
    if (at < html.size()) ++at;
  }
  return length;
}

}  // namespace

int64_t HtmlParagraphLength(const HtmlTree& tree, const std::vector<uint8_t>& skip) {
  const std::vector<HtmlNode>& nodes = tree.nodes();
  int64_t sum = 0;
  int32_t paragraph_end = 0;
  for (int32_t i = 0; i < static_cast<int32_t>(nodes.size());) {
    const HtmlNode& node = nodes[static_cast<size_t>(i)];
    const bool is_left_out = !skip.empty() && skip[static_cast<size_t>(i)] != 0;
    const bool is_link =
        node.tag == GUMBO_TAG_A && !node.is_text() && !tree.Attribute(node, "href").empty();
    if (is_left_out || is_link) {
      i = node.is_text() ? i + 1 : node.end;
      continue;
    }
    if (!node.is_text()) {
      if (node.tag == GUMBO_TAG_P) paragraph_end = std::max(paragraph_end, node.end);
    } else {
      const HtmlTextFacts facts = FactsOfText(node.text);
      const bool runs = i < paragraph_end || facts.length >= kLongTextLength ||
                        (facts.sentences > 0 && facts.length >= kSentenceLength);
      if (runs) sum += facts.length;
    }
    ++i;
  }
  return sum;
}

std::optional<std::string> HtmlWithNoscript(std::string_view page, int64_t paragraphs) {
  constexpr std::string_view kOpen = "<noscript", kClose = "</noscript";
  constexpr std::string_view kOpenDiv = "<div     ", kCloseDiv = "</div     ";
  static_assert(kOpen.size() == kOpenDiv.size() && kClose.size() == kCloseDiv.size());
  size_t at = FindTagStart(page, "<body", 0);  // in the head it holds links to styles
  if (at == page.npos) at = 0;
  std::string changed;
  int64_t length = 0;
  while ((at = FindTagStart(page, kOpen, at)) != page.npos) {
    const size_t end = std::min(FindTagStart(page, kClose, at), page.size());
    length += LengthOutsideTags(page.substr(at, end - at));
    if (changed.empty()) changed = page;
    changed.replace(at, kOpen.size(), kOpenDiv);
    if (end < page.size()) changed.replace(end, kClose.size(), kCloseDiv);
    at = end;
  }
  if (length < kLeastNoscript || length <= 4 * paragraphs) return std::nullopt;
  return changed;
}

}  // namespace recall
