// How much of a query a sentence or line answers.
//
// The full-text index scores chunks, not sentences, so the units of a context are analysed and
// counted here with the tokenizer of the index:
//
//   evidence(unit) = sum over the clauses that are in the unit of  count * boost * idf
//   idf            = ln(1 + (N - df + .5) / (df + .5)), over the N units of the pool
//
// The units come from the best chunks for the query, so all of them speak of its subject, and a
// word that is rare in the store may be in each. Only how few of these units have a word tells them
// apart. A clause counts once: a unit that has each word is better than one that repeats one of
// them. There is no share of the length, because a unit is short, and the budget pays for it.
//
// A word in a heading above the unit, or in the name of its document, counts half: "version 3.3"
// heads each change of that version. -not clauses are ignored; phrases and prefixes count where
// they match. Decision docs/decisions/0066 has the figures.
//
// Cost: one analysis of each text and of each different heading, and O(tokens), because few tokens
// begin like one of the query.

#include "query/ask/context/unit_evidence.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <unordered_map>

#include "index/search/lexical/bm25.h"
#include "index/search/lexical/phrase_match.h"
#include "index/source/chunk/sentence_end.h"
#include "index/source/chunk/token_scan.h"

namespace recall {
namespace {

// A word in the headings of a unit, and not in its text, counts this much.
constexpr double kHeadingShare = 0.5;

using Tokens = std::vector<std::string_view>;

Tokens SplitAtSpaces(std::string_view text) {
  Tokens words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// Counts where a clause stands among these places.
double CountAt(const LexicalClause& clause, const Tokens& words, std::span<const size_t> places) {
  double count = 0;
  for (const FtsPhrase& phrase : clause.any_of) {
    for (const size_t at : places) count += StandsAt(phrase, words, at) ? 1 : 0;
  }
  return count;
}

// Whether a sentence ends before the last word.
bool HasSeveralSentences(std::string_view question) {
  for (size_t at = SkipWhiteSpace(question, 0); at < question.size();) {
    const size_t end = FindTokenEnd(question, at);
    const size_t next = SkipWhiteSpace(question, end);
    if (next < question.size() && EndsSentence(question.substr(at, end - at))) return true;
    at = next;
  }
  return false;
}

// Words of questions that compare two things: a passage about one of them is half of an answer.
const std::vector<std::string_view> kComparing = {
    "difference",  "differences", "differ",   "differs", "different", "differently",
    "distinguish", "compare",     "compared", "versus",  "vs"};

}  // namespace

UnitEvidence::UnitEvidence(const LexicalQuery* query, Tokenizer* tokenizer)
    : tokenizer_(tokenizer) {
  for (const LexicalClause& clause : query->clauses) {
    if (clause.occur == LexicalClause::Occur::kMustNot) continue;
    wanted_.push_back({&clause, clause.count * clause.boost});
    for (const FtsPhrase& phrase : clause.any_of) {
      first_bytes_.set(static_cast<uint8_t>(phrase.tokens.front().front()));
    }
  }
  several_ = AsksFor(kComparing) || HasSeveralSentences(query->wanted);
}

void UnitEvidence::CountIn(std::string_view analyzed, std::vector<double>* counts) {
  const Tokens words = SplitAtSpaces(analyzed);
  places_.clear();
  for (size_t at = 0; at < words.size(); ++at) {
    if (first_bytes_.test(static_cast<uint8_t>(words[at].front()))) places_.push_back(at);
  }
  for (size_t i = 0; i < wanted_.size(); ++i) {
    (*counts)[i] += CountAt(*wanted_[i].clause, words, places_);
  }
}

void UnitEvidence::Count(std::string_view text, std::vector<double>* counts) {
  tokenizer_->Analyze({}, text, &analyzed_);
  CountIn(analyzed_.body, counts);
  CountIn(analyzed_.compound, counts);
}

bool UnitEvidence::AsksFor(const std::vector<std::string_view>& words) const {
  return std::ranges::any_of(wanted_, [&](const Wanted& wanted) {
    return std::ranges::find(words, std::string_view(wanted.clause->text)) != words.end();
  });
}

std::vector<double> UnitEvidence::Weigh(const std::vector<Unit>& units, std::vector<Words>* words) {
  std::vector<std::vector<double>> counts(units.size(), std::vector<double>(wanted_.size()));
  std::vector<uint64_t> with(wanted_.size());
  std::unordered_map<std::string_view, std::vector<double>> headings;
  const auto in_heading = [&](std::string_view heading) -> const std::vector<double>& {
    const auto [found, added] = headings.emplace(heading, std::vector<double>(wanted_.size()));
    if (added && !heading.empty()) Count(heading, &found->second);
    return found->second;
  };
  for (size_t i = 0; i < units.size(); ++i) {
    Count(units[i].text, &counts[i]);
    const std::vector<double>* const above[] = {&in_heading(units[i].heading),
                                                &in_heading(units[i].own_heading),
                                                &in_heading(units[i].name)};
    for (size_t t = 0; t < wanted_.size(); ++t) {
      if (counts[i][t] > 0) ++with[t];
      for (const auto* heading : above) {
        if (counts[i][t] <= 0 && (*heading)[t] > 0) counts[i][t] = -1;
      }
    }
  }
  std::vector<double> evidence(units.size());
  double greatest = 0;
  for (size_t t = 0; t < wanted_.size(); ++t) {
    const double weight = wanted_[t].weight * InverseDocumentFrequency(units.size(), with[t]);
    for (size_t i = 0; i < units.size(); ++i) {
      if (counts[i][t] < 0) evidence[i] += kHeadingShare * weight;
      if (counts[i][t] > 0) evidence[i] += weight;
    }
  }
  for (const double value : evidence) greatest = std::max(greatest, value);
  if (words != nullptr) {
    words->assign(units.size(), {});
    for (size_t t = 0; t < wanted_.size() && greatest > 0; ++t) {
      const double weight = wanted_[t].weight * InverseDocumentFrequency(units.size(), with[t]);
      for (size_t i = 0; i < units.size(); ++i) {
        if (counts[i][t] > 0) (*words)[i].push_back({t, weight / greatest});
      }
    }
  }
  if (greatest > 0) {
    for (double& value : evidence) value /= greatest;
  }
  return evidence;
}

}  // namespace recall
