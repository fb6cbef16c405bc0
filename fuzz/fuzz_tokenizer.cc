// Tokenizer: any bytes give tokens that FTS5 can store, independent of the texts tokenised before.
// A text used as a query searches for the words that indexing it stores, and for no other spelling,
// name or number than are stored beside them.
// Input: a line with the heading, then the text.

#include <string>
#include <vector>

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
  const std::string spaced = ' ' + lexical.compound + ' ';
  const auto check_compound = [&](const std::string& token) {
    RECALL_CHECK(token.empty() || spaced.find(' ' + token + ' ') != spaced.npos);
  };
  std::string body;
  for (const Tokenizer::Word& word : tokenizer.AnalyzeQuery(text)) {
    RECALL_CHECK(!word.stems.empty() && word.variants.size() == word.stems.size());
    for (const std::string& stem : word.stems) {
      if (word.is_symbol) {
        check_compound(stem);
        continue;
      }
      if (!body.empty()) body += ' ';
      body += stem;
    }
    for (const std::string& token : {word.whole, word.name, word.joined}) check_compound(token);
    for (const std::string& piece : word.pieces) check_compound(piece);
    for (const std::vector<std::string>& variants : word.variants) {
      for (const std::string& variant : variants) check_compound(variant);
    }
  }
  RECALL_CHECK(body == lexical.body);
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
