#include <algorithm>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/commands/common_answer.h"
#include "cli/commands/search_flags.h"
#include "cli/commands/source_flags.h"
#include "cli/commands/view_flag.h"
#include "cli/options/flags/text_argument.h"
#include "cli/show/output/explain_text.h"
#include "cli/show/output/number_text.h"
#include "cli/show/output/query_text.h"
#include "query/rql/rql.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

bool SelectsEverything(const RqlQuery& query) {
  return std::ranges::any_of(query.select, [](const SelectItem& item) {
    return item.kind == SelectItem::Kind::kAll || item.kind == SelectItem::Kind::kAllDoc ||
           item.kind == SelectItem::Kind::kAllChunk;
  });
}

void WriteCitation(const QueryRow& row, JsonWriter& json) {
  recall::WriteCitation(row.doc, row.chunk ? &*row.chunk : nullptr, json);
}

void WriteRow(const std::vector<QueryColumn>& columns, const QueryRow& row, bool cite,
              JsonWriter& json) {
  WriteFields(columns, row, json);
  if (row.snippet) json.Object("snippet", [&] { WriteFields(*row.snippet, json); });
  if (cite) WriteCitation(row, json);
  WriteSourceState(row.doc, json);
  if (row.explain) json.Object("explain", [&] { WriteFields(*row.explain, json); });
}

// The selected values of a row as members with the names of the columns.
void WriteLeanRow(const std::vector<QueryColumn>& columns, const QueryRow& row, JsonWriter& json) {
  FieldValues values(row.doc, row.chunk ? &*row.chunk : nullptr);
  for (const QueryColumn& column : columns) {
    if (column.is_score) {
      json.Field(column.name, LeanScore(row.score));
    } else if (!values.Text(column.field).empty()) {
      json.Key(column.name);
      values.Write(column.field, json);
    }
  }
  WriteSourceState(row.doc, json);
}

// The rows of an answer in memory.
class KeptRows final : public QueryRows {
 public:
  explicit KeptRows(std::vector<QueryRow> rows) : rows_(std::move(rows)) {}
  size_t count() const override { return rows_.size(); }
  Status Read(const std::function<Status(QueryRow& row)>& visit) override {
    for (const QueryRow& kept : rows_) {
      QueryRow row = kept;
      RECALL_TRY(visit(row));
    }
    return Status::Ok();
  }

 private:
  std::vector<QueryRow> rows_;
};

class QueryCommand final : public Command {
 public:
  // Printing the canonical form needs no store.
  StoreAccess access() const override {
    return canonical_ ? StoreAccess::kNone : sources_.access();
  }

  void Declare(FlagSet& flags, GlobalFlags& globals) override {
    literal_ = flags.takes_texts_literally();
    flags.Words("RQL", &words_, 0, SIZE_MAX, "the query; '-' reads it from stdin, @FILE a file");
    flags.Text("--rql", &rql_, "RQL", "the query, for scripts; @FILE reads it from a file");
    flags.Switch("--rql-stdin", &rql_stdin_, "read the query from stdin");
    flags.Switch("--canonical", &canonical_, "print the query in canonical form and do not run it");
    DeclareLexicalMode(flags, &lexical_mode_);
    DeclareNoExpand(flags, &no_expand_);
    DeclareFusion(flags);
    DeclareStageList(flags);
    DeclareFieldWeights(flags);
    DeclareCues(flags);
    DeclareMinScore(flags, &min_score_);
    DeclareEmbedding(flags, &embedding_text_);
    flags.Switch("--exact", &exact_, "score every vector instead of a shortlist");
    flags.Switch("--explain", &explain_, "explain how the rows were found and how long it took");
    flags.Setting("--threads", "threads", "N", "threads; the answer is the same for any number");
    sources_.Declare(flags);
    DeclareSnippet(flags, &snippet_bytes_,
                   "ranked rows: show N bytes of chunk.text (JSON: in addition to it)");
    scope_.DeclareSnapshot(flags);
    scope_.DeclareAsOf(flags);
    flags.Switch("--table", &table_, "aligned columns, as on a terminal, also in a pipe");
    flags.Switch("--csv", &csv_, "comma-separated values, with a line of names");
    results_.Declare(flags, globals, {.lean_fields = {}, .lean_by_environment = true});
    globals_ = &globals;
  }

