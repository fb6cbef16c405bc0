// Problem: of a page, find what it is about, and leave out menus, headers and footers.
//
// Idea: that of Mozilla's Readability 0.6 (https://github.com/mozilla/readability, Apache-2.0),
// written anew for a flat tree. Paragraphs score by their length and their commas; an element gets
// the scores of the paragraphs in it, less the farther they are, more or less by its name, and less
// by its share of text in links. The best element wins, with those of its siblings that are like
// it. From these, lists, tables and divisions that are mostly links are left out. If little is
// left, all is done again with fewer rules.
//
// It differs where Readability loses text, since that is worse than keeping a menu:
//
//   * Navigation, asides and heads of the site are known by their tags and roles. They are left out
//     of all text, too, and do not count when the winner is compared with the page.
//   * Headings stay, also the page's title above the winner.
//   * Where the winner has less than a quarter of the text and nothing vouches for it, or less than
//     a fifth of the running text, all text is taken: the name of an element ("commentary") is weak
//     evidence against many paragraphs.
//   * The winner grows to the outermost element with sentences beside it: the longest section of
//     a manual is not the manual.
//   * What the page calls its content (`main`, `article`) is not judged by its share of links, nor
//     are source code, tables of data and sentences. A header in it is its own.
//   * Ids of sections are made of their titles, and say nothing.
//
// Invariants: the statistics of a node are those of its subtree without what was removed. Scores
// are doubles made by +, -, * and / alone, so they are the same everywhere.
//
// Cost: linear in the nodes, but for each removed element its ancestors (at most the depth that the
// filter allows) are corrected.

#include "index/source/extract/html/html_content.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "index/source/extract/html/html_content_attempt.h"
#include "index/source/extract/html/html_content_page.h"
#include "index/source/extract/html/html_paragraphs.h"

namespace recall {
namespace {

constexpr int64_t kEnoughText = 500;  // characters of content that end the search for more

// Returns whether HTML or ARIA calls the element navigation, search, or the head or the foot of the
// site. A footer in a section is that of the section.
bool IsLandmark(const HtmlContentPage& page, int32_t i) {
  if (page.Is(i, GUMBO_TAG_BODY) || page.Is(i, GUMBO_TAG_HTML)) return false;
  bool is_landmark = page.Is(i, GUMBO_TAG_NAV);
  if (page.Is(i, GUMBO_TAG_FOOTER)) {
    is_landmark = true;
    for (int32_t a = page.At(i).parent; a > 0; a = page.At(a).parent) {
      if (page.Is(a, GUMBO_TAG_SECTION)) is_landmark = false;
    }
  }
  const std::string_view role = page.Attribute(i, "role");
  for (const std::string_view name :
       {"navigation", "search", "banner", "contentinfo", "menu", "menubar"}) {
    if (role == name) is_landmark = true;
  }
  return is_landmark && !page.HoldsAllHeadings(i);
}

// Marks the landmarks of the page outside what it calls its content, besides its head; the head
// alone if less than kEnoughText characters and less than a quarter of the page would be left.
std::vector<uint8_t> MarkLandmarks(const HtmlContentPage& page) {
  const std::vector<HtmlTextFacts> facts = page.SubtreeFacts(page.head());
  const int64_t whole = facts[static_cast<size_t>(page.body())].length;
  std::vector<uint8_t> marks = page.head();
  int64_t length = whole;
  for (int32_t i = 1; i < page.Count();) {
    uint8_t& mark = marks[static_cast<size_t>(i)];
    if (mark == 0 && !page.At(i).is_text() && IsLandmark(page, i)) {
      mark = 1;
      length -= facts[static_cast<size_t>(i)].length;
    }
    i = mark != 0 || page.SaysContent(i) ? page.At(i).end : i + 1;
  }
  return length < kEnoughText && length * 4 < whole ? page.head() : marks;
}

// Marks a list of contents, unless it has more than `most` characters: then the page is about it.
void LeaveOutContents(const HtmlContentPage& page, int64_t most, std::vector<uint8_t>* skip) {
  int64_t length = 0;
  for (int32_t i = 1; i < page.Count(); ++i) {
    if (!page.IsContentsList(i)) continue;
    for (int32_t t = i; t < page.At(i).end; ++t) length += page.OwnFacts(t).length;
  }
  if (length > most) return;
  for (int32_t i = 1; i < page.Count(); ++i) {
    if (page.IsContentsList(i)) (*skip)[static_cast<size_t>(i)] = 1;
  }
}

// Tries fewer and fewer rules until a choice has enough text. Returns the longest choice.
HtmlContentChoice FindContent(const HtmlContentPage& page, int64_t visible) {
  constexpr int64_t kShortestText = 25;  // of a content that the page vouches for
  constexpr HtmlContentRules kRules[] = {{true, true, true},
                                         {true, true, false},
                                         {false, true, true},
                                         {false, false, true},
                                         {false, false, false}};
  HtmlContentChoice best;
  best.length = -1;
  int32_t inner = -1;
  for (size_t r = 0; r < std::size(kRules); ++r) {
    // The second rules are for a short text that the page itself calls its content. They end the
    // search.
    if (r == 1 && !best.vouched) continue;
    if (r == 2 && best.vouched) break;
    HtmlContentChoice choice = ChooseHtmlContent(page, kRules[r], inner);
    inner = choice.inner;
    const int64_t length = choice.length;
    if (length > best.length) {
      best = std::move(choice);
      best.vouched = best.vouched && length >= kShortestText;
    }
    if (length >= std::min(kEnoughText, visible)) break;
  }
  return best;
}

// Returns how sure the choice is, 0 to 100.
int Confidence(const HtmlContentChoice& choice, int64_t visible) {
  if (visible <= 0 || choice.length <= 0) return 0;
  const auto prose = static_cast<int>(45 * (1 - std::min(1.0, choice.density)));
  const auto size = static_cast<int>(std::min<int64_t>(choice.length, 2000) * 20 / 2000);
  const auto share = static_cast<int>(std::min(choice.length, visible) * 20 / visible);
  return std::clamp(prose + size + share + (choice.vouched ? 15 : 0), 0, 100);
}

}  // namespace

HtmlSelection SelectMainContent(const HtmlTree& tree) {
  HtmlSelection selection;
  if (tree.nodes().empty()) return selection;
  const HtmlContentPage page(tree);
  std::vector<uint8_t> landmarks = MarkLandmarks(page);
  const int64_t visible = page.SubtreeFacts(landmarks)[static_cast<size_t>(page.body())].length;
  HtmlContentChoice choice = FindContent(page, visible);
  selection.score = Confidence(choice, visible);
  selection.is_fallback =
      (choice.length * 4 < visible && !choice.vouched) ||
      5 * HtmlParagraphLength(tree, choice.skip) < HtmlParagraphLength(tree, landmarks);
  if (selection.is_fallback) {
    selection.score /= 2;
    selection.skip = std::move(landmarks);
    LeaveOutContents(page, visible - kEnoughText, &selection.skip);
  } else {
    selection.skip = std::move(choice.skip);
  }
  return selection;
}

}  // namespace recall
