#include "index/search/lexical_query/lexical_query.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "index/base/text/fold.h"
#include "index/base/text/names.h"
#include "index/base/text/stop_words.h"
#include "index/base/text/utf8.h"

namespace recall {
namespace {

using Occur = LexicalClause::Occur;
using Word = Tokenizer::Word;

// An item of the query text: a maximal run without spaces, or the inside of a pair of quotes.
struct Item {
  Occur occur = Occur::kShould;
  bool quoted = false;
  bool prefix = false;
  bool in_parentheses = false;  // after a ( that is not closed yet
  std::string_view text;

  bool is_plain() const { return occur == Occur::kShould && !quoted; }
};

// The number 1.2.3 is what is asked for, and 1, 2 and 3 occur in every other text.
constexpr double kBoostOfNumberParts = 0.1;
constexpr uint32_t kTimesOfNumber = 3;

// A word as it was typed ranks before its other spellings, and weighs hardly more than a word
// without any.
constexpr double kBoostOfSameLetters = 0.1;
// A text that writes a word in another way matches less than one that has the word.
constexpr double kBoostOfAlternatives = 0.25;

// An exclusion of fewer bytes is taken for an option: -a, -rf.
constexpr size_t kLeastExcludedBytes = 3;

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
    item->in_parentheses = open_ > 0;
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
    for (; at_ < text_.size() && text_[at_] != '"' && SpaceAt(at_) == 0; ++at_) {
      if (text_[at_] == '(') ++open_;
      if (text_[at_] == ')' && open_ > 0) --open_;
    }
    item->text = text_.substr(begin, at_ - begin);
    item->prefix = item->text.size() > 1 && item->text.back() == '*';
    if (item->prefix) item->text.remove_suffix(1);
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t open_ = 0;  // parentheses
};

// Whether a text is a sentence that asks something, in which a dash is no operator.
bool IsQuestion(std::string_view text) {
  while (!text.empty() && IsWhiteSpace(static_cast<unsigned char>(text.back()))) {
    text.remove_suffix(1);
  }
  constexpr std::string_view kWideMark = "\uFF1F";
  return text.ends_with('?') || text.ends_with(kWideMark);
}

// Whether words follow a line break. Such a text was pasted: a message of a program, a patch or an
// issue, whose signs and quotes are no operators.
bool HasSeveralLines(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  const size_t newline = first == text.npos ? first : text.find('\n', first);
  return newline != text.npos && text.find_first_not_of(" \t\r\n", newline) != text.npos;
}

bool AsksFor(const std::string& first_word) {
  constexpr std::string_view kQuestionWords[] = {"how", "what", "when",  "where", "which",
                                                 "who", "whom", "whose", "why"};
  return std::ranges::find(kQuestionWords, first_word) != std::end(kQuestionWords);
}

std::string Join(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    if (!text.empty()) text += ' ';
    text += token;
  }
  return text;
}

// Whether a word is one character of a script that is indexed as overlapping bigrams. Such a
// character is only found as the first one of a bigram.
bool IsLoneBigramCharacter(const Word& word) {
  if (word.stems.size() != 1) return false;
  size_t end = 0;
  const uint32_t character = DecodeUtf8(word.stems.front(), &end);
  return end == word.stems.front().size() && KindAfterFolding(character) == CharacterKind::kBigram;
}

// Collects clauses; a repeated clause raises the count of the first.
class QueryBuilder final {
 public:
  explicit QueryBuilder(const Tokenizer& tokenizer) : version_(tokenizer.version()) {}

