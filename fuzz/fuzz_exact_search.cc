// A pattern and the text of a document: the lines that match are in order, their matches lie in
// them, and the trigrams of the text do not exclude it. The same for names in source code: what is
// found is the name. Input: a path ("a.py"), a line break, a pattern or a name, a line break, the
// text.

#include "fuzz/fuzz_target.h"
#include "index/search/lines/line_pattern.h"
#include "index/source/code/code_words.h"
#include "index/source/code/imported_names.h"
#include "storage/tables/text_grams.h"

namespace recall {
namespace {

void CheckLines(const LinePattern& pattern, std::string_view text, ByteSpan grams) {
  size_t end = 0;  // of the line before
  uint32_t number = 0;
  pattern.ForEachLine(text, [&](MatchedLine&& found) {
    RECALL_CHECK(found.line.begin >= end && found.line.end <= text.size());
    RECALL_CHECK(found.line.begin == 0 || text[found.line.begin - 1] == '\n');
    RECALL_CHECK(found.number > number && !found.matches.empty());
    size_t behind = found.line.begin;
    for (const TextRange& match : found.matches) {
      RECALL_CHECK(match.begin >= behind && match.begin <= match.end);
      RECALL_CHECK(match.end <= found.line.end);
      behind = match.end;
    }
    end = found.line.end;
    number = found.number;
    RECALL_CHECK(pattern.grams().MayMatch(grams));
    return true;
  });
}

}  // namespace

void FuzzOne(ByteSpan input) {
  std::string_view text = AsText(input);
  const std::string_view path = TakeLine(text);
  const std::string_view pattern = TakeLine(text);
  const std::string bits = MakeTextGrams(text);
  for (const bool is_literal : {false, true}) {
    for (const bool is_other : {false, true}) {
      const auto compiled = LinePattern::Compile(
          pattern, {.is_literal = is_literal, .ignore_case = is_other, .whole_words = is_other});
      if (compiled) CheckLines(*compiled, text, AsBytes(bits));
    }
  }
  MayHaveGrams(AsBytes(text), GramNumbers(pattern, [](std::string_view) { return true; }));
  for (const size_t at : FindCodeWords(path, text, pattern)) {
    RECALL_CHECK(text.substr(at).starts_with(pattern));
  }
  ImportsNameFrom(path, text, pattern, "src/a.py");
}

}  // namespace recall
