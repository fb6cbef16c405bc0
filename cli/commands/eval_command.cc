#include <algorithm>
#include <charconv>

#include "cli/commands/commands.h"
#include "cli/commands/page_flag.h"
#include "cli/commands/search_flags.h"
#include "cli/commands/view_flag.h"
#include "cli/show/comparison/comparison.h"
#include "cli/show/output/comparison_output.h"
#include "cli/show/output/eval_output.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/response.h"
#include "cli/show/pages/eval_page.h"
#include "cli/show/terminal/signals.h"
#include "cli/show/terminal/wrap.h"
#include "query/measure/eval/evaluation.h"
#include "storage/base/own_process.h"

namespace recall {
namespace {

class EvalCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("DIR", &request_.directories, 1, SIZE_MAX,
                "collections in BEIR format or with answer spans; of --answers: corpora");
    flags.Switch("--spans", &spans_, "measure contexts against the spans that answer questions");
    flags.Text("--answers", &answers_, "FILE",
               "measure how often contexts contain the answers of these questions");
    flags.TextList("--budget-tokens", &budgets_, "N,...",
                   "tokens of the contexts (default: 200,400,800; of --answers 300,600,1200)");
    flags.Choice("--pieces", &pieces_, {"passages", "chunks"},
                 "the units of the contexts (default: passages)");
    flags.Switch("--no-citations", &no_citations_, "contexts without citations");
    flags.Text("--per-query", &request_.per_query_path, "FILE",
               "write the measures of each query there, separated by tabs");
    flags.Text("--against", &against_, "FILE", "compare with an earlier run, recorded with --json");
    page_.Declare(flags);
    view_.Declare(flags);
    DeclareLexicalMode(flags, &lexical_mode_);
    DeclareNoExpand(flags, &no_expand_);
    DeclareFusion(flags);
    DeclareStageList(flags);
    DeclareFieldWeights(flags);
    DeclareCues(flags);
    DeclareMinScore(flags, &min_score_);
    flags.Switch("--exact", &request_.search.exact, "score every vector instead of a shortlist");
    flags.Setting("--chunk-tokens", "chunk_tokens", "N", "maximum number of tokens in a chunk");
    flags.Setting("--overlap-tokens", "overlap_tokens", "N",
                  "number of tokens that consecutive chunks share");
    flags.Setting("--ann-seed", "ann_seed", "N", "seed of the vector index");
    flags.Setting("--threads", "threads", "N", "threads; the answer is the same for any number");
  }

  Status Check(const GlobalFlags& globals) override {
    if (globals.store) {
      return Status::InvalidArgument("`recall eval` creates its own stores; omit --store");
    }
    RECALL_TRY(page_.Check());
    if (!spans_ && !answers_ && (!budgets_.empty() || !pieces_.empty() || no_citations_)) {
      return Status::InvalidArgument(
          "--budget-tokens, --pieces and --no-citations need --spans or --answers");
    }
    if (answers_ && (spans_ || against_)) {
      return Status::InvalidArgument("--answers cannot be combined with --spans or --against");
    }
    if (answers_) {
      request_.answers_path = *answers_;
      request_.budgets = {300, 600, 1200};
      request_.extract.program = PathOfProgram();
    }
    if (pieces_ == "chunks") request_.pieces = ContextPieces::kChunks;
    request_.citations = !no_citations_;
    return budgets_.empty() ? Status::Ok() : ReadBudgets();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    RECALL_ASSIGN(const StoreLocation place, PlanStore(context.locate, ".", &context.warnings));
    const Config settings = ResolveConfig(place.layers);
    RECALL_TRY(CheckConfig(settings));
    RECALL_ASSIGN(const AskedView asked, view_.Ask(settings, {}));
    const Config& config = asked.config;
    request_.settings = CreateOptionsFrom(config);
    request_.settings.rankers = place.layers.programs.rankers;
    request_.search.lexical_mode = LexicalModeFrom(lexical_mode_);
    request_.search.expand_words = !no_expand_;
    request_.search.weights = WeightsFrom(config);
    request_.search.ranking = RankingFrom(config);
    request_.search.ranking.min_score = MinScoreOf(min_score_, asked.view);
    request_.search.scope = asked.scope;
    request_.search.threads = AskThreads(config);
    if (answers_) return Evaluate(context, EvaluateAnswers);
    return spans_ ? Evaluate(context, EvaluateSpans) : Evaluate(context, EvaluateRanking);
  }

 private:
  // Reads the values of --budget-tokens: "200,400" and "800" give 200, 400, 800.
  Status ReadBudgets() {
    request_.budgets.clear();
    for (const std::string& list : budgets_) {
      for (size_t begin = 0; begin <= list.size();) {
        const size_t end = std::min(list.find(',', begin), list.size());
        int64_t budget = 0;
        const auto read = std::from_chars(list.data() + begin, list.data() + end, budget);
        const bool whole = read.ec == std::errc() && read.ptr == list.data() + end;
        if (!whole || budget < 1 || budget > INT32_MAX) {
          return Status::InvalidArgument(
              "--budget-tokens must be whole numbers from 1 to 2147483647, separated by commas, "
              "not '" +
              list + "'");
        }
        request_.budgets.push_back(budget);
        begin = end + 1;
      }
    }
    return {};
  }

