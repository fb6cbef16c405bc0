#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/commands/common_answer.h"
#include "cli/commands/scope_flags.h"
#include "cli/show/output/cell_table.h"
#include "cli/show/output/query_text.h"
#include "cli/show/output/text_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

class LsCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags& globals) override {
    flags.Words("PATH", &words_, 0, SIZE_MAX,
                "documents, directories, archives, or patterns: 'docs/**/*.md', '*.md'");
    scope_.DeclareFilter(flags);
    flags.Number("-k,--k", &k_, 1, INT32_MAX, "documents (default: all)");
    flags.AlsoSpelled("-n,--limit");
    flags.Number("--offset", &offset_, 0, INT32_MAX, "number of documents to skip");
    scope_.DeclareSnapshot(flags);
    scope_.DeclareAsOf(flags);
    flags.Switch("--jsonl", &globals.json_lines, "one JSON object per line: meta, then results");
  }

  Status Check(const GlobalFlags& globals) override {
    if (globals.json && globals.json_lines) {
      return Status::InvalidArgument("--json and --jsonl cannot be combined");
    }
    return scope_.Read();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const QueryResponse found, context.database->List(MakeRequest()));
    return SendOrPrint(
        context, start, [&](int64_t micros) { return SendJson(context, found, micros); },
        [&] { PrintText(context, found); });
  }

 private:
  ListRequest MakeRequest() const {
    ListRequest request;
    request.paths = words_;
    request.scope = scope_.scope();
    if (k_) request.limit = static_cast<size_t>(*k_);
    request.offset = static_cast<size_t>(offset_);
    return request;
  }

  Status SendJson(CommandContext& context, const QueryResponse& found, int64_t micros) const {
    Question question;
    question.rql = found.rql;
    question.limit = k_;
    question.offset = offset_;
    question.snapshot = scope_.scope().snapshot;
    RECALL_ASSIGN(JsonResponse response, BeginAnswer(context, question, found, false, micros));
    response.results = {found.rows.size(), [&](size_t row, JsonWriter& json) {
                          WriteFields(found.columns, found.rows[row], json);
                        }};
    context.Send(std::move(response));
    return {};
  }

  static void PrintText(CommandContext& context, const QueryResponse& found) {
    context.PrintWarnings(found.warnings);
    if (context.out_style.escape && !found.rows.empty()) {
      context.out->Write(TableText(found, context.out_style));
    } else {
      for (const QueryRow& row : found.rows) {
        context.out->Write(FormatRow(found.columns, row, context.out_style));
      }
    }
    if (found.rows.empty()) context.Remark("no documents");
    if (found.next_offset) {
      context.Remark(std::to_string(found.rows.size()) + " of " + std::to_string(found.total_hits) +
                     " documents; --offset " + std::to_string(*found.next_offset) + " shows more");
    }
  }

  // "2026-02-04T09:30:00Z" is "2026-02-04 09:30".
  static std::string MinuteOf(std::string mtime) {
    constexpr size_t kUpToMinutes = 16;
    mtime.resize(std::min(mtime.size(), kUpToMinutes));
    std::ranges::replace(mtime, 'T', ' ');
    return mtime;
  }

  static std::string TableText(const QueryResponse& found, const TextStyle& style) {
    std::vector<std::vector<TableCell>> rows;
    for (const QueryRow& row : found.rows) {
      const DocView& doc = row.doc;
      rows.push_back({{style.DocPathText(doc.path), style.DocLink(doc.path)},
                      {FormatBytes(doc.size)},
                      {std::to_string(doc.chunks)},
                      {MinuteOf(doc.mtime)},
                      {EscapeLine(doc.tag.value_or(""))}});
    }
    return FormatCellTable(
        {{"path", false, true}, {"size", true}, {"chunks", true}, {"time (UTC)"}, {"tag"}}, rows,
        style);
  }

  std::vector<std::string> words_;
  ScopeFlags scope_;
  std::optional<int64_t> k_;
  int64_t offset_ = 0;
};

}  // namespace

const CommandInfo kLsCommand = {
    "ls",
    "[OPTIONS] [PATH...]",
    "list documents with size, chunks, time and tag",
    "  recall ls\n"
    "  recall ls docs                       the documents below a directory\n"
    "  recall ls '*.md'                     by name, at any depth\n"
    "  recall ls --filter \"doc.mtime >= '-7d'\" --json\n"
    "  recall ls notes | cut -f 1           only the paths\n",
    "Documents are sorted by path. In a pipe a document is one line with cells separated by tabs:\n"
    "path, bytes, chunks, time, tag, origin. `recall query` selects other fields and orders.\n"
    "A PATH without any document is an error (exit code 1); a pattern or filter may be empty.\n",
    [] { return std::unique_ptr<Command>(new LsCommand); }};

}  // namespace recall
