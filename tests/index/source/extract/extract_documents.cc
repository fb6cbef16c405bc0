// Prints what the extractors find in files, for programs that know what they put in:
//   extract_documents FORMAT FILE...
// One line of JSON for each file: {"outcome", "reason", "text", "spans": [{"start", "end", "kind",
// "number", "name", "range"}], "meta": {key: [value]}, "warnings", "files": [{"name", "bytes"}],
// "broken"}. Offsets are in bytes of UTF-8; "broken" is the first promise that does not hold.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "index/source/extract/epub/epub_document.h"
#include "index/source/extract/odf/odf_document.h"
#include "index/source/extract/ooxml/ooxml.h"
#include "tests/index/source/extract/extraction_check.h"

namespace recall {
namespace {

struct DocumentFormat {
  std::string_view name;
  Extraction (*extract)(std::string_view bytes, const ExtractLimits& limits);
};

constexpr DocumentFormat kDocumentFormats[] = {
    {"docx", ExtractDocx}, {"epub", ExtractEpub}, {"odp", ExtractOdp},   {"ods", ExtractOds},
    {"odt", ExtractOdt},   {"pptx", ExtractPptx}, {"xlsx", ExtractXlsx},
};

constexpr const char* kKindNames[] = {"page",    "paragraph", "slide",   "sheet",
                                      "chapter", "element",   "message", "cell"};
constexpr const char* kOutcomeNames[] = {"text",        "no_text", "encrypted", "too_large",
                                         "unsupported", "damaged", "timed_out", "crashed"};

nlohmann::json JsonOf(const Extraction& extraction) {
  nlohmann::json json;
  json["outcome"] = kOutcomeNames[static_cast<size_t>(extraction.outcome)];
  json["reason"] = extraction.reason;
  json["text"] = extraction.text;
  json["spans"] = nlohmann::json::array();
  for (const LocatorSpan& span : extraction.spans) {
    json["spans"].push_back({{"start", span.start},
                             {"end", span.end},
                             {"kind", kKindNames[static_cast<size_t>(span.locator.kind)]},
                             {"number", span.locator.number},
                             {"name", span.locator.name},
                             {"range", span.locator.range}});
  }
  json["meta"] = extraction.meta;
  json["warnings"] = extraction.warnings;
  json["files"] = nlohmann::json::array();
  for (const AttachedFile& file : extraction.files) {
    json["files"].push_back({{"name", file.name}, {"bytes", file.bytes.size()}});
  }
  json["broken"] = BrokenRuleOf(extraction);
  return json;
}

int Run(int count, char** arguments) {
  const std::string_view name = count > 1 ? arguments[1] : "";
  const auto* const format = std::ranges::find(kDocumentFormats, name, &DocumentFormat::name);
  if (format == std::end(kDocumentFormats)) {
    std::fputs("usage: extract_documents FORMAT FILE...\n", stderr);
    return 2;
  }
  for (int i = 2; i < count; ++i) {
    std::ifstream file(arguments[i], std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "extract_documents: cannot read %s\n", arguments[i]);
      return 1;
    }
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const Extraction extraction = format->extract(bytes, {});
    std::cout << JsonOf(extraction).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
              << "\n";
  }
  return 0;
}

}  // namespace
}  // namespace recall

int main(int count, char** arguments) { return recall::Run(count, arguments); }
