#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/source/extract/types/extraction.h"

namespace recall {

// Appends `text` as extracted texts must be: ill-formed bytes become U+FFFD; NUL and other control
// characters are left out but for tabs; "\r\n", "\r", vertical tabs, form feeds, U+2028 and U+2029
// become "\n".
void AppendCleanText(std::string_view text, std::string* out);

// `text` as AppendCleanText makes it, on one line: every run of ASCII white space is one space;
// none at the ends.
std::string OneLine(std::string_view text);

// Writes an extracted text in Markdown-like form, with its spans. Blocks are divided by an empty
// line, but list items and rows that follow each other are not. Lines that Markdown would take for
// a heading, a fence or an underline get a "\" in front. Texts may be any bytes.
//
// When the text has max_text_bytes, the rest is left out with the warning "truncated_output".
class MarkdownWriter final {
 public:
  explicit MarkdownWriter(const ExtractLimits& limits) : most_(limits.max_text_bytes) {}

  // The place of the blocks that are written from now on. Blocks of equal places that follow each
  // other share a span.
  void SetLocator(Locator locator) { locator_ = std::move(locator); }
  void ClearLocator() { locator_.reset(); }

  // level: 1 to 6; others are clamped. An empty title writes nothing, nor does an empty text below.
  void Heading(int level, std::string_view title);
  void Paragraph(std::string_view text);
  // level: 0 for items that are in no other item. marker: "-", "3.". Further lines are indented.
  void ListItem(int level, std::string_view marker, std::string_view text);
  // A row of a table: the cells, each on one line, with tabs between them. A row whose cells are
  // all empty writes nothing. EndBlock divides one table from the next.
  void Row(std::span<const std::string> cells);
  // Lines between fences that are longer than any in them.
  void Code(std::string_view text, std::string_view language);
  // An empty line comes before the next block, whatever it is.
  void EndBlock() { last_ = Kind::kOther; }

  // Whether the limit is reached: nothing more is written.
  bool full() const { return full_; }
  // The bytes that still fit.
  uint64_t room() const { return full_ ? 0 : most_ - text_.size(); }

  // Adds text, spans, warnings and the outcome kText or kNoText to `facts`. Warnings become
  // ascending and different. A writer is used up by it.
  Extraction Finish(Extraction facts = {});

 private:
  enum class Kind : uint8_t { kNone, kItem, kRow, kOther };

  void Write(Kind kind, std::string_view block);

  uint64_t most_;
  bool full_ = false;
  Kind last_ = Kind::kNone;
  std::optional<Locator> locator_;
  std::string text_;
  std::vector<LocatorSpan> spans_;
  std::string block_;
  std::string clean_;
};

}  // namespace recall
