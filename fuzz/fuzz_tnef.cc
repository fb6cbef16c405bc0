// ReadTnef, UnpackRtf, ReadRtf: any bytes give texts in UTF-8, within the limits, twice the same;
// files are parts of the input. Input: a message in TNEF, or RTF, packed or not.

#include <string>

#include "fuzz/fuzz_target.h"
#include "index/base/text/utf8.h"
#include "index/source/extract/mail/mail_extract.h"
#include "index/source/extract/mail/rtf_text.h"
#include "index/source/extract/mail/tnef_reader.h"
#include "tests/index/source/extract/extraction_check.h"

namespace recall {
namespace {

void CheckRtf(std::string_view bytes) {
  constexpr uint64_t kMost = 4 << 10;
  const RtfText read = ReadRtf(bytes, kMost);
  RECALL_CHECK(IsValidUtf8(read.text));
  RECALL_CHECK(read.text.size() <= 3 * (bytes.size() + 1));
  RECALL_CHECK(read.text == ReadRtf(bytes, kMost).text);
}

}  // namespace

void FuzzOne(ByteSpan input) {
  const std::string_view bytes = AsText(input);
  CheckRtf(bytes);
  if (const auto rtf = UnpackRtf(bytes, 64 << 10)) {
    RECALL_CHECK(rtf->size() <= 64 << 10);
    CheckRtf(*rtf);
  }
  const auto message = ReadTnef(bytes);
  RECALL_CHECK(message.has_value() == IsTnef(bytes));
  if (!message) return;
  for (const std::string* text : {&message->subject, &message->from, &message->to, &message->cc,
                                  &message->date, &message->message_id, &message->plain}) {
    RECALL_CHECK(IsValidUtf8(*text));
  }
  for (const TnefMessage::File& file : message->files) {
    RECALL_CHECK(IsValidUtf8(file.name) && !file.bytes.empty());
    RECALL_CHECK(file.bytes.data() >= bytes.data() &&
                 file.bytes.data() + file.bytes.size() <= bytes.data() + bytes.size());
  }
  ExtractLimits limits;
  limits.max_text_bytes = 64 << 10;
  limits.max_files = 10;
  RECALL_CHECK(BrokenRuleOf(ExtractMail(bytes, limits), limits).empty());
}

}  // namespace recall
