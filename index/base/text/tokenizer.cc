#include "index/base/text/tokenizer.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "index/base/text/ascii_run.h"
#include "index/base/text/ascii_segment.h"
#include "index/base/text/ascii_swar.h"
#include "index/base/text/further_names.h"
#include "index/base/text/language.h"
#include "index/base/text/names.h"
#include "index/base/text/segment_analyzer.h"
#include "index/base/text/segment_cache.h"
#include "index/base/text/snowball.h"
#include "index/base/text/stop_words.h"
#include "index/base/text/turn_heading.h"
#include "index/base/text/utf8.h"
#include "index/base/text/word_variants.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

// The problem: tokenising is a large part of the cost of an ingest, because every word is decoded,
// classified, folded and stemmed, and Unicode tables are slow.
//
// The ideas: bytes are classified eight at a time, so that ASCII text is divided into segments
// without decoding. A segment that reaches a byte beyond ASCII is found again by NextSegment. The
// tokens of a segment depend only on its bytes, and text repeats its words, so a cache maps
// segments to tokens:
//
//   text --AsciiRun--> segment --hash--> cache --hit--> append body and compound
//                                              --miss-> SegmentAnalyzer, insert
//
// The cache is direct-mapped, with 32,768 entries of 64 bytes (2 MB), so that an entry is a cache
// line. Entries are requested some segments ahead of their use, because most are not in the first
// caches of the CPU. A segment whose bytes and tokens exceed 60 bytes is not cached. The first few
// texts, and so those of queries, are analysed without a cache: making it takes longer than they
// do.
//
// Output: `body` is the tokens in order, `compound` the wholes of identifiers and the names, which
// NameFinder finds among the segments and which are cached like segments. Both are separated by
// single spaces, so FTS5's `ascii` tokenizer divides them again without changing them.
//
// A chunk is indexed with its heading path before its text. If the text begins with the last
// heading, that heading is left out of the path, because otherwise it would count twice for BM25.
// The comparison is by tokens, so markup does not matter. The heading of a turn of a session is not
// indexed: its number, role and time are no words that somebody said.
//
// Invariant: the same text gives the same tokens whether the cache is hit or not. A change of any
// token of any text requires a new kTokenizerVersion.

void AppendSpaced(std::string_view tokens, std::string* out) {
  if (tokens.empty()) return;
  if (!out->empty()) out->push_back(' ');
  out->append(tokens);
}

// The same of tokens with a space before the first one, which the beginning of a text has not.
void AppendWithSpace(std::string_view spaced, std::string* out) {
  if (out->empty() && !spaced.empty()) spaced.remove_prefix(1);
  out->append(spaced);
}

void AppendStem(std::string_view word, std::string* out) {
  AppendSpaced(word, out);
  StemFrom(out->size() - word.size(), out);
}

// Whether a list of tokens, separated by spaces, has this one.
bool HasToken(std::string_view tokens, std::string_view token) {
  for (size_t begin = 0, end; begin < tokens.size(); begin = end + 1) {
    end = std::min(tokens.find(' ', begin), tokens.size());
    if (tokens.substr(begin, end - begin) == token) return true;
  }
  return false;
}

// The first line that is not blank, without Markdown's heading marks.
std::string_view FirstLine(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n#");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_first_of("\r\n", begin) - begin);
}

// A word of plain letters has neither other spellings nor pieces.
bool MayHaveVariants(std::string_view segment) {
  return std::ranges::any_of(
      segment, [](char c) { return static_cast<uint8_t>(c) >= 0x80 || IsAsciiDigit(c); });
}

constexpr std::string_view kHeadingJoin = " > ";
// Bytes of text before the cache is made.
constexpr size_t kWorthACache = 4096;

}  // namespace

struct Tokenizer::Impl {
  explicit Impl(uint32_t tokenizer_version) : version(tokenizer_version) {}

  uint32_t version;
  SegmentAnalyzer analyzer;
  std::unique_ptr<SegmentCache> cache;  // null until it is worth its 2 MB
  std::string language;                 // "" if words have no stems of a language
  // The cache of the last other language, which is not in use.
  std::unique_ptr<SegmentCache> other_cache;
  std::string other_language;
  std::vector<std::string> searched_languages;
  size_t analyzed = 0;  // bytes of text
  std::string segment_body;
  std::string segment_compound;
  LexicalText heading_line;
  LexicalText first_line;

