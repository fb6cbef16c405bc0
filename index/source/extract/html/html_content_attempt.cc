#include "index/source/extract/html/html_content_attempt.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "index/source/extract/html/html_content_cleaner.h"
#include "index/source/extract/html/html_content_scores.h"
#include "index/source/extract/html/html_content_text.h"
#include "index/source/extract/html/html_name_flags.h"

namespace recall {
namespace {

bool IsUnlikelyRole(std::string_view role) {
  for (const std::string_view unlikely :
       {"menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog",
        "banner", "contentinfo", "search"}) {
    if (role == unlikely) return true;
  }
  return false;
}

// Returns whether an element is no content by its name, tag or role. `in_content`: it is in an
// element that the page calls its content, so its header is that of the content.
bool IsUnlikely(const HtmlContentPage& page, int32_t i, bool in_content) {
  const GumboTag tag = page.At(i).tag;
  if (tag == GUMBO_TAG_BODY || tag == GUMBO_TAG_HTML || tag == GUMBO_TAG_A || IsHeadingTag(tag) ||
      tag == GUMBO_TAG_MAIN || tag == GUMBO_TAG_ARTICLE) {
    return false;
  }
  const uint8_t flags = page.NameFlags(i);
  const int unlikely = in_content ? kUnlikely : kUnlikely | kHeader;
  if ((flags & unlikely) != 0 && (flags & kMaybe) == 0) return true;
  const bool by_tag = tag == GUMBO_TAG_NAV || tag == GUMBO_TAG_ASIDE || tag == GUMBO_TAG_FOOTER ||
                      IsUnlikelyRole(page.Attribute(i, "role"));
  return by_tag && !page.HoldsAllHeadings(i);
}

// Marks the unlikely elements as removed, except those in tables.
void StripUnlikely(const HtmlContentPage& page, std::vector<uint8_t>* removed) {
  int32_t content_end = 0;
  for (int32_t i = 1; i < page.Count();) {
    if (i >= content_end && page.SaysContent(i)) content_end = page.At(i).end;
    if ((*removed)[static_cast<size_t>(i)] != 0 || page.Is(i, GUMBO_TAG_TABLE)) {
      i = page.At(i).end;
    } else if (!page.At(i).is_text() && IsUnlikely(page, i, i < content_end)) {
      (*removed)[static_cast<size_t>(i)] = 1;
      i = page.At(i).end;
    } else {
      ++i;
    }
  }
}

// Returns the winner and the siblings that belong to it; the body if that wins.
HtmlContentRoots SelectRoots(const HtmlContentPage& page, const HtmlContentText& text,
                             const HtmlContentScores& scores, int32_t winner) {
  const auto count = static_cast<size_t>(page.Count());
  HtmlContentRoots selected{{}, std::vector<uint8_t>(count, 0), std::vector<uint8_t>(count, 1)};
  if (winner == page.body()) {
    selected.roots.push_back(winner);
  } else {
    const int32_t parent = scores.ParentOf(winner);
    for (int32_t c = parent + 1; c < page.At(parent).end; c = page.At(c).end) {
      if (page.At(c).is_text() || text.IsRemoved(c)) continue;
      const bool is_winner = c == winner || page.IsInside(winner, c);
      if (is_winner || scores.JoinsWinner(c, winner)) selected.roots.push_back(c);
    }
  }
  for (const int32_t root : selected.roots) {
    selected.is_root[static_cast<size_t>(root)] = 1;
    std::fill(selected.outside.begin() + root, selected.outside.begin() + page.At(root).end, 0);
  }
  return selected;
}

// Returns whether the page says that the winner, something around it, or most of it, is its
// content.
bool IsVouched(const HtmlContentPage& page, const HtmlContentText& text, int32_t winner) {
  for (int32_t a = winner; a > 0; a = page.At(a).parent) {
    if (page.SaysContent(a)) return true;
  }
  const int64_t length = text.facts(winner).length;
  for (int32_t i = winner + 1; i < page.At(winner).end; ++i) {
    if (!text.IsRemoved(i) && 2 * text.facts(i).length >= length && page.SaysContent(i)) {
      return true;
    }
  }
  return false;
}

// Returns the first h1 of the page, if it is before the roots and outside them; else -1.
int32_t TitleAbove(const HtmlContentPage& page, const HtmlContentRoots& roots, int32_t winner) {
  for (int32_t i = page.body() + 1; i < page.Count(); ++i) {
    if (!page.Is(i, GUMBO_TAG_H1)) continue;
    return i < winner && roots.outside[static_cast<size_t>(i)] != 0 ? i : -1;
  }
  return -1;
}

// Returns for each node whether it is left out. The elements around the roots are kept, because a
// node that is left out is so with what is in it.
std::vector<uint8_t> SkipsOf(const HtmlContentPage& page, const HtmlContentText& text,
                             const HtmlContentRoots& roots, int32_t winner) {
  std::vector<uint8_t> skip(static_cast<size_t>(page.Count()), 1);
  const auto open_path = [&](int32_t node) {
    for (int32_t a = page.At(node).parent; a >= 0 && skip[static_cast<size_t>(a)] != 0;
         a = page.At(a).parent) {
      skip[static_cast<size_t>(a)] = 0;
    }
  };
  for (const int32_t root : roots.roots) {
    std::copy(text.removed().begin() + root, text.removed().begin() + page.At(root).end,
              skip.begin() + root);
  }
  const int32_t title = TitleAbove(page, roots, winner);
  if (title >= 0) std::fill(skip.begin() + title, skip.begin() + page.At(title).end, 0);
  for (const int32_t root : roots.roots) open_path(root);
  if (title >= 0) open_path(title);
  return skip;
}

}  // namespace

HtmlContentChoice ChooseHtmlContent(const HtmlContentPage& page, const HtmlContentRules& rules,
                                    int32_t last_inner) {
  std::vector<uint8_t> removed = page.head();
  if (rules.strip) StripUnlikely(page, &removed);
  HtmlContentText text(page, std::move(removed));
  HtmlContentScores scores(page, text, rules.weigh);
  HtmlContentScores::Winner winner = scores.FindWinner();
  if (winner.outer == page.body()) winner.inner = last_inner;
  const HtmlContentRoots roots = SelectRoots(page, text, scores, winner.outer);
  if (rules.clean) CleanHtmlContent(page, scores, roots, winner, &text);
  HtmlTextFacts sum;
  for (const int32_t root : roots.roots) {
    if (!text.IsRemoved(root)) sum.Add(text.facts(root), 1);
  }
  return {SkipsOf(page, text, roots, winner.outer), sum.length, sum.LinkDensity(),
          IsVouched(page, text, winner.outer), winner.inner};
}

}  // namespace recall
