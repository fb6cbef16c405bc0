// SubwordTokenizer: an untrusted tokenizer.json or rank file is rejected, or gives token ids below
// its limit for any text, independent of the texts tokenised before.
// Input: a line of text, then the file. A file that does not begin with a brace is a rank file.

#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "index/subword/subword_tokenizer.h"

namespace recall {

void FuzzOne(ByteSpan input) {
  std::string_view rest = AsText(input);
  const std::string_view text = TakeLine(rest);
  const Result<SubwordTokenizer> tokenizer =
      rest.starts_with('{') ? SubwordTokenizer::Parse(rest) : SubwordTokenizer::ParseRanks(rest);
  if (!tokenizer) {
    const StatusCode code = tokenizer.error().code();
    RECALL_CHECK(code == StatusCode::kCorruption || code == StatusCode::kUnsupported);
    return;
  }
  SubwordEncoder encoder(*tokenizer);
  std::vector<uint32_t> ids;
  for (const std::string_view one : {text, std::string_view("Caf\u00e9 it's\n \u4e2d 12"), text}) {
    encoder.Encode(one, &ids);
    for (const uint32_t id : ids) RECALL_CHECK(id < tokenizer->id_limit());
  }
  SubwordEncoder fresh(*tokenizer);
  std::vector<uint32_t> again;
  fresh.Encode(text, &again);
  RECALL_CHECK(again == ids);
}

}  // namespace recall
