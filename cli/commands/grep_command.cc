#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/commands/common_answer.h"
#include "cli/commands/scope_flags.h"
#include "cli/commands/search_flags.h"
#include "cli/show/output/grep_text.h"
#include "cli/show/output/text_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

constexpr int64_t kMostContextLines = 1000;
constexpr int64_t kDefaultRows = 100;

void WriteGrepLine(const GrepLine& line, JsonWriter& json) {
  json.Field("line", line.number);
  json.Field("column", line.column);
  json.Field("text", line.text);
  if (line.is_cut) json.Field("cut", true);
  json.Objects("matches", line.matches, [&](const ByteRange& match) {
    json.Field("start", match.start);
    json.Field("end", match.end);
  });
  if (!line.before.empty()) json.Field("before", line.before);
  if (!line.after.empty()) json.Field("after", line.after);
}

class GrepCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("PATTERN", &words_, 1, SIZE_MAX,
                "a regular expression (RE2); then documents, directories or patterns");
    flags.Switch("-F,--fixed-strings", &request_.is_literal, "PATTERN is a text");
    flags.Switch("-i,--ignore-case", &request_.ignore_case, "upper and lower case are the same");
    flags.Switch("-w,--word-regexp", &request_.whole_words, "whole words alone");
    flags.Switch("-l,--files-with-matches", &names_, "the documents, not their lines");
    flags.Switch("-c,--count", &counts_, "the documents and how many of their lines match");
    flags.Number("-A,--after-context", &after_, 0, kMostContextLines, "lines after each match");
    flags.Number("-B,--before-context", &before_, 0, kMostContextLines, "lines before each match");
    flags.Number("-C,--context", &around_, 0, kMostContextLines, "lines before and after it");
    scope_.DeclareFilter(flags);
    flags.Number("-k,--k", &k_, 1, INT32_MAX, "lines, or documents (default: 100)");
    flags.AlsoSpelled("-m,--limit,--max-count");
    flags.Number("--offset", &offset_, 0, INT32_MAX, "number of lines, or documents, to skip");
    scope_.DeclareSnapshot(flags);
    flags.Setting("--threads", "threads", "N", "threads; the answer is the same for any number");
    flags.Switch("-n,--line-number", &numbers_, "accepted: lines always have their numbers");
    flags.AlsoSpelled("-r,--recursive,-H,-E");
  }

  Status Check(const GlobalFlags&) override {
    if (names_ && counts_) {
      return Status::InvalidArgument("--files-with-matches and --count cannot be combined");
    }
    if ((names_ || counts_) && (before_ || after_ || around_)) {
      return Status::InvalidArgument("documents have no context",
                                     "omit --files-with-matches or --count");
    }
    return scope_.Read();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    request_.pattern = words_.front();
    request_.paths.assign(words_.begin() + 1, words_.end());
    request_.scope = scope_.scope();
    request_.rows = names_ || counts_ ? GrepRows::kDocuments : GrepRows::kLines;
    request_.lines_before = static_cast<uint32_t>(before_.value_or(around_.value_or(0)));
    request_.lines_after = static_cast<uint32_t>(after_.value_or(around_.value_or(0)));
    request_.limit = static_cast<size_t>(k_.value_or(kDefaultRows));
    request_.offset = static_cast<size_t>(offset_);
    request_.threads = AskThreads(context.config);
    RECALL_ASSIGN(const GrepResponse found, context.database->Grep(request_));
    return SendOrPrint(
        context, start, [&](int64_t micros) { return SendJson(context, found, micros); },
        [&] { PrintText(context, found); });
  }

 private:
  Status SendJson(CommandContext& context, const GrepResponse& found, int64_t micros) const {
    Question question;
    question.text = request_.pattern;
    question.limit = k_.value_or(kDefaultRows);
    question.offset = offset_;
    question.snapshot = scope_.scope().snapshot;
    RECALL_ASSIGN(JsonResponse response, BeginAnswer(context, question, found, false, micros));
    response.results = {found.documents.size(), [&](size_t row, JsonWriter& json) {
                          const GrepDocument& document = found.documents[row];
                          json.Object("doc", [&] {
                            json.Field("id", document.doc.id);
                            json.Field("path", document.doc.path);
                          });
                          json.Field("count", document.lines);
                          if (request_.rows == GrepRows::kDocuments) return;
                          json.Objects("lines", document.shown,
                                       [&](const GrepLine& line) { WriteGrepLine(line, json); });
                        }};
    response.own_key = "grep";
    response.own = [&](JsonWriter& json) {
      json.Field("pattern", request_.pattern);
      json.Field("lines", found.total_lines);
      json.Field("documents", found.total_documents);
    };
    context.Send(std::move(response));
    return {};
  }

  void PrintText(CommandContext& context, const GrepResponse& found) const {
    // Who has not asked for a page must not take it for the whole.
    std::vector<std::string> warnings = found.warnings;
    if (found.next_offset && !k_) warnings.push_back(MoreText(found));
    context.PrintWarnings(warnings);
    const bool has_context = request_.lines_before > 0 || request_.lines_after > 0;
    bool is_first = true;
    for (const GrepDocument& document : found.documents) {
      const std::string path = context.out_style.DocPath(document.doc.path);
      if (request_.rows == GrepRows::kLines) {
        if (has_context && !is_first) context.out->Write("--\n");
        context.out->Write(FormatGrepLines(document, context.out_style));
      } else {
        context.out->Write(path + (counts_ ? ":" + std::to_string(document.lines) : "") + "\n");
      }
      is_first = false;
    }
    if (found.next_offset && k_) context.Remark(MoreText(found));
  }

  // Requires: there is a next page.
  std::string MoreText(const GrepResponse& found) const {
    const bool of_lines = request_.rows == GrepRows::kLines;
    const std::string next = std::to_string(*found.next_offset);
    return next + " of " + Plural(found.total_hits, of_lines ? "line" : "document") +
           (of_lines ? " in " + Plural(found.total_documents, "document") : "") + "; --offset " +
           next + " shows more";
  }

  std::vector<std::string> words_;
  GrepRequest request_;
  bool names_ = false;
  bool counts_ = false;
  bool numbers_ = false;
  std::optional<int64_t> before_;
  std::optional<int64_t> after_;
  std::optional<int64_t> around_;
  ScopeFlags scope_;
  std::optional<int64_t> k_;  // unset: kDefaultRows
  int64_t offset_ = 0;
};

}  // namespace

const CommandInfo kGrepCommand = {
    "grep",
    "[OPTIONS] PATTERN [PATH...]",
    "find the lines of documents that match a pattern",
    "  recall grep 'TODO\\(\\w+\\)'\n"
    "  recall grep -F 'a[i]' src 'tests/**/*.cc'\n"
    "  recall grep -i -C 2 timeout docs\n"
    "  recall grep -c 'throw ' --filter \"doc.parser = 'code'\"\n",
    "Each line of the store's documents is matched, ranked by nothing: by path and line. A line\n"
    "is printed as `path:line:text`, and `recall get path:line` reads it. The syntax is RE2's:\n"
    "https://github.com/google/re2/wiki/Syntax. Without results the exit code is 0.\n",
    [] { return std::unique_ptr<Command>(new GrepCommand); }};

}  // namespace recall
