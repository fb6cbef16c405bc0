#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/commands/page_flag.h"
#include "cli/commands/scope_flags.h"
#include "cli/commands/search_flags.h"
#include "cli/commands/view_flag.h"
#include "cli/show/comparison/comparison.h"
#include "cli/show/output/bench_output.h"
#include "cli/show/output/comparison_output.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "cli/show/pages/bench_page.h"
#include "cli/show/terminal/signals.h"
#include "cli/show/terminal/wrap.h"
#include "query/maintenance/build_info.h"
#include "query/measure/bench/bench.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

// The maximum number of concurrent processes or threads; each has its own open store.
constexpr int64_t kMostWorkers = 1024;
constexpr std::string_view kIngest = "ingest";

class BenchCommand final : public Command {
 public:
  // Child processes do the measurements; this process must not have the store open.
  StoreAccess access() const override { return StoreAccess::kPath; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.TextList("--only", &only_, "NAME,...",
                   "of search, bm25, vector, query, context, ingest (default: the first 5)");
    flags.Text("--queries", &queries_, "FILE", "queries, one per line ('-': stdin)");
    flags.Number("--samples", &samples_, 1, 1'000'000,
                 "without --queries: number of queries to sample (default: 100)");
    flags.Number("--seed", &seed_, 0, INT32_MAX, "seed of the sample (default: 42)");
    flags.Text("--rql", &rql_, "FILE",
               "RQL queries, one per line, instead of those made from the queries");
    flags.Number("--rounds", &rounds_, 1, 1'000'000,
                 "timed repetitions of all queries, after a warm-up (default: 3)");
    flags.Number("-k,--k", &asked_k_, 1, INT32_MAX, "results per query (default: 10)");
    flags.AlsoSpelled("-n,--limit");
    flags.Number("--budget-tokens", &request_.budget_tokens, 1, INT32_MAX,
                 "size of the contexts (default: 1200)");
    flags.Setting("--token-counter", "token_counter", "WHICH",
                  "estimate (default), words, or the path of a vocabulary");
    view_.Declare(flags);
    scope_.DeclareFilter(flags);
    scope_.DeclareAsOf(flags);
    flags.Switch("--exact", &exact_, "score every vector instead of a shortlist");
    flags.Switch("--recall", &request_.recall, "measure the recall of the vector shortlist");
    flags.Switch("--cold", &request_.cold,
                 "also measure new processes with the store dropped from the page cache");
    flags.Number("--threads", &threads_, 1, kMostWorkers, "also measure N concurrent threads");
    flags.Number("--processes", &processes_, 1, kMostWorkers,
                 "also measure N concurrent processes");
    flags.TextList("--ingest", &request_.ingest, "PATH",
                   "also add files to an empty store beside this one, which is removed");
    flags.Text("--against", &against_, "FILE", "compare with an earlier run, recorded with --json");
    page_.Declare(flags);
  }

  Status Check(const GlobalFlags&) override {
    RECALL_TRY(page_.Check());
    if (queries_ && rql_ && *queries_ == "-" && *rql_ == "-") {
      return Status::InvalidArgument("--queries and --rql cannot both read standard input");
    }
    for (const auto* file : {&queries_, &rql_}) {
      if (*file && (*file)->empty())
        return Status::InvalidArgument("--queries and --rql need a file name");
    }
    RECALL_TRY(ReadKinds());
    return scope_.Read();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    RECALL_TRY(Complete(context));
    const InterruptFlag interrupted;
    std::optional<RecordedRun> earlier;
    if (against_) {
      RECALL_ASSIGN(earlier, RecordedRun::Read(*against_, "bench", *interrupted.get()));
    }
    RECALL_TRY(page_.Begin(interrupted.get()));
    RECALL_ASSIGN(BenchReport report, Measure(context, *interrupted.get()));
    const JsonFields write_report = [&](JsonWriter& json) { WriteFields(report, request_, json); };
    std::optional<BenchComparison> comparison;
    if (earlier)
      comparison = CompareBench(*earlier, RecordedRun::OfFields(write_report), *against_);
    const bool stable = context.flags.stable;
    RECALL_TRY(page_.Finish(
        [&] { return BenchPage(report, request_, comparison, stable ? "" : Measured(), stable); }));
    if (context.json()) {
      JsonResponse response;
      response.own_key = "bench";
      response.own = [&](JsonWriter& json) {
        write_report(json);
        if (comparison) json.Object("against", [&] { WriteFields(*comparison, json); });
      };
      response.warnings = std::move(report.warnings);
      context.Send(std::move(response));
      return ExitCode::kDone;
    }
    context.PrintWarnings(report.warnings);
    const size_t columns = context.out_style.columns;
    std::string text = FormatBenchReport(report, request_, stable, columns);
    if (comparison) text += FormatComparison(*comparison, stable, columns);
    context.out->Write(WrapLines(text, columns));
    return ExitCode::kDone;
  }

