#include "index/source/extract/html/html_content_cleaner.h"

#include "index/source/extract/html/html_name_flags.h"

namespace recall {
namespace {

class HtmlContentCleaner final {
 public:
  HtmlContentCleaner(const HtmlContentPage& page, const HtmlContentScores& scores,
                     const HtmlContentRoots& roots, HtmlContentText* text)
      : page_(page), scores_(scores), roots_(roots), text_(*text) {}

  // Removes what is left out of any content.
  void CleanPlain() {
    for (const int32_t root : roots_.roots) {
      for (int32_t i = root + 1; i < page_.At(root).end; ++i) {
        if (page_.At(i).is_text() || text_.IsRemoved(i)) continue;
        const GumboTag tag = page_.At(i).tag;
        const bool by_tag = tag == GUMBO_TAG_FOOTER || tag == GUMBO_TAG_ASIDE;
        const bool shares = (page_.NameFlags(i) & kShare) != 0 && text_.facts(i).length < 500;
        if (by_tag || shares || page_.IsContentsList(i)) {
          text_.Remove(i);
          i = page_.At(i).end - 1;
        }
      }
    }
  }

  // Removes the menus that lie beside the text between the inner winner and the outer one.
  void CleanBesideText(HtmlContentScores::Winner winner) {
    for (int32_t child = winner.inner; child > winner.outer; child = page_.At(child).parent) {
      const int32_t parent = page_.At(child).parent;
      for (int32_t c = parent + 1; c < page_.At(parent).end; c = page_.At(c).end) {
        if (c == child || page_.At(c).is_text() || IsHeadingTag(page_.At(c).tag)) continue;
        const HtmlTextFacts& facts = text_.facts(c);
        const bool is_menu = facts.sentences == 0 && facts.heading_length == 0;
        if (is_menu && facts.LinkDensity() > 0.5) text_.Remove(c);
      }
    }
  }

  // Removes the elements of one tag in the roots that are mostly links or look like no content.
  // Tables of data, what is in them or around them, and source code are kept.
  void CleanTag(GumboTag tag) {
    const auto count = static_cast<size_t>(page_.Count());
    std::vector<uint8_t> dead(count, 0);     // removed, in something removed, or not in a root
    std::vector<uint8_t> in_data(count, 0);  // in a table of data or in source code
    for (int32_t i = 1; i < page_.Count(); ++i) {
      const auto at = static_cast<size_t>(i);
      const int32_t parent = page_.At(i).parent;
      const auto parent_at = static_cast<size_t>(parent);
      dead[at] = text_.IsRemoved(i) || roots_.outside[at] != 0 ||
                 (roots_.is_root[at] == 0 && dead[parent_at] != 0);
      in_data[at] = in_data[parent_at] != 0 || page_.IsDataTable(parent) || page_.IsCode(parent);
    }
    std::vector<uint8_t> holds_data(count, 0);
    for (int32_t i = page_.Count() - 1; i > 0; --i) {
      const auto at = static_cast<size_t>(i);
      if (dead[at] != 0 || page_.At(i).is_text()) continue;
      const bool is_data = page_.Is(i, GUMBO_TAG_TABLE) && page_.IsDataTable(i);
      const bool is_judged = page_.At(i).tag == tag && scores_.role(i) == HtmlRole::kPlain &&
                             !is_data && in_data[at] == 0 && holds_data[at] == 0;
      if (is_judged && IsRubbish(i)) {
        text_.Remove(i);
        continue;
      }
      holds_data[static_cast<size_t>(page_.At(i).parent)] |= is_data || holds_data[at] != 0;
    }
  }

 private:
  bool IsRubbish(int32_t i) const {
    const HtmlTextFacts& facts = text_.facts(i);
    const int weight = scores_.Weight(i);
    if (weight < 0) return true;
    if (page_.IsInContent(i)) return false;
    if (facts.commas >= 10) return false;
    const GumboTag tag = page_.At(i).tag;
    const bool is_list =
        tag == GUMBO_TAG_UL || tag == GUMBO_TAG_OL ||
        static_cast<double>(facts.list_length) > 0.9 * static_cast<double>(facts.length);
    const double density = facts.LinkDensity();
    const bool is_figure = page_.Is(page_.At(i).parent, GUMBO_TAG_FIGURE);
    if (!is_figure && facts.images > 1 && 2 * facts.paragraphs < facts.images) return true;
    if (!is_list && facts.items - 100 > facts.paragraphs) return true;
    if (!is_list && !is_figure && 10 * facts.heading_length < 9 * facts.length &&
        facts.length < 25 && (facts.images == 0 || facts.images > 2) && density > 0) {
      return true;
    }
    // Sentences with references in them are text, even if they have many.
    const bool is_prose = facts.sentences > 0 && facts.paragraphs > 0 && density < 0.6;
    if (!is_list && weight < 25 && density > 0.2 && !is_prose) return true;
    return weight >= 25 && density > 0.5;
  }

  const HtmlContentPage& page_;
  const HtmlContentScores& scores_;
  const HtmlContentRoots& roots_;
  HtmlContentText& text_;
};

}  // namespace

void CleanHtmlContent(const HtmlContentPage& page, const HtmlContentScores& scores,
                      const HtmlContentRoots& roots, HtmlContentScores::Winner winner,
                      HtmlContentText* text) {
  HtmlContentCleaner cleaner(page, scores, roots, text);
  cleaner.CleanPlain();
  cleaner.CleanBesideText(winner);
  cleaner.CleanTag(GUMBO_TAG_FORM);
  cleaner.CleanTag(GUMBO_TAG_TABLE);
  cleaner.CleanTag(GUMBO_TAG_UL);
  cleaner.CleanTag(GUMBO_TAG_DIV);
}

}  // namespace recall
