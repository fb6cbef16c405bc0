// The step after fusion and reranking: evidence that is neither words nor meaning.
//
// Problem. Who searches for EINVAL wants its definition, but hundreds of chunks use it more often,
// and BM25 ranks the definition 353rd. Tests repeat the words of what they test, and blocks of
// imports consist of nothing but names.
//
// Idea. Cues: a definition of a name of the question adds to a score, and the role of a file and
// imports multiply it (query/ask/cues). Versions, dates and other numbers of several parts are
// hardly ever asked for in vain, so a chunk without them counts less. They are looked up for the
// best hundred hits, in postings that have the roles of their files as numbers
// (index/source/code/path_role.h). Definitions are found wherever they rank: the full-text index
// has a token for each name that a chunk defines (index/source/note/document_tokenizer.h), and
// grammars have recorded symbols. Each chunk of a definition contains the name, so it is a match of
// the query already: the set of hits and their number stay.
//
//   best hits -> cues -> sorted        the other hits are merged in by their scores, scaled alike
//
// Invariants. Nothing is removed. The cues depend on the query, the store and the weights, not on
// the page. Where no hit has a cue, no bit of a score changes.
//
// Cost: one read of the full-text index, the rows that the cues of files need (file_cues.cc), and
// the texts of definitions that only their tokens tell.

#include "query/ask/retrieval/cued_ranking.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "index/base/text/code_name.h"
#include "index/base/text/names.h"
#include "index/source/code/path_role.h"
#include "query/ask/cues/asked_names.h"
#include "query/ask/cues/cue_scores.h"
#include "query/ask/cues/topic_line.h"
#include "query/ask/retrieval/file_cues.h"

namespace recall {
namespace {

// In a sentence, at least this part of the weight of a definition; the rest by how much of the
// question's words, measured by their idf, the name is.
constexpr double kDefinitionInSentence = 0.5;
// An entry of a list, or a heading, counts less than a definition in code.
constexpr double kEntryShare = 0.5;
// What a definition in another case counts if one has the case of the question: `Session` is a
// class, `session` a function.
constexpr double kOtherCaseShare = 0.25;
// Of a question's numbers.
constexpr size_t kMostNumbers = 8;

// How a chunk defines a name of the question.
struct Definition {
  size_t name = 0;
  bool is_entry = false;
  bool has_case = false;  // the name is defined in the case of the question
};

class CueReader final {
 public:
  CueReader(const CueSources& sources, const CueWeights& weights)
      : sources_(sources), weights_(weights) {}

  Result<std::vector<CuedChunk>> Read(std::vector<ScoredChunk> best) {
    std::vector<uint32_t> chunks;
    for (const ScoredChunk& scored : best) chunks.push_back(scored.candidate.chunk);
    std::ranges::sort(chunks);
    if (weights_.definition > 0) names_ = FindAskedNames(sources_.plan.query.wanted);
    RECALL_TRY(FindByTokens());
    RECALL_TRY(FindBySymbols());
    std::vector<CuedChunk> cued;
    for (size_t i = 0; i < best.size(); ++i) {
      cued.push_back({.scored = std::move(best[i]), .was = static_cast<int64_t>(i + 1)});
    }
    RECALL_TRY(AddFurtherDefinitions(chunks, cued));
    RECALL_TRY(CompareCases(cued));
    for (CuedChunk& chunk : cued) AddDefinition(chunk);
    RECALL_TRY(AddFactors(cued));
    RECALL_TRY(AddFileCues(sources_, weights_, cued));
    return cued;
  }

 private:
  Status FindByTokens() {
    if (sources_.plan.query.tokenizer_version < 3) return Status::Ok();
    SegmentAnalyzer analyzer;
    std::vector<TokenQuestion> questions;
    std::vector<Definition> asked;
    for (size_t i = 0; i < names_.size(); ++i) {
      for (const DefinitionMark mark : {DefinitionMark::kDefinition, DefinitionMark::kEntry}) {
        std::string token;
        AppendDefinitionToken(names_[i].name, mark, analyzer, &token);
        if (token.empty()) continue;
        questions.push_back({std::move(token)});
        asked.push_back({i, mark == DefinitionMark::kEntry, false});
      }
    }
    if (questions.empty()) return Status::Ok();
    RECALL_ASSIGN(const auto found, sources_.plan.indexes->ChunksWith(questions));
    for (size_t i = 0; i < asked.size(); ++i) {
      for (const TokenCount& each : found[i]) definitions_.emplace(each.chunk, asked[i]);
    }
    return Status::Ok();
  }

  Status FindBySymbols() {
    for (size_t i = 0; i < names_.size(); ++i) {
      RECALL_TRY(sources_.snapshot.texts().FindSymbols(
          ExactSymbolName(names_[i].name), [&](uint32_t chunk, const Symbol&) {
            definitions_.insert_or_assign(chunk, Definition{i, false, true});
          }));
    }
    return Status::Ok();
  }

