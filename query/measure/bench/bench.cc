// Runs a benchmark: sampling of questions, latencies, throughput, recall of the shortlist, ingest.
//
// The parent process never opens the store as a database. Child processes do, one for each
// measurement (measuring_child.h).

#include "query/measure/bench/bench.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "query/measure/bench/ingest_rate.h"
#include "query/measure/bench/latency.h"
#include "query/measure/bench/question_file.h"
#include "query/measure/bench/retriever_recall.h"
#include "query/measure/bench/store_survey.h"
#include "storage/base/clock.h"
#include "storage/base/ids.h"

namespace recall {
namespace {

std::string HashOf(const std::vector<std::string>& queries) {
  if (queries.empty()) return "";
  std::string lines;
  for (const std::string& query : queries) lines += query + "\n";
  return ToHex(Sha256(lines));
}

// The largest share of cached pages that has no measurable effect.
constexpr double kKeptNothing = 0.01;

// One benchmark, from the request to the report.
class BenchRun final {
 public:
  BenchRun(const BenchRequest& request, const BenchProgressFn& progress,
           const std::atomic<bool>& cancel)
      : request_(request), progress_(progress), cancel_(cancel) {
    // Fix the snapshot, so that all queries see the same documents.
    Scope& scope = request_.search.scope;
    if (!scope.as_of) scope.as_of = WallClockNanos();
  }

  Result<BenchReport> Run() {
    RECALL_TRY(Check());
    RECALL_TRY(FindQuestions());
    if (report_.embedder == kUserSuppliedEmbedder) LeaveOutVectors();
    for (const BenchKind kind : request_.kinds) RECALL_TRY(AskKind(kind));
    if (request_.recall) RECALL_TRY(MeasureRecall());
    if (!request_.ingest.empty()) {
      Say("adding files to a temporary store");
      RECALL_ASSIGN(report_.ingest, MeasureIngest(request_, cancel_));
    }
    Warn();
    return std::move(report_);
  }

 private:
  void Say(const std::string& doing) const {
    if (progress_) progress_(doing);
  }

  Status Check() const {
    if (request_.samples == 0 || request_.rounds == 0 || request_.search.k == 0) {
      return Status::InvalidArgument("samples, rounds and k must be at least 1");
    }
    if (IsServerAddress(request_.store_path)) return CheckForServer();
    if (!StoreExists(request_.store_path)) {
      return Status::StoreNotFound("no such store: " + request_.store_path,
                                   "create it with `recall init`");
    }
    return Status::Ok();
  }

  // A page that was dropped is fetched from the server's memory, so nothing is cold; and a new
  // store on the server would stay there.
  Status CheckForServer() const {
    if (!request_.cold && request_.ingest.empty()) return Status::Ok();
    return Status::InvalidArgument(
        std::string(request_.cold ? "a cold page cache" : "ingest") +
            " is measured with the file of a local store, and this one is on a server",
        "measure a copy of the store: `recall backup FILE`");
  }

  Status FindQuestions() {
    Say("sampling queries");
    const bool asks = !request_.kinds.empty() || request_.recall;
    if (asks && !request_.questions_file.empty()) {
      RECALL_ASSIGN(questions_.texts, ReadQuestionFile(request_.questions_file, cancel_));
    }
    if (!request_.rql_file.empty()) {
      RECALL_ASSIGN(questions_.rql, ReadQuestionFile(request_.rql_file, cancel_));
    }
    RECALL_ASSIGN(StoreSurvey survey, SurveyStore(request_, asks, cancel_));
    report_.store = std::move(survey.store);
    report_.embedder = std::move(survey.embedder);
    chunks_ = std::move(survey.chunks);
    if (asks && request_.questions_file.empty()) {
      report_.sampled = survey.questions;
      questions_.texts = std::move(survey.questions);
    }
    report_.questions = static_cast<int64_t>(questions_.texts.size());
    report_.rql_queries = static_cast<int64_t>(questions_.rql.size());
    report_.questions_sha256 = HashOf(questions_.texts);
    report_.rql_sha256 = HashOf(questions_.rql);
    return Status::Ok();
  }