 private:
  // Reads the values of --only, each a list such as "search,bm25", into the order of reports.
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
      return Status::InvalidArgument(
          "--only: unknown measurement '" + names.front() + "'",
          "it must be one of search, bm25, vector, query, context, ingest");
    }
    if (ingest && request_.ingest.empty()) {
      return Status::InvalidArgument("--only ingest needs files to add", "add --ingest PATH");
    }
    return {};
  }

  Status Complete(const CommandContext& context) {
    // Locating the store again provides its embedders; warnings were already reported.
    std::vector<std::string> said;
    RECALL_ASSIGN(StoreLocation place, LocateStore(context.locate, &said));
    RECALL_ASSIGN(const AskedView asked, view_.Ask(context.config, scope_.scope()));
    const Config& config = asked.config;
    const std::optional<int64_t> of_view = asked.view ? asked.view->k : std::nullopt;
    const int64_t k = asked_k_ ? *asked_k_ : of_view.value_or(10);
    if (k > config.max_limit) {
      return Status::InvalidArgument(
          "--k " + std::to_string(k) + " exceeds the limit of " + std::to_string(config.max_limit),
          "raise max_limit in recall.toml");
    }
    request_.store_path = context.store_path;
    request_.open.busy_timeout_ms = context.busy_timeout_ms();
    request_.open.embedders = std::move(place.layers.programs.embedders);
    request_.questions_file = queries_.value_or("");
    request_.rql_file = rql_.value_or("");
    request_.samples = static_cast<size_t>(samples_);
    request_.seed = static_cast<uint64_t>(seed_);
    request_.rounds = static_cast<size_t>(rounds_);
    request_.search.k = static_cast<size_t>(k);
    request_.search.exact = exact_;
    request_.search.scope = asked.scope;
    request_.search.weights = WeightsFrom(config);
    request_.token_counter = TokenCounterFrom(config);
    request_.search.ranking = RankingFrom(config);
    request_.search.ranking.min_score = MinScoreOf({}, asked.view);
    request_.threads = static_cast<uint32_t>(threads_.value_or(0));
    request_.processes = static_cast<uint32_t>(processes_.value_or(0));
    request_.ingest_threads = static_cast<uint32_t>(config.threads);
    return {};
  }

  // Reports progress; can be interrupted.
  Result<BenchReport> Measure(const CommandContext& context,
                              const std::atomic<bool>& cancel) const {
    ProgressLine line(!context.flags.quiet);
    return RunBench(
        request_, [&](std::string_view doing) { line.Say(doing); }, cancel);
  }

  // When, and with what, the times were measured.
  static std::string Measured() {
    const BuildInfo build = BuildInformation();
    return "Measured " + FormatRfc3339(WallClockNanos() / 1'000'000'000 * 1'000'000'000) +
           " with recall " + build.version + " (" + build.commit + "), " +
           (build.simd_targets.empty() ? "" : build.simd_targets.front() + ", ") +
           Plural(std::max(1u, std::thread::hardware_concurrency()), "processor thread");
  }

  BenchRequest request_;
  std::vector<std::string> only_;
  std::optional<std::string> queries_;
  std::optional<std::string> rql_;
  int64_t samples_ = 100;
  int64_t seed_ = 42;
  int64_t rounds_ = 3;
  std::optional<int64_t> asked_k_;
  ViewFlag view_;
  bool exact_ = false;
  std::optional<int64_t> threads_;
  std::optional<int64_t> processes_;
  ScopeFlags scope_;
  std::optional<std::string> against_;
  PageFlag page_;
};

}  // namespace

const CommandInfo kBenchCommand = {
    "bench",
    "[OPTIONS]",
    "measure latency, throughput and recall of this store",
    "  recall bench                                     latencies of sampled queries\n"
    "  recall bench --queries asked.txt --cold          your queries, warm and cold\n"
    "  recall bench --only search --threads 4 --processes 4\n"
    "  recall bench --only vector --recall -k 100\n"
    "  recall bench --html bench.html                   a page with the distributions\n"
    "  recall bench --against old.json                  what changed since `--json > old.json`\n"
    "  recall bench --only ingest --ingest docs --json | jq .bench.ingest.mb_per_second\n",
    "Measures query latency: the minimum, the percentiles 50, 90 and 99 (nearest rank) and the\n"
    "maximum. `search` is hybrid search, `bm25` lexical and `vector` semantic search, `query` the\n"
    "same search as RQL, `context` packs a context. Without --queries, the queries are a few\n"
    "consecutive words of chunks sampled by --seed; they are the same for the same store.\n"
    "\n"
    "--recall reports the share of the nearest vectors that the shortlist finds; --cold drops the\n"
    "store from the page cache, and warns if some pages stay; --threads and --processes measure\n"
    "concurrent workers, each with the store open; --ingest fills a temporary store. Nothing is\n"
    "written to this store.\n",
    [] { return std::unique_ptr<Command>(new BenchCommand); }};

}  // namespace recall