  template <typename Report>
  Result<ExitCode> Evaluate(CommandContext& context,
                            Result<Report> (*evaluate)(const EvalRequest&, const EvalProgressFn&,
                                                       const std::atomic<bool>&)) {
    const InterruptFlag interrupted;
    std::optional<RecordedRun> earlier;
    if (against_) {
      RECALL_ASSIGN(earlier, RecordedRun::Read(*against_, "eval", *interrupted.get()));
    }
    RECALL_TRY(page_.Begin(interrupted.get()));
    RECALL_ASSIGN(const Report report, Watched(context, evaluate, *interrupted.get()));
    const JsonFields write_report = [&](JsonWriter& json) { WriteFields(report, request_, json); };
    std::optional<EvalComparison> comparison;
    if (earlier) comparison = CompareEval(*earlier, RecordedRun::OfFields(write_report), *against_);
    RECALL_TRY(page_.Finish([&] { return EvalPage(report, request_, comparison); }));
    if (context.json()) {
      JsonResponse response;
      response.own_key = "eval";
      response.own = [&](JsonWriter& json) {
        write_report(json);
        if (comparison) json.Object("against", [&] { WriteFields(*comparison, json); });
      };
      context.Send(std::move(response));
      return ExitCode::kDone;
    }
    context.PrintWarnings();
    const size_t columns = context.out_style.columns;
    std::string text = FormatEvalReport(report, columns);
    if (comparison) text += FormatComparison(*comparison, columns);
    context.out->Write(WrapLines(text, columns));
    return ExitCode::kDone;
  }

  // Reports progress; can be interrupted.
  template <typename Evaluate>
  auto Watched(const CommandContext& context, Evaluate evaluate,
               const std::atomic<bool>& cancel) const {
    ProgressLine line(!context.flags.quiet);
    return evaluate(
        request_, [&](std::string_view doing) { line.Say(doing); }, cancel);
  }

  EvalRequest request_;
  bool spans_ = false;
  std::optional<std::string> answers_;
  std::string pieces_;
  bool no_citations_ = false;
  std::vector<std::string> budgets_;
  std::string lexical_mode_ = "query";
  bool no_expand_ = false;
  std::optional<double> min_score_;
  ViewFlag view_;
  std::optional<std::string> against_;
  PageFlag page_;
};

}  // namespace

const CommandInfo kEvalCommand = {
    "eval",
    "[OPTIONS] DIR...",
    "measure retrieval quality on collections with known answers",
    "  recall eval scifact                       corpus.jsonl, queries.jsonl, qrels.tsv\n"
    "  recall eval beir/* --json | jq '.eval.average.legs'\n"
    "  recall eval scifact --chunk-tokens 128 --per-query scifact.tsv\n"
    "  recall eval --spans reports --budget-tokens 200,800\n"
    "  recall eval --answers questions.jsonl manuals headers\n"
    "  recall eval beir/* --html quality.html    a page with the intervals\n"
    "  recall eval scifact --against old.json    what changed since `--json > old.json`\n",
    "DIR is in BEIR format: corpus.jsonl ({\"_id\", \"title\", \"text\"} per line) and "
    "queries.jsonl\n"
    "({\"_id\", \"text\"}), each plain or compressed as .zst, and qrels.tsv or qrels/test.tsv "
    "(query,\n"
    "document and score, separated by tabs). The documents are added to a store in TMPDIR that is\n"
    "removed at the end. The queries are run with lexical, semantic and hybrid search. A document\n"
    "has the rank of its best chunk. The settings are those that `recall init` and `recall "
    "search`\n"
    "would use here; no other store is read.\n"
    "\n"
    "With --spans, DIR contains questions.jsonl ({\"_id\", \"text\", \"corpus\", \"references\": "
    "[{\"start\",\n"
    "\"end\"}]} per line: the characters of the document that answer the question) and the "
    "documents\n"
    "in corpora/. The output of `recall context` is compared with these spans, and so are fixed\n"
    "windows of 256 tokens as a baseline.\n"
    "\n"
    "With --answers, each DIR is a corpus: files that are added like `recall add` does. FILE has "
    "a\n"
    "question per line: {\"_id\", \"question\", \"answers\": [\"text\", ...], \"kind\", "
    "\"corpus\"}. A question\n"
    "counts if all its answers are in the context; whole chunks and fixed windows are compared.\n",
    [] { return std::unique_ptr<Command>(new EvalCommand); }};

}  // namespace recall
