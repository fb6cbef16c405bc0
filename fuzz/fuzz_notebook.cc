// ExtractNotebook: any bytes give an extraction that keeps its contract, within the limits, and
// twice the same.
// Input: the notebook.

#include "fuzz/fuzz_target.h"
#include "index/source/extract/notebook/notebook_extract.h"
#include "tests/index/source/extract/extraction_check.h"

namespace recall {

void FuzzOne(ByteSpan input) {
  ExtractLimits limits;
  limits.max_text_bytes = 64 << 10;
  limits.max_depth = 32;
  const Extraction once = ExtractNotebook(AsText(input), limits);
  RECALL_CHECK(BrokenRuleOf(once).empty());
  RECALL_CHECK(once.text.size() <= limits.max_text_bytes);
  const Extraction again = ExtractNotebook(AsText(input), limits);
  RECALL_CHECK(once.text == again.text && once.spans == again.spans && once.meta == again.meta);
}

}  // namespace recall
