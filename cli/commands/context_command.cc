#include "cli/commands/commands.h"
#include "cli/commands/common_answer.h"
#include "cli/commands/search_flags.h"
#include "cli/show/output/explain_text.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "cli/show/terminal/wrap.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

class ContextCommand final : public Command {
 public:
  StoreAccess access() const override { return search_.sources().access(); }

  void Declare(FlagSet& flags, GlobalFlags& globals) override {
    search_.Declare(flags);
    flags.Number("--budget-tokens", &budget_tokens_, 1, INT32_MAX,
                 "maximum number of tokens of the whole text (default: 1200)");
    flags.Setting("--token-counter", "token_counter", "WHICH",
                  "estimate (default), words, or the path of a vocabulary");
    flags.Number("--diversity", &diversity_, 1, INT32_MAX, "maximum number of pieces per document");
    flags.Choice("--pieces", &pieces_, {"passages", "chunks"},
                 "relevant sentences, or whole chunks by rank (default: passages)");
    flags.Number("--expand", &expand_, 0, kMostNeighbours,
                 "number of neighbours packed on either side, if they fit");
    flags.Choice("--format", &format_, {"text", "markdown", "json"},
                 "markdown: headings as citations, pieces in fences; json: as --json");
    flags.Switch("--no-citations", &no_citations_, "do not print citations");
    flags.Number("-k,--k", &k_, 1, INT32_MAX, "pack from the best N chunks (default: 200)");
    flags.AlsoSpelled("-n,--limit");
    results_.Declare(flags, globals, {.lean_fields = kLeanPieceFields, .lines = false});
    globals_ = &globals;
  }

  Status Check(const GlobalFlags& globals) override {
    if (globals.json && format_ == "text") {
      return Status::InvalidArgument("--format text and --json cannot be combined");
    }
    if (format_ == "json") globals_->json = true;
    if (globals.lean && !format_.empty() && format_ != "text") {
      return Status::InvalidArgument("--lean and --format " + format_ + " cannot be combined");
    }
    RECALL_TRY(results_.Check(globals, search_.explain()));
    return search_.Read();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    ContextRequest request;
    RECALL_ASSIGN(const AskedView asked, search_.Ask(context.config));
    request.search = search_.MakeRequest(context, asked);
    request.search.cite = results_.cite();
    request.search.computed_fields = results_.computed();
    RECALL_TRY(CheckLimit(context.config, k_));
    request.most_chunks = static_cast<size_t>(k_);
    request.budget_tokens = budget_tokens_;
    request.token_counter = TokenCounterFrom(context.config);
    request.diversity = diversity_;
    if (pieces_ == "chunks") request.pieces = ContextPieces::kChunks;
    request.expand = expand_;
    if (format_ == "markdown") request.form = ContextForm::kMarkdown;
    request.citations = !no_citations_;
    RECALL_TRY(search_.sources().Refresh(context));
    RECALL_ASSIGN(const ContextResponse packed, context.database->Context(request));
    Question question = Question::FromRequest(request.search);
    question.limit = k_;
    question.view = asked.view;
    if (context.json()) {
      RECALL_TRY(SendJson(context, question, packed, SteadyMicros() - start));
    } else {
      RECALL_TRY(PrintText(context, question, packed));
    }
    return ExitCode::kDone;
  }

 private:
  Status SendJson(CommandContext& context, const Question& question, const ContextResponse& packed,
                  int64_t micros) const {
    if (context.lean()) {
      SendPieces(context, packed);
      return {};
    }
    RECALL_ASSIGN(JsonResponse response,
                  BeginAnswer(context, question, packed.search, search_.explain(), micros));
    response.context = [&](JsonWriter& json) {
      results_.fields() ? WriteFields(packed, *results_.fields(), json) : WriteFields(packed, json);
    };
    response.next_offset = std::nullopt;  // the search has a next page, but a context does not
    context.Send(std::move(response));
    return {};
  }