  // Adds the definitions that are not among the best hits, with the scores that the ranking has for
  // them. `chunks`: those of the best hits, ascending.
  Status AddFurtherDefinitions(const std::vector<uint32_t>& chunks, std::vector<CuedChunk>& cued) {
    std::vector<uint32_t> further;
    for (const auto& [chunk, definition] : definitions_) {
      if (!std::ranges::binary_search(chunks, chunk)) further.push_back(chunk);
    }
    if (further.empty()) return Status::Ok();
    RECALL_ASSIGN(const std::vector<double> scores, sources_.hits.LexicalScores(further));
    std::vector<RetrieverHit> matches;
    for (size_t i = 0; i < further.size(); ++i) {
      if (scores[i] > 0) matches.push_back({further[i], scores[i]});
    }
    std::ranges::sort(matches, IsBetter);
    matches.resize(std::min(matches.size(), kMostDefinitions));
    const Bitmap kept = Bitmap::Of([&] {
      std::vector<uint32_t> rows;
      for (const RetrieverHit& hit : matches) rows.push_back(hit.chunk);
      std::ranges::sort(rows);
      return rows;
    }());
    RECALL_ASSIGN(const std::vector<Candidate> candidates,
                  ScoreByBoth(sources_.plan, sources_.hits, std::move(matches)));
    for (const Candidate& candidate : candidates) {
      if (kept.Contains(candidate.chunk)) cued.push_back({.scored = ScoreOf(candidate)});
    }
    return Status::Ok();
  }

  ScoredChunk ScoreOf(const Candidate& candidate) const {
    const ScoredChunk fused = sources_.pool.scale.Fuse(candidate);
    if (sources_.window == nullptr) return fused;
    const auto& ranking = sources_.window->reranking.ranking;
    const auto found = std::ranges::find_if(ranking, [&](const ScoredChunk& scored) {
      return scored.candidate.chunk == candidate.chunk;
    });
    return found != ranking.end() ? *found : sources_.window->Below(fused);
  }

  // Sets has_case of definitions that were found by their tokens, which have no case.
  Status CompareCases(const std::vector<CuedChunk>& cued) {
    for (const CuedChunk& chunk : cued) {
      const auto found = definitions_.find(chunk.scored.candidate.chunk);
      if (found == definitions_.end()) continue;
      Definition& definition = found->second;
      if (!definition.has_case) {
        RECALL_ASSIGN(definition.has_case, HasName(found->first, names_[definition.name].name));
      }
      if (definition.has_case) has_case_.insert(definition.name);
    }
    return Status::Ok();
  }

  // Whether a chunk without recorded symbols has the name as it is typed.
  Result<bool> HasName(uint32_t chunk, const std::string& name) {
    RECALL_ASSIGN(const RowReader::Located row, sources_.rows.Read(chunk));
    const ChunkRow& of = row.chunk;
    if (IsSourceCode(*row.doc) && !of.heading.empty()) return false;
    RECALL_ASSIGN(const std::string text,
                  sources_.snapshot.texts().ReadText(*row.doc, of.start_byte, of.end_byte));
    return FindCodeName(text, name) != text.npos;
  }

  void AddDefinition(CuedChunk& chunk) {
    const auto found = definitions_.find(chunk.scored.candidate.chunk);
    if (found == definitions_.end()) return;
    const auto& [name, is_entry, has_case] = found->second;
    chunk.definition = weights_.definition * ShareOfQuestion(names_[name]);
    if (is_entry) chunk.definition *= kEntryShare;
    if (!has_case && has_case_.contains(name)) chunk.definition *= kOtherCaseShare;
    chunk.cues.push_back({.cue = "definition",
                          .note = names_[name].name,
                          .definition = chunk.definition,
                          .factor = 1});
  }

  // 1 for a name that is the question, else 0.5 to 1.
  double ShareOfQuestion(const AskedName& asked) const {
    if (asked.alone) return 1;
    std::vector<std::string> tokens;
    for (const Tokenizer::Word& word : sources_.tokenizer.AnalyzeQuery(asked.name)) {
      tokens.insert(tokens.end(), word.stems.begin(), word.stems.end());
      if (!word.whole.empty()) tokens.push_back(word.whole);
    }
    const std::vector<LexicalClause>& clauses = sources_.plan.query.clauses;
    const std::vector<LexicalTerm>& terms = sources_.hits.lexical->terms();
    double all = 0;
    double of_name = 0;
    for (size_t i = 0; i < std::min(clauses.size(), terms.size()); ++i) {
      const std::vector<std::string>& phrase = clauses[i].any_of.front().tokens;
      if (terms[i].matches == 0) continue;  // a word that no text has does not tell texts apart
      all += terms[i].idf;
      if (phrase.size() == 1 && std::ranges::find(tokens, phrase.front()) != tokens.end()) {
        of_name += terms[i].idf;
      }
    }
    const double share = all > 0 ? of_name / all : 0;
    return kDefinitionInSentence + (1 - kDefinitionInSentence) * share;
  }

