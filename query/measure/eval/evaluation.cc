// Evaluates rankings on judged collections.
//
// For each collection: index the documents in a temporary store, ask every query with the lexical,
// the semantic and the hybrid search, judge the first 100 documents (judging.h), and average over
// the queries. The report averages over the collections, each with the same weight, and compares
// semantic and hybrid search with lexical search by the paired bootstrap (paired_bootstrap.h).
//
// Cost: one ingest of each collection, three searches for each query, 10,000 resamples for each
// comparison.

#include "query/measure/eval/evaluation.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "query/measure/eval/document_ranking.h"
#include "query/measure/eval/judged_collection.h"
#include "query/measure/eval/judging.h"
#include "query/measure/eval/paired_bootstrap.h"
#include "storage/file_io/output_file.h"

namespace recall {
namespace {

constexpr size_t kRankedDocuments = 100;  // recall@100 needs 100 documents
constexpr size_t kLexical = 0;            // index in kEvalRetrievers
constexpr size_t kSemantic = 1;
constexpr size_t kHybrid = 2;

void AddShare(const RetrieverQualities& from, double share, RetrieverQualities* to) {
  for (size_t retriever = 0; retriever < from.size(); ++retriever) {
    (*to)[retriever].ndcg_at_10 += from[retriever].ndcg_at_10 * share;
    (*to)[retriever].recall_at_100 += from[retriever].recall_at_100 * share;
    (*to)[retriever].mrr_at_10 += from[retriever].mrr_at_10 * share;
  }
}

// The differences in nDCG@10 between a retriever and the lexical retriever, query by query.
std::vector<double> Gains(const EvalCollection& collection, size_t retriever) {
  std::vector<double> gains;
  for (const EvalCollection::Query& query : collection.per_query) {
    gains.push_back(query.retrievers[retriever].ndcg_at_10 - query.retrievers[kLexical].ndcg_at_10);
  }
  return gains;
}

PairedDifference Compare(const std::vector<EvalCollection>& collections, size_t retriever) {
  std::vector<std::vector<double>> groups;
  for (const EvalCollection& collection : collections)
    groups.push_back(Gains(collection, retriever));
  return PairedBootstrap(groups);
}

// The intervals of the mean nDCG@10 of each retriever.
RetrieverIntervals NdcgIntervals(std::span<const EvalCollection> collections) {
  RetrieverIntervals intervals;
  for (size_t retriever = 0; retriever < intervals.size(); ++retriever) {
    std::vector<std::vector<double>> groups;
    for (const EvalCollection& collection : collections) {
      std::vector<double>& values = groups.emplace_back();
      for (const EvalCollection::Query& query : collection.per_query) {
        values.push_back(query.retrievers[retriever].ndcg_at_10);
      }
    }
    const PairedDifference mean = PairedBootstrap(groups);  // the difference from 0
    intervals[retriever] = {mean.low, mean.high};
  }
  return intervals;
}

// Evaluates the collections one after the other.
class Evaluation final {
 public:
  Evaluation(const EvalRequest& request, const EvalProgressFn& progress,
             const std::atomic<bool>& cancel)
      : request_(request), progress_(progress), cancel_(cancel) {}

  Result<EvalReport> Run() {
    EvalReport report;
    for (const std::string& directory : request_.directories) {
      RECALL_ASSIGN(EvalCollection collection, Evaluate(directory));
      report.collections.push_back(std::move(collection));
    }
    const double share = 1 / static_cast<double>(report.collections.size());
    for (const EvalCollection& collection : report.collections) {
      AddShare(collection.retrievers, share, &report.average);
    }
    report.semantic = Compare(report.collections, kSemantic);
    report.hybrid = Compare(report.collections, kHybrid);
    report.ndcg_intervals = NdcgIntervals(report.collections);
    return report;
  }

 private:
  void Say(const std::string& name, std::string_view doing) const {
    if (progress_) progress_(name + ": " + std::string(doing));
  }

  Result<EvalCollection> Evaluate(const std::string& directory) {
    EvalCollection result;
    result.directory = directory;
    result.name = CollectionName(directory);
    RECALL_ASSIGN(const JudgedCollection judged, ReadJudgedCollection(directory, cancel_));
    RECALL_ASSIGN(DocumentRanking ranking,
                  DocumentRanking::Index(
                      judged.documents, request_.settings,
                      [&](std::string_view doing) { Say(result.name, doing); }, cancel_));
    RECALL_ASSIGN(const StatsReport stats, ranking.database().Stats());
    result.documents = stats.store.docs;
    result.chunks = stats.store.chunks;
    result.documents_not_text = ranking.skipped();
    result.queries = static_cast<int64_t>(judged.queries.size());
    result.unjudged_queries = judged.unjudged_queries;
    result.judgements_without_query = judged.judgements_without_query;
    result.judgements_without_document = judged.judgements_without_document;
    RECALL_TRY(AskAll(judged, ranking, &result));
    result.semantic = Compare({result}, kSemantic);
    result.hybrid = Compare({result}, kHybrid);
    result.ndcg_intervals = NdcgIntervals({&result, 1});
    return result;
  }

