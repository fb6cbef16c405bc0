#include "index/lexical_query/lexical_query.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "index/text/stop_words.h"
#include "index/text/utf8.h"

namespace recall {
namespace {

using Occur = LexicalClause::Occur;
using Word = Tokenizer::Word;

// An item of the query text: a maximal run without spaces, or the inside of a pair of quotes.
struct Item {
  Occur occur = Occur::kShould;
  bool quoted = false;
  bool prefix = false;
  std::string_view text;
};

// Divides query text into items. A quote without a partner is a separator; a sign is an operator
// only before something it can apply to ("--verbose" is text).
class ItemReader final {
 public:
  explicit ItemReader(std::string_view text) : text_(text) {}

  // Returns: false at the end.
  bool Next(Item* item) {
    SkipSpaces();
    if (at_ == text_.size()) return false;
    *item = Item{};
    if (OperatorAt(at_)) item->occur = text_[at_++] == '+' ? Occur::kMust : Occur::kMustNot;
    if (at_ < text_.size() && text_[at_] == '"') {
      ReadQuoted(item);
    } else {
      ReadPlain(item);
    }
    return true;
  }

  bool AtEnd() {
    SkipSpaces();
    return at_ == text_.size();
  }

 private:
  bool OperatorAt(size_t at) const {
    if (text_[at] != '+' && text_[at] != '-') return false;
    const char next = at + 1 < text_.size() ? text_[at + 1] : ' ';
    return next != '+' && next != '-' && next != ' ';
  }

  // The size of the white space character at `at`; 0 if it is another character.
  size_t SpaceAt(size_t at) const {
    size_t next = at;
    return IsWhiteSpace(DecodeUtf8(text_, &next)) ? next - at : 0;
  }

  void SkipSpaces() {
    while (at_ < text_.size()) {
      const size_t size = SpaceAt(at_);
      if (size == 0) return;
      at_ += size;
    }
  }

  void ReadQuoted(Item* item) {
    const size_t end = text_.find('"', ++at_);
    if (end == text_.npos) return;  // an empty item: the lone quote is skipped
    item->quoted = true;
    item->text = text_.substr(at_, end - at_);
    at_ = end + 1;
  }

  void ReadPlain(Item* item) {
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"' && SpaceAt(at_) == 0) ++at_;
    item->text = text_.substr(begin, at_ - begin);
    item->prefix = item->text.size() > 1 && item->text.back() == '*';
    if (item->prefix) item->text.remove_suffix(1);
  }

  std::string_view text_;
  size_t at_ = 0;
};

std::string Join(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    if (!text.empty()) text += ' ';
    text += token;
  }
  return text;
}

// Collects clauses; a repeated clause raises the count of the first.
class QueryBuilder final {
 public:
  // An unquoted word: its stems, and the whole when it is an identifier.
  void AddWord(const Word& word) {
    const bool plain = word.stems.size() == 1;
    for (const std::string& stem : word.stems) {
      const std::string& shown = plain ? word.surface : stem;
      Add(Occur::kShould, {{{stem}, false}}, shown, IsStopWord(shown));
    }
    if (!word.whole.empty()) Add(Occur::kShould, {{{word.whole}, false}}, word.surface, false);
  }

  // The phrase of all `words`; if `prefix`, the last one is a prefix.
  void AddPhrase(Occur occur, const std::vector<Word>& words, bool prefix) {
    FtsPhrase phrase;
    std::string text;
    for (const Word& word : words) {
      if (phrase.tokens.size() > kMaxPhraseTokens) break;
      phrase.tokens.insert(phrase.tokens.end(), word.stems.begin(), word.stems.end());
      text += (text.empty() ? "" : " ") + word.surface;
    }
    if (phrase.tokens.empty()) return;
    const bool begun = prefix && phrase.tokens.size() <= kMaxPhraseTokens;
    phrase.tokens.resize(std::min(phrase.tokens.size(), kMaxPhraseTokens));
    if (words.size() > 1) text = '"' + text + '"';
    if (begun) text += '*';
    std::vector<FtsPhrase> any_of;
    if (begun) {
      AddPrefixForms(words, std::move(phrase), &any_of);
    } else {
      any_of.push_back(std::move(phrase));
      if (words.size() == 1 && !words[0].whole.empty()) any_of.push_back({{words[0].whole}, false});
    }
    Add(occur, std::move(any_of), std::move(text), false);
  }

