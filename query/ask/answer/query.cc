// Answers RQL queries: parse, evaluate the filter, rank if there is USING, order and page the rows,
// and read what the selected columns need.
//
// A query without USING returns the documents or chunks of its filter (filtered_rows.cc). A query
// with USING ranks the chunks of its filter as a search does and returns rows of the ranking
// (ranked_rows.cc). Where the rows are is found first; they are read while the caller takes them
// one at a time, so their number costs no memory. ORDER BY score DESC is the order of the ranking
// itself and needs no sort; any other ORDER BY needs the whole ranking. Filter and stages use the
// same reference time.

#include "query/ask/answer/query.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "index/source/note/note_draft.h"
#include "query/ask/answer/row_source.h"
#include "query/ask/answer/search.h"
#include "query/ask/retrieval/rank_explainer.h"
#include "query/ask/rows/computed_fields.h"
#include "query/ask/rows/locators.h"
#include "query/ask/rows/part_fields.h"
#include "query/ask/rows/views.h"
#include "query/ask/rows/whole_lines.h"
#include "query/ask/sources/source_checker.h"
#include "query/rql/rql.h"

namespace recall {
namespace {

// Above this number of rows reading all values of a computed field takes less than looking each up.
constexpr size_t kLookedUpRows = 256;

QueryColumn ColumnOf(const FieldRef& field) { return {false, field, FieldName(field)}; }

void AddColumn(QueryColumn column, std::vector<QueryColumn>* columns) {
  if (std::ranges::find(*columns, column) == columns->end()) columns->push_back(std::move(column));
}

void AddTable(FieldTable table, std::vector<QueryColumn>* columns) {
  for (const FieldInfo& info : AllFields()) {
    if (info.table == table && info.stored()) AddColumn(ColumnOf({info.field, {}}), columns);
  }
}

// The columns of SELECT with `*` expanded. Unranked documents have no chunk columns.
std::vector<QueryColumn> ColumnsOf(const RqlQuery& query) {
  const bool has_chunk = query.from == RqlTable::kChunk || query.ranked();
  std::vector<QueryColumn> columns;
  for (const SelectItem& item : query.select) {
    const bool all = item.kind == SelectItem::Kind::kAll;
    if (item.kind == SelectItem::Kind::kScore) AddColumn({true, {}, "score"}, &columns);
    if (item.kind == SelectItem::Kind::kField) AddColumn(ColumnOf(item.field), &columns);
    if (all || item.kind == SelectItem::Kind::kAllDoc) AddTable(FieldTable::kDoc, &columns);
    if (item.kind == SelectItem::Kind::kAllChunk || (all && has_chunk)) {
      AddTable(FieldTable::kChunk, &columns);
    }
  }
  return columns;
}

// The fields that the rows of the answer have, as columns or because they were asked for.
std::vector<FieldRef> FieldsOf(const std::vector<QueryColumn>& columns,
                               const QueryRequest& request) {
  std::vector<FieldRef> fields = request.computed_fields;
  for (const QueryColumn& column : columns) {
    if (column.is_score || std::ranges::find(fields, column.field) != fields.end()) continue;
    fields.push_back(column.field);
  }
  return fields;
}

// The path that a filter probably means which compares the paths of links with an id, as in
// doc.link.supports = 'adr-7'; nothing if there is none.
std::optional<std::string> LinkedPathMeantBy(const FilterExpr& filter) {
  for (const FilterExpr& child : filter.children) {
    if (auto meant = LinkedPathMeantBy(child)) return meant;
  }
  const Predicate& predicate = filter.predicate;
  const Field field = predicate.field.field;
  const bool compares = (predicate.op == FilterOp::kEqual || predicate.op == FilterOp::kIn) &&
                        (field == Field::kDocLink || field == Field::kDocBacklink);
  if (filter.kind != FilterExpr::Kind::kPredicate || !compares) return std::nullopt;
  for (const Literal& operand : predicate.operands) {
    const std::string& text = operand.text;
    const size_t slash = text.rfind('/');
    if (text.find('.', slash == text.npos ? 0 : slash) != text.npos) continue;
    return slash == text.npos ? NotePathOf(text) : text + ".md";
  }
  return std::nullopt;
}

std::vector<FieldRef> ComputedFieldsOf(const std::vector<OrderKey>& keys) {
  std::vector<FieldRef> fields;
  for (const OrderKey& key : keys) {
    if (!key.is_score) fields.push_back(key.field);
  }
  return ComputedAmong(fields);
}

bool Selects(const std::vector<QueryColumn>& columns, Field field) {
  return std::ranges::any_of(columns, [&](const QueryColumn& column) {
    return !column.is_score && column.field.field == field;
  });
}

void MoveTo(size_t position, FilterExpr* filter) {
  for (FilterExpr& child : filter->children) MoveTo(position, &child);
  filter->predicate.position = position;
  for (Literal& operand : filter->predicate.operands) operand.position = position;
}

// The filter that is satisfied if both are.
FilterExpr BothOf(FilterExpr first, FilterExpr second) {
  FilterExpr both;
  both.kind = FilterExpr::Kind::kAnd;
  for (FilterExpr* filter : {&first, &second}) {
    if (filter->kind == FilterExpr::Kind::kAnd) {
      std::ranges::move(filter->children, std::back_inserter(both.children));
    } else {
      both.children.push_back(std::move(*filter));
    }
  }
  return both;
}

// The search request that USING stands for.
SearchRequest RankingRequest(const RqlQuery& query, const QueryRequest& request,
                             std::optional<UnixNanos> as_of) {
  SearchRequest search;
  static_cast<RankingOptions&>(search) = request;
  search.text = query.lexical ? *query.lexical : *query.semantic;
  search.semantic_text = query.semantic;
  search.mode = !query.semantic  ? SearchMode::kLexical
                : !query.lexical ? SearchMode::kSemantic
                                 : SearchMode::kHybrid;
  search.scope.as_of = as_of;
  return search;
}

// The execution of one query.
class QueryRun final {
 public:
  QueryRun(const Snapshot& snapshot, const QueryDependencies& deps, const QueryRequest& request,
           const StoreSummary& store, const QueryReader& read)
      : snapshot_(snapshot), deps_(deps), request_(request), read_(read) {
    response_.store = store;
  }