  bool has_names() const { return version >= 2; }
  bool has_variants() const { return version >= 3; }
  void AppendText(std::string_view text, LexicalText* out);
  template <uint32_t kVersion>
  void AppendSegments(std::string_view text, LexicalText* out);
  // A segment, or a name, whose entry of the cache is on its way to the cache of the CPU.
  struct Pending {
    std::string_view text;
    uint64_t hash = 0;
    bool is_name = false;
  };
  std::array<Pending, 16> pending;
  size_t pending_count = 0;

  void Queue(std::string_view text, bool is_name, LexicalText* out);
  void AppendPending(LexicalText* out);
  void AppendName(std::string_view name, uint64_t hash, LexicalText* out);
  void AppendVariants();
  void AppendLanguageStems();
  void AppendSegment(std::string_view segment, uint64_t hash, LexicalText* out);
  std::string_view HeadingToAdd(std::string_view heading, std::string_view text);
  // Adds the words of the segment that was analysed last.
  void AddQuerySegment(std::span<const std::string> languages, std::vector<Word>* words);
};

// Appends the tokens of a segment or a name, after those of all that were queued before.
void Tokenizer::Impl::Queue(std::string_view text, bool is_name, LexicalText* out) {
  const uint64_t hash = segment_cache::HashText(text);
  if (cache) cache->Prefetch(hash);
  // Member by member: a copy of a temporary waits until its parts are stored.
  Pending& added = pending[pending_count++];
  added.text = text;
  added.hash = hash;
  added.is_name = is_name;
  if (pending_count == pending.size()) AppendPending(out);
}

void Tokenizer::Impl::AppendPending(LexicalText* out) {
  const size_t count = std::exchange(pending_count, 0);
  for (const Pending& each : std::span(pending).first(count)) {
    if (each.is_name) {
      AppendName(each.text, each.hash, out);
    } else {
      AppendSegment(each.text, each.hash, out);
    }
  }
}

// Looks a segment up in the cache, or analyses it and caches the result.
void Tokenizer::Impl::AppendSegment(std::string_view segment, uint64_t hash, LexicalText* out) {
  if (const SegmentCache::Entry* entry = cache ? cache->Find(segment, hash) : nullptr) {
    AppendWithSpace(entry->body(), &out->body);
    if (entry->compound_size > 0) AppendWithSpace(entry->compound(), &out->compound);
    out->tokens += entry->tokens;
    return;
  }
  analyzer.Analyze(segment);
  segment_body.clear();
  segment_compound.clear();
  uint32_t tokens = 0;
  for (const SegmentAnalyzer::Run& run : analyzer.runs()) {
    if (!segment_body.empty()) segment_body.push_back(' ');
    tokens += analyzer.AppendTokens(run, &segment_body);
  }
  if (has_variants() && MayHaveVariants(segment)) AppendVariants();
  if (!language.empty()) AppendLanguageStems();
  if (analyzer.identifier()) {
    if (!segment_compound.empty()) segment_compound.push_back(' ');
    analyzer.AppendWhole(&segment_compound);
  }
  AppendSpaced(segment_body, &out->body);
  AppendSpaced(segment_compound, &out->compound);
  out->tokens += tokens;
  if (cache) cache->Insert(segment, hash, segment_body, segment_compound, tokens);
}

// Appends the token of a name in the same way.
void Tokenizer::Impl::AppendName(std::string_view name, uint64_t hash, LexicalText* out) {
  if (const SegmentCache::Entry* entry = cache ? cache->Find(name, hash) : nullptr) {
    return AppendWithSpace(entry->compound(), &out->compound);
  }
  segment_compound.clear();
  if (!has_variants() || !AppendFurtherToken(name, &segment_compound)) {
    AppendNameToken(name, analyzer, &segment_compound);
  }
  AppendSpaced(segment_compound, &out->compound);
  if (cache) cache->Insert(name, hash, {}, segment_compound, 0);
}

void Tokenizer::Impl::AppendText(std::string_view text, LexicalText* out) {
  if (has_variants()) return AppendSegments<3>(text, out);
  has_names() ? AppendSegments<2>(text, out) : AppendSegments<1>(text, out);
}

