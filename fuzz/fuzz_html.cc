// ExtractHtml: any bytes give a sound extraction, the same each time; the main content has no more
// bytes than a page of its size may have.
// Input: the page.

#include "fuzz/fuzz_target.h"
#include "index/base/text/utf8.h"
#include "index/source/extract/html/html_extractor.h"

namespace recall {
namespace {

void CheckHtmlExtraction(const Extraction& extraction) {
  RECALL_CHECK(IsValidUtf8(extraction.text));
  RECALL_CHECK(extraction.text.find('\0') == std::string::npos);
  RECALL_CHECK(extraction.text.empty() || extraction.text.back() == '\n');
  uint64_t end = 0;
  for (const LocatorSpan& span : extraction.spans) {
    RECALL_CHECK(span.start >= end && span.start < span.end);
    RECALL_CHECK(IsValidUtf8(span.locator.name) && !span.locator.name.empty());
    end = span.end;
  }
  RECALL_CHECK(end <= extraction.text.size());
  for (const auto& [key, values] : extraction.meta) {
    RECALL_CHECK(!values.empty());
    for (const std::string& value : values) RECALL_CHECK(IsValidUtf8(value) && !value.empty());
  }
}

}  // namespace

void FuzzOne(ByteSpan input) {
  const std::string_view page(reinterpret_cast<const char*>(input.data()), input.size());
  ExtractLimits limits;
  limits.max_text_bytes = 1 << 20;
  for (const HtmlContent content : {HtmlContent::kMain, HtmlContent::kAll}) {
    const Extraction first = ExtractHtml(page, limits, content);
    CheckHtmlExtraction(first);
    const Extraction again = ExtractHtml(page, limits, content);
    RECALL_CHECK(first.outcome == again.outcome && first.text == again.text);
    RECALL_CHECK(first.spans == again.spans && first.meta == again.meta);
  }
}

}  // namespace recall
