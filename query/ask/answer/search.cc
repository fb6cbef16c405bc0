// Answers a search: filter, ranking, page, rows.
//
// The filter is evaluated to a set of chunks before anything is ranked (query/ask/rows/scope). The
// ranking (query/ask/retrieval) is asked for the places up to the end of the page and one more,
// which shows whether there is a next page. Only the rows and texts of the page are read. Filter
// and stages use the same reference time.
//
// Chunks with the same text are one result, unless the request keeps them apart, and so are those
// of a file of source code: who searches code asks for files first, and a long one would fill the
// page. Where a result stands for a whole document, sessions that are copies are one. The results
// before the page are therefore read, too, to know what they show.
//
// Cost: that of the ranking, and one text for each hit of the page; a row for each result before
// it.

#include "query/ask/answer/search.h"

#include <algorithm>
#include <span>
#include <utility>

#include "query/ask/answer/irrelevance.h"
#include "query/ask/answer/tool_use_search.h"
#include "query/ask/passages/snippet.h"
#include "query/ask/retrieval/grouped_ranking.h"
#include "query/ask/retrieval/no_results.h"
#include "query/ask/retrieval/word_expansion.h"
#include "query/ask/rows/computed_fields.h"
#include "query/ask/rows/folded_rows.h"
#include "query/ask/rows/note_state.h"
#include "query/ask/rows/ranked_page.h"
#include "query/ask/rows/session_copies.h"
#include "query/ask/rows/turn_replies.h"
#include "query/ask/rows/whole_lines.h"
#include "query/ask/sources/source_checker.h"
#include "storage/base/clock.h"
#include "storage/notes/note_card.h"

namespace recall {
namespace {

// How many further places of a file a result lists.
constexpr size_t kListedPlaces = 5;

struct Page {
  std::vector<FoldedRows> results;
  bool more = false;  // there are results after the page
};

// Whether each result stands for a document of its own.
bool IsGrouped(const Ranking& ranking) {
  return ranking.fused().plan->fusion == FusionMethod::kGrouped;
}

// The page of a ranking in which each chunk is a result.
Result<Page> ReadEach(const Ranking& ranking, const SearchRequest& request, RowReader& rows) {
  // One row more than the page shows whether there is a next page.
  RECALL_ASSIGN(const auto best, ranking.Best(request.offset + request.k + 1));
  RECALL_ASSIGN(std::vector<RankedRow> read,
                ReadPage(best, rows, request.offset, request.k,
                         IsGrouped(ranking) ? TieOrder::kNewest : TieOrder::kPath));
  Page page;
  page.more = request.offset + read.size() < best.size();
  for (RankedRow& row : read) page.results.push_back({std::move(row), {}, {}, {}});
  return page;
}

// Whether places of files of code are folded: not where all of the first results are of one
// document, as with a filter by its path.
CodePlaces PlacesOf(const SearchRequest& request, std::span<const RankedRow> first) {
  const bool one = std::ranges::all_of(
      first, [&](const RankedRow& row) { return row.row.doc == first.front().row.doc; });
  return request.fold_places && !one ? CodePlaces::kFold : CodePlaces::kKeep;
}

// The page of a ranking in which chunks with the same text, and those of a file of code, are one
// result, or, of whole documents, sessions with the same turns. Rows are read from the beginning,
// and always at least a hundred, so that the numbers of further chunks are the same on most pages.
Result<Page> ReadFolded(const Ranking& ranking, const SearchRequest& request, RowReader& rows) {
  constexpr size_t kFewestRead = 100;
  const size_t end = request.offset + request.k;
  Page page;
  for (size_t reach = std::max(kFewestRead, end + 1);; reach *= 2) {
    RECALL_ASSIGN(const auto best, ranking.Best(reach));
    const TieOrder ties = IsGrouped(ranking) ? TieOrder::kNewest : TieOrder::kPath;
    RECALL_ASSIGN(std::vector<RankedRow> read, ReadPage(best, rows, 0, reach, ties));
    if (IsGrouped(ranking)) {
      RECALL_ASSIGN(page.results, FoldSessionCopies(std::move(read), end + 1, rows));
    } else {
      const std::span first(read.data(), std::min(kFewestRead, read.size()));
      const CodePlaces places = PlacesOf(request, first);
      RECALL_ASSIGN(page.results, FoldRows(std::move(read), end + 1, places, rows));
    }
    page.more = page.results.size() > end;
    if (page.more || best.size() < reach) break;
  }
  const auto from = [&](size_t place) {
    return page.results.begin() + static_cast<ptrdiff_t>(std::min(place, page.results.size()));
  };
  page.results.erase(from(end), page.results.end());
  page.results.erase(page.results.begin(), from(request.offset));
  return page;
}

Result<Page> ReadResults(const Ranking& ranking, const SearchRequest& request, RowReader& rows) {
  return request.identical == IdenticalChunks::kKeep ? ReadEach(ranking, request, rows)
                                                     : ReadFolded(ranking, request, rows);
}

std::vector<StandsFor> List(std::span<const RankedRow> rows) {
  std::vector<StandsFor> list;
  for (const RankedRow& ranked : rows) {
    const ChunkRow& chunk = ranked.row.chunk;
    const DocRow& doc = *ranked.row.doc;
    list.push_back({MakeChunkView(doc, chunk).id, doc.path, chunk.start_line, chunk.end_line});
  }
  return list;
}

// Says in a hit what it was folded with.
void AddFolded(const FoldedRows& result, const Ranking& ranking, IdenticalChunks identical,
               SearchHit& hit) {
  hit.identical = static_cast<int64_t>(result.further.size());
  if (identical == IdenticalChunks::kList) hit.identical_chunks = List(result.further);
  hit.more_places = static_cast<int64_t>(result.places.size());
  hit.best_places =
      List(std::span(result.places).first(std::min(result.places.size(), kListedPlaces)));
  hit.identical_sessions = hit.identical > 0 && IsGrouped(ranking);
  if (!hit.identical_sessions) return;
  const auto chunks = [](const RankedRow& row) { return row.row.doc->chunk_count; };
  const RankedRow& longest = *std::ranges::max_element(result.further, {}, chunks);
  if (chunks(longest) > chunks(result.first)) hit.continued_by = longest.row.doc->path;
}

// The chunks that are ranked or listed, and why, if the request has conditions on uses of tools.
class Selection final {
 public:
  static Result<Selection> Of(const Snapshot& snapshot, const SearchRequest& request,
                              const ResolvedScope& scope, AnswerFacts& facts) {
    Selection selection(scope.allowed());
    if (!request.tool_uses.any()) return selection;
    RECALL_ASSIGN(selection.found_, FindToolUses(snapshot, request.tool_uses, selection.of_scope_));
    const auto& warnings = selection.found_->warnings;
    facts.warnings.insert(facts.warnings.end(), warnings.begin(), warnings.end());
    return selection;
  }