  // An unquoted word: its stems, the whole when it is an identifier, and the name that it ends.
  void AddWord(const Word& word, bool quoted = false) {
    const bool plain = word.stems.size() == 1;
    const bool in_pieces = !IsOwnPiece(word) && !word.pieces.empty();
    for (size_t i = 0; i < word.stems.size(); ++i) {
      const std::string& shown = plain ? word.surface : word.stems[i];
      const bool is_function_word = IsStopWord(shown) || (version_ >= 3 && IsContraction(shown));
      const size_t place = Add(Occur::kShould, SpellingsOf(word, i), shown, is_function_word,
                               !in_pieces, in_pieces, word.of_number ? kBoostOfNumberParts : 1);
      Relate(place, plain && !quoted && !in_pieces && !word.of_number && word.variants[i].empty());
      if (!word.forms.empty() && place < kMaxQueryClauses) query_.clauses[place].forms = word.forms;
      if (word.variants[i].empty()) continue;
      Add(Occur::kShould, {{{word.stems[i]}, false}}, shown, is_function_word, false, true,
          kBoostOfSameLetters);
    }
    if (in_pieces) {
      for (const std::string& piece : word.pieces) {
        Add(Occur::kShould, {{{piece}, false}}, piece, false);
      }
    }
    if (!word.whole.empty()) Add(Occur::kShould, {{{word.whole}, false}}, word.surface, false);
    for (const std::vector<std::string>& tokens : word.alternatives) {
      Add(Occur::kShould, {{tokens, false}}, Join(tokens), false, false, true,
          kBoostOfAlternatives);
    }
    AddJoined(word);
    if (word.name.empty()) return;
    Add(Occur::kShould, {{{word.name}, false}}, word.name_text, IsStopStem(word.name), false, true);
  }

  // The phrase of all `words`; if `prefix`, the last one is a prefix.
  void AddPhrase(Occur occur, const std::vector<Word>& words, bool prefix) {
    const Word& last = words.back();
    const bool is_name = !last.name.empty() && last.name_words == words.size();
    if (is_name && last.name_is_marked && !prefix) {
      return void(Add(occur, {{{last.name}, false}}, last.name_text, false));
    }
    const bool is_joined = !last.joined.empty() && last.joined_words == words.size();
    if (is_joined && last.joined_is_number && !prefix) {
      return void(Add(occur, {{{last.joined}, false}}, last.joined_text, false));
    }
    FtsPhrase phrase;
    std::string text;
    for (const Word& word : words) {
      if (phrase.tokens.size() > kMaxPhraseTokens) break;
      if (word.is_symbol && words.size() > 1) continue;  // not between the words in the index
      phrase.tokens.insert(phrase.tokens.end(), word.stems.begin(), word.stems.end());
      text += (text.empty() ? "" : " ") + word.surface;
    }
    if (phrase.tokens.empty()) return;
    prefix = prefix || (words.size() == 1 && IsLoneBigramCharacter(words.front()));
    const bool begun = prefix && phrase.tokens.size() <= kMaxPhraseTokens;
    phrase.tokens.resize(std::min(phrase.tokens.size(), kMaxPhraseTokens));
    if (words.size() > 1) text = '"' + text + '"';
    if (begun) text += '*';
    std::vector<FtsPhrase> any_of;
    if (begun) {
      AddPrefixForms(words, std::move(phrase), &any_of);
    } else {
      if (phrase.tokens.size() == 1 && words.size() == 1) {
        any_of = SpellingsOf(last, 0);
        for (const std::string& form : last.forms) any_of.push_back({{form}, false});
      } else {
        any_of.push_back(std::move(phrase));
      }
      AddPieces(words, &any_of);
      if (words.size() == 1 && !last.whole.empty()) any_of.push_back({{last.whole}, false});
      if (is_name) any_of.push_back({{last.name}, false});
      if (is_joined) any_of.push_back({{last.joined}, false});
    }
    Relate(Add(occur, std::move(any_of), std::move(text), false), false);
  }

  void AddWanted(std::string_view text) {
    if (!query_.wanted.empty()) query_.wanted += ' ';
    query_.wanted += text;
  }

  void AddPlain(std::string_view text) {
    if (!query_.plain.empty()) query_.plain += ' ';
    query_.plain += text;
  }

  // Drops the function words, unless the query has nothing else.
  LexicalQuery Finish() {
    LexicalQuery kept;
    kept.wanted = query_.wanted;
    kept.plain = query_.plain;
    bool asks = false;
    for (size_t i = 0; i < query_.clauses.size(); ++i) {
      LexicalClause& clause = query_.clauses[i];
      if (is_function_word_[i]) continue;
      asks |= clause.occur != Occur::kMustNot;
      kept.clauses.push_back(clause);
    }
    if (asks) query_ = std::move(kept);
    query_.tokenizer_version = version_;
    if (version_ >= 2) AddPathWords();
    return std::move(query_);
  }

