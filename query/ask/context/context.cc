// Builds a context: the passages for a language model that fit into a token budget.
//
// The request is ranked like a search. The best chunks are offered to a packer, which selects
// passages (passage_packer.h) or whole chunks (chunk_packer.h) until the budget is used up. With
// `expand`, the chunks adjacent to each offered chunk are offered as well, as far as they satisfy
// the filter.
//
// Invariant. The printed text never has more tokens than the budget: PackWithin packs again with a
// lower limit if a vocabulary counts more tokens for the whole text than for its parts.
//
// Cost: one search, the rows of up to `most_chunks` chunks, and the texts that the packer reads.

#include "query/ask/context/context.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "query/ask/answer/irrelevance.h"
#include "query/ask/answer/search.h"
#include "query/ask/context/chunk_packer.h"
#include "query/ask/context/passage_packer.h"
#include "query/ask/context/unit_evidence.h"
#include "query/ask/passages/token_counter.h"
#include "query/ask/rows/computed_fields.h"
#include "query/ask/rows/folded_rows.h"
#include "query/ask/rows/locators.h"
#include "query/ask/rows/note_state.h"
#include "query/ask/rows/ranked_page.h"
#include "query/ask/rows/turn_replies.h"
#include "query/ask/rows/whole_lines.h"
#include "query/ask/sources/source_checker.h"
#include "storage/base/clock.h"
#include "storage/notes/note_card.h"

namespace recall {
namespace {

// Reading the rows of all offered chunks takes a sixth of the time of a small context, which needs
// the first of them only.
constexpr size_t kOfferedFirst = 32;
// Passages are selected from at least this number of chunks, and from more until the chunks have
// this many times the tokens of the budget. Reading further chunks gains nothing: the evidence of
// their sentences hardly ever makes up for their low rank.
constexpr size_t kChosenFrom = 16;
constexpr int64_t kBudgetsRead = 3;

Status ExplainPieces(PackedContext& packed, const std::vector<ScoredChunk>& best_chunks,
                     const Ranking& ranking) {
  RankExplainer explainer(ranking);
  for (size_t i = 0; i < packed.pieces.size(); ++i) {
    const auto best =
        std::ranges::find(best_chunks, packed.best_rows[i],
                          [](const ScoredChunk& fused) { return fused.candidate.chunk; });
    if (best == best_chunks.end()) continue;
    RECALL_ASSIGN(packed.pieces[i].explain, explainer.Explain(*best));
  }
  return Status::Ok();
}

// What the packers read besides rows.
struct PackTools {
  TokenCounter& counter;
  LocatorReader& locators;
  SourceChecker* sources;  // may be null
  UnixNanos as_of;         // of the question
};

PackOptions OptionsOf(const ContextRequest& request, const PackTools& tools) {
  return {&tools.counter, request.diversity, request.citations, request.search.cite,   request.form,
          request.expand, &tools.locators,   tools.sources,     &request.search.check, tools.as_of};
}

// Finishes what a packer selected: places, exact citations, then the text.
Result<PackedContext> Composed(PackedContext packed, const ContextRequest& request, RowReader& rows,
                               const PackTools& tools) {
  LocatorReader& locators = tools.locators;
  for (size_t i = 0; i < packed.pieces.size(); ++i) {
    ChunkView& chunk = packed.pieces[i].chunk;
    RECALL_ASSIGN(const auto row, rows.Read(packed.best_rows[i]));
    RECALL_ASSIGN(packed.pieces[i].doc.source_state,
                  StateOfSource(tools, *row.doc, request.search.check));
    packed.pieces[i].note_state = StateOfInvalidNote(*row.doc, tools.as_of);
    if (chunk.start_byte == chunk.end_byte) continue;
    RECALL_ASSIGN(chunk.locator, locators.Find(*row.doc, chunk.start_byte, chunk.end_byte));
    if (chunk.locator) packed.pieces[i].place = chunk.locator->text;
    if (!request.search.cite) continue;
    RECALL_ASSIGN(chunk.lines_hash,
                  HashWholeLines(rows.texts(), *row.doc, chunk.start_byte, chunk.end_byte));
  }
  packed.Compose(OptionsOf(request, tools));
  return packed;
}

// The ranked chunks that are offered to a packer, and access to their neighbours.
class Offered final {
 public:
  // `allowed`: the chunks that satisfy the filter, null without a filter.
  Offered(const std::vector<RankedRow>& ranked, RowReader& rows, const Bitmap* allowed)
      : ranked_(ranked), rows_(rows), allowed_(allowed) {}

  const std::vector<RankedRow>& ranked() const { return ranked_; }
  const Bitmap* allowed() const { return allowed_; }