  // The questions are texts, and a store of user-supplied embeddings cannot embed them.
  void LeaveOutVectors() {
    const bool by_vectors = std::erase(request_.kinds, BenchKind::kVector) > 0;
    if (!by_vectors && !request_.recall) return;
    request_.recall = false;
    report_.warnings.push_back(
        "the store has user-supplied embeddings, and the queries have none; skipping the "
        "measurements of semantic search");
  }

  Status AskKind(BenchKind kind) {
    const std::string name(BenchKindName(kind));
    Say("measuring: " + name);
    RECALL_ASSIGN(const BenchLatency warm, MeasureWarm(request_, questions_, kind, cancel_));
    report_.latencies.push_back(warm);
    if (request_.cold) {
      Say("measuring with a cold page cache: " + name);
      RECALL_ASSIGN(const BenchLatency cold,
                    MeasureCold(request_, questions_, kind, cancel_, &report_.kept_share));
      report_.latencies.push_back(cold);
    }
    if (request_.threads > 0) RECALL_TRY(AskManyAtOnce(kind, false, request_.threads));
    if (request_.processes > 0) RECALL_TRY(AskManyAtOnce(kind, true, request_.processes));
    return Status::Ok();
  }

  // Measures one worker first, as the reference for several.
  Status AskManyAtOnce(BenchKind kind, bool processes, size_t workers) {
    for (const size_t count : {size_t{1}, workers}) {
      if (count == 1 && workers > 1 && MeasuredAlone(kind)) continue;
      Say("measuring: " + std::string(BenchKindName(kind)) + ", " + std::to_string(count) +
          (processes ? " processes" : " threads"));
      RECALL_ASSIGN(const BenchThroughput throughput,
                    MeasureThroughput(request_, questions_, kind, processes, count, cancel_));
      report_.throughputs.push_back(throughput);
      if (workers == 1) break;
    }
    return Status::Ok();
  }

  bool MeasuredAlone(BenchKind kind) const {
    return std::ranges::any_of(report_.throughputs, [&](const BenchThroughput& throughput) {
      return throughput.kind == kind && throughput.workers == 1;
    });
  }

  Status MeasureRecall() {
    Say("comparing the shortlist with an exact scan");
    RECALL_ASSIGN(BenchRecall by_questions,
                  MeasureRetrieverRecall(request_, questions_.texts, cancel_));
    report_.recalls.push_back(by_questions);
    RECALL_ASSIGN(BenchRecall by_chunks, MeasureRetrieverRecall(request_, chunks_, cancel_));
    by_chunks.by_chunks = true;
    report_.recalls.push_back(by_chunks);
    return Status::Ok();
  }

  void Warn() {
    if (request_.cold && !request_.kinds.empty() && !report_.kept_share) {
      report_.warnings.push_back(
          "the system does not report which pages of the store are in the page cache: \"cold\" may "
          "be warm");
    }
    if (report_.kept_share.value_or(0) > kKeptNothing) {
      char share[16];
      std::snprintf(share, sizeof(share), "%.0f %%", *report_.kept_share * 100);
      report_.warnings.push_back(std::string("up to ") + share +
                                 " of the store stayed in the page cache, because another process "
                                 "has mapped it or it is on a RAM disk: \"cold\" is partly warm");
    }
    const bool none =
        std::ranges::any_of(report_.recalls, [](const auto& r) { return r.asked == 0; });
    if (none)
      report_.warnings.push_back(
          "semantic search has no results here, so its recall is not measured");
  }

  BenchRequest request_;
  const BenchProgressFn& progress_;
  const std::atomic<bool>& cancel_;
  Questions questions_;
  std::vector<std::string> chunks_;
  BenchReport report_;
};

}  // namespace

Result<BenchReport> RunBench(const BenchRequest& request, const BenchProgressFn& progress,
                             const std::atomic<bool>& cancel) {
  return BenchRun(request, progress, cancel).Run();
}

}  // namespace recall