  Result<QueryResponse> Run() {
    RECALL_TRY(Parse());
    ChooseTime();
    RECALL_TRY(ApplyFilter());
    RECALL_TRY(LoadOrder());
    RECALL_TRY(query_.ranked() ? RunRanked() : RunFiltered());
    return std::move(response_);
  }

 private:
  Status Parse() {
    RECALL_ASSIGN(query_, ParseRql(request_.rql, &response_.warnings));
    response_.rql = PrintRql(query_);
    RECALL_TRY(ApplyView());
    response_.from_docs = query_.from == RqlTable::kDoc;
    response_.limit = query_.limit ? static_cast<size_t>(*query_.limit) : request_.default_limit;
    response_.offset = static_cast<size_t>(query_.offset.value_or(0));
    response_.columns = ColumnsOf(query_);
    if (!query_.ranked() && !request_.ranking.stages.empty()) {
      return Status::InvalidArgument("stages need a ranking, but this query does not rank",
                                     "add USING lexical('...') or semantic('...')");
    }
    if (!query_.ranked() && !request_.ranking.field_weights.empty()) {
      return Status::InvalidArgument("field weights need a ranking, but this query does not rank",
                                     "add USING lexical('...') or semantic('...')");
    }
    if (!query_.ranked() && request_.ranking.min_score != 0) {
      return Status::InvalidArgument(
          "a minimum score needs a ranking, but this query does not rank",
          "add USING lexical('...') or semantic('...')");
    }
    if (!query_.ranked() && !request_.ranking.embedding.empty()) {
      return Status::InvalidArgument(
          "an embedding needs a semantic ranking, but this query does not rank",
          "add USING semantic('...')");
    }
    WarnAboutDirections();
    clock_.Finish("parse", response_.timings);
    return Status::Ok();
  }

  // Errors in the filter of the view are shown where the query names it.
  Status ApplyView() {
    if (!query_.view) return {};
    const auto& [name, position] = *query_.view;
    if (!request_.view || request_.view->name != name) {
      return ErrorAt(request_.rql, {position, "there is no view '" + name + "'",
                                    "views are of settings; write out what it stands for"});
    }
    if (request_.view->filter.empty()) return {};
    RECALL_ASSIGN(FilterExpr filter, ParseFilter(request_.view->filter));
    MoveTo(position, &filter);
    query_.filter =
        query_.filter ? BothOf(std::move(filter), std::move(*query_.filter)) : std::move(filter);
    return {};
  }

  // The filter, the stages and the computed fields have one reference time.
  void ChooseTime() {
    const std::vector<FieldRef> shown = FieldsOf(response_.columns, request_);
    selected_ = ComputedAmong(shown);
    selected_parts_ = PartsAmong(shown);
    ordered_by_ = ComputedFieldsOf(query_.order_by);
    depends_on_time_ = AnyDependsOnTime(selected_) || AnyDependsOnTime(ordered_by_);
    as_of_ = request_.as_of;
    if (as_of_ || !(depends_on_time_ || !request_.ranking.stages.empty())) return;
    as_of_ = WallClockNanos();
  }