  Status AskAll(const JudgedCollection& judged, DocumentRanking& ranking, EvalCollection* result) {
    const double share = 1 / static_cast<double>(judged.queries.size());
    for (const JudgedCollection::Query& query : judged.queries) {
      if (cancel_.load(std::memory_order_relaxed)) return Status::Cancelled("interrupted");
      Say(result->name, "searched " + std::to_string(result->per_query.size()) + " of " +
                            std::to_string(judged.queries.size()) + " queries");
      EvalCollection::Query asked{query.id, {}};
      for (size_t retriever = 0; retriever < kEvalRetrievers.size(); ++retriever) {
        SearchRequest search = request_.search;
        search.text = query.text;
        search.mode = kEvalRetrievers[retriever];
        auto ranked = ranking.Rank(search, kRankedDocuments);
        if (!ranked) return ranked.error().WithContext("query " + query.id);
        asked.retrievers[retriever] = JudgeRanking(*ranked, query.relevant);
      }
      AddShare(asked.retrievers, share, &result->retrievers);
      result->per_query.push_back(std::move(asked));
    }
    return Status::Ok();
  }

  const EvalRequest& request_;
  const EvalProgressFn& progress_;
  const std::atomic<bool>& cancel_;
};

// Writes a tab-separated line for each query and retriever. Ids contain no tabs, because qrels
// separates them by tabs.
Status WritePerQuery(const EvalReport& report, const std::string& path,
                     const std::atomic<bool>& cancel) {
  RECALL_ASSIGN(const auto file, OutputFile::Create(path, &cancel));
  RECALL_TRY(file->Write("collection\tquery\tleg\tndcg@10\trecall@100\tmrr@10\n"));
  for (const EvalCollection& collection : report.collections) {
    for (const EvalCollection::Query& query : collection.per_query) {
      for (size_t retriever = 0; retriever < kEvalRetrievers.size(); ++retriever) {
        const RankQuality& quality = query.retrievers[retriever];
        char figures[64];
        std::snprintf(figures, sizeof(figures), "\t%.6f\t%.6f\t%.6f\n", quality.ndcg_at_10,
                      quality.recall_at_100, quality.mrr_at_10);
        RECALL_TRY(file->Write(collection.name + "\t" + query.id + "\t" +
                               std::string(EvalRetrieverName(kEvalRetrievers[retriever])) +
                               figures));
      }
    }
  }
  return file->Finish();
}

// The results must not replace a file of a collection.
Status CheckOutput(const EvalRequest& request) {
  if (!request.per_query_path) return Status::Ok();
  for (const std::string& directory : request.directories) {
    for (const char* const name :
         {"corpus.jsonl", "corpus.jsonl.zst", "queries.jsonl", "queries.jsonl.zst", "qrels.tsv",
          "qrels.tsv.zst", "qrels/test.tsv", "qrels/test.tsv.zst"}) {
      const std::string file = directory + "/" + name;
      std::error_code missing;
      if (!std::filesystem::equivalent(file, *request.per_query_path, missing)) continue;
      return Status::InvalidArgument(
          *request.per_query_path + ": it is a file of the collection, which would be replaced",
          "name another file for the results");
    }
  }
  return Status::Ok();
}

}  // namespace

std::string_view EvalRetrieverName(SearchMode retriever) {
  if (retriever == SearchMode::kHybrid) return "hybrid";
  return retriever == SearchMode::kLexical ? "lexical" : "semantic";
}

std::string CollectionName(const std::string& directory) {
  std::error_code ignored;
  std::filesystem::path path = std::filesystem::absolute(directory, ignored).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  return path.filename().string();
}

Result<EvalReport> EvaluateRanking(const EvalRequest& request, const EvalProgressFn& progress,
                                   const std::atomic<bool>& cancel) {
  if (request.directories.empty()) {
    return Fail(Status::InvalidArgument("no collection to evaluate"));
  }
  RECALL_TRY(CheckOutput(request));
  RECALL_ASSIGN(EvalReport report, Evaluation(request, progress, cancel).Run());
  if (request.per_query_path) RECALL_TRY(WritePerQuery(report, *request.per_query_path, cancel));
  return report;
}

}  // namespace recall
