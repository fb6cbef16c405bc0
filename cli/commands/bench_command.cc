#include <algorithm>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/commands/scope_flags.h"
#include "cli/commands/search_flags.h"
#include "cli/output/bench_output.h"
#include "cli/output/progress.h"
#include "cli/output/response.h"
#include "cli/terminal/signals.h"
#include "query/measure/bench/bench.h"

namespace recall {
namespace {

// Processes and threads that ask at a time: more say nothing new and cost a store each.
constexpr int64_t kMostWorkers = 1024;
constexpr std::string_view kIngest = "ingest";

class BenchCommand final : public Command {
 public:
  // Measuring is done by processes of their own; this one must not have the store open.
  StoreAccess access() const override { return StoreAccess::kPath; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.TextList("--only", &only_, "NAME,...",
                   "of search, bm25, vector, query, context, ingest (default: the first 5)");
    flags.Text("--queries", &queries_, "FILE", "questions, one a line ('-': stdin)");
    flags.Number("--samples", &samples_, 1, 1'000'000,
                 "without --queries: so many of the store's own words (default: 100)");
    flags.Number("--seed", &seed_, 0, INT32_MAX, "which words these are (default: 42)");
    flags.Text("--rql", &rql_, "FILE",
               "RQL queries, one a line, instead of those made of questions");
    flags.Number("--rounds", &rounds_, 1, 1'000'000,
                 "ask everything so often, after a first time (default: 3)");
    flags.Number("-k,--k", &k_, 1, INT32_MAX, "results of a question (default: 10)");
    flags.Number("--budget-tokens", &request_.budget_tokens, 1, INT32_MAX,
                 "size of the contexts (default: 1200)");
    scope_.DeclareFilter(flags);
    scope_.DeclareAsOf(flags);
    flags.Switch("--exact", &exact_, "score every vector instead of a shortlist");
    flags.Switch("--recall", &request_.recall, "compare the shortlist of vectors with all of them");
    flags.Switch("--cold", &request_.cold,
                 "also with nothing of the store in the page cache, opened anew each time");
    flags.Number("--threads", &threads_, 1, kMostWorkers, "also so many threads asking at a time");
    flags.Number("--processes", &processes_, 1, kMostWorkers,
                 "also so many processes asking at a time");
    flags.TextList("--ingest", &request_.ingest, "PATH",
                   "also add files to an empty store beside this one, which is removed");
  }

  Status Check(const GlobalFlags&) override {
    if (queries_ && rql_ && *queries_ == "-" && *rql_ == "-") {
      return Status::InvalidArgument("--queries and --rql cannot both be standard input");
    }
    for (const auto* file : {&queries_, &rql_}) {
      if (*file && (*file)->empty()) return Status::InvalidArgument("a file must have a name");
    }
    RECALL_TRY(ReadKinds());
    return scope_.Read();
  }

  Result<ExitCode> Run(Session& session) override {
    RECALL_TRY(Complete(session));
    RECALL_ASSIGN(BenchReport report, Measure(session));
    if (session.json()) {
      JsonResponse response;
      response.own_key = "bench";
      response.own = [&](JsonWriter& json) { WriteFields(report, request_, json); };
      response.warnings = std::move(report.warnings);
      session.Send(std::move(response));
      return ExitCode::kDone;
    }
    session.PrintWarnings(report.warnings);
    session.out->Write(FormatBenchReport(report, request_, session.flags.stable));
    return ExitCode::kDone;
  }