  Status LoadOrder() {
    computed_.emplace(snapshot_, as_of_.value_or(0));
    RECALL_TRY(computed_->Load(ordered_by_));
    clock_.Finish("fields", response_.timings);
    return Status::Ok();
  }

  void WarnAboutDirections() {
    if (!request_.explain) return;
    for (const OrderKey& key : query_.order_by) {
      if (key.direction_given || key.is_score) continue;
      response_.warnings.push_back("ORDER BY " + FieldName(key.field) +
                                   " without ASC or DESC means DESC");
    }
  }

  Status ApplyFilter() {
    const bool unranked_docs = query_.from == RqlTable::kDoc && !query_.ranked();
    RECALL_ASSIGN(
        scope_, ResolveFilter(snapshot_.filters(), {query_.filter, request_.rql}, request_.snapshot,
                              as_of_, response_.store.snapshot,
                              unranked_docs ? FilterDomain::kDocs : FilterDomain::kChunks));
    clock_.Finish("filter", response_.timings);
    ReportScope(scope_, request_.explain, response_);
    if (depends_on_time_) response_.as_of = as_of_;
    return Status::Ok();
  }

  Status RunRanked() {
    const SearchRequest search = RankingRequest(query_, request_, as_of_);
    response_.mode = search.mode;
    response_.text = search.text;
    RECALL_ASSIGN(const Ranking ranking, Rank(snapshot_, deps_, search, scope_.allowed()));
    RECALL_TRY(ReportRanking(ranking, request_.explain, response_));
    clock_ = StageClock();
    const RowOrder order = Order();
    const bool needs_all = query_.from == RqlTable::kDoc || order.IsGiven();
    WarnWhereCut(ranking, needs_all ? SIZE_MAX : PageEnd(), response_);
    RECALL_ASSIGN(const ResultPage page, FindRankedRows(snapshot_, ranking, PageOf(order)));
    return Tell(page, &ranking);
  }

  Status RunFiltered() {
    const RowOrder order(query_.order_by, &*computed_, &parts_);
    RECALL_ASSIGN(const ResultPage page,
                  FindFilteredRows(snapshot_, scope_.allowed(), PageOf(order)));
    if (page.count == 0) SayWhyThereAreNoRows(page.total);
    return Tell(page, nullptr);
  }

  void SayWhyThereAreNoRows(int64_t total) {
    if (response_.limit == 0) return;
    std::string why = "the filter matches nothing";
    if (total > 0) {
      why = "row " + std::to_string(response_.offset) + " is past the last of " +
            std::to_string(total);
    } else if (scope_.allowed() == nullptr) {
      why = query_.from == RqlTable::kDoc ? "the store has no documents; `recall add` adds them"
                                          : "the store has no texts; `recall add` adds them";
    } else if (const auto meant = query_.filter ? LinkedPathMeantBy(*query_.filter)
                                                : std::optional<std::string>()) {
      why += "; links are compared by paths, such as '" + *meant + "'";
    }
    response_.warnings.push_back("no results: " + why);
  }

  // ORDER BY score DESC alone is the order of the ranking, so its key is dropped.
  RowOrder Order() {
    const auto& keys = query_.order_by;
    if (keys.size() == 1 && keys[0].is_score && !keys[0].ascending) query_.order_by.clear();
    return RowOrder(query_.order_by, &*computed_, &parts_);
  }

  size_t PageEnd() const { return response_.offset + response_.limit; }

  PageRequest PageOf(const RowOrder& order) const {
    return {query_.from, &order, response_.offset, response_.limit};
  }

  // `ranking`: null if nothing was ranked.
  Status Tell(const ResultPage& page, const Ranking* ranking) {
    clock_.Finish("order", response_.timings);
    if (page.count > kLookedUpRows) RECALL_TRY(computed_->Load(selected_));
    response_.total_hits = page.total;
    if (page.more && page.count > 0) {
      response_.next_offset = static_cast<int64_t>(response_.offset + page.count);
    }
    if (request_.snippet_bytes > 0 && !(ranking && WithText())) {
      response_.warnings.push_back(
          "there are no excerpts: a query has them if it ranks (USING) and "
          "selects chunk.text");
    }
    RECALL_TRY(LeaveOutRows(page));
    Rows rows(*this, page, ranking);
    RECALL_TRY(read_(response_, rows));
    clock_.Finish("assemble", response_.timings);
    return Status::Ok();
  }

