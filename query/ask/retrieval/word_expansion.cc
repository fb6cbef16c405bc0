// Between two runs of the lexical retriever: similar terms of the store stand for the words of the
// query that no chunk contains.
//
// Problem. A typing error, another inflection, another spelling or a compound finds nothing: the
// index has no such term. Character n-grams rank only what words or vectors have proposed.
//
// Idea. Query expansion from the vocabulary. The lexical search tells which words no chunk
// contains; only these are expanded, so a query of known words costs nothing more. The most similar
// terms (index/search/vocabulary) become further clauses. Their weights are reduced by their
// similarity, and the missing word keeps its part of the upper bound of all scores, so an answer to
// a wrong word never scores as high as an answer to the right one.
//
// A stem says too little of what a person would accept: "redis" is one letter away from "relis",
// whose stem is that of "rely". So the words of the best chunks are compared (ReplacementDistance),
// and a term of which none is acceptable is dropped.
//
// Words that one typing error separates from the missing one are most likely what was meant, so
// they also belong to the text that is embedded and to that whose n-grams rank the window. Other
// similar terms do not: ranking is worse with them (docs/RETRIEVAL.md).
//
// Invariants. Only plain words are expanded: not those in quotes, after + or before *. A word that
// any live chunk contains is never expanded, whether or not this chunk passes the filter. Among
// equally similar terms the more frequent come first, then those in the order of IsNearer.
//
// If documents are hidden from the asker, neither is a word of theirs suggested, nor does it take
// the place of another one: the vocabulary is searched until it has given as many terms that are
// visible.
//
// Cost: a search of the vocabulary for each missing word, at most kMostWords, and the reading of up
// to kMostTried * kMostRead chunks; the lexical search runs again.

#include "query/ask/retrieval/word_expansion.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/search/vocabulary/edit_variants.h"
#include "index/search/vocabulary/replacement.h"

namespace recall {
namespace {

constexpr size_t kMostWords = 16;  // expanded words of a query
constexpr size_t kMostTerms = 4;   // terms that stand for one word
// Words in the texts for vectors and n-grams, of those that a typing error separates from one word.
constexpr size_t kMostCorrections = 2;
// The number of similar terms from which those with live chunks are selected.
constexpr size_t kMostCandidates = 64;
// Multiplied by the similarity, the factor of a term's score. Chosen by measurement
// (docs/RETRIEVAL.md).
constexpr double kWeight = 0.7;
// Similar terms of which chunks are read, to find the words that they are stems of, and the chunks
// that are read for each.
constexpr size_t kMostTried = 12;
constexpr size_t kMostRead = 4;
// The letters of an ending that may be mistyped in a word of which the chunks have the beginning,
// and how far such a word counts as being away.
constexpr size_t kLeastSuffix = 3;
constexpr size_t kSuffixDistance = 6;

LexicalClause ClauseOf(const std::string& term) {
  LexicalClause clause;
  clause.any_of.push_back({{term}, false});
  clause.text = term;
  return clause;
}

struct LiveTerm {
  NearTerm near;
  uint64_t chunks = 0;  // live chunks that contain it
};

struct Replacement {
  NearTerm term;
  std::string word;  // as a chunk writes it, folded
};

// Those of the terms that a live chunk contains, in their order.
Result<std::vector<LiveTerm>> LiveAmong(const RetrievalPlan& plan,
                                        const std::vector<NearTerm>& near) {
  LexicalQuery query;
  for (const NearTerm& term : near) query.clauses.push_back(ClauseOf(term.term));
  RECALL_ASSIGN(const std::vector<ClauseMatches> counts,
                plan.indexes->CountMatches(query, {nullptr, plan.filter().removed}));
  std::vector<LiveTerm> terms;
  for (size_t i = 0; i < near.size(); ++i) {
    if (counts[i].live > 0) terms.push_back({near[i], counts[i].live});
  }
  return terms;
}

// Finds the words of chunks that may stand for one missing word.
class ReplacementSearch final {
 public:
  ReplacementSearch(const Snapshot& snapshot, const RetrievalPlan& plan,
                    const LexicalClause& missing, Tokenizer& tokenizer)
      : snapshot_(snapshot), plan_(plan), missing_(missing), tokenizer_(tokenizer) {}

