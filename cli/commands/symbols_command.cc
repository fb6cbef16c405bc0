#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/commands/common_answer.h"
#include "cli/commands/scope_flags.h"
#include "cli/commands/symbol_uses.h"
#include "cli/show/output/cell_table.h"
#include "cli/show/output/text_output.h"
#include "storage/base/clock.h"
#include "storage/base/nearest_word.h"

namespace recall {
namespace {

std::string PlaceOf(const TextStyle& style, const SymbolRow& symbol) {
  return style.DocPathText(symbol.doc.path) + ":" + std::to_string(symbol.start_line) + "-" +
         std::to_string(symbol.end_line);
}

class SymbolsCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("NAME", &names_, 1, 1,
                "a name, a qualified name (Store::Commit) or a pattern ('Comm*')");
    flags.Text("--kind", &kind_, "KIND", "only these: function, method, class, struct, ...");
    flags.Switch("--references", &references_, "the places that use it");
    flags.Switch("--callers", &callers_, "the definitions that call it");
    flags.Switch("--callees", &callees_, "the definitions that it calls");
    scope_.DeclareFilter(flags);
    flags.Number("-k,--k", &k_, 1, INT32_MAX, "definitions (default: 100)");
    flags.AlsoSpelled("-n,--limit");
    flags.Number("--offset", &offset_, 0, INT32_MAX, "number of definitions to skip");
    scope_.DeclareSnapshot(flags);
  }

  Status Check(const GlobalFlags&) override {
    if (references_ + callers_ + callees_ > 1) {
      return Status::InvalidArgument("--references, --callers and --callees cannot be combined");
    }
    if (AsksForUses() && kind_) {
      return Status::InvalidArgument("--kind selects definitions, not their uses");
    }
    const std::vector<std::string> kinds = SymbolKindNames();
    if (kind_ && std::ranges::find(kinds, *kind_) == kinds.end()) {
      std::string known;
      for (const std::string& kind : kinds) known += (known.empty() ? "" : ", ") + kind;
      const std::string nearest = NearestWord(*kind_, kinds);
      return Status::InvalidArgument("--kind must be one of " + known + ", not '" + *kind_ + "'",
                                     nearest.empty() ? "" : "did you mean " + nearest + "?");
    }
    return scope_.Read();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    if (AsksForUses()) {
      RECALL_TRY(PrintUsesOfSymbol(context, MakeUsesRequest()));
      return ExitCode::kDone;
    }
    const int64_t start = SteadyMicros();
    SymbolsRequest request;
    request.name = names_[0];
    request.kind = kind_;
    request.scope = scope_.scope();
    request.limit = static_cast<size_t>(k_);
    request.offset = static_cast<size_t>(offset_);
    RECALL_ASSIGN(const SymbolsResponse found, context.database->Symbols(request));
    return SendOrPrint(
        context, start, [&](int64_t micros) { return SendJson(context, found, micros); },
        [&] { PrintText(context, found); });
  }

 private:
  bool AsksForUses() const { return references_ || callers_ || callees_; }

  ReferencesRequest MakeUsesRequest() const {
    ReferencesRequest request;
    request.name = names_[0];
    request.relation = callees_   ? SymbolRelation::kCallees
                       : callers_ ? SymbolRelation::kCallers
                                  : SymbolRelation::kReferences;
    request.scope = scope_.scope();
    request.limit = static_cast<size_t>(k_);
    request.offset = static_cast<size_t>(offset_);
    return request;
  }

  Status SendJson(CommandContext& context, const SymbolsResponse& found, int64_t micros) const {
    Question question;
    question.text = names_[0];
    question.limit = k_;
    question.offset = offset_;
    question.snapshot = scope_.scope().snapshot;
    RECALL_ASSIGN(JsonResponse response, BeginAnswer(context, question, found, false, micros));
    response.results = {found.rows.size(), [&](size_t row, JsonWriter& json) {
                          const SymbolRow& symbol = found.rows[row];
                          json.Field("name", symbol.name);
                          json.Field("kind", symbol.kind);
                          json.Field("scope", symbol.scope);
                          json.Field("start_line", symbol.start_line);
                          json.Field("end_line", symbol.end_line);
                          json.Object("doc", [&] {
                            json.Field("id", symbol.doc.id);
                            json.Field("path", symbol.doc.path);
                          });
                          json.Object("chunk", [&] { json.Field("id", symbol.chunk_id); });
                        }};
    response.own_key = "symbols";
    response.own = [&](JsonWriter& json) {
      json.Field("name", names_[0]);
      json.FieldOrNull("kind", kind_.value_or(""));
    };
    context.Send(std::move(response));
    return {};
  }

  void PrintText(CommandContext& context, const SymbolsResponse& found) const {
    context.PrintWarnings(found.warnings);
    const TextStyle& style = context.out_style;
    if (style.escape && !found.rows.empty()) {
      std::vector<std::vector<TableCell>> rows;
      for (const SymbolRow& symbol : found.rows) {
        rows.push_back({{PlaceOf(style, symbol), style.DocLink(symbol.doc.path)},
                        {EscapeLine(symbol.kind)},
                        {EscapeLine(QualifiedName(symbol))}});
      }
      context.out->Write(
          FormatCellTable({{"place", false, true}, {"kind"}, {"name"}}, rows, style));
    } else {
      for (const SymbolRow& symbol : found.rows) {
        context.out->Write(PlaceOf(style, symbol) + "\t" + EscapeLine(symbol.kind) + "\t" +
                           EscapeLine(QualifiedName(symbol)) + "\n");
      }
    }
    if (found.next_offset) {
      context.Remark(std::to_string(found.rows.size()) + " of " + std::to_string(found.total_hits) +
                     " definitions; --offset " + std::to_string(*found.next_offset) +
                     " shows more");
    }
  }

  std::vector<std::string> names_;
  std::optional<std::string> kind_;
  bool references_ = false;
  bool callers_ = false;
  bool callees_ = false;
  ScopeFlags scope_;
  int64_t k_ = 100;
  int64_t offset_ = 0;
};

}  // namespace

const CommandInfo kSymbolsCommand = {
    "symbols",
    "[OPTIONS] NAME",
    "find where source code defines a name",
    "  recall symbols Commit\n"
    "  recall symbols Store::Commit --kind method\n"
    "  recall symbols 'Comm*' --filter \"doc.path GLOB 'src/**'\"\n"
    "  recall symbols 'Store::*' --json     everything that Store defines\n"
    "  recall symbols Store::Commit --references    the places that use it\n",
    "A place is a citation, which `recall get` reads: path:first-last line. Exact names come "
    "first,\n"
    "then by path and line. Source code has symbols if recall was built with the grammar of its\n"
    "language when it was added. Without results the exit code is 0.\n"
    "Uses are found by syntax alone, and of all code. NAME may then be a place: src/store.cc:40.\n",
    [] { return std::unique_ptr<Command>(new SymbolsCommand); }};

}  // namespace recall