 private:
  // Returns: the place of the clause; kMaxQueryClauses if there is no room for it.
  size_t Add(Occur occur, std::vector<FtsPhrase> any_of, std::string text, bool is_function_word,
             bool expandable = false, bool optional = false, double boost = 1) {
    std::string key(1, static_cast<char>('0' + static_cast<int>(occur)));
    for (const FtsPhrase& phrase : any_of) {
      key += Join(phrase.tokens);
      key += phrase.prefix ? '*' : '|';
    }
    const auto known = places_.find(key);
    if (known != places_.end()) {
      LexicalClause& same = query_.clauses[known->second];
      ++same.count;
      same.boost = std::max(same.boost, boost);
      return known->second;
    }
    if (query_.clauses.size() == kMaxQueryClauses) return kMaxQueryClauses;
    places_.emplace(std::move(key), query_.clauses.size());
    query_.clauses.push_back({.occur = occur,
                              .any_of = std::move(any_of),
                              .text = std::move(text),
                              .expandable = expandable,
                              .boost = boost,
                              .optional = optional});
    is_function_word_.push_back(is_function_word);
    is_fixed_.push_back(false);
    return query_.clauses.size() - 1;
  }

  // A word that the query has in quotes, too, means itself alone.
  void Relate(size_t place, bool relatable) {
    if (place == kMaxQueryClauses) return;
    is_fixed_[place] = is_fixed_[place] || !relatable;
    query_.clauses[place].relatable = !is_fixed_[place];
  }

  // Whether a word of Hangul is its only piece.
  static bool IsOwnPiece(const Word& word) {
    return word.pieces.size() == 1 && word.stems.size() == 1 &&
           word.pieces.front() == word.stems.front();
  }

  // What finds a word in any letters: wherever the index has the word, it has its variants, too.
  static std::vector<FtsPhrase> SpellingsOf(const Word& word, size_t stem) {
    if (word.variants[stem].empty()) return {{{word.stems[stem]}, false}};
    std::vector<FtsPhrase> spellings;
    for (const std::string& variant : word.variants[stem]) {
      spellings.push_back({{variant}, false});
    }
    return spellings;
  }

  // The number that ends with the word, or its form without apostrophe.
  void AddJoined(const Word& word) {
    if (word.joined.empty()) return;
    const uint32_t times = word.joined_is_number ? kTimesOfNumber : 1;
    for (uint32_t i = 0; i < times; ++i) {
      Add(Occur::kShould, {{{word.joined}, false}}, word.joined_text, false, false, true);
    }
  }

  // The phrase of the pieces of words with Hangul.
  static void AddPieces(const std::vector<Word>& words, std::vector<FtsPhrase>* any_of) {
    FtsPhrase pieces;
    for (const Word& word : words) {
      if (word.pieces.empty()) return;
      pieces.tokens.insert(pieces.tokens.end(), word.pieces.begin(), word.pieces.end());
    }
    if (words.size() == 1 && IsOwnPiece(words.front())) return;
    pieces.tokens.resize(std::min(pieces.tokens.size(), kMaxPhraseTokens));
    any_of->push_back(std::move(pieces));
  }