  const Bitmap* allowed() const { return found_ ? &found_->chunks : of_scope_; }

  void AddUses(const DocRow& doc, SearchHit& hit) const {
    if (!found_) return;
    const auto uses = found_->uses.find(doc.row);
    if (uses == found_->uses.end()) return;
    hit.ran = uses->second.ran;
    hit.outputs = uses->second.outputs;
  }

 private:
  explicit Selection(const Bitmap* of_scope) : of_scope_(of_scope) {}

  const Bitmap* of_scope_;
  std::optional<FoundToolUses> found_;
};

// Answers SearchRequest::newest.
Status FindNewest(const Snapshot& snapshot, const QueryDependencies& deps,
                  const SearchRequest& request, const Selection& selection,
                  SearchResponse& response) {
  RECALL_ASSIGN(const std::vector<uint32_t> chunks, FirstChunks(snapshot, selection.allowed()));
  std::vector<ScoredChunk> all(chunks.size());
  for (size_t i = 0; i < chunks.size(); ++i) all[i].candidate.chunk = chunks[i];
  RowReader rows(snapshot.texts());
  RECALL_ASSIGN(const std::vector<RankedRow> page,
                ReadPage(all, rows, request.offset, request.k, TieOrder::kNewest));
  const LexicalQuery no_words;
  SnippetCutter snippets(no_words, request.snippet_bytes);
  LocatorReader locators(snapshot.texts());
  ReplyReader replies(snapshot, rows);
  for (const RankedRow& ranked : page) {
    const DocRow& doc = *ranked.row.doc;
    const ChunkRow& chunk = ranked.row.chunk;
    SearchHit hit;
    hit.doc = MakeDocView(doc);
    RECALL_ASSIGN(hit.doc.source_state, StateOfSource(deps, doc, request.check));
    hit.chunk = MakeChunkView(doc, chunk);
    RECALL_ASSIGN(hit.chunk.locator, locators.Find(doc, chunk.start_byte, chunk.end_byte));
    RECALL_ASSIGN(hit.chunk.text, snapshot.texts().ReadText(doc, chunk.start_byte, chunk.end_byte));
    if (request.cite) {
      RECALL_ASSIGN(hit.chunk.lines_hash,
                    HashWholeLines(snapshot.texts(), doc, chunk.start_byte, chunk.end_byte));
    }
    if (request.snippet_bytes > 0) {
      hit.snippet = snippets.Cut(hit.chunk, false);
      RECALL_ASSIGN(hit.reply, replies.Read(ranked.row, kMostReplyBytes));
    }
    selection.AddUses(doc, hit);
    response.hits.push_back(std::move(hit));
  }
  response.total_hits = static_cast<int64_t>(chunks.size());
  const size_t next = request.offset + page.size();
  if (next < chunks.size() && !page.empty()) response.next_offset = static_cast<int64_t>(next);
  return AddComputed(snapshot, request.computed_fields, request.scope.as_of.value_or(0),
                     response.hits, &response.as_of);
}

}  // namespace

Result<SearchHit> HitMaker::Make(const DocRow& doc, const ChunkRow& chunk, const ScoredChunk& fused,
                                 std::optional<std::string> text) {
  SearchHit hit;
  hit.score = fused.score;
  hit.doc = MakeDocView(doc);
  RECALL_ASSIGN(hit.doc.source_state, StateOfSource(deps_, doc, request_.check));
  hit.doc.note_state = StateOfInvalidNote(doc, as_of_);
  hit.chunk = MakeChunkView(doc, chunk);
  RECALL_ASSIGN(hit.chunk.locator, locators_.Find(doc, chunk.start_byte, chunk.end_byte));
  if (!text) {
    RECALL_ASSIGN(text, texts_.ReadText(doc, chunk.start_byte, chunk.end_byte));
  }
  hit.chunk.text = *std::move(text);
  if (request_.cite) {
    RECALL_ASSIGN(hit.chunk.lines_hash,
                  HashWholeLines(texts_, doc, chunk.start_byte, chunk.end_byte));
  }
  if (request_.evidence) {
    const uint32_t row = fused.candidate.chunk;
    const bool proposed = ranking_.fused().hits.FindSemantic(row) != nullptr;
    hit.found_by = fused.candidate.lexical > 0 && proposed ? SearchMode::kHybrid
                   : proposed                              ? SearchMode::kSemantic
                                                           : SearchMode::kLexical;
    hit.matched_terms = snippets_.MatchedTerms(hit.chunk.text);
  }
  if (request_.snippet_bytes > 0) hit.snippet = snippets_.Cut(hit.chunk, IsSourceCode(doc));
  for (const uint32_t other : ranking_.RepresentedBy(fused.candidate.chunk)) {
    RECALL_ASSIGN(const ChunkRow row, texts_.ReadChunk(other));
    RECALL_ASSIGN(const DocRow of, texts_.ReadDoc(row.doc_row));
    hit.stands_for.push_back({MakeChunkView(of, row).id, of.path, row.start_line, row.end_line});
  }
  if (request_.explain) {
    RECALL_ASSIGN(hit.explain, explainer_.Explain(fused));
  }
  return hit;
}

SearchRequest WithTime(SearchRequest request) {
  const bool timed = !request.ranking.stages.empty() || !request.computed_fields.empty();
  if (timed && !request.scope.as_of) request.scope.as_of = WallClockNanos();
  return request;
}

void ReportScope(const ResolvedScope& scope, bool explain, AnswerFacts& facts) {
  facts.filter = scope.filter;
  facts.as_of = scope.as_of;
  facts.warnings.insert(facts.warnings.end(), scope.warnings.begin(), scope.warnings.end());
  if (!explain) return;
  if (!facts.explain) facts.explain.emplace();
  facts.explain->filter = scope.explain;
}

std::vector<RelatedWords> RelatedWordsOf(const Ranking& ranking) {
  std::vector<RelatedWords> words;
  const auto& lexical = ranking.fused().hits.lexical;
  if (!lexical) return words;
  for (const LexicalTerm& term : lexical->terms()) {
    if (term.related.empty()) continue;
    words.push_back({term.text, {}});
    for (const RelatedTerm& related : term.related) words.back().terms.push_back(related.word);
  }
  return words;
}

std::vector<QuerySynonyms> SynonymsOf(const LexicalQuery& query) {
  std::vector<QuerySynonyms> all;
  for (const LexicalClause& clause : query.clauses) {
    if (!clause.synonyms.empty()) all.push_back({clause.text, clause.synonyms});
  }
  return all;
}

Status ReportRanking(const Ranking& ranking, bool explain, AnswerFacts& facts) {
  facts.total_hits = ranking.total_hits();
  facts.total_hits_is_lower_bound = ranking.total_is_lower_bound();
  facts.chunks_without_vector = ranking.chunks_without_vector();
  const auto& warnings = ranking.warnings();
  facts.warnings.insert(facts.warnings.end(), warnings.begin(), warnings.end());
  facts.expansions = ranking.fused().expansions;
  facts.related_words = RelatedWordsOf(ranking);
  facts.synonyms = SynonymsOf(ranking.fused().plan->query);
  for (const WordExpansion& expansion : facts.expansions) {
    facts.warnings.push_back(DescribeExpansion(expansion));
  }
  if (ranking.total_hits() == 0) {
    RECALL_ASSIGN(const std::string why, WhyNothingWasFound(ranking));
    if (!why.empty()) facts.warnings.push_back("no results: " + why);
  }
  const auto timings = ranking.timings();
  facts.timings.insert(facts.timings.end(), timings.begin(), timings.end());
  if (ranking.as_of()) facts.as_of = ranking.as_of();
  if (ranking.related()) {
    facts.related.emplace();
    for (const RelatedRow& row : *ranking.related()) {
      RECALL_ASSIGN(const DocRow doc, ranking.fused().snapshot->texts().ReadDoc(row.doc_row));
      facts.related->push_back({row.score, MakeDocView(doc), row.via, row.relation, row.weight});
    }
  }
  if (!explain) return Status::Ok();
  std::optional<FilterExplain> filter;
  if (facts.explain) filter = std::move(facts.explain->filter);
  facts.explain = ExplainRanking(ranking);
  facts.explain->filter = std::move(filter);
  return Status::Ok();
}

void WarnWhereCut(const Ranking& ranking, size_t end, AnswerFacts& facts) {
  if (!ranking.total_is_lower_bound()) return;
  if (end <= static_cast<size_t>(ranking.total_hits())) return;
  facts.warnings.push_back("the semantic ranking is limited to the best " +
                           std::to_string(ranking.fused().hits.semantic.size()) +
                           " chunks; --exact ranks all");
}

Result<SearchResponse> RunSearch(const Snapshot& snapshot, const QueryDependencies& deps,
                                 const SearchRequest& asked, const std::string& commit_token) {
  const SearchRequest request = WithTime(asked);
  SearchResponse response;
  StageClock clock;
  RECALL_ASSIGN(const ResolvedScope scope, ResolveScope(snapshot.filters(), request.scope,
                                                        commit_token, FilterDomain::kChunks));
  clock.Finish("filter", response.timings);
  ReportScope(scope, request.explain, response);
  RECALL_ASSIGN(const Selection selection, Selection::Of(snapshot, request, scope, response));
  if (request.newest) {
    RECALL_TRY(FindNewest(snapshot, deps, request, selection, response));
    return response;
  }
  RECALL_ASSIGN(const Ranking ranking, Rank(snapshot, deps, request, selection.allowed()));
  RECALL_TRY(ReportRanking(ranking, request.explain, response));
  WarnWhereCut(ranking, request.offset + request.k, response);

  clock = StageClock();
  RowReader& rows = *ranking.fused().rows;
  RECALL_TRY(ReportIrrelevance(ranking, rows, response));
  RECALL_ASSIGN(Page page, ReadResults(ranking, request, rows));
  clock.Finish("rank", response.timings);
  HitMaker hits(snapshot, deps, ranking, request);
  ReplyReader replies(snapshot, rows);
  for (FoldedRows& result : page.results) {
    const RankedRow& ranked = result.first;
    RECALL_ASSIGN(SearchHit hit, hits.Make(*ranked.row.doc, ranked.row.chunk, ranked.fused,
                                           std::move(result.text)));
    if (request.snippet_bytes > 0) {
      RECALL_ASSIGN(hit.reply, replies.Read(ranked.row, kMostReplyBytes));
    }
    AddFolded(result, ranking, request.identical, hit);
    selection.AddUses(*ranked.row.doc, hit);
    if (hit.doc.note_state == LifecycleName(Lifecycle::kExpired)) response.as_of = hits.as_of();
    response.hits.push_back(std::move(hit));
  }
  const size_t next = request.offset + page.results.size();
  if (page.more && !page.results.empty()) response.next_offset = static_cast<int64_t>(next);
  RECALL_TRY(AddComputed(snapshot, request.computed_fields, request.scope.as_of.value_or(0),
                         response.hits, &response.as_of));
  LeaveOutShown(response.hits, response);
  clock.Finish("assemble", response.timings);
  return response;
}

}  // namespace recall
