#include "query/ask/retrieval/no_results.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "query/ask/retrieval/word_expansion.h"

namespace recall {
namespace {

using Occur = LexicalClause::Occur;

// A query may have a thousand words.
constexpr size_t kMostNamed = 5;

std::string Quoted(const std::string& text) {
  return text.starts_with('"') ? text : "'" + text + "'";  // a phrase has its quotes
}

std::string Listed(const std::vector<std::string>& texts) {
  std::string list;
  const size_t named = std::min(texts.size(), kMostNamed);
  for (size_t i = 0; i < named; ++i) {
    if (i > 0) list += i + 1 == texts.size() ? " or " : ", ";
    list += Quoted(texts[i]);
  }
  if (named < texts.size()) list += " or " + std::to_string(texts.size() - named) + " others";
  return list;
}

std::vector<std::string> TextsOf(const std::vector<LexicalTerm>& terms, auto&& choose) {
  std::vector<std::string> texts;
  for (const LexicalTerm& term : terms) {
    if (choose(term)) texts.push_back(term.text);
  }
  return texts;
}

// "; similar: 'database'" for the words that no chunk contains; empty if nothing is similar.
Result<std::string> NameSimilarWords(const FusedRanking& fused) {
  Tokenizer tokenizer;
  const RetrievalPlan& plan = *fused.plan;
  std::vector<std::string> similar;
  const std::vector<LexicalTerm>& terms = fused.hits.lexical->terms();
  for (size_t i = 0; i < terms.size() && similar.size() < kMostNamed; ++i) {
    if (terms[i].occur == Occur::kMustNot || terms[i].IsKnown()) continue;
    RECALL_ASSIGN(const std::vector<std::string> words,
                  SimilarWords(*fused.snapshot, plan, plan.query.clauses[i], tokenizer));
    similar.insert(similar.end(), words.begin(), words.end());
  }
  if (similar.empty()) return std::string();
  similar.resize(std::min(similar.size(), kMostNamed));
  std::string list = "; similar: ";
  for (size_t i = 0; i < similar.size(); ++i) list += (i > 0 ? ", " : "") + Quoted(similar[i]);
  return list;
}

Result<std::string> WhyNoWordMatched(const FusedRanking& fused) {
  const RetrievalPlan& plan = *fused.plan;
  const std::vector<LexicalTerm>& terms = fused.hits.lexical->terms();
  const auto is_wanted = [](const LexicalTerm& term) { return term.occur != Occur::kMustNot; };
  const auto wanted = TextsOf(terms, is_wanted);
  if (wanted.empty()) return std::string("the query only excludes");
  const auto missing = TextsOf(terms, [](const LexicalTerm& term) {
    return term.occur == Occur::kMust && term.matches == 0;
  });
  if (!missing.empty()) {
    RECALL_ASSIGN(const std::string similar, NameSimilarWords(fused));
    return "no chunk contains " + Listed(missing) + ", which must occur" + similar;
  }
  const bool known = std::ranges::any_of(
      terms, [&](const LexicalTerm& term) { return is_wanted(term) && term.IsKnown(); });
  if (!known) {
    RECALL_ASSIGN(const std::string similar, NameSimilarWords(fused));
    return "no chunk contains " + Listed(wanted) + similar;
  }
  if (plan.allowed != nullptr)
    return std::string("nothing that passes the filter matches the query");
  if (wanted.size() < terms.size()) return std::string("every match is excluded");
  return std::string("no chunk contains all that must occur");
}

}  // namespace

Result<std::string> WhyNothingWasFound(const Ranking& ranking) {
  const FusedRanking& fused = ranking.fused();
  const RetrievalPlan& plan = *fused.plan;
  if (plan.chunks == 0) return std::string("the store has no documents");
  if (plan.allowed != nullptr && plan.allowed->Empty())
    return std::string("the filter matches nothing");
  if (fused.member_count() > 0) return std::string("the minimum score or a stage leaves nothing");
  if (fused.hits.lexical != nullptr && !plan.query.Empty()) {
    return WhyNoWordMatched(fused);
  }
  if (fused.hits.required && fused.hits.required->Empty()) {
    return std::string("no chunk contains all that must occur");
  }
  if (plan.lexical || !plan.semantic) return std::string();
  if (!plan.why_no_vector.empty()) return plan.why_no_vector;
  if (fused.hits.worded && fused.hits.worded->Empty()) {
    return std::string("no chunk contains a word of the query");
  }
  return std::string("no vector is similar to the query");
}

}  // namespace recall
