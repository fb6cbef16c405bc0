#include "query/retrieval/no_results.h"

#include <algorithm>
#include <string_view>
#include <vector>

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

std::string WhyNoWordMatched(const RetrievalPlan& plan, const std::vector<LexicalTerm>& terms) {
  const auto missing = TextsOf(terms, [](const LexicalTerm& term) {
    return term.occur == Occur::kMust && term.matches == 0;
  });
  if (!missing.empty()) return "no chunk contains " + Listed(missing) + ", which must occur";
  const auto is_wanted = [](const LexicalTerm& term) { return term.occur != Occur::kMustNot; };
  const auto wanted = TextsOf(terms, is_wanted);
  if (wanted.empty()) return "the query only excludes";
  const bool known = std::ranges::any_of(
      terms, [&](const LexicalTerm& term) { return is_wanted(term) && term.matches > 0; });
  if (!known) return "no chunk contains " + Listed(wanted);
  if (plan.allowed != nullptr) return "nothing that passes the filter matches the query";
  if (wanted.size() < terms.size()) return "every match is excluded";
  return "no chunk contains all that must occur";
}

}  // namespace

std::string WhyNothingWasFound(const Ranking& ranking) {
  const FusedRanking& fused = ranking.fused();
  const RetrievalPlan& plan = *fused.plan;
  if (plan.chunks == 0) return "the store has no documents";
  if (plan.allowed != nullptr && plan.allowed->Empty()) return "the filter matches nothing";
  if (fused.member_count() > 0) return "the minimum score or a stage leaves nothing";
  if (fused.hits.lexical != nullptr && !plan.query.Empty()) {
    return WhyNoWordMatched(plan, fused.hits.lexical->terms());
  }
  if (fused.hits.required && fused.hits.required->Empty()) {
    return "no chunk contains all that must occur";
  }
  if (plan.lexical || !plan.semantic) return "";
  return "no vector is similar to the query";
}

}  // namespace recall