  // At most kMostTerms, the most similar first.
  Result<std::vector<Replacement>> Find() {
    RECALL_ASSIGN(const std::vector<LiveTerm> terms, SimilarTerms());
    std::vector<Replacement> found;
    size_t tried = 0;
    for (const LiveTerm& term : terms) {
      if (found.size() == kMostTerms || tried == kMostTried) break;
      if (!MayBeReplacedBy(term.near)) continue;
      ++tried;
      RECALL_ASSIGN(auto word, AcceptableWordOf(term.near));
      if (word) found.push_back({term.near, *std::move(word)});
    }
    return found;
  }

 private:
  // The live terms that are most similar to the word, the most similar first.
  Result<std::vector<LiveTerm>> SimilarTerms() const {
    const std::string& stem = missing_.any_of.front().tokens.front();
    const bool some_hidden = snapshot_.filters().IsScoped();
    std::vector<LiveTerm> terms;
    for (size_t most = kMostCandidates;; most *= 2) {
      RECALL_ASSIGN(const std::vector<NearTerm> near,
                    plan_.indexes->FindNearTerms(missing_.text, stem, most));
      RECALL_ASSIGN(terms, LiveAmong(plan_, near));
      if (!some_hidden || terms.size() >= kMostCandidates || near.size() < most) break;
    }
    terms.resize(std::min(terms.size(), kMostCandidates));
    std::ranges::stable_sort(terms, [](const LiveTerm& a, const LiveTerm& b) {
      const double left = a.near.similarity, right = b.near.similarity;
      return left != right ? left > right : a.chunks > b.chunks;
    });
    return terms;
  }

  // False if no word with this stem is a replacement. Saves reading chunks.
  bool MayBeReplacedBy(const NearTerm& term) const {
    const std::string_view word = missing_.text;
    const auto first = [](std::string_view text) {
      size_t at = 0;
      return DecodeUtf8(text, &at);
    };
    const std::string& stem = missing_.any_of.front().tokens.front();
    const bool contained =
        term.term.find(stem) != std::string::npos || word.find(term.term) != std::string_view::npos;
    size_t second = 0;
    DecodeUtf8(word, &second);
    return contained || first(term.term) == first(word) ||
           (second < word.size() && first(term.term) == first(word.substr(second)));
  }

  // The word with this stem that is nearest to the missing one, of the chunks that contain the stem
  // most prominently; nothing if none is acceptable.
  Result<std::optional<std::string>> AcceptableWordOf(const NearTerm& term) {
    LexicalQuery query;
    query.clauses.push_back(ClauseOf(term.term));
    RECALL_ASSIGN(const auto matches,
                  plan_.indexes->SearchLexical(query, {nullptr, plan_.filter().removed}));
    RECALL_ASSIGN(const std::vector<RetrieverHit> best, matches->Top(kMostRead));
    std::vector<uint32_t> chunks;
    for (const RetrieverHit& hit : best) chunks.push_back(hit.chunk);
    std::ranges::sort(chunks);
    std::map<std::string, std::optional<size_t>> distances;  // by word, in a fixed order
    RECALL_TRY(snapshot_.texts().ScanPassages(
        chunks, [&](uint32_t, std::string_view heading, std::string_view text) {
          for (const std::string_view part : {text, heading}) AddWords(term, part, &distances);
        }));
    const std::string* nearest = nullptr;
    size_t least = SIZE_MAX;
    for (const auto& [word, distance] : distances) {
      if (!distance || *distance >= least) continue;
      least = *distance;
      nearest = &word;
    }
    return nearest == nullptr ? std::nullopt : std::optional(*nearest);
  }