  void SendPieces(CommandContext& context, const ContextResponse& packed) const {
    const JsonItems pieces = {packed.pieces.size(), [&](size_t piece, JsonWriter& json) {
                                results_.fields()->Write(ViewOf(packed.pieces[piece]),
                                                         ResultForm::kLean, json);
                              }};
    SendLean(context, pieces, packed.search.warnings, [&](JsonWriter& json) {
      json.Field("used_tokens", packed.used_tokens);
      json.Field("budget_tokens", packed.budget_tokens);
      json.Field("token_counter", packed.token_counter);
      WriteLeanTotals(packed.search, json);
    });
  }

  std::string TextOf(const ContextResponse& packed, size_t columns) const {
    if (!results_.fields()) {
      const bool wrap = columns > 0 && packed.form == ContextForm::kText;
      return wrap ? WithWrappedCitations(packed, columns) : packed.text;
    }
    std::string rows;
    for (const ContextPiece& piece : packed.pieces) rows += results_.fields()->Row(ViewOf(piece));
    return rows;
  }

  // The text with the lines between the pieces, the citations, broken after words.
  static std::string WithWrappedCitations(const ContextResponse& packed, size_t columns) {
    std::string text;
    size_t at = 0;
    for (const ContextPiece& piece : packed.pieces) {
      if (piece.in_text.start < at) return packed.text;
      const std::string_view between =
          std::string_view(packed.text).substr(at, piece.in_text.start - at);
      text += WrapLines(between, columns);
      at = piece.in_text.end;
      text += packed.text.substr(piece.in_text.start, at - piece.in_text.start);
    }
    return text + packed.text.substr(at);
  }

  // Standard output contains only the context, so it can be piped into a prompt.
  Status PrintText(CommandContext& context, const Question& question,
                   const ContextResponse& packed) const {
    context.PrintWarnings(packed.search.warnings);
    const bool marked = !no_citations_ && !results_.fields();
    if (!marked) context.PrintWarnings(WarningsOfStale(packed.pieces));
    const std::string text = TextOf(packed, context.out_style.columns);
    context.out->Write(context.out_style.escape ? EscapeControls(text) : text);
    if (!text.empty() && !text.ends_with('\n')) context.out->Write("\n");
    if (search_.explain()) {
      RECALL_ASSIGN(const std::string explain, ExplainText(context, question, packed.search));
      context.out->WriteError(PiecesText(packed, context.error_style) + explain);
    }
    const bool words = packed.token_counter == kWhitespaceCounter;
    context.Remark(std::to_string(packed.used_tokens) + " of " +
                   std::to_string(packed.budget_tokens) +
                   (words ? " words" : " tokens (" + packed.token_counter + ")") + ", " +
                   Plural(static_cast<int64_t>(packed.pieces.size()), "piece"));
    return {};
  }

  static std::string PiecesText(const ContextResponse& packed, const TextStyle& style) {
    if (!packed.search.explain) return {};
    std::string blocks;
    for (const ContextPiece& piece : packed.pieces) {
      if (!piece.explain) continue;
      blocks += FormatPlaceExplain(piece.doc, piece.chunk, *piece.explain,
                                   packed.search.explain->calibration, style);
    }
    return blocks;
  }

  SearchFlags search_;
  int64_t budget_tokens_ = 1200;
  std::optional<int64_t> diversity_;
  int64_t expand_ = 0;
  std::string pieces_;
  std::string format_;
  bool no_citations_ = false;
  int64_t k_ = kContextChunks;
  ResultFlags results_;
  GlobalFlags* globals_ = nullptr;
};

}  // namespace

const CommandInfo kContextCommand = {
    "context",
    "[OPTIONS] QUERY...",
    "pack the passages that answer a question into a token budget",
    "  recall context how does the writer recover\n"
    "  recall context --format markdown --expand 2 retry policy > prompt.md\n"
    "  recall context --budget-tokens 4000 --token-counter tokenizer.json release process\n",
    "Packs the most relevant sentences and lines of the best chunks, or, with --pieces chunks, "
    "whole\n"
    "chunks by rank. Adjacent passages are merged, so no byte of a document appears twice. The\n"
    "budget counts everything that is printed, citations included, in tokens of a language model:\n"
    "an estimate, or with --token-counter the exact tokens of a tokenizer.json or rank file, or\n"
    "words. Standard output contains the text for the model and nothing else.\n",
    [] { return std::unique_ptr<Command>(new ContextCommand); }};

}  // namespace recall