// Appends the other spellings and the pieces of the segment that was analysed last.
void Tokenizer::Impl::AppendVariants() {
  std::vector<std::string> variants;
  std::string text;
  for (const SegmentAnalyzer::Run& run : analyzer.runs()) {
    if (run.kind != CharacterKind::kWord) continue;
    text.clear();
    if (analyzer.is_ascii() || IsAscii(analyzer.Raw(run))) {
      analyzer.AppendSurface(run, &text);
      ForEachNumberedPart(DivideAtNumber(text),
                          [&](std::string_view part) { AppendStem(part, &segment_compound); });
      continue;
    }
    analyzer.AppendTokens(run, &text);
    variants.clear();
    AddVariants({analyzer.Raw(run), analyzer.Folded(run)}, text, VariantUse::kIndex, &variants);
    for (const std::string& variant : variants) AppendSpaced(variant, &segment_compound);
    for (const WordPiece& piece : HangulPieces(analyzer.Folded(run))) {
      AppendSpaced(piece.token, &segment_compound);
    }
  }
}

// Appends the stem of the segment that was analysed last, if it is a word of which no token was
// appended that is equal.
void Tokenizer::Impl::AppendLanguageStems() {
  if (analyzer.identifier() || analyzer.runs().size() != 1) return;
  const SegmentAnalyzer::Run& run = analyzer.runs().front();
  if (run.kind != CharacterKind::kWord) return;
  const std::string stem = LanguageStem(language, analyzer.Raw(run));
  if (stem.empty() || stem == segment_body || HasToken(segment_compound, stem)) return;
  AppendSpaced(stem, &segment_compound);
}

template <uint32_t kVersion>
void Tokenizer::Impl::AppendSegments(std::string_view text, LexicalText* out) {
  constexpr bool kNames = kVersion >= 2;
  constexpr bool kFurther = kVersion >= 3;
  NameFinder names(text);
  FurtherNameFinder further(text);
  const auto find_name = [&](size_t begin, size_t end) {
    if constexpr (!kNames) return;
    const std::string_view name = names.Add(begin, end);
    if (!name.empty()) Queue(name, true, out);
    if constexpr (!kFurther) return;
    const std::string_view other = further.Add(begin, end);
    if (!other.empty()) Queue(other, true, out);
  };
  const auto find_symbols = [&](size_t begin, size_t end) {
    if constexpr (!kFurther) return;
    for (;;) {
      const std::string_view symbol = NextSymbol(text, end, &begin);
      if (symbol.empty()) return;
      Queue(symbol, true, out);
    }
  };
  for (size_t at = 0; at < text.size();) {
    const AsciiRun run(text, at);
    size_t end = at + run.size();
    bool is_segment = run.InSegment();
    if (!run.known()) {
      const AsciiSegment ascii(text, at);
      if (!ascii.IsAscii()) {
        const size_t before = at;
        const std::string_view segment = NextSegment(text, &at);
        if (segment.empty()) {
          find_symbols(before, at);
          continue;
        }
        const auto start = static_cast<size_t>(segment.data() - text.data());
        find_symbols(before, start);
        Queue(segment, false, out);
        if (kNames && IsSegmentOfWords(segment)) find_name(start, start + segment.size());
        continue;
      }
      end = ascii.end();
      is_segment = !ascii.IsSeparator();
    }
    if (is_segment) {
      Queue(text.substr(at, end - at), false, out);
      find_name(at, end);
    }
    at = end;
  }
  AppendPending(out);
}

// The heading path, without its last part if that is the first line of the text.
std::string_view Tokenizer::Impl::HeadingToAdd(std::string_view heading, std::string_view text) {
  if (heading.empty()) return heading;
  const std::string_view line = FirstLine(text);
  if (line.empty() || line.size() > 2 * heading.size() + 64) return heading;
  const auto analyze = [this](std::string_view from, LexicalText* out) {
    out->body.clear();
    AppendText(from, out);
  };
  analyze(line, &first_line);
  // A title may contain the joining mark itself, so longer last parts are tried too.
  size_t end = heading.size();
  for (int tries = 0; tries < 4 && end != std::string_view::npos && end > 0; ++tries) {
    const size_t join = heading.rfind(kHeadingJoin, end - 1);
    const bool whole = join == std::string_view::npos;
    analyze(whole ? heading : heading.substr(join + kHeadingJoin.size()), &heading_line);
    if (heading_line.body == first_line.body) return heading.substr(0, whole ? 0 : join);
    end = join;
  }
  return heading;
}