  // Returns: up to `count` adjacent chunks of the same document on either side, the nearest first.
  // A side ends at the first chunk that the filter excludes.
  Result<std::vector<RowReader::Located>> Beside(const RowReader::Located& row,
                                                 int64_t count) const {
    std::vector<RowReader::Located> beside;
    const int64_t first = row.doc->first_chunk;
    const int64_t end = first + row.doc->chunk_count;
    bool open[] = {true, true};
    for (int64_t step = 1; step <= count; ++step) {
      for (const int side : {0, 1}) {
        const int64_t at = int64_t{row.chunk.row} + (side == 0 ? -step : step);
        open[side] = open[side] && at >= first && at < end &&
                     (!allowed_ || allowed_->Contains(static_cast<uint32_t>(at)));
        if (!open[side]) continue;
        RECALL_ASSIGN(auto located, rows_.Read(static_cast<uint32_t>(at)));
        beside.push_back(std::move(located));
      }
    }
    return beside;
  }

 private:
  const std::vector<RankedRow>& ranked_;
  RowReader& rows_;
  const Bitmap* allowed_;
};

Result<PackedContext> PackChunks(const Offered& offered, const ContextRequest& request,
                                 RowReader& rows, const PackTools& tools, int64_t limit) {
  ContextPacker packer(&rows, OptionsOf(request, tools), limit);
  std::unordered_set<uint32_t> taken;
  for (const RankedRow& ranked : offered.ranked()) {
    const double score = ranked.fused.score;
    bool more = true;
    if (taken.insert(ranked.row.chunk.row).second) {
      RECALL_ASSIGN(more, packer.Offer(ranked.row, score));
    }
    RECALL_ASSIGN(const auto beside, offered.Beside(ranked.row, request.expand));
    for (const RowReader::Located& row : beside) {
      if (!more) break;
      if (!taken.insert(row.chunk.row).second) continue;
      RECALL_ASSIGN(more, packer.OfferNeighbour(row));
    }
    if (!more) break;
  }
  return Composed(packer.Finish(), request, rows, tools);
}

// The number of chunks, from the best on, that passages are selected from; nothing if all of these
// are not enough.
std::optional<size_t> CountChosenFrom(const std::vector<RankedRow>& ranked, int64_t budget_tokens) {
  int64_t tokens = 0;
  for (size_t count = 0; count <= ranked.size(); ++count) {
    if (count >= kChosenFrom && tokens >= kBudgetsRead * budget_tokens) return count;
    if (count < ranked.size()) tokens += ranked[count].row.chunk.tokens;
  }
  return std::nullopt;
}

Result<PackedContext> PackPassages(const Offered& offered, const ContextRequest& request,
                                   const Ranking& ranking, const QueryDependencies& deps,
                                   RowReader& rows, const PackTools& tools) {
  const std::vector<RankedRow>& best = offered.ranked();
  const size_t best_count = CountChosenFrom(best, request.budget_tokens).value_or(best.size());
  std::vector<RankedRow> chosen_from(best.begin(),
                                     best.begin() + static_cast<ptrdiff_t>(best_count));
  std::unordered_set<uint32_t> chosen;
  for (const RankedRow& ranked : chosen_from) chosen.insert(ranked.row.chunk.row);
  // The chunks beside these contain the neighbours of their first and last units.
  const size_t count = request.expand > 0 ? chosen_from.size() : 0;
  for (size_t i = 0; i < count; ++i) {
    RECALL_ASSIGN(const auto beside, offered.Beside(chosen_from[i].row, request.expand));
    for (const RowReader::Located& row : beside) {
      if (chosen.insert(row.chunk.row).second) chosen_from.push_back({ScoredChunk(), row});
    }
  }
  for (size_t i = 0; i < best_count; ++i) {
    RECALL_ASSIGN(const auto answer, ChunksToAnswer(chosen_from[i].row, rows, offered.allowed()));
    for (const RowReader::Located& row : answer) {
      if (chosen.insert(row.chunk.row).second) chosen_from.push_back({ScoredChunk(), row});
    }
  }
  UnitEvidence evidence(&ranking.query(), deps.tokenizer);
  PassagePacker packer(&rows, OptionsOf(request, tools), &evidence);
  RECALL_TRY(packer.Prepare(chosen_from));
  return PackWithin(request.budget_tokens, [&](int64_t limit) {
    return Composed(packer.Pack(limit), request, rows, tools);
  });
}

// Leaves out the chunks whose text a better chunk of another document has. Those of one document
// stay, because they may be parts of one passage.
Result<std::vector<RankedRow>> OneOfEachText(std::vector<RankedRow> ranked, RowReader& rows) {
  RECALL_ASSIGN(const std::vector<FoldedRows> groups,
                FoldRows(ranked, ranked.size(), CodePlaces::kKeep, rows));
  std::unordered_set<uint32_t> copies;
  for (const FoldedRows& group : groups) {
    for (const RankedRow& row : group.further) {
      if (row.row.doc != group.first.row.doc) copies.insert(row.row.chunk.row);
    }
  }
  std::erase_if(ranked, [&](const RankedRow& row) { return copies.contains(row.row.chunk.row); });
  return ranked;
}

// The chunks that are offered to the packer.
//
// Documents without text, found by their names, are not offered; *without_text: their paths.
Result<std::vector<RankedRow>> ReadOffered(const std::vector<ScoredChunk>& best_chunks,
                                           const ContextRequest& request, RowReader& rows,
                                           std::vector<std::string>* without_text) {
  const auto read = [&](size_t count) -> Result<std::vector<RankedRow>> {
    RECALL_ASSIGN(std::vector<RankedRow> ranked, ReadPage(best_chunks, rows, 0, count));
    without_text->clear();
    std::erase_if(ranked, [&](const RankedRow& row) {
      const bool is_empty = row.row.chunk.start_byte == row.row.chunk.end_byte;
      if (is_empty) without_text->push_back(row.row.doc->path);
      return is_empty;
    });
    return OneOfEachText(std::move(ranked), rows);
  };
  if (request.pieces == ContextPieces::kPassages) {
    RECALL_ASSIGN(std::vector<RankedRow> first, read(std::min(kOfferedFirst, request.most_chunks)));
    if (CountChosenFrom(first, request.budget_tokens)) return first;
  }
  return read(request.most_chunks);
}

// Names the documents that were found, but have no text that could be packed.
void WarnOfNames(const std::vector<std::string>& without_text, std::vector<std::string>& warnings) {
  constexpr size_t kMostNames = 3;
  if (without_text.empty()) return;
  std::string names;
  for (size_t i = 0; i < std::min(without_text.size(), kMostNames); ++i) {
    names += (i == 0 ? "" : ", ") + without_text[i];
  }
  if (without_text.size() > kMostNames) {
    names += " and " + std::to_string(without_text.size() - kMostNames) + " more";
  }
  warnings.push_back("found by name or title, without text: " + names);
}

}  // namespace

Result<ContextResponse> RunContext(const Snapshot& snapshot, const QueryDependencies& deps,
                                   const ContextRequest& request, const std::string& commit_token) {
  if (request.budget_tokens < 1) {
    return Fail(Status::InvalidArgument("the token budget must be at least 1",
                                        "set --budget-tokens to a positive number"));
  }
  if (request.expand < 0 || request.expand > kMostNeighbours) {
    return Fail(Status::InvalidArgument(
        "the number of neighbours must be from 0 to " + std::to_string(kMostNeighbours),
        "change --expand"));
  }
  SearchRequest search = WithTime(request.search);
  search.of_places = true;
  ContextResponse response;
  SearchResponse& facts = response.search;
  StageClock clock;
  RECALL_ASSIGN(TokenCounter counter, TokenCounter::Open(request.token_counter));
  response.token_counter = counter.name();
  response.vocabulary_hash = counter.vocabulary_hash();
  if (!response.vocabulary_hash.empty()) clock.Finish("vocabulary", facts.timings);
  clock = StageClock();
  RECALL_ASSIGN(const ResolvedScope scope, ResolveScope(snapshot.filters(), search.scope,
                                                        commit_token, FilterDomain::kChunks));
  clock.Finish("filter", facts.timings);
  ReportScope(scope, search.explain, facts);
  RECALL_ASSIGN(const Ranking ranking, Rank(snapshot, deps, search, scope.allowed()));
  RECALL_TRY(ReportRanking(ranking, search.explain, facts));

  clock = StageClock();
  RowReader rows(snapshot.texts());
  RECALL_TRY(ReportIrrelevance(ranking, rows, facts));
  RECALL_ASSIGN(const auto best_chunks, ranking.Best(request.most_chunks));
  std::vector<std::string> without_text;
  RECALL_ASSIGN(const std::vector<RankedRow> best,
                ReadOffered(best_chunks, request, rows, &without_text));
  const Offered offered(best, rows, scope.allowed());
  LocatorReader locators(snapshot.texts());
  const PackTools tools{counter, locators, deps.sources,
                        search.scope.as_of ? *search.scope.as_of : WallClockNanos()};
  RECALL_ASSIGN(PackedContext packed,
                request.pieces == ContextPieces::kChunks
                    ? PackWithin(request.budget_tokens,
                                 [&](int64_t limit) {
                                   return PackChunks(offered, request, rows, tools, limit);
                                 })
                    : PackPassages(offered, request, ranking, deps, rows, tools));
  if (search.explain) RECALL_TRY(ExplainPieces(packed, best_chunks, ranking));
  clock.Finish("pack", facts.timings);

  response.text = std::move(packed.text);
  response.form = request.form;
  response.budget_tokens = request.budget_tokens;
  response.used_tokens = packed.used_tokens;
  response.pieces = std::move(packed.pieces);
  for (const ContextPiece& piece : response.pieces) {
    if (piece.note_state == LifecycleName(Lifecycle::kExpired)) facts.as_of = tools.as_of;
  }
  RECALL_TRY(AddComputed(snapshot, search.computed_fields, search.scope.as_of.value_or(0),
                         response.pieces, &facts.as_of));
  LeaveOutShown(response.pieces, facts);
  if (response.pieces.empty() && !best.empty()) {
    facts.warnings.push_back("the budget is too small for any passage");
  }
  WarnOfNames(without_text, facts.warnings);
  return response;
}

}  // namespace recall
