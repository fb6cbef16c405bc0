#include "query/measure/bench/asker.h"

#include <utility>

#include "query/rql/rql.h"

namespace recall {
namespace {

SearchMode ModeOf(BenchKind kind) {
  if (kind == BenchKind::kBm25) return SearchMode::kLexical;
  return kind == BenchKind::kVector ? SearchMode::kSemantic : SearchMode::kHybrid;
}

SearchRequest RequestFor(const BenchRequest& request, BenchKind kind, const std::string& text) {
  SearchRequest search = request.search;
  search.text = text;
  search.mode = ModeOf(kind);
  return search;
}

}  // namespace

std::string_view BenchKindName(BenchKind kind) {
  switch (kind) {
    case BenchKind::kSearch:
      return "search";
    case BenchKind::kBm25:
      return "bm25";
    case BenchKind::kVector:
      return "vector";
    case BenchKind::kQuery:
      return "query";
    case BenchKind::kContext:
      return "context";
  }
  return "";
}

Result<std::unique_ptr<Asker>> Asker::Open(const BenchRequest& request, const Questions& questions,
                                           BenchKind kind) {
  std::unique_ptr<Asker> asker(new Asker(request, questions, kind));
  OpenOptions options = request.open;
  options.read_only = true;
  RECALL_ASSIGN(asker->database_, Database::Open(request.store_path, options));
  if (kind == BenchKind::kQuery) RECALL_TRY(asker->MakeQueries(questions));
  return asker;
}

// Makes RQL queries equivalent to `recall search`: the same retrievers, filter and number of rows.
Status Asker::MakeQueries(const Questions& questions) {
  queries_ = questions.rql;
  made_ = queries_.empty();
  if (!made_) return Status::Ok();
  RqlQuery query;
  if (!request_.search.scope.filter.empty()) {
    RECALL_ASSIGN(query.filter, ParseFilter(request_.search.scope.filter));
  }
  query.limit = static_cast<int64_t>(request_.search.k);
  for (const auto kind : {SelectItem::Kind::kAll, SelectItem::Kind::kScore}) {
    query.select.emplace_back().kind = kind;
  }
  for (const std::string& text : asked_) {
    query.semantic = text;
    query.lexical = text;
    queries_.push_back(PrintRql(query));
  }
  return Status::Ok();
}

Result<int64_t> Asker::Ask(size_t i) {
  Result<int64_t> results = AskOnce(i);
  if (results) return results;
  return Fail(results.error().WithContext("query " + std::to_string(i + 1)));
}

Result<int64_t> Asker::AskOnce(size_t i) {
  if (kind_ == BenchKind::kQuery) {
    QueryRequest query;
    query.rql = queries_[i];
    query.snapshot = request_.search.scope.snapshot;
    query.as_of = request_.search.scope.as_of;
    query.lexical_mode = request_.search.lexical_mode;
    query.exact = request_.search.exact;
    query.threads = request_.search.threads;
    if (made_) {
      query.weights = request_.search.weights;
      query.ranking = request_.search.ranking;
    }
    RECALL_ASSIGN(const QueryResponse answer, database_->Query(query));
    return static_cast<int64_t>(answer.rows.size());
  }
  const SearchRequest search = RequestFor(request_, kind_, asked_[i]);
  if (kind_ == BenchKind::kContext) {
    ContextRequest context;
    context.search = search;
    context.budget_tokens = request_.budget_tokens;
    context.token_counter = request_.token_counter;
    RECALL_ASSIGN(const ContextResponse answer, database_->Context(context));
    return static_cast<int64_t>(answer.pieces.size());
  }
  RECALL_ASSIGN(const SearchResponse answer, database_->Search(search));
  return static_cast<int64_t>(answer.hits.size());
}

}  // namespace recall
