// ExtractMail: any bytes give an extraction that keeps its contract, within the limits, and twice
// the same.
// Input: the message.

#include "fuzz/fuzz_target.h"
#include "index/source/extract/mail/mail_extract.h"
#include "index/source/extract/mail/mhtml_page.h"
#include "tests/index/source/extract/extraction_check.h"

namespace recall {

void FuzzOne(ByteSpan input) {
  ExtractLimits limits;
  limits.max_text_bytes = 64 << 10;
  limits.max_unpacked_bytes = 64 << 10;
  limits.max_members = 100;
  limits.max_files = 10;
  limits.max_nesting = 3;
  const Extraction once = ExtractMail(AsText(input), limits);
  RECALL_CHECK(BrokenRuleOf(once).empty());
  RECALL_CHECK(once.text.size() <= limits.max_text_bytes);
  RECALL_CHECK(once.files.size() <= 10);
  uint64_t bytes = 0;
  for (const AttachedFile& file : once.files) bytes += file.bytes.size();
  RECALL_CHECK(bytes <= limits.max_unpacked_bytes);
  const Extraction again = ExtractMail(AsText(input), limits);
  RECALL_CHECK(once.text == again.text && once.spans == again.spans && once.meta == again.meta);
  RECALL_CHECK(MhtmlPage(AsText(input), limits) == MhtmlPage(AsText(input), limits));
}

}  // namespace recall