 private:
  // "search,bm25" and "query" are three; in the order of reports.
  Status ReadKinds() {
    if (only_.empty()) return {};
    std::vector<std::string> names;
    for (const std::string& list : only_) {
      for (size_t begin = 0; begin <= list.size();) {
        const size_t end = std::min(list.find(',', begin), list.size());
        names.push_back(list.substr(begin, end - begin));
        begin = end + 1;
      }
    }
    request_.kinds.clear();
    for (const BenchKind kind : kBenchKinds) {
      if (std::erase(names, BenchKindName(kind)) > 0) request_.kinds.push_back(kind);
    }
    const bool ingest = std::erase(names, kIngest) > 0;
    if (!names.empty()) {
      return Status::InvalidArgument("--only: there is nothing called '" + names.front() + "'",
                                     "it can be search, bm25, vector, query, context, ingest");
    }
    if (ingest && request_.ingest.empty()) {
      return Status::InvalidArgument("--only ingest needs files to add", "give --ingest PATH");
    }
    return {};
  }

  Status Complete(const Session& session) {
    // The store's place brings embedders with it; what is to be warned of was said already.
    std::vector<std::string> said;
    RECALL_ASSIGN(StoreLocation place, LocateStore(session.locate, &said));
    const Config& config = session.config;
    if (k_ > config.max_limit) {
      return Status::InvalidArgument(
          "--k " + std::to_string(k_) + " is over the limit of " + std::to_string(config.max_limit),
          "raise max_limit in recall.toml");
    }
    request_.store_path = session.store_path;
    request_.open.busy_timeout_ms = session.busy_timeout_ms();
    request_.open.embedders = std::move(place.layers.embedders);
    request_.questions_file = queries_.value_or("");
    request_.rql_file = rql_.value_or("");
    request_.samples = static_cast<size_t>(samples_);
    request_.seed = static_cast<uint64_t>(seed_);
    request_.rounds = static_cast<size_t>(rounds_);
    request_.search.k = static_cast<size_t>(k_);
    request_.search.exact = exact_;
    request_.search.scope = scope_.scope();
    request_.search.weights = WeightsFrom(config);
    request_.search.ranking = RankingFrom(config);
    request_.threads = static_cast<uint32_t>(threads_.value_or(0));
    request_.processes = static_cast<uint32_t>(processes_.value_or(0));
    request_.ingest_threads = static_cast<uint32_t>(config.threads);
    return {};
  }

  // Says how far it is, and can be interrupted.
  Result<BenchReport> Measure(const Session& session) const {
    const InterruptFlag interrupted;
    ProgressLine line(!session.flags.quiet);
    return RunBench(
        request_, [&](std::string_view doing) { line.Say(doing); }, *interrupted.get());
  }

  BenchRequest request_;
  std::vector<std::string> only_;
  std::optional<std::string> queries_;
  std::optional<std::string> rql_;
  int64_t samples_ = 100;
  int64_t seed_ = 42;
  int64_t rounds_ = 3;
  int64_t k_ = 10;
  bool exact_ = false;
  std::optional<int64_t> threads_;
  std::optional<int64_t> processes_;
  ScopeFlags scope_;
};

}  // namespace

const CommandInfo kBenchCommand = {
    "bench",
    "[OPTIONS]",
    "measure how fast and how exactly this store answers",
    "  recall bench                                     latencies, questions of the store's words\n"
    "  recall bench --queries asked.txt --cold          your questions, warm and cold\n"
    "  recall bench --only search --threads 4 --processes 4\n"
    "  recall bench --only vector --recall -k 100\n"
    "  recall bench --only ingest --ingest docs --json | jq .bench.ingest.mb_per_second\n",
    "Asks questions and takes the time: the shortest, the percentiles 50, 90 and 99 (by nearest\n"
    "rank) and the longest. `search` is by words and by meaning, `bm25` and `vector` by one of\n"
    "them, `query` the same as RQL, `context` packs a context. Without --queries the questions "
    "are\n"
    "a few neighbouring words of chunks chosen by --seed: the same on the same store.\n\n"
    "--recall says which share of the nearest vectors the shortlist finds; --cold advises the\n"
    "system to forget the store's pages, and warns when it keeps some; --threads and --processes\n"
    "ask at a time, each with the store open; --ingest fills a store of its own. Nothing is\n"
    "written to the store.\n",
    [] { return std::unique_ptr<Command>(new BenchCommand); }};

}  // namespace recall