Tokenizer::Tokenizer(uint32_t version) : impl_(std::make_unique<Impl>(version)) {}
Tokenizer::~Tokenizer() = default;

void Tokenizer::Analyze(std::string_view heading, std::string_view text, LexicalText* out,
                        std::string_view path_words) {
  impl_->analyzed += heading.size() + text.size();
  if (!impl_->cache && impl_->analyzed >= kWorthACache) {
    impl_->cache = std::make_unique<SegmentCache>();
  }
  out->body.clear();
  out->compound.clear();
  out->tokens = 0;
  if (!ParseTurnHeading(heading)) impl_->AppendText(impl_->HeadingToAdd(heading, text), out);
  impl_->AppendText(text, out);
  AppendSpaced(path_words, &out->compound);
}

std::string Tokenizer::AnalyzePath(std::string_view path, std::string_view title) {
  std::string tokens;
  if (impl_->has_names()) {
    AppendPathTokens(path, title, PathWordsOf(impl_->version), impl_->analyzer, &tokens);
  }
  return tokens;
}

uint32_t Tokenizer::version() const { return impl_->version; }

namespace {

// Adds other ways to write a word of a query, whose token is `stem`.
void AddAlternatives(std::u32string_view raw, std::string_view stem, Tokenizer::Word* word) {
  std::string umlauts = UmlautToken(raw);
  if (!umlauts.empty()) word->alternatives.push_back({std::move(umlauts)});
  const auto [before, number, after] = DivideAtNumber(stem);
  if (before.empty() == after.empty()) return;
  std::vector<std::string>& parts = word->alternatives.emplace_back();
  for (const std::string_view part : {before, number, after}) {
    if (part.empty()) continue;
    parts.emplace_back(part);
    StemFrom(0, &parts.back());
  }
}

// Adds the stems of the languages to the last word, which is the run.
void AddForms(std::u32string_view raw, std::span<const std::string> languages,
              Tokenizer::Word* word) {
  for (const std::string& language : languages) {
    std::string stem = LanguageStem(language, raw);
    const auto is_known = [&](const std::vector<std::string>& tokens) {
      return std::ranges::find(tokens, stem) != tokens.end();
    };
    if (stem.empty() || is_known(word->stems) || is_known(word->variants.back())) continue;
    if (!is_known(word->forms)) word->forms.push_back(std::move(stem));
  }
}

}  // namespace

void Tokenizer::Impl::AddQuerySegment(std::span<const std::string> languages,
                                      std::vector<Word>* words) {
  for (const SegmentAnalyzer::Run& run : analyzer.runs()) {
    const bool starts_word = !analyzer.identifier() || &run == &analyzer.runs().front();
    if (starts_word) words->emplace_back();
    Word& word = words->back();
    analyzer.AppendSurface(run, &word.surface);
    std::string tokens;
    analyzer.AppendTokens(run, &tokens);
    for (size_t begin = 0, end; begin < tokens.size(); begin = end + 1) {
      end = std::min(tokens.find(' ', begin), tokens.size());
      word.stems.push_back(tokens.substr(begin, end - begin));
      word.variants.emplace_back();
    }
    if (!has_variants() || run.kind != CharacterKind::kWord) continue;
    const std::u32string_view folded = analyzer.Folded(run);
    AddVariants({analyzer.Raw(run), folded}, word.stems.back(), VariantUse::kQuery,
                &word.variants.back());
    AddAlternatives(analyzer.Raw(run), tokens, &word);
    for (WordPiece& piece : HangulPieces(folded)) word.pieces.push_back(std::move(piece.token));
    if (analyzer.runs().size() == 1) AddForms(analyzer.Raw(run), languages, &word);
  }
  if (analyzer.identifier()) analyzer.AppendWhole(&words->back().whole);
}

