// The extractors of Office Open XML: any bytes give an extraction that keeps its promises, and the
// same again.
// Input: the kind of document, then either the bytes of a file, or texts with U+001E between them
// that become the parts of a package whose relations are sound. The latter gets past the check
// sums.

#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "index/source/extract/ooxml/ooxml.h"
#include "tests/index/source/extract/extraction_check.h"
#include "tests/index/source/extract/zip_maker.h"

namespace recall {
namespace {

constexpr std::string_view kRelationTypes[] = {
    "styles", "numbering", "footnotes",  "comments",    "header",  "slide",
    "chart",  "worksheet", "notesSlide", "diagramData", "drawing", "sharedStrings"};

// A package whose parts are called "0", "1", ...; "0" is the main part. Each part is related to all
// others, by relations whose ids and types follow from the number of the part.
std::string PackageOf(std::string_view texts) {
  std::vector<MadeZipEntry> entries;
  std::string relations =
      "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">";
  const std::string begin = relations;
  for (size_t part = 0; part < std::size(kRelationTypes) + 1; ++part) {
    const size_t end = std::min(texts.find('\x1e'), texts.size());
    entries.push_back({std::to_string(part), std::string(texts.substr(0, end))});
    if (part > 0) {
      relations += "<Relationship Id=\"r" + std::to_string(part) + "\" Type=\"x/" +
                   std::string(kRelationTypes[part - 1]) + "\" Target=\"" + std::to_string(part) +
                   "\"/>";
    }
    if (end == texts.size()) break;
    texts.remove_prefix(end + 1);
  }
  relations += "</Relationships>";
  const size_t parts = entries.size();
  for (size_t part = 0; part < parts; ++part) {
    entries.push_back({"_rels/" + std::to_string(part) + ".rels", relations});
  }
  entries.push_back({"_rels/.rels", begin + "<Relationship Id=\"a\" Type=\"x/officeDocument\" "
                                            "Target=\"0\"/><Relationship Id=\"b\" "
                                            "Type=\"x/core-properties\" Target=\"1\"/>"
                                            "</Relationships>"});
  return MakeZip(entries);
}

bool IsSame(const Extraction& a, const Extraction& b) {
  return a.outcome == b.outcome && a.reason == b.reason && a.text == b.text && a.spans == b.spans &&
         a.meta == b.meta && a.warnings == b.warnings;
}

}  // namespace

void FuzzOne(ByteSpan input) {
  if (input.empty()) return;
  constexpr Extraction (*kExtractors[])(std::string_view, const ExtractLimits&) = {
      ExtractDocx, ExtractPptx, ExtractXlsx};
  const auto extract = kExtractors[input[0] % 3];
  const std::string_view rest = AsText(input.subspan(1));
  const std::string bytes = (input[0] & 0x80) != 0 ? std::string(rest) : PackageOf(rest);
  ExtractLimits limits;
  limits.max_unpacked_bytes = 1 << 20;
  limits.max_text_bytes = (input[0] & 0x40) != 0 ? 100 : 1 << 20;
  const Extraction extraction = extract(bytes, limits);
  const std::string broken = BrokenRuleOf(extraction, limits);
  RECALL_CHECK(broken.empty());
  RECALL_CHECK(IsSame(extraction, extract(bytes, limits)));
}

}  // namespace recall
