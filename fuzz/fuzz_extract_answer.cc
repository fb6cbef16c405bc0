// DecodeExtractAnswer: any answer of an extraction process is refused, or keeps the contract of
// extractions; and what is kept is encoded to an answer that says the same.
// Input: an answer.

#include "fuzz/fuzz_target.h"
#include "index/base/text/utf8.h"
#include "index/source/extract/worker/worker_protocol.h"

namespace recall {

void FuzzOne(ByteSpan input) {
  ExtractLimits limits;
  limits.max_text_bytes = 4 << 10;
  limits.max_files = 3;
  const auto answer = DecodeExtractAnswer(AsText(input), limits);
  DecodeExtractRequest(AsText(input));
  if (!answer) return;
  const Extraction& extraction = answer->extraction;
  RECALL_CHECK(IsValidUtf8(extraction.text));
  RECALL_CHECK(extraction.text.find('\0') == std::string::npos);
  RECALL_CHECK(extraction.text.size() <= limits.max_text_bytes);
  RECALL_CHECK(extraction.files.size() <= 3);
  uint64_t end = 0;
  for (const LocatorSpan& span : extraction.spans) {
    RECALL_CHECK(span.start >= end && span.start < span.end);
    end = span.end;
  }
  RECALL_CHECK(end <= extraction.text.size());
  const auto again = DecodeExtractAnswer(EncodeExtractAnswer(*answer), limits);
  RECALL_CHECK(again.has_value());
  RECALL_CHECK(again->extraction.text == extraction.text);
  RECALL_CHECK(again->extraction.spans == extraction.spans);
  RECALL_CHECK(again->extraction.meta == extraction.meta);
}

}  // namespace recall