namespace {

void AddQuerySymbols(std::string_view text, size_t begin, size_t end,
                     std::vector<Tokenizer::Word>* words) {
  for (;;) {
    const std::string_view symbol = NextSymbol(text, end, &begin);
    if (symbol.empty()) return;
    Tokenizer::Word& word = words->emplace_back();
    AppendFurtherToken(symbol, &word.surface);
    word.stems.push_back(word.surface);
    word.variants.emplace_back();
    word.is_symbol = true;
  }
}

// Sets the number, or the word with an apostrophe, that ends with the last of `words`.
void SetJoined(std::string_view name, size_t first, std::vector<Tokenizer::Word>* words) {
  if (name.empty() || words->size() == first) return;
  // The ends of a range count as words: a text may have it in words.
  const bool is_range = std::ranges::count(name, '-') == 1;
  const bool is_number = IsNumberName(name) && !is_range;
  std::string token;
  AppendFurtherToken(name, &token);
  // A contraction of function words is one.
  const bool is_word = !is_number && !is_range;
  if (is_word && (IsStopWord((*words)[first].surface) || IsContraction(token))) return;
  Tokenizer::Word& last = words->back();
  last.joined = std::move(token);
  last.joined_text = name;
  last.joined_words = words->size() - first;
  last.joined_is_number = is_number;
  for (size_t i = first; i < words->size(); ++i) (*words)[i].of_number = is_number;
}

}  // namespace

std::vector<Tokenizer::Word> Tokenizer::AnalyzeQuery(std::string_view text,
                                                     std::span<const std::string> languages) {
  std::vector<Word> words;
  SegmentAnalyzer& analyzer = impl_->analyzer;
  NameFinder names(text);
  FurtherNameFinder further(text);
  size_t first_of_name = 0;  // word
  size_t first_of_joined = 0;
  size_t before = 0;
  size_t at = 0;
  for (std::string_view segment = NextSegment(text, &at); !segment.empty();
       segment = NextSegment(text, &at)) {
    const auto begin = static_cast<size_t>(segment.data() - text.data());
    if (impl_->has_variants()) AddQuerySymbols(text, before, begin, &words);
    before = at;
    if (!names.joined()) first_of_name = words.size();
    if (!further.open()) first_of_joined = words.size();
    analyzer.Analyze(segment);
    impl_->AddQuerySegment(languages, &words);
    if (!impl_->has_names() || !IsSegmentOfWords(segment)) continue;
    const size_t end = begin + segment.size();
    const std::string_view name = names.Add(begin, end);
    if (!name.empty() && words.size() > first_of_name) {
      Word& last = words.back();
      AppendNameToken(name, analyzer, &last.name);
      last.name_text = name;
      last.name_words = words.size() - first_of_name;
      last.name_is_marked = IsMarkedName(name);
    }
    if (impl_->has_variants()) SetJoined(further.Add(begin, end), first_of_joined, &words);
  }
  if (impl_->has_variants()) AddQuerySymbols(text, before, text.size(), &words);
  return words;
}

void Tokenizer::SetLanguage(std::string_view language) {
  if (!impl_->has_variants() || !HasLanguageStems(language)) language = {};
  if (language == impl_->language) return;
  // Most documents of a store are of one language, or of two.
  std::swap(impl_->cache, impl_->other_cache);
  std::swap(impl_->language, impl_->other_language);
  if (impl_->language == language) return;
  impl_->language = language;
  impl_->cache.reset();
}

void Tokenizer::SetSearchedLanguages(std::span<const std::string> languages) {
  impl_->searched_languages.clear();
  if (!impl_->has_variants()) return;
  for (const std::string& language : languages) {
    if (HasLanguageStems(language)) impl_->searched_languages.push_back(language);
  }
}

std::vector<std::string> Tokenizer::QuestionLanguages(std::string_view question) const {
  if (impl_->searched_languages.empty()) return {};
  return LanguagesOfQuestion(question, impl_->searched_languages);
}

uint64_t CountTokens(std::string_view text) {
  uint64_t tokens = 0;
  bool inside = false;
  AsciiEight eight;
  for (size_t at = 0; at < text.size();) {
    if (eight.Load(text, at)) {
      const AsciiEight::Tokens found = eight.FindTokens(inside);
      tokens += AsciiEight::Count(found.starts);
      inside = found.inside;
      at += AsciiEight::kBytes;
      continue;
    }
    const bool space = IsWhiteSpace(DecodeUtf8(text, &at));
    tokens += !space && !inside;
    inside = !space;
  }
  return tokens;
}

}  // namespace recall
