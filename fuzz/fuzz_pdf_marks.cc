// ReadPdfMarks: any bytes give marks within the limits, twice the same, which a laid out document
// takes. Input: a PDF file.

#include <string>

#include "fuzz/fuzz_target.h"
#include "index/base/text/utf8.h"
#include "index/source/extract/pdf/pdf_mark_reader.h"
#include "index/source/extract/pdf/pdf_text.h"
#include "tests/index/source/extract/extraction_check.h"

namespace recall {

void FuzzOne(ByteSpan input) {
  ExtractLimits limits;
  limits.max_members = 100;
  limits.max_text_bytes = 16 << 10;
  limits.max_unpacked_bytes = 64 << 10;
  const PdfMarks marks = ReadPdfMarks(AsText(input), limits);
  RECALL_CHECK(marks.sections.size() <= 100 && marks.notes.size() <= 100);
  uint64_t bytes = 0;
  const auto check = [&](const std::string& text, bool may_be_empty) {
    bytes += text.size();
    RECALL_CHECK(IsValidUtf8(text) && text.find('\0') == text.npos && text.find('\r') == text.npos);
    RECALL_CHECK(may_be_empty || !text.empty());
  };
  for (const PdfMarks::Section& section : marks.sections) {
    RECALL_CHECK(section.page >= 0 && section.level >= 1);
    RECALL_CHECK(section.title.find('\n') == section.title.npos);
    check(section.title, false);
  }
  for (const PdfMarks::Note& note : marks.notes) {
    RECALL_CHECK(note.page >= 0 && note.text.ends_with('\n'));
    check(note.text, false);
    check(note.author, true);
  }
  RECALL_CHECK(bytes <= limits.max_text_bytes);

  const std::string words =
      "<doc><page width=\"9\" height=\"9\"><word xMin=\"1\" yMin=\"1\" xMax=\"2\" yMax=\"2\">Birds"
      "</word></page><page></page></doc>";
  const auto text_with = [&](const PdfMarks& given) {
    PdfTextReader reader(limits);
    reader.Feed(words);
    const Extraction extraction = reader.Finish(given);
    RECALL_CHECK(BrokenRuleOf(extraction, limits).empty());
    return extraction.text;
  };
  RECALL_CHECK(text_with(marks) == text_with(ReadPdfMarks(AsText(input), limits)));
}

}  // namespace recall
