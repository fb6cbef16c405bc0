#include "index/source/extract/html/html_extractor.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "index/source/extract/html/html_charset.h"
#include "index/source/extract/html/html_content.h"
#include "index/source/extract/html/html_contents_list.h"
#include "index/source/extract/html/html_meta.h"
#include "index/source/extract/html/html_paragraphs.h"
#include "index/source/extract/html/html_tree.h"

namespace recall {
namespace {

std::string TooMuchText(const ExtractLimits& limits) {
  return "the text has more than " + std::to_string(limits.max_text_bytes) + " bytes";
}

// "0.93" for 93.
std::string HundredthsText(int hundredths) {
  const int value = std::clamp(hundredths, 0, 100);
  std::string text = std::to_string(value / 100) + '.';
  if (value % 100 < 10) text += '0';
  return text + std::to_string(value % 100);
}

constexpr std::string_view kWrongCharset = "charset_wrong";

std::optional<Locator> NearestElement(std::string_view id) {
  if (id.empty()) return std::nullopt;
  return Locator{LocatorKind::kElement, 0, std::string(id), {}};
}

}  // namespace

Extraction ExtractHtml(std::string_view bytes, const ExtractLimits& limits, HtmlContent content) {
  HtmlText page;
  DecodeHtml(bytes, {}, &page);
  HtmlTree tree;
  Extraction extraction;
  extraction.outcome = ParseHtmlTree(page.text, limits, &tree, &extraction.reason);
  if (extraction.outcome != ExtractOutcome::kText) return extraction;
  // The tree refers to the text that it was parsed from.
  const auto with_noscript = HtmlWithNoscript(page.text, HtmlParagraphLength(tree, {}));
  if (with_noscript) {
    tree = HtmlTree();
    extraction.outcome = ParseHtmlTree(*with_noscript, limits, &tree, &extraction.reason);
    if (extraction.outcome != ExtractOutcome::kText) return extraction;
  }
  HtmlSelection selection;
  if (content == HtmlContent::kMain) {
    selection = SelectMainContent(tree);
    extraction.meta["extraction_score"] = {HundredthsText(selection.score)};
    if (selection.is_fallback) extraction.warnings = {"fallback_all_text"};
  }
  if (!WriteHtmlMarkdown(tree, selection.skip, NearestElement, limits, &extraction)) {
    return FailedExtraction(ExtractOutcome::kTooLarge, TooMuchText(limits));
  }
  if (page.wrong_charset) extraction.warnings.emplace_back(kWrongCharset);
  ReadHtmlMeta(tree, &extraction.meta);
  if (extraction.text.empty()) {
    extraction.outcome = ExtractOutcome::kNoText;
    extraction.reason = "the page has no visible text";
    extraction.warnings.clear();
  }
  return extraction;
}

ExtractOutcome AppendHtmlPage(std::string_view bytes, std::string_view charset,
                              const ExtractLimits& limits, const ElementLocator& locate,
                              Extraction* extraction, std::string* title) {
  if (title != nullptr) title->clear();
  HtmlText page;
  DecodeHtml(bytes, charset, &page);
  HtmlTree tree;
  const ExtractOutcome outcome = ParseHtmlTree(page.text, limits, &tree, &extraction->reason);
  if (outcome != ExtractOutcome::kText) return outcome;
  if (!WriteHtmlMarkdown(tree, FindContentsHeadings(tree, false), locate, limits, extraction)) {
    extraction->reason = TooMuchText(limits);
    return ExtractOutcome::kTooLarge;
  }
  if (page.wrong_charset && std::ranges::count(extraction->warnings, kWrongCharset) == 0) {
    extraction->warnings.emplace_back(kWrongCharset);
  }
  std::map<std::string, std::vector<std::string>> meta;
  ReadHtmlMeta(tree, &meta);
  if (title != nullptr && meta.contains("title")) *title = meta["title"].front();
  if (meta.contains("links")) {
    std::vector<std::string>& links = extraction->meta["links"];
    std::unordered_set<std::string> known(links.begin(), links.end());
    for (std::string& link : meta["links"]) {
      if (links.size() < kMaxHtmlLinks && known.insert(link).second) {
        links.push_back(std::move(link));
      }
    }
  }
  return ExtractOutcome::kText;
}

}  // namespace recall