  Status Check(const GlobalFlags& globals) override {
    if (table_ || csv_) globals_->lean &= !globals.lean_from_environment;
    RECALL_TRY(results_.Check(globals, explain_));
    const bool other_form = globals.mode() != OutputMode::kText || results_.fields();
    if (table_ + csv_ + other_form > 1) {
      return Status::InvalidArgument("--table, --csv, --fields and JSON cannot be combined",
                                     "name fields in SELECT");
    }
    RECALL_TRY(ReadQuery());
    RECALL_ASSIGN(embedding_, ReadEmbedding(embedding_text_));
    RECALL_TRY(scope_.Read());
    return sources_.Check(scope_.scope().snapshot);
  }

  Result<ExitCode> Run(CommandContext& context) override {
    if (canonical_) {
      RECALL_TRY(PrintCanonical(context));
      return ExitCode::kDone;
    }
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const AskedView asked, AskedViewOf(context.config));
    RECALL_ASSIGN(const QueryRequest request, MakeRequest(context, asked));
    RECALL_TRY(sources_.Refresh(context));
    Asked asked_now = {start, asked.view, request};
    // An explanation has the time that reading the rows took, and facts that are read after them.
    if (explain_) {
      RECALL_ASSIGN(QueryResponse found, context.database->Query(request));
      KeptRows rows(std::exchange(found.rows, {}));
      return Answer(context, asked_now, found, rows);
    }
    ExitCode code = ExitCode::kDone;
    const auto answer = [&](const QueryResponse& found, QueryRows& rows) -> Status {
      RECALL_ASSIGN(code, Answer(context, asked_now, found, rows));
      return Status::Ok();
    };
    RECALL_TRY(context.database->Query(request, answer));
    return code;
  }

 private:
  struct Asked {
    int64_t start = 0;  // SteadyMicros
    const View* view = nullptr;
    const QueryRequest& request;
  };

  Result<ExitCode> Answer(CommandContext& context, const Asked& asked, const QueryResponse& found,
                          QueryRows& rows) const {
    Question question = QuestionOf(asked.request, found);
    question.view = asked.view;
    if (context.json()) {
      return SendJson(context, question, found, rows, SteadyMicros() - asked.start);
    }
    RECALL_TRY(PrintText(context, question, found, rows));
    return ExitCode::kDone;
  }

  Status ReadQuery() {
    const int sources = (words_.empty() ? 0 : 1) + (rql_ ? 1 : 0) + (rql_stdin_ ? 1 : 0);
    if (sources == 0) {
      return Status::InvalidArgument("RQL is missing", "recall query \"FROM doc SELECT doc.path\"");
    }
    if (sources > 1) {
      return Status::InvalidArgument("an argument, --rql and --rql-stdin cannot be combined");
    }
    std::string argument = rql_.value_or("");
    for (const std::string& word : words_) argument += (argument.empty() ? "" : " ") + word;
    if (literal_) {
      text_ = argument;
      return {};
    }
    if (rql_stdin_ || (!rql_ && argument == "-")) argument = "@-";
    RECALL_ASSIGN(text_, ReadTextArgument(argument, "the query"));
    return {};
  }

  Status PrintCanonical(CommandContext& context) const {
    std::vector<std::string> warnings;
    RECALL_ASSIGN(const RqlQuery query, ParseRql(text_, &warnings));
    const std::string canonical = PrintRql(query);
    if (context.json()) {
      JsonResponse response;
      response.query = [&](JsonWriter& json) { json.Field("rql", canonical); };
      response.warnings = warnings;
      context.Send(std::move(response));
    } else {
      context.PrintWarnings(warnings);
      context.out->Write((context.out_style.escape ? EscapeControls(canonical) : canonical) + "\n");
    }
    return {};
  }

  // The settings with the view that the query names, if it does.
  Result<AskedView> AskedViewOf(const Config& config) const {
    const Result<RqlQuery> query = ParseRql(text_, nullptr);
    // An invalid query is reported when it is run.
    if (!query || !query->view) return AskWithView(config, std::nullopt, {});
    const auto& [name, position] = *query->view;
    if (const Result<const View*> known = FindView(config, name); !known) {
      return Fail(ErrorAt(text_, {position, std::string(known.error().message()),
                                  std::string(known.error().hint())}));
    }
    return AskWithView(config, name, {});
  }

  Result<QueryRequest> MakeRequest(const CommandContext& context, const AskedView& asked) const {
    const Config& config = asked.config;
    QueryRequest request;
    request.rql = text_;
    if (asked.view) request.view = {asked.view->name, asked.scope.filter};
    request.snapshot = scope_.scope().snapshot;
    request.as_of = scope_.scope().as_of;
    request.lexical_mode = LexicalModeFrom(lexical_mode_);
    request.expand_words = !no_expand_;
    request.weights = WeightsFrom(config);
    RECALL_ASSIGN(request.ranking, RankingChoiceFrom(asked));
    request.ranking.embedding = embedding_;
    request.threads = AskThreads(config);
    request.exact = exact_;
    request.explain = explain_;
    request.check = sources_.CheckFor(context);
    request.snippet_bytes = static_cast<size_t>(snippet_bytes_);
    request.cite = results_.cite();
    request.computed_fields = results_.computed();
    if (results_.fields()) {
      request.with_text = results_.fields()->needs_text();
      if (results_.fields()->needs_snippet() && snippet_bytes_ == 0) {
        request.snippet_bytes = kLeanSnippetBytes;
      }
    }
    const std::optional<int64_t> of_view = asked.view ? asked.view->k : std::nullopt;
    request.default_limit = static_cast<size_t>(of_view.value_or(config.max_limit));
    return request;
  }

  // Settings for ranking apply only to queries with USING. A flag applies to this query in any
  // case.
  Result<RankingChoice> RankingChoiceFrom(const AskedView& asked) const {
    const Config& config = asked.config;
    RankingChoice ranking = RankingFrom(config);
    ranking.min_score = MinScoreOf(min_score_, asked.view);
    const Result<RqlQuery> query = ParseRql(text_, nullptr);
    if (!query || query->ranked()) return ranking;  // an invalid query is reported when it is run
    ranking.min_score = min_score_.value_or(0);
    const bool fused = ranking.fusion != FusionMethod::kDefault;
    struct Wanted {
      const char* key;
      const char* flag;
      bool wanted;
    };
    for (const auto& [key, flag, wanted] :
         {Wanted{"fusion", "--fusion", fused},
          {"stages", "--stages", !ranking.stages.empty()},
          {"field_weights", "--field-weights", !ranking.field_weights.empty()},
          {"cues", "--cues", !ranking.cues.empty()}}) {
      if (!wanted || config.origins.find(key)->second != flag) continue;
      return Fail(Status::InvalidArgument(
          std::string(flag) + " needs a ranking, but this query does not rank",
          "add USING lexical('...') or semantic('...')"));
    }
    ranking.stages.clear();
    ranking.field_weights.clear();
    ranking.cues.clear();
    return ranking;
  }

  static Question QuestionOf(const QueryRequest& request, const QueryResponse& found) {
    Question question;
    question.text = found.text;
    question.rql = found.rql;
    question.limit = static_cast<int64_t>(found.limit);
    question.offset = static_cast<int64_t>(found.offset);
    question.lexical_mode = request.lexical_mode;
    question.snapshot = request.snapshot;
    question.mode = found.mode;
    question.weights = request.weights;
    question.ranking = request.ranking;
    question.exact = request.exact;
    return question;
  }

  // One row in the form of --fields or --lean; without --fields a lean row has what SELECT names.
  void WriteResult(const CommandContext& context, const QueryResponse& found, const QueryRow& row,
                   JsonWriter& json) const {
    if (results_.fields()) {
      const ResultForm form = context.lean() ? ResultForm::kLean : ResultForm::kFull;
      results_.fields()->Write(ViewOf(row, found.mode.has_value()), form, json);
    } else if (context.lean()) {
      WriteLeanRow(found.columns, row, json);
      if (results_.cite()) WriteCitation(row, json);
    } else {
      WriteRow(found.columns, row, results_.cite(), json);
    }
  }

  Result<ExitCode> SendJson(CommandContext& context, const Question& question,
                            const QueryResponse& found, QueryRows& rows, int64_t micros) const {
    const JsonRows results = [&](const std::function<Status(const JsonFields& write)>& object) {
      return rows.Read([&](const QueryRow& row) {
        return object([&](JsonWriter& json) { WriteResult(context, found, row, json); });
      });
    };
    if (context.lean()) {
      return SendLean(context, results, found.warnings,
                      [&](JsonWriter& json) { WriteLeanTotals(found, json); });
    }
    RECALL_ASSIGN(JsonResponse response, BeginAnswer(context, question, found, explain_, micros));
    return context.Send(std::move(response), results);
  }

  Status PrintText(CommandContext& context, const Question& question, const QueryResponse& found,
                   QueryRows& rows) const {
    context.PrintWarnings(found.warnings);
    StaleSources stale;
    std::string explained;
    RECALL_TRY(PrintRows(context, found, rows, [&](const QueryRow& row) {
      stale.Add(row.doc);
      if (explain_) explained += RowText(found, row, context.error_style);
    }));
    context.PrintWarnings(stale.Warnings());
    if (explain_) {
      RECALL_ASSIGN(const std::string explain, ExplainText(context, question, found));
      context.out->Flush().IgnoreError();  // print the rows before the explanation
      context.out->WriteError(explained + explain);
    }
    RemarkOn(context, found, rows.count());
    return {};
  }

  // Prints lines of cells if fields are named, records if `*` selects all of them; on a terminal
  // cells are a table, whose widths are those of all rows. Calls seen(row) for each row.
  Status PrintRows(CommandContext& context, const QueryResponse& found, QueryRows& rows,
                   const std::function<void(const QueryRow& row)>& seen) const {
    std::vector<std::string> known_already;
    RECALL_ASSIGN(const RqlQuery query, ParseRql(found.rql, &known_already));
    const bool records = SelectsEverything(query);
    const bool table =
        !results_.fields() && (table_ || (context.out_style.escape && !records && !csv_));
    const bool cite = results_.cite();
    if (csv_) context.out->Write(FormatCsvHead(found.columns, cite));
    std::vector<QueryRow> of_table;
    bool first = true;
    RECALL_TRY(rows.Read([&](QueryRow& row) {
      seen(row);
      if (results_.fields()) {
        const std::string cells = results_.fields()->Row(ViewOf(row, found.mode.has_value()));
        context.out->Write(context.out_style.escape ? EscapeControls(cells) : cells);
        return Status::Ok();
      }
      if (row.snippet) row.chunk->text = row.snippet->text;
      if (table) {
        of_table.push_back(std::move(row));
      } else if (csv_) {
        context.out->Write(FormatCsvRow(found.columns, row, context.out_style, cite));
      } else {
        if (records && !first) context.out->Write("\n");
        context.out->Write(records ? FormatRecord(found.columns, row, context.out_style, cite)
                                   : FormatRow(found.columns, row, context.out_style, cite));
      }
      first = false;
      return Status::Ok();
    }));
    if (!of_table.empty()) {
      context.out->Write(FormatRowTable(found.columns, of_table, context.out_style, cite));
    }
    return {};
  }

  static std::string RowText(const QueryResponse& found, const QueryRow& row,
                             const TextStyle& style) {
    if (!row.explain || !row.chunk) return "";
    return FormatPlaceExplain(row.doc, *row.chunk, *row.explain, found.explain->calibration, style);
  }

  static void RemarkOn(const CommandContext& context, const QueryResponse& found, size_t count) {
    if (count == 0) {
      context.Remark("no rows");
    } else if (found.next_offset) {
      context.Remark(std::to_string(count) + " of " + std::to_string(found.total_hits) +
                     (found.total_hits_is_lower_bound ? " or more" : "") + " rows; OFFSET " +
                     std::to_string(*found.next_offset) + " shows more");
    }
  }

  bool literal_ = false;
  std::vector<std::string> words_;
  std::optional<std::string> rql_;
  bool rql_stdin_ = false;
  bool canonical_ = false;
  std::string lexical_mode_ = "query";
  bool no_expand_ = false;
  bool exact_ = false;
  bool explain_ = false;
  bool table_ = false;
  bool csv_ = false;
  std::optional<std::string> embedding_text_;
  std::vector<float> embedding_;
  std::optional<double> min_score_;
  int64_t snippet_bytes_ = 0;
  ScopeFlags scope_;
  SourceFlags sources_;
  ResultFlags results_;
  GlobalFlags* globals_ = nullptr;
  std::string text_;
};

}  // namespace

const CommandInfo kQueryCommand = {
    "query",
    "[OPTIONS] RQL",
    "run an RQL query: filters, order, pages, selected fields",
    "  recall query \"FROM doc FILTER doc.tag = 'notes' SELECT doc.path, doc.mtime\"\n"
    "  recall query \"FROM chunk USING semantic('retry') LIMIT 5 SELECT score, chunk.text\"\n"
    "  recall query --rql @weekly.rql --json\n"
    "  recall query --canonical \"select doc.path from doc\"\n",
    "FROM chunk|doc [VIEW 'name'] [USING semantic('...'), lexical('...')] [FILTER expression]\n"
    "[ORDER BY field [ASC|DESC], ...] [LIMIT n [OFFSET m]] SELECT field, ...\n"
    "A row is printed as one line with cells separated by tabs; with SELECT * it is a record. In\n"
    "cells, backslashes, tabs and newlines are written \\\\ \\t \\n. On a terminal rows are a "
    "table\n"
    "that is cut to the window. Without rows the exit code is 0.\n",
    [] { return std::unique_ptr<Command>(new QueryCommand); }};

}  // namespace recall