  void AddWanted(std::string_view text) {
    if (!query_.wanted.empty()) query_.wanted += ' ';
    query_.wanted += text;
  }

  // Drops the function words, unless the query has nothing else.
  LexicalQuery Finish() {
    LexicalQuery kept;
    kept.wanted = query_.wanted;
    bool asks = false;
    for (size_t i = 0; i < query_.clauses.size(); ++i) {
      LexicalClause& clause = query_.clauses[i];
      if (is_function_word_[i]) continue;
      asks |= clause.occur != Occur::kMustNot;
      kept.clauses.push_back(clause);
    }
    return asks ? std::move(kept) : std::move(query_);
  }

 private:
  void Add(Occur occur, std::vector<FtsPhrase> any_of, std::string text, bool is_function_word) {
    std::string key(1, static_cast<char>('0' + static_cast<int>(occur)));
    for (const FtsPhrase& phrase : any_of) {
      key += Join(phrase.tokens);
      key += phrase.prefix ? '*' : '|';
    }
    const auto known = places_.find(key);
    if (known != places_.end()) {
      ++query_.clauses[known->second].count;
      return;
    }
    if (query_.clauses.size() == kMaxQueryClauses) return;
    places_.emplace(std::move(key), query_.clauses.size());
    query_.clauses.push_back({occur, std::move(any_of), 1, std::move(text)});
    is_function_word_.push_back(is_function_word);
  }

  // The index contains stems, so technologi* must also match technolog.
  static void AddPrefixForms(const std::vector<Word>& words, FtsPhrase stemmed,
                             std::vector<FtsPhrase>* any_of) {
    const Word& last = words.back();
    FtsPhrase begun = stemmed;
    begun.prefix = true;
    if (last.stems.size() == 1) begun.tokens.back() = last.surface;
    const bool covered = stemmed.tokens.back().starts_with(begun.tokens.back());
    any_of->push_back(std::move(begun));
    if (!covered) any_of->push_back(std::move(stemmed));
    if (words.size() == 1 && !last.whole.empty()) {
      const size_t cut = FloorToCharacter(last.surface, kMaxTokenBytes);
      any_of->push_back({{last.surface.substr(0, cut)}, true});
    }
  }

  LexicalQuery query_;
  std::vector<bool> is_function_word_;  // by clause
  std::unordered_map<std::string, size_t> places_;
};

void AddItem(const Item& item, Tokenizer& tokenizer, QueryBuilder* builder) {
  std::vector<Word> words = tokenizer.AnalyzeQuery(item.text);
  if (words.empty()) return;
  if (item.occur != Occur::kMustNot) builder->AddWanted(item.text);
  if (item.quoted || item.occur != Occur::kShould) {
    builder->AddPhrase(item.occur, words, item.prefix);
    return;
  }
  for (size_t i = 0; i + 1 < words.size(); ++i) builder->AddWord(words[i]);
  if (item.prefix) {
    builder->AddPhrase(Occur::kShould, {words.back()}, true);
  } else {
    builder->AddWord(words.back());
  }
}

}  // namespace

LexicalQuery ParseLexicalQuery(std::string_view text, Tokenizer& tokenizer) {
  QueryBuilder builder;
  ItemReader reader(text);
  bool first = true;
  for (Item item; reader.Next(&item); first = false) {
    const bool joins = item.text == "OR" && !item.quoted && !item.prefix &&
                       item.occur == Occur::kShould && !first && !reader.AtEnd();
    if (!joins) AddItem(item, tokenizer, &builder);
  }
  return builder.Finish();
}

LexicalQuery ParseLiteralQuery(std::string_view text, Tokenizer& tokenizer) {
  QueryBuilder builder;
  builder.AddWanted(text);
  for (const Word& word : tokenizer.AnalyzeQuery(text)) builder.AddWord(word);
  return builder.Finish();
}

}  // namespace recall
