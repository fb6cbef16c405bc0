#include "index/source/note/document_tokenizer.h"

#include "index/source/chunk/chunker.h"
#include "index/source/code/import_lines.h"
#include "index/source/note/indexed_title.h"

namespace recall {
namespace {

// Which words of a note are in which field of its card, as tokens of the full-text index.
//
//   ---                       body       titl focu style tag css
//   title: Focus styles       compound   [U+E004]focu [U+E004]style [U+E005]css
//   tags: [css]
//   ---
//
// Problem: a search with field weights needs, for each word of the query and each field, how often
// the word is in that field of each chunk.
//
// Idea: these are the postings of a word of its own, the token after a mark of the field. They are
// read, precomputed for common words, deleted, checked and repaired as the postings of every other
// token, and a search without field weights never looks at them.
//
// Invariants. Tokens of a field that are neighbours in a column of the chunk are neighbours here,
// and no others are: a mark alone stands between. So an occurrence of a phrase of marked tokens is
// an occurrence of the phrase in the text that lies within the field, and the counts of the fields
// never add up to more than the count of the chunk. The tokens depend on nothing but the bytes of
// the text and the version of the tokenizer.
//
// Cost: the front matter is tokenised once more.

void AppendToken(std::string_view token, std::string* out) {
  if (!out->empty()) out->push_back(' ');
  out->append(token);
}

}  // namespace

void DocumentTokenizer::Begin(std::string_view path, std::string_view parser,
                              const std::optional<std::string>& meta, std::string_view language,
                              std::string_view head) {
  tokenizer_.SetLanguage(language);
  path_words_.clear();
  if (parser != ParserName(Parser::kSession)) {
    path_words_ = tokenizer_.AnalyzePath(path, IndexedTitle(parser, meta));
  }
  kind_ = tokenizer_.version() >= 3 ? TextKindOf(path, parser) : TextKind::kOther;
  role_ = kind_ == TextKind::kOther ? std::nullopt : RoleOf(path);
  card_.clear();
  if (parser != ParserName(Parser::kNote)) return;
  head = head.substr(0, kHeadBytes);  // the same for a whole text and its beginning
  card_ = FindCardFields(head);
  if (const auto front_matter = FindFrontMatter(head)) card_end_ = front_matter->end;
}

void DocumentTokenizer::Analyze(std::string_view heading, uint64_t start_byte,
                                std::string_view text, LexicalText* out) {
  tokenizer_.Analyze(heading, text, out, path_words_);
  if (kind_ != TextKind::kOther) {
    AppendDefinitions(text, &out->compound);
    AppendMarks(text, &out->compound);
  }
  if (card_.empty() || start_byte >= card_.back().end) return;
  // No word or name reaches over the end of a line, and so over the end of the front matter.
  placer_.Find(text.substr(0, card_end_ - start_byte));
  for (size_t i = 0; i < kCardFields; ++i) {
    std::string tokens;
    AppendField(static_cast<CardField>(i), start_byte, placer_.body(), &tokens);
    AppendField(static_cast<CardField>(i), start_byte, placer_.compound(), &tokens);
    if (!tokens.empty()) AppendToken(tokens, &out->compound);
  }
}

// Appends the names that the chunk defines.
void DocumentTokenizer::AppendDefinitions(std::string_view text, std::string* out) {
  for (const DefinedName& defined : FindDefinedNames(text, kind_)) {
    const size_t before = out->size();
    if (!out->empty()) out->push_back(' ');
    const size_t start = out->size();
    AppendDefinitionToken(defined.name,
                          defined.is_entry ? DefinitionMark::kEntry : DefinitionMark::kDefinition,
                          analyzer_, out);
    if (out->size() == start) out->resize(before);
  }
}

// Appends what its file is for, and whether it mostly imports. A number of equal tokens is read
// faster than several tokens, and a search reads it for a hundred chunks.
void DocumentTokenizer::AppendMarks(std::string_view text, std::string* out) const {
  const bool imports = IsSourceCode(kind_) && IsMostlyImports(text);
  const uint32_t number = NumberOfMarks({role_, imports});
  for (uint32_t i = 0; i < number; ++i) AppendToken(kMarkToken, out);
}

// Appends those of the tokens that lie within the field.
void DocumentTokenizer::AppendField(CardField field, uint64_t start_byte,
                                    const TokenPlacer::Tokens& tokens, std::string* out) const {
  bool apart = !out->empty();
  auto span = card_.begin();
  for (size_t i = 0; i < tokens.words.size(); ++i) {
    const uint64_t start = start_byte + tokens.places[i].start;
    const uint64_t end = start_byte + tokens.places[i].end;
    while (span != card_.end() && span->end < end) ++span;  // the ends of tokens ascend
    if (span == card_.end()) return;
    if (span->field != field || start < span->begin) {
      apart = !out->empty();
      continue;
    }
    if (apart) AppendToken(CardToken(field, ""), out);
    AppendToken(CardToken(field, tokens.words[i]), out);
    apart = false;
  }
}

}  // namespace recall
