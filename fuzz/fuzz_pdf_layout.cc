// PdfTextReader: any bytes give an extraction that keeps the promises of all extractions, the same
// in one part and in many. ReadPdfChildMessages: any bytes give an outcome with a reason. Input:
// one byte, the size of the parts; then the output of `pdftotext -bbox-layout`.

#include <string>
#include <string_view>

#include "fuzz/fuzz_target.h"
#include "index/base/text/utf8.h"
#include "index/source/extract/pdf/pdf_child_messages.h"
#include "index/source/extract/pdf/pdf_text.h"
#include "tests/index/source/extract/extraction_check.h"

namespace recall {
namespace {

void CheckReading(std::string_view xhtml, size_t step, const ExtractLimits& limits) {
  const Extraction whole = ExtractPdfLayout(xhtml, limits);
  RECALL_CHECK(BrokenRuleOf(whole, limits).empty());
  PdfTextReader reader(limits);
  for (size_t at = 0; at < xhtml.size(); at += step) reader.Feed(xhtml.substr(at, step));
  const Extraction parts = reader.Finish();
  RECALL_CHECK(parts.outcome == whole.outcome && parts.reason == whole.reason);
  RECALL_CHECK(parts.text == whole.text && parts.spans == whole.spans);
  RECALL_CHECK(parts.meta == whole.meta && parts.warnings == whole.warnings);
}

}  // namespace

void FuzzOne(ByteSpan input) {
  if (input.empty()) return;
  const std::string_view text(reinterpret_cast<const char*>(input.data()) + 1, input.size() - 1);
  const size_t step = 1 + static_cast<size_t>(input[0]);
  ExtractLimits limits;
  CheckReading(text, step, limits);
  limits.max_text_bytes = step;
  limits.max_members = 3;
  CheckReading(text, step, limits);

  const PdfChildResult child = ReadPdfChildMessages(text, static_cast<int>(step) - 1);
  RECALL_CHECK((child.outcome == ExtractOutcome::kText) == child.reason.empty());
  RECALL_CHECK(IsValidUtf8(child.reason) && child.reason.find('\n') == std::string::npos);
}

}  // namespace recall