  bool WithText() const {
    return request_.with_text || Selects(response_.columns, Field::kChunkText);
  }

  Status ReadRowsOf(const ResultPage& page,
                    const std::function<Status(const ResultRow& row)>& visit) const {
    // Ranked documents have a chunk each.
    return ReadRows(snapshot_.texts(), query_.from, scope_.allowed(), page, visit);
  }

  // The documents of rows are no neighbours of rows.
  Status LeaveOutRows(const ResultPage& page) {
    if (!response_.related) return Status::Ok();
    std::set<std::string> shown;
    RECALL_TRY(ReadRowsOf(page, [&](const ResultRow& row) {
      shown.insert(row.doc->path);
      return Status::Ok();
    }));
    std::erase_if(*response_.related,
                  [&](const RelatedDoc& related) { return shown.contains(related.doc.path); });
    return Status::Ok();
  }

  // The rows of a page, with what the columns need.
  class Rows final : public QueryRows {
   public:
    Rows(QueryRun& run, const ResultPage& page, const Ranking* ranking)
        : run_(run), page_(page), with_text_(run.WithText()) {
      const QueryRequest& request = run.request_;
      if (ranking && with_text_ && request.snippet_bytes > 0) {
        snippets_.emplace(ranking->query(), request.snippet_bytes);
      }
      if (ranking && request.explain) explainer_.emplace(*ranking);
    }

    size_t count() const override { return page_.count; }

    Status Read(const std::function<Status(QueryRow& row)>& visit) override {
      return run_.ReadRowsOf(page_, [&](const ResultRow& row) -> Status {
        RECALL_ASSIGN(QueryRow shown, run_.Show(row, with_text_));
        if (snippets_ && shown.chunk) {
          shown.snippet = snippets_->Cut(*shown.chunk, shown.doc.parser == "code");
        }
        if (explainer_) {
          RECALL_ASSIGN(shown.explain, explainer_->Explain(row.fused));
        }
        return visit(shown);
      });
    }

   private:
    QueryRun& run_;
    const ResultPage& page_;
    const bool with_text_;
    std::optional<SnippetCutter> snippets_;
    std::optional<RankExplainer> explainer_;
  };

  Result<QueryRow> Show(const ResultRow& row, bool with_text) {
    QueryRow shown;
    shown.score = row.fused.score;
    shown.doc = MakeDocView(*row.doc);
    RECALL_TRY(computed_->AddTo(shown.doc, selected_, *row.doc));
    if (!row.chunk) return shown;
    const ChunkRow& chunk = *row.chunk;
    shown.chunk = MakeChunkView(*row.doc, chunk);
    RECALL_ASSIGN(shown.chunk->locator, locators_.Find(*row.doc, chunk.start_byte, chunk.end_byte));
    RECALL_TRY(parts_.AddTo(*shown.chunk, selected_parts_, *row.doc, chunk));
    if (request_.cite) {
      RECALL_ASSIGN(shown.chunk->lines_hash,
                    HashWholeLines(snapshot_.texts(), *row.doc, chunk.start_byte, chunk.end_byte));
    }
    if (with_text) {
      RECALL_ASSIGN(shown.doc.source_state, StateOfSource(deps_, *row.doc, request_.check));
      RECALL_ASSIGN(shown.chunk->text, snapshot_.texts().ReadText(*row.doc, row.chunk->start_byte,
                                                                  row.chunk->end_byte));
    }
    return shown;
  }

  const Snapshot& snapshot_;
  LocatorReader locators_{snapshot_.texts()};
  PartFields parts_{snapshot_.texts()};
  const QueryDependencies& deps_;
  const QueryRequest& request_;
  const QueryReader& read_;
  StageClock clock_;
  RqlQuery query_;
  ResolvedScope scope_;
  std::vector<FieldRef> selected_;        // computed fields of rows
  std::vector<FieldRef> selected_parts_;  // fields of their chunks with several values
  std::vector<FieldRef> ordered_by_;      // those of ORDER BY
  bool depends_on_time_ = false;          // these fields do
  std::optional<UnixNanos> as_of_;  // unset: the answer does not depend on it, but for the filter
  std::optional<ComputedFields> computed_;
  QueryResponse response_;
};

}  // namespace

Result<QueryResponse> RunQuery(const Snapshot& snapshot, const QueryDependencies& deps,
                               const QueryRequest& request, const StoreSummary& store,
                               const QueryReader& read) {
  return QueryRun(snapshot, deps, request, store, read).Run();
}

}  // namespace recall
