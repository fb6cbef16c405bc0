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
// Cost: a search of the vocabulary for each missing word, at most kMostWords; the lexical search
// runs again.

#include "query/ask/retrieval/word_expansion.h"

#include <algorithm>
#include <utility>

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

// The terms that are most similar to the word of `missing`, the most similar first.
Result<std::vector<LiveTerm>> TermsFor(const Snapshot& snapshot, const RetrievalPlan& plan,
                                       const LexicalClause& missing) {
  const std::string& stem = missing.any_of.front().tokens.front();
  const bool some_hidden = snapshot.filters().IsScoped();
  std::vector<LiveTerm> terms;
  for (size_t most = kMostCandidates;; most *= 2) {
    RECALL_ASSIGN(const std::vector<NearTerm> near,
                  plan.indexes->FindNearTerms(missing.text, stem, most));
    RECALL_ASSIGN(terms, LiveAmong(plan, near));
    if (!some_hidden || terms.size() >= kMostCandidates || near.size() < most) break;
  }
  terms.resize(std::min(terms.size(), kMostCandidates));
  std::ranges::stable_sort(terms, [](const LiveTerm& a, const LiveTerm& b) {
    const double left = a.near.similarity, right = b.near.similarity;
    return left != right ? left > right : a.chunks > b.chunks;
  });
  terms.resize(std::min(terms.size(), kMostTerms));
  return terms;
}

// The word with this stem in a text, folded; the stem itself if there is none.
std::string WordWithStem(const std::string& term, std::string_view text, Tokenizer& tokenizer) {
  for (const Tokenizer::Word& word : tokenizer.AnalyzeQuery(text)) {
    const bool is_word = word.stems.size() == 1 && word.stems.front() == term;
    if (is_word || word.whole == term) return word.surface;
  }
  return term;
}

// A stem as a user would write it, as the chunk writes it that contains it most prominently.
Result<std::string> WordOf(const Snapshot& snapshot, const RetrievalPlan& plan,
                           const std::string& term, Tokenizer& tokenizer) {
  LexicalQuery query;
  query.clauses.push_back(ClauseOf(term));
  RECALL_ASSIGN(const auto matches,
                plan.indexes->SearchLexical(query, {nullptr, plan.filter().removed}));
  RECALL_ASSIGN(const std::vector<RetrieverHit> best, matches->Top(1));
  std::string word = term;
  if (best.empty()) return word;
  const uint32_t chunk = best.front().chunk;
  RECALL_TRY(snapshot.texts().ScanPassages(
      {&chunk, 1}, [&](uint32_t, std::string_view heading, std::string_view text) {
        word = WordWithStem(term, text, tokenizer);
        if (word == term) word = WordWithStem(term, heading, tokenizer);
      }));
  return word;
}

}  // namespace

Result<std::optional<ExpandedQuery>> ExpandMissingWords(const Snapshot& snapshot,
                                                        const RetrievalPlan& plan,
                                                        const LexicalCandidates& found,
                                                        Tokenizer& tokenizer) {
  ExpandedQuery expanded{plan.query, {}, {}};
  for (size_t i = 0; i < plan.query.clauses.size(); ++i) {
    const LexicalClause& clause = plan.query.clauses[i];
    if (!clause.expandable || found.terms()[i].matches > 0) continue;
    if (expanded.expansions.size() == kMostWords) break;
    RECALL_ASSIGN(const std::vector<LiveTerm> terms, TermsFor(snapshot, plan, clause));
    if (terms.empty()) continue;
    WordExpansion& expansion = expanded.expansions.emplace_back();
    expansion.word = clause.text;
    size_t corrections = 0;
    for (const LiveTerm& term : terms) {
      LexicalClause& added = expanded.query.clauses.emplace_back(ClauseOf(term.near.term));
      added.count = clause.count;
      added.boost = kWeight * term.near.similarity;
      added.stands_for = i;
      RECALL_ASSIGN(added.text, WordOf(snapshot, plan, term.near.term, tokenizer));
      expansion.terms.push_back(added.text);
      if (!term.near.one_edit || ++corrections > kMostCorrections) continue;
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
  RECALL_ASSIGN(const std::vector<LiveTerm> terms, TermsFor(snapshot, plan, missing));
  for (const LiveTerm& term : terms) {
    RECALL_ASSIGN(std::string word, WordOf(snapshot, plan, term.near.term, tokenizer));
    words.push_back(std::move(word));
  }
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
