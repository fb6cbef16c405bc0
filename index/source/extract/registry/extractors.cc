#include "index/source/extract/registry/extractors.h"

#include <algorithm>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/source/extract/container/container_libraries.h"
#include "index/source/extract/epub/epub_document.h"
#include "index/source/extract/html/gumbo_library.h"
#include "index/source/extract/html/html_extractor.h"
#include "index/source/extract/mail/mail_extract.h"
#include "index/source/extract/mail/mhtml_page.h"
#include "index/source/extract/notebook/notebook_extract.h"
#include "index/source/extract/odf/odf_document.h"
#include "index/source/extract/ooxml/ooxml.h"
#include "index/source/extract/pdf/pdf_text.h"
#include "index/source/extract/types/locator_record.h"

namespace recall {
namespace {

constexpr size_t kLongestFact = 8 << 10;   // of one value; longer ones are cut
constexpr size_t kMostValuesOfKey = 1000;  // of one key

// Whether a web page is one in a message: HTML begins with a tag.
bool BeginsAsMessage(std::string_view bytes) {
  const size_t colon = bytes.substr(0, 100).find(':');
  return colon != bytes.npos && bytes.substr(0, colon).find_first_of("<\n") == bytes.npos;
}

Extraction ExtractBy(DocumentFormat format, bool all_html, std::string_view bytes,
                     const ExtractLimits& limits) {
  switch (format) {
    case DocumentFormat::kPdf:
      return ExtractPdfLayout(bytes, limits);
    case DocumentFormat::kHtml:
      if (const auto page = BeginsAsMessage(bytes) ? MhtmlPage(bytes, limits) : std::nullopt) {
        return ExtractHtml(*page, limits, all_html ? HtmlContent::kAll : HtmlContent::kMain);
      }
      return ExtractHtml(bytes, limits, all_html ? HtmlContent::kAll : HtmlContent::kMain);
    case DocumentFormat::kDocx:
      return ExtractDocx(bytes, limits);
    case DocumentFormat::kPptx:
      return ExtractPptx(bytes, limits);
    case DocumentFormat::kXlsx:
      return ExtractXlsx(bytes, limits);
    case DocumentFormat::kOdt:
      return ExtractOdt(bytes, limits);
    case DocumentFormat::kOdp:
      return ExtractOdp(bytes, limits);
    case DocumentFormat::kOds:
      return ExtractOds(bytes, limits);
    case DocumentFormat::kEpub:
      return ExtractEpub(bytes, limits);
    case DocumentFormat::kMail:
      return ExtractMail(bytes, limits);
    case DocumentFormat::kNotebook:
      return ExtractNotebook(bytes, limits);
  }
  return FailedExtraction(ExtractOutcome::kUnsupported, "no extractor reads this format");
}

// Returns a value on one line, without control characters, cut between words to
// kLongestFact bytes: secrets are looked for afterwards, and half of one is not recognised.
std::string CleanFact(std::string_view text) {
  std::string clean;
  AppendRepairedUtf8(text.substr(0, FloorToWord(text, kLongestFact)), &clean);
  std::replace_if(
      clean.begin(), clean.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  return clean;
}

}  // namespace

Extraction ExtractDocument(DocumentFormat format, bool all_html, std::string_view bytes,
                           const ExtractLimits& limits) {
  return Presentable(ExtractBy(format, all_html, bytes, limits));
}

Extraction Presentable(Extraction extraction) {
  if (extraction.outcome == ExtractOutcome::kText && extraction.text.empty()) {
    extraction.outcome = ExtractOutcome::kNoText;
    if (extraction.reason.empty()) extraction.reason = "it contains no text";
  }
  if (extraction.outcome != ExtractOutcome::kText) {
    extraction.text.clear();
    extraction.spans.clear();
  }
  for (LocatorSpan& span : extraction.spans) {
    span.locator.name = CleanLocatorText(span.locator.name);
    span.locator.range = CleanLocatorText(span.locator.range);
  }
  std::erase_if(extraction.meta, [](const auto& fact) { return fact.first.empty(); });
  for (auto& [key, values] : extraction.meta) {
    if (values.size() > kMostValuesOfKey) values.resize(kMostValuesOfKey);
    for (std::string& value : values) value = CleanFact(value);
    std::erase(values, "");
  }
  std::sort(extraction.warnings.begin(), extraction.warnings.end());
  return extraction;
}

void LoadExtractorLibraries() {
  InflateLibrary::Get();
  ExpatLibrary::Get();
  GumboLibrary::Get();
}

}  // namespace recall