  Status AddFactors(std::vector<CuedChunk>& cued) const {
    if (sources_.plan.query.tokenizer_version < 3) return Status::Ok();
    std::vector<uint32_t> chunks;
    for (const CuedChunk& chunk : cued) chunks.push_back(chunk.scored.candidate.chunk);
    std::ranges::sort(chunks);
    std::vector<TokenQuestion> questions = NumbersOfQuestion(chunks);
    questions.push_back({std::string(kMarkToken), &chunks});
    RECALL_ASSIGN(const auto found, sources_.plan.indexes->ChunksWith(questions));
    const std::span numbers(found.data(), found.size() - 1);
    const std::vector<TokenCount>& marked = found.back();
    const uint32_t asked_for = RolesAskedFor(TopicOf(sources_.plan.query.wanted));
    for (CuedChunk& chunk : cued) {
      const uint32_t row = chunk.scored.candidate.chunk;
      const auto has = [row](const std::vector<TokenCount>& counts) {
        return CountIn(counts, row) > 0;
      };
      if (!numbers.empty() && std::ranges::none_of(numbers, has)) {
        AddFactor("number", weights_.number, chunk);
      }
      const uint32_t count = CountIn(marked, row);
      if (count == 0) continue;
      const ChunkMarks marks = MarksOfNumber(count);
      if (marks.role && (asked_for >> static_cast<unsigned>(*marks.role) & 1) == 0) {
        AddFactor(kPathRoleNames[static_cast<size_t>(*marks.role)], weights_.of(*marks.role),
                  chunk);
      }
      if (marks.imports) AddFactor("imports", weights_.imports, chunk);
    }
    return Status::Ok();
  }

  // A question for each number of the user's question that is one of several parts.
  std::vector<TokenQuestion> NumbersOfQuestion(const std::vector<uint32_t>& chunks) const {
    std::vector<TokenQuestion> questions;
    if (weights_.number == 1) return questions;
    const std::string_view topic = TopicOf(sources_.plan.query.wanted);
    for (Tokenizer::Word& word : sources_.tokenizer.AnalyzeQuery(topic)) {
      if (!word.joined_is_number || questions.size() == kMostNumbers) continue;
      questions.push_back({std::move(word.joined), &chunks});
    }
    return questions;
  }

  // How often a chunk has the token; 0 if it is not in the list, which ascends.
  static uint32_t CountIn(const std::vector<TokenCount>& counts, uint32_t chunk) {
    const auto found = std::ranges::lower_bound(counts, chunk, {}, &TokenCount::chunk);
    return found != counts.end() && found->chunk == chunk ? found->count : 0;
  }

  static void AddFactor(std::string_view cue, double factor, CuedChunk& chunk) {
    if (factor == 1) return;
    chunk.factor *= factor;
    chunk.cues.push_back({.cue = std::string(cue), .note = {}, .factor = factor});
  }

  const CueSources& sources_;
  const CueWeights& weights_;
  std::vector<AskedName> names_;
  std::map<uint32_t, Definition> definitions_;  // by chunk rowid
  std::set<size_t> has_case_;  // names that are defined in the case of the question
};

}  // namespace

size_t CuedRanking::FinalPlaces() const {
  const auto end = std::ranges::partition_point(
      ranking, [this](const ScoredChunk& scored) { return scored.score > following; });
  return static_cast<size_t>(end - ranking.begin());
}

std::vector<ScoredChunk> CuedRanking::With(const std::vector<ScoredChunk>& before,
                                           bool complete) const {
  std::vector<ScoredChunk> others;
  for (const ScoredChunk& scored : before) {
    if (placed.Contains(scored.candidate.chunk)) continue;
    others.push_back(scored);
    others.back().score *= scale;
  }
  std::vector<ScoredChunk> merged;
  merged.reserve(ranking.size() + others.size());
  std::ranges::merge(ranking, others, std::back_inserter(merged), ComesBefore);
  if (!complete && !before.empty()) EraseBelow(before.back().score * scale, merged);
  return merged;
}

Result<std::optional<CuedRanking>> RankByCues(const CueSources& sources, const CueWeights& weights,
                                              std::vector<ScoredChunk> best) {
  if (best.empty() || weights.None()) return std::nullopt;
  CuedRanking result;
  best.resize(std::min(best.size(), kCuedPlaces));
  result.following = best.back().score;
  std::unordered_map<uint32_t, double> scores;
  RECALL_ASSIGN(std::vector<CuedChunk> cued, CueReader(sources, weights).Read(std::move(best)));
  for (const CuedChunk& chunk : cued) {
    scores.emplace(chunk.scored.candidate.chunk, chunk.scored.score);
  }
  const std::optional<double> scale = ApplyCues(cued);
  if (!scale) return std::nullopt;
  result.scale = *scale;
  result.following *= *scale;
  for (CuedChunk& chunk : cued) {
    const uint32_t row = chunk.scored.candidate.chunk;
    result.placed.Add(row);
    result.ranking.push_back(chunk.scored);
    if (chunk.cues.empty()) continue;
    result.effects.emplace(
        row, CuedRanking::Effect{std::move(chunk.cues), chunk.was,
                                 static_cast<int64_t>(result.ranking.size()), scores.at(row)});
  }
  return result;
}

}  // namespace recall
