// Tokenizer: any bytes give tokens that FTS5 can store, independent of the texts tokenised before.
// A text used as a query searches for exactly the tokens that indexing it stores.
// Input: a line with the heading, then the text.

#include <string>

#include "fuzz/fuzz_target.h"
#include "fuzz/token_checks.h"

namespace recall {
namespace {

void CheckText(const LexicalText& lexical) {
  RECALL_CHECK(CheckTokens(lexical.body) == lexical.tokens);
  CheckTokens(lexical.compound);
}

void CheckQueryAgreesWithIndex(std::string_view text, Tokenizer& tokenizer) {
  LexicalText lexical;
  tokenizer.Analyze("", text, &lexical);
  std::string body;
  std::string compound;
  const auto append = [](const std::string& token, std::string* to) {
    if (!to->empty()) *to += ' ';
    *to += token;
  };
  for (const Tokenizer::Word& word : tokenizer.AnalyzeQuery(text)) {
    RECALL_CHECK(!word.stems.empty());
    for (const std::string& stem : word.stems) append(stem, &body);
    if (!word.whole.empty()) append(word.whole, &compound);
    if (!word.name.empty()) append(word.name, &compound);
  }
  RECALL_CHECK(body == lexical.body);
  RECALL_CHECK(compound == lexical.compound);
}

}  // namespace

void FuzzOne(ByteSpan input) {
  static Tokenizer used;  // its cache of words is kept between inputs
  std::string_view text = AsText(input);
  const std::string_view heading = TakeLine(text);
  LexicalText lexical;
  used.Analyze(heading, text, &lexical);
  CheckText(lexical);

  Tokenizer fresh;
  LexicalText again;
  fresh.Analyze(heading, text, &again);
  RECALL_CHECK(again.body == lexical.body && again.compound == lexical.compound);
  CheckQueryAgreesWithIndex(text, used);
  Tokenizer first_version(1);
  first_version.Analyze(heading, text, &again);
  RECALL_CHECK(again.body == lexical.body);
  CheckTokens(used.AnalyzePath(text));
  RECALL_CHECK(CountTokens(text) <= text.size());
}

}  // namespace recall
