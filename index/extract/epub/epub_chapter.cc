#include "index/extract/epub/epub_chapter.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "index/extract/html/html_extractor.h"
#include "index/text/utf8.h"

namespace recall {
namespace {

// Without the lists of contents, pages and landmarks of a navigation document: what they say is in
// the chapters.
std::string WithoutEpubNavigation(std::string_view page) {
  constexpr std::string_view kEnd = "</nav>";
  std::string rest;
  for (;;) {
    const size_t begin = page.find("<nav");
    const size_t end = begin == page.npos ? page.npos : page.find(kEnd, begin);
    if (end == page.npos) break;
    rest.append(page.substr(0, begin));
    page.remove_prefix(end + kEnd.size());
  }
  return rest.append(page);
}

bool HasEpubHeading(std::string_view text) {
  bool in_code = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.starts_with("```") || line.starts_with("~~~")) in_code = !in_code;
    const size_t level = std::min(line.find_first_not_of('#'), line.size());
    if (!in_code && level >= 1 && level <= 6 && line.substr(level).starts_with(' ')) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

// Puts `prefix` before the text; it is of the place `locator`.
void PutBeforeEpubText(std::string_view prefix, const Locator& locator, Extraction* part) {
  part->text.insert(0, prefix);
  for (LocatorSpan& span : part->spans) {
    span.start += prefix.size();
    span.end += prefix.size();
  }
  if (!part->spans.empty() && part->spans.front().start == prefix.size() &&
      part->spans.front().locator == locator) {
    part->spans.front().start = 0;
  } else if (!prefix.empty()) {
    part->spans.insert(part->spans.begin(), {0, prefix.size(), locator});
  }
}

// A chapter whose document has no heading gets that of the navigation.
void PutEpubTitle(const EpubChapter& chapter, Extraction* part) {
  if (chapter.title.empty() || part->text.empty() || HasEpubHeading(part->text)) return;
  std::string prefix(static_cast<size_t>(std::clamp(chapter.title_depth, 1, 6)), '#');
  prefix += ' ';
  // The title may be there, but not as a heading.
  if (!part->text.starts_with(chapter.title + "\n")) prefix += chapter.title + "\n\n";
  PutBeforeEpubText(prefix, {LocatorKind::kChapter, chapter.number, "", ""}, part);
}

// The first `size` bytes of a text, or some less.
void CutEpubText(uint64_t size, Extraction* part) {
  part->text.resize(FloorToCharacter(part->text, std::min<uint64_t>(size, part->text.size())));
  for (LocatorSpan& span : part->spans) span.end = std::min<uint64_t>(span.end, part->text.size());
  std::erase_if(part->spans, [](const LocatorSpan& span) { return span.start >= span.end; });
}

}  // namespace

ExtractOutcome EpubTextWriter::Append(std::string_view bytes, const EpubChapter& chapter,
                                      std::string* reason) {
  if (full_) return ExtractOutcome::kText;
  Extraction part;
  ExtractLimits limits = limits_;
  limits.max_text_bytes -= book_.text.size();
  std::string page;
  if (chapter.is_navigation) bytes = page = WithoutEpubNavigation(bytes);
  const auto locate = [&](std::string_view id) -> std::optional<Locator> {
    return Locator{LocatorKind::kChapter, chapter.number, std::string(id), ""};
  };
  const ExtractOutcome outcome = AppendHtmlPage(bytes, "", limits, locate, &part, nullptr);
  const bool is_cut = outcome == ExtractOutcome::kTooLarge && !part.text.empty();
  if (outcome != ExtractOutcome::kText && !is_cut) {
    *reason = std::move(part.reason);
    return outcome;
  }
  PutEpubTitle(chapter, &part);
  const std::string_view gap = book_.text.empty() || part.text.empty() ? "" : "\n";
  const uint64_t room = limits_.max_text_bytes - book_.text.size();
  if (is_cut || part.text.size() + gap.size() > room) {
    full_ = true;
    if (room <= gap.size()) return ExtractOutcome::kText;
    CutEpubText(room - gap.size(), &part);
  }
  book_.text += gap;
  const uint64_t begin = book_.text.size();
  book_.text += part.text;
  for (LocatorSpan& span : part.spans) {
    span.start += begin;
    span.end += begin;
    book_.spans.push_back(std::move(span));
  }
  return ExtractOutcome::kText;
}

Extraction EpubTextWriter::Finish(Extraction facts) {
  facts.outcome = book_.text.empty() ? ExtractOutcome::kNoText : ExtractOutcome::kText;
  facts.reason = book_.text.empty() ? "it has no text" : "";
  facts.text = std::move(book_.text);
  facts.spans = std::move(book_.spans);
  if (full_) facts.warnings.emplace_back("truncated_output");
  std::ranges::sort(facts.warnings);
  facts.warnings.erase(std::ranges::unique(facts.warnings).begin(), facts.warnings.end());
  return facts;
}

}  // namespace recall
