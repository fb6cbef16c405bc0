#include "cli/commands/commands.h"
#include "cli/commands/search_flags.h"
#include "cli/output/eval_output.h"
#include "cli/output/response.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "query/eval/evaluation.h"

namespace recall {
namespace {

class EvalCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("DIR", &request_.directories, 1, SIZE_MAX, "collections in BEIR layout");
    flags.Text("--per-query", &request_.per_query_path, "FILE",
               "write the figures of each query there, with tabs");
    DeclareLexicalMode(flags, &lexical_mode_);
    flags.Switch("--exact", &request_.search.exact, "score every vector instead of a shortlist");
    flags.Setting("--chunk-tokens", "chunk_tokens", "N", "words in a chunk, at most");
    flags.Setting("--overlap-tokens", "overlap_tokens", "N",
                  "words a chunk repeats of the one before it");
    flags.Setting("--ann-seed", "ann_seed", "N", "seed of the vector index");
    flags.Setting("--threads", "threads", "N", "threads; the answer is the same for any number");
  }

  Status Check(const GlobalFlags& globals) override {
    if (!globals.store) return {};
    return Status::InvalidArgument("`recall eval` makes stores of its own; --store names another");
  }

  Result<ExitCode> Run(Session& session) override {
    RECALL_ASSIGN(const StoreLocation place, PlanStore(session.locate, ".", &session.warnings));
    const Config config = ResolveConfig(place.layers);
    RECALL_TRY(CheckConfig(config));
    request_.settings = CreateOptionsFrom(config);
    request_.search.lexical_mode = LexicalModeFrom(lexical_mode_);
    request_.search.weights = {config.bm25_weight, config.vector_weight};
    request_.search.threads = AskThreads(config);
    RECALL_ASSIGN(const EvalReport report, Evaluate(session));
    if (session.json()) {
      JsonResponse response;
      response.own_key = "eval";
      response.own = ToJson(report, request_);
      session.Send(std::move(response));
      return ExitCode::kDone;
    }
    session.PrintWarnings();
    session.out->Write(FormatEvalReport(report));
    return ExitCode::kDone;
  }

 private:
  Result<EvalReport> Evaluate(Session& session) const {
    const InterruptFlag interrupted;
    ProgressLine line(!session.flags.quiet);
    return EvaluateRanking(
        request_, [&](std::string_view doing) { line.Say(doing); }, *interrupted.get());
  }

  EvalRequest request_;
  std::string lexical_mode_ = "query";
};

}  // namespace

const CommandInfo kEvalCommand = {
    "eval",
    "[OPTIONS] DIR...",
    "measure how well searches answer collections with known answers",
    "  recall eval scifact                       corpus.jsonl, queries.jsonl, qrels.tsv\n"
    "  recall eval beir/* --json | jq '.eval.average.legs'\n"
    "  recall eval scifact --chunk-tokens 128 --per-query scifact.tsv\n",
    "DIR is in BEIR layout: corpus.jsonl ({\"_id\", \"title\", \"text\"} a line) and "
    "queries.jsonl\n"
    "({\"_id\", \"text\"}), each plain or with .zst behind its name, and qrels.tsv or\n"
    "qrels/test.tsv (query, document and score, with tabs between them). The documents go into a\n"
    "store in TMPDIR that is removed at the end; the queries are searched in it by words, by\n"
    "meaning and by both. A document stands where its best chunk does. Settings are those that\n"
    "`recall init` and `recall search` would use here; no other store is looked at.\n",
    [] { return std::unique_ptr<Command>(new EvalCommand); }};

}  // namespace recall
