#include "tests/damage/store_questions.h"

#include <sstream>

#include "storage/notes/note_card.h"

namespace recall {
namespace {

template <typename Response, typename Print>
Answer AnswerOf(std::string question, const Result<Response>& response, const Print& print) {
  if (!response) return {"", response.error(), std::move(question)};
  std::ostringstream out;
  out << std::hexfloat;
  print(out, *response);
  return {out.str(), Status::Ok(), std::move(question)};
}

void PrintHits(std::ostream& out, const SearchResponse& response) {
  out << response.total_hits << '\n';
  for (const SearchHit& hit : response.hits) {
    out << hit.score << ' ' << hit.doc.path << ' ' << hit.chunk.id << ' ' << hit.chunk.text;
  }
}

void PrintRows(std::ostream& out, const QueryResponse& response) {
  for (const QueryRow& row : response.rows) {
    out << row.doc.id << ' ' << row.doc.path << ' ' << row.doc.tag.value_or("-") << ' '
        << row.doc.mtime << ' ' << row.doc.meta_json.value_or("-") << ' ' << row.doc.size;
    if (row.chunk) out << ' ' << row.chunk->id << ' ' << row.chunk->heading;
    for (const ComputedValue& value : row.doc.computed) out << ' ' << value.json;
    out << '\n';
  }
}

Answer AskQuery(Database& database, const char* question, const std::string& rql) {
  QueryRequest request;
  request.rql = rql;
  return AnswerOf(question, database.Query(request), PrintRows);
}

// Of a store without notes the answers say of all documents the same.
void AskAboutNotes(Database& database, const std::string& target, Answers* answers) {
  constexpr UnixNanos kAsOf = 20'100 * kNanosPerDay;
  QueryRequest query;
  query.rql =
      "SELECT doc.path, doc.kind, doc.status, doc.lifecycle, doc.used_at, doc.easiness, doc.due, "
      "doc.reviews, doc.backlinks, doc.backlink.any FROM doc FILTER doc.uses >= 0 AND "
      "NOT doc.lifecycle = 'obsolete' OR doc.links > 0 OR doc.kind = 'file' "
      "ORDER BY doc.consolidation, doc.link.any LIMIT 50";
  query.as_of = kAsOf;
  answers->push_back(AnswerOf("notes", database.Query(query), PrintRows));
  answers->push_back(AnswerOf("links", database.Links({.target = target, .depth = 3}),
                              [](std::ostream& out, const LinksReport& report) {
                                for (const LinkRecord& link : report.links) {
                                  out << link.source << ' ' << link.relation << ' ' << link.target
                                      << ' ' << link.weight << ' ' << link.reason.value_or("-")
                                      << '\n';
                                }
                              }));
  DueRequest due;
  due.scope.as_of = kAsOf;
  answers->push_back(
      AnswerOf("due", database.Due(due), [](std::ostream& out, const DueReport& report) {
        out << report.total << '\n';
        for (const DueDocument& document : report.documents) out << document.doc.path << '\n';
      }));
  SearchRequest search;
  search.text = "alpha memory";
  search.mode = SearchMode::kLexical;
  search.scope.as_of = kAsOf;
  search.ranking.stages = "hops,freshness,uses";
  search.ranking.field_weights = "trigger=5:title=4:body=1";
  answers->push_back(AnswerOf("aged", database.Search(search), PrintHits));
}

Answer AskExport(Database& database) {
  std::string lines;
  const auto report = database.Export({}, [&](std::string_view piece) {
    lines += piece;
    return Status::Ok();
  });
  return AnswerOf("export", report, [&](std::ostream& out, const ExportReport&) { out << lines; });
}

}  // namespace

Answers AskStore(const std::string& path, const QuestionOptions& questions) {
  OpenOptions options;
  options.read_only = true;
  options.verify_pages = questions.verify_pages;
  const auto opened = Database::Open(path, options);
  if (!opened) return {{"", opened.error(), "open"}};
  Database& database = **opened;

  SearchRequest search;
  search.text = "alpha memory +vector";
  search.k = 20;
  search.ranking.embedding = questions.embedding;
  const auto ask = [&](const char* question, const auto& change) {
    SearchRequest request = search;
    change(request);
    if (request.mode == SearchMode::kLexical) request.ranking.embedding.clear();
    return AnswerOf(question, database.Search(request), PrintHits);
  };

  const auto stats = database.Stats();
  const std::string token = stats ? stats->store.snapshot : "";
  Answers answers;
  answers.push_back(AnswerOf("counts", stats, [](std::ostream& out, const StatsReport& report) {
    out << report.store.docs << ' ' << report.store.chunks << ' ' << report.store.tokens << ' '
        << report.store.bytes << ' ' << report.removed_docs;
  }));
  answers.push_back(AnswerOf(
      "commit", stats, [&](std::ostream& out, const StatsReport&) { out << token.substr(9); }));
  answers.push_back(ask("hybrid", [](SearchRequest&) {}));
  answers.push_back(
      ask("lexical", [](SearchRequest& request) { request.mode = SearchMode::kLexical; }));
  answers.push_back(
      ask("semantic", [](SearchRequest& request) { request.mode = SearchMode::kSemantic; }));
  answers.push_back(ask("phrase", [](SearchRequest& request) {
    request.text = "\"alpha memory\" gam*";
    request.mode = SearchMode::kLexical;
  }));
  answers.push_back(ask("filter", [](SearchRequest& request) {
    request.scope.filter = "chunk.text LIKE '%alpha%'";
  }));
  answers.push_back(stats ? ask("snapshot",
                                [&](SearchRequest& request) {
                                  request.scope.filter = "doc.tag = 'red'";
                                  request.scope.snapshot = token.substr(0, 9) + "1";
                                })
                          : Answer{"", stats.error(), "snapshot"});
  answers.push_back(AskQuery(database, "documents",
                             "SELECT * FROM doc FILTER doc.meta.author = 'a0' OR "
                             "doc.mtime > '2020-01-01' ORDER BY doc.path ASC LIMIT 50"));
  answers.push_back(
      AskQuery(database, "chunks", "SELECT * FROM chunk FILTER NOT doc.tag = 'red' LIMIT 50"));
  SimilarRequest similar;
  similar.target = questions.target;
  answers.push_back(AnswerOf("similar", database.Similar(similar), PrintHits));
  ContextRequest context;
  context.search = search;
  context.search.text = "gamma index";
  context.budget_tokens = 80;
  answers.push_back(
      AnswerOf("context", database.Context(context),
               [](std::ostream& out, const ContextResponse& response) { out << response.text; }));
  answers.push_back(AnswerOf("get", database.Get({.target = questions.target}),
                             [](std::ostream& out, const GetResponse& response) {
                               out << response.doc.id << response.chunk.text;
                             }));
  AskAboutNotes(database, questions.target, &answers);
  answers.push_back(AskExport(database));
  return answers;
}

}  // namespace recall
