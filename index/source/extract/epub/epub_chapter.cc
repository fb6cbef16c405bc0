#include "index/source/extract/epub/epub_chapter.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/source/extract/html/html_extractor.h"

namespace recall {
namespace {

// Returns a navigation document without its lists of contents, pages and landmarks, which repeat
// the titles of the chapters.
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

// The level of the first heading; 0 without one.
int FirstEpubHeadingLevel(std::string_view text) {
  bool in_code = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.starts_with("```") || line.starts_with("~~~")) in_code = !in_code;
    const size_t level = std::min(line.find_first_not_of('#'), line.size());
    if (!in_code && level >= 1 && level <= 6 && line.substr(level).starts_with(' ')) {
      return static_cast<int>(level);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return 0;
}

// Puts `prefix` before the text, with `locator` as its place.
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

// Gives a chapter whose document has no heading the title that the navigation has for it.
void PutEpubTitle(const EpubChapter& chapter, Extraction* part) {
  if (chapter.title.empty() || part->text.empty() || FirstEpubHeadingLevel(part->text) != 0) return;
  std::string prefix(static_cast<size_t>(std::clamp(chapter.title_depth, 1, 6)), '#');
  prefix += ' ';
  // The document may begin with the title in a form that is no heading.
  if (!part->text.starts_with(chapter.title + "\n")) prefix += chapter.title + "\n\n";
  PutBeforeEpubText(prefix, {LocatorKind::kChapter, chapter.number, "", ""}, part);
}

// Finds the paragraphs of one line that are equal to a title of the navigation and occur once.
// Returns where they begin, with the depths of their titles.
std::map<uint64_t, int> FindEpubSections(const EpubChapter& chapter, std::string_view text) {
  struct Found {
    int depth = 1;
    int count = 0;
    uint64_t position = 0;
  };
  std::unordered_map<std::string_view, Found> titles;
  for (const EpubSection& section : chapter.sections) {
    titles.try_emplace(section.text, Found{section.depth});
  }
  bool in_code = false;
  bool after_blank = true;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (line.starts_with("```") || line.starts_with("~~~")) in_code = !in_code;
    const bool before_blank = end + 1 >= text.size() || text[end + 1] == '\n';
    if (!in_code && after_blank && before_blank) {
      if (const auto found = titles.find(line); found != titles.end()) {
        ++found->second.count;
        found->second.position = begin;
      }
    }
    after_blank = line.empty();
    begin = end + 1;
  }
  std::map<uint64_t, int> sections;
  for (const auto& [title, found] : titles) {
    if (found.count == 1) sections.emplace(found.position, found.depth);
  }
  return sections;
}

// Turns paragraphs that are equal to a title of the navigation into headings: in many books
// headings are paragraphs in a large font.
void MarkEpubSections(const EpubChapter& chapter, Extraction* part) {
  if (chapter.sections.empty()) return;
  const std::map<uint64_t, int> sections = FindEpubSections(chapter, part->text);
  if (sections.empty()) return;
  const int first = FirstEpubHeadingLevel(part->text);
  const int offset = first == 0 ? 0 : first - chapter.title_depth;
  const std::string text = std::move(part->text);
  part->text.clear();
  uint64_t copied = 0;
  auto next = sections.begin();
  // Copies the old text up to `end`. Returns: where that is in the new text.
  const auto copy_to = [&](uint64_t end) {
    for (; next != sections.end() && next->first < end; ++next) {
      part->text.append(text, copied, next->first - copied);
      copied = next->first;
      const int level = std::clamp(next->second + offset, 1, 6);
      part->text.append(static_cast<size_t>(level), '#').append(" ");
    }
    part->text.append(text, copied, end - copied);
    copied = end;
    return part->text.size();
  };
  for (LocatorSpan& span : part->spans) {
    span.start = copy_to(span.start);
    span.end = copy_to(span.end);
  }
  copy_to(text.size());
}

// Cuts the text to at most `size` bytes, at a character.
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
  MarkEpubSections(chapter, &part);
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
