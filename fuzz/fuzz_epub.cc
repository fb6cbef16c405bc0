// ExtractEpub: any bytes give an outcome that keeps the promises of Extraction, within small
// limits, the same when read again. Input: the file, or its entries (fuzz/fuzz_package.h).

#include "fuzz/fuzz_package.h"
#include "fuzz/fuzz_target.h"
#include "index/source/extract/epub/epub_document.h"
#include "tests/index/source/extract/extraction_check.h"

namespace recall {

void FuzzOne(ByteSpan input) {
  ExtractLimits limits;
  limits.max_text_bytes = 64 << 10;
  limits.max_depth = 64;
  const std::string bytes = PackageOf(input);
  const Extraction extraction = ExtractEpub(bytes, limits);
  RECALL_CHECK(BrokenRuleOf(extraction, limits).empty());
  const Extraction again = ExtractEpub(bytes, limits);
  RECALL_CHECK(again.outcome == extraction.outcome && again.reason == extraction.reason &&
               again.text == extraction.text && again.spans == extraction.spans &&
               again.meta == extraction.meta && again.warnings == extraction.warnings);
}

}  // namespace recall