  void AddWords(const NearTerm& term, std::string_view text,
                std::map<std::string, std::optional<size_t>>* distances) {
    for (const Tokenizer::Word& word : tokenizer_.AnalyzeQuery(text)) {
      const bool is_stem = word.stems.size() == 1 && word.stems.front() == term.term;
      if (!is_stem && word.whole != term.term) continue;
      const auto [known, is_new] = distances->try_emplace(word.surface);
      if (is_new) known->second = Distance(term, word.surface);
    }
  }

  std::optional<size_t> Distance(const NearTerm& term, const std::string& word) {
    if (const auto distance = ReplacementDistance(missing_.text, word)) return distance;
    // "runnign" for "running", of which the chunks have only "run".
    if (!term.one_edit) return std::nullopt;
    for (const std::string& variant : OneEditVariants(missing_.text)) {
      if (!variant.starts_with(word) || variant.size() < word.size() + kLeastSuffix) continue;
      const std::vector<Tokenizer::Word> words = tokenizer_.AnalyzeQuery(variant);
      const bool inflects = words.size() == 1 && words.front().stems.size() == 1 &&
                            words.front().stems.front() == term.term;
      if (inflects) return kSuffixDistance;
    }
    return std::nullopt;
  }

  const Snapshot& snapshot_;
  const RetrievalPlan& plan_;
  const LexicalClause& missing_;
  Tokenizer& tokenizer_;
};

}  // namespace

Result<std::optional<ExpandedQuery>> ExpandMissingWords(const Snapshot& snapshot,
                                                        const RetrievalPlan& plan,
                                                        const LexicalCandidates& found,
                                                        Tokenizer& tokenizer) {
  ExpandedQuery expanded{plan.query, {}, {}};
  for (size_t i = 0; i < plan.query.clauses.size(); ++i) {
    const LexicalClause& clause = plan.query.clauses[i];
    if (!clause.expandable || found.terms()[i].IsKnown()) continue;
    if (expanded.expansions.size() == kMostWords) break;
    RECALL_ASSIGN(const std::vector<Replacement> replacements,
                  ReplacementSearch(snapshot, plan, clause, tokenizer).Find());
    if (replacements.empty()) continue;
    WordExpansion& expansion = expanded.expansions.emplace_back();
    expansion.word = clause.text;
    size_t corrections = 0;
    for (const auto& [term, word] : replacements) {
      LexicalClause& added = expanded.query.clauses.emplace_back(ClauseOf(term.term));
      added.count = clause.count;
      added.boost = kWeight * term.similarity;
      added.stands_for = i;
      added.text = word;
      expansion.terms.push_back(added.text);
      if (!term.one_edit || ++corrections > kMostCorrections) continue;
      expanded.corrections += ' ' + added.text;
    }
  }
  if (expanded.expansions.empty()) return std::nullopt;
  expanded.query.wanted += expanded.corrections;
  return std::optional(std::move(expanded));
}

Result<std::vector<std::string>> SimilarWords(const Snapshot& snapshot, const RetrievalPlan& plan,
                                              const LexicalClause& missing, Tokenizer& tokenizer) {
  std::vector<std::string> words;
  const FtsPhrase& phrase = missing.any_of.front();
  if (phrase.tokens.size() != 1 || phrase.prefix) return words;
  RECALL_ASSIGN(std::vector<Replacement> replacements,
                ReplacementSearch(snapshot, plan, missing, tokenizer).Find());
  for (Replacement& replacement : replacements) words.push_back(std::move(replacement.word));
  return words;
}

std::string DescribeExpansion(const WordExpansion& expansion) {
  std::string terms;
  for (const std::string& term : expansion.terms) {
    terms += (terms.empty() ? "'" : ", '") + term + "'";
  }
  return "no chunk contains '" + expansion.word + "'; searched for " + terms;
}

}  // namespace recall