  void AddPathWords() {
    for (size_t i = 0; i < query_.clauses.size(); ++i) {
      const LexicalClause& clause = query_.clauses[i];
      if (!clause.expandable || query_.path_words.size() == kMaxPathWords) continue;
      std::string token = PathToken(clause.any_of.front().tokens.front(), PathWordsOf(version_));
      if (!token.empty()) query_.path_words.push_back({std::move(token), clause.count, i});
    }
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

  uint32_t version_;
  LexicalQuery query_;
  std::vector<bool> is_function_word_;  // by clause
  std::vector<bool> is_fixed_;          // by clause: it cannot become relatable
  std::unordered_map<std::string, size_t> places_;
};

// An item and the words in it, at least one.
struct ReadItem {
  Item item;
  std::vector<Word> words;
};

std::vector<ReadItem> ReadItems(std::string_view text, Tokenizer& tokenizer) {
  std::vector<ReadItem> items;
  const std::vector<std::string> languages = tokenizer.QuestionLanguages(text);
  ItemReader reader(text);
  bool first = true;
  for (Item item; reader.Next(&item); first = false) {
    const bool joins =
        item.text == "OR" && item.is_plain() && !item.prefix && !first && !reader.AtEnd();
    if (joins) continue;
    std::vector<Word> words = tokenizer.AnalyzeQuery(item.text, languages);
    if (!words.empty()) items.push_back({item, std::move(words)});
  }
  return items;
}

// Takes what only looks like an exclusion as text: an option of a command, or a dash in prose.
void KeepExclusionsThatAreMeant(std::string_view text, std::vector<ReadItem>* items) {
  const auto is_plain = [](const ReadItem& read) { return read.item.is_plain(); };
  const auto first = std::ranges::find_if(*items, is_plain);
  const auto last = std::find_if(items->rbegin(), items->rend(), is_plain).base();
  const bool asks =
      IsQuestion(text) || (first != items->end() && AsksFor(first->words.front().surface));
  for (auto read = items->begin(); read != items->end(); ++read) {
    Item& item = read->item;
    if (item.occur != Occur::kMustNot || item.quoted) continue;
    const bool between_words = first < read && read < last;
    const bool is_short = item.text.size() < kLeastExcludedBytes;
    if (asks || between_words || is_short || item.in_parentheses) item.occur = Occur::kShould;
  }
}

// The only item that is not excluded; null if there are none or several.
const ReadItem* OnlyWanted(const std::vector<ReadItem>& items) {
  const auto wanted = [](const ReadItem& read) { return read.item.occur != Occur::kMustNot; };
  if (std::ranges::count_if(items, wanted) != 1) return nullptr;
  return &*std::ranges::find_if(items, wanted);
}

// `alone`: nothing else is wanted. A phrase must then occur, and one character of a script that is
// indexed as bigrams is a prefix of bigrams. (Beside other words such bigrams are noise: most
// characters that stand alone are function words.)
void AddItem(const ReadItem& read, bool alone, QueryBuilder* builder) {
  const auto& [item, words] = read;
  if (item.occur != Occur::kMustNot) builder->AddWanted(item.text);
  const bool exact = alone && item.quoted;
  const bool one_character = alone && words.size() == 1 && IsLoneBigramCharacter(words.front());
  if (item.occur != Occur::kShould || exact || one_character) {
    builder->AddPhrase(exact ? Occur::kMust : item.occur, words, item.prefix);
    return;
  }
  if (item.quoted) {
    // The phrase scores on top of its words. A single word is its own phrase.
    const bool is_word = words.size() == 1 && words.front().stems.size() == 1;
    for (const Word& word : words) {
      if (!is_word) builder->AddWord(word, true);
    }
    builder->AddPhrase(Occur::kShould, words, false);
    return;
  }
  if (!item.prefix) builder->AddPlain(item.text);
  for (size_t i = 0; i + 1 < words.size(); ++i) builder->AddWord(words[i]);
  if (item.prefix) {
    builder->AddPhrase(Occur::kShould, {words.back()}, true);
  } else {
    builder->AddWord(words.back());
  }
}

}  // namespace

LexicalQuery ParseLexicalQuery(std::string_view text, Tokenizer& tokenizer) {
  if (HasSeveralLines(text)) return ParseLiteralQuery(text, tokenizer);
  std::vector<ReadItem> items = ReadItems(text, tokenizer);
  KeepExclusionsThatAreMeant(text, &items);
  QueryBuilder builder(tokenizer);
  const ReadItem* const only = OnlyWanted(items);
  for (const ReadItem& read : items) AddItem(read, &read == only, &builder);
  return builder.Finish();
}

LexicalQuery ParseLiteralQuery(std::string_view text, Tokenizer& tokenizer) {
  QueryBuilder builder(tokenizer);
  builder.AddWanted(text);
  builder.AddPlain(text);
  const std::vector<std::string> languages = tokenizer.QuestionLanguages(text);
  for (const Word& word : tokenizer.AnalyzeQuery(text, languages)) builder.AddWord(word);
  return builder.Finish();
}

}  // namespace recall
