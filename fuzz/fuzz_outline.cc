// Source code and the answers about it: any text has a sound outline or none, the same each time,
// which is read from an answer as it was written; any answer of a worker is refused, or sound.
// Input: a path ("a.py"), a line break, the text. "answer" as the path: the text is an answer.

#include "fuzz/fuzz_target.h"
#include "index/source/code/code_grammar.h"
#include "index/source/code/outline_check.h"
#include "index/source/code/outline_parser.h"
#include "index/source/extract/worker/outline_protocol.h"

namespace recall {
namespace {

void CheckSameOutline(const CodeOutline& a, const CodeOutline& b) {
  RECALL_CHECK(EncodeOutlineAnswer({OutlineOutcome::kOutline, a, 0}) ==
               EncodeOutlineAnswer({OutlineOutcome::kOutline, b, 0}));
}

}  // namespace

void FuzzOne(ByteSpan input) {
  std::string_view text = AsText(input);
  const std::string_view path = TakeLine(text);
  if (path == "answer") {
    constexpr uint64_t kTextBytes = 1000;
    const auto answer = DecodeOutlineAnswer(text, "cpp-1", kTextBytes);
    DecodeOutlineRequest(text);
    if (answer) RECALL_CHECK(IsSoundOutline(answer->outline, kTextBytes));
    return;
  }
  const std::string grammar = GrammarFor(path, text);
  const auto outline = ParseOutline(grammar, text);
  if (!outline) return;
  RECALL_CHECK(outline->grammar == grammar);
  RECALL_CHECK(IsSoundOutline(*outline, text.size()));
  for (const CodeCut& cut : outline->cuts) {
    RECALL_CHECK(cut.byte == 0 || text[cut.byte - 1] == '\n');
  }
  const auto again = ParseOutline(grammar, text);
  RECALL_CHECK(again.has_value());
  CheckSameOutline(*outline, *again);
  const auto read = DecodeOutlineAnswer(
      EncodeOutlineAnswer({OutlineOutcome::kOutline, *outline, 1}), grammar, text.size());
  RECALL_CHECK(read.has_value());
  CheckSameOutline(*outline, read->outline);
}

}  // namespace recall
