// The command `sessions`: searches conversations with coding agents, or lists the latest ones.
//
// Each flag is a condition on the metadata of a session. They are joined with the filter of the
// view `sessions` and that of the user, so that they hold before anything is ranked.

#include <algorithm>

#include "cli/commands/capture_setup.h"
#include "cli/commands/commands.h"
#include "cli/commands/hits_output.h"
#include "cli/commands/search_flags.h"
#include "cli/compat/shapes/session_shape.h"
#include "query/rql/rql.h"
#include "storage/base/clock.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr char kSessionsView[] = "sessions";

std::string QuotedText(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += c;
  }
  return quoted + "'";
}

class SessionsCommand final : public Command {
 public:
  StoreAccess access() const override {
    return refresh_ ? StoreAccess::kWrite : StoreAccess::kRead;
  }

  void Declare(FlagSet& flags, GlobalFlags& globals) override {
    flags.Words("QUERY", &words_, 0, SIZE_MAX, "the question; without one, the latest sessions");
    flags.Text("--file", &conditions_.file, "REGEX", "a tool named a file whose path matches");
    flags.Text("--commit", &conditions_.commit, "SHA", "it led to the commit whose id begins so");
    flags.Text("--author", &conditions_.author, "EMAIL", "of this person");
    flags.Choice("--actor", &conditions_.actor, {"human", "agent"},
                 "led by a person, or by another agent");
    flags.Text("--checkpoint", &conditions_.checkpoint, "REF", "reserved");
    flags.Number("-n,--limit", &limit_, 0, INT32_MAX,
                 "sessions (default: 20; 0: as many as may be)");
    flags.AlsoSpelled("-k,--k");
    flags.Number("--offset", &offset_, 0, INT32_MAX, "sessions to skip, for the next page");
    flags.Text("--agent", &conditions_.agent, "NAME", "of this agent: claude-code, codex, ...");
    flags.Text("--branch", &conditions_.branch, "NAME", "on this branch");
    flags.Text("--since", &conditions_.since, "TIME", "that went on since then: 2026-01-31, -7d");
    flags.Text("--until", &conditions_.until, "TIME", "that ended before then");
    flags.Text("--tool", &conditions_.tool, "NAME", "that used this tool");
    flags.Text("--ran", &conditions_.ran, "TEXT", "in which a command with this text was run");
    flags.Text("--outputs", &conditions_.outputs, "WORDS",
               "in whose kept transcript one output of a tool has all these words");
    flags.Choice("--role", &conditions_.role, {"human", "assistant"},
                 "search only what this one said");
    flags.Text("--filter", &conditions_.filter, "EXPR", "that satisfy this filter, too");
    flags.Choice("--identical", &identical_, {"fold", "list", "keep"},
                 "sessions with the same turns: one (fold), with their places, or each");
    flags.Text("--snapshot", &snapshot_, "TOKEN", "the store at this commit");
    flags.Switch("--refresh", &refresh_, "first capture the new turns of this project");
    flags.Choice("--shape", &shape_, SessionShapeNames(), SessionShapeHelp());
    flags.Choice("--payload", &payload_, {"lean", "full"},
                 "lean (default): which sessions, about what; full: also the evidence");
    flags.Switch("--explain", &explain_, "explain each score");
    results_.Declare(flags, globals, {.lean_fields = kLeanFields, .lean_by_environment = true});
    globals_ = &globals;
  }

  Status Check(const GlobalFlags& globals) override {
    if (conditions_.since) {
      RECALL_ASSIGN(since_, ReadTimeFlag(*conditions_.since, "--since"));
    }
    if (conditions_.until) {
      RECALL_ASSIGN(until_, ReadTimeFlag(*conditions_.until, "--until"));
    }
    if (conditions_.checkpoint) {
      return Status::InvalidArgument("--checkpoint is reserved and does nothing yet",
                                     "--commit SHA finds the sessions that led to a commit");
    }
    if (conditions_.commit &&
        (conditions_.commit->empty() || !std::ranges::all_of(*conditions_.commit, IsHexDigit))) {
      return Status::InvalidArgument(
          "--commit must be the beginning of a commit id, not '" + *conditions_.commit + "'",
          "`git rev-parse NAME` prints the id of a branch or tag");
    }
    if (conditions_.outputs && Trim(*conditions_.outputs).empty()) {
      return Status::InvalidArgument("--outputs has no words", "name words of one output");
    }
    for (const std::string& word : words_) text_ += (text_.empty() ? "" : " ") + word;
    text_ = std::string(Trim(text_));
    if (!words_.empty() && text_.empty()) {
      return Status::InvalidArgument("the query is empty",
                                     "without a query, the latest sessions are listed");
    }
    if (shape_.empty()) return results_.Check(globals, explain_);
    const bool other = explain_ || globals.lean || globals.json_lines || !payload_.empty();
    if (other && !globals.lean_from_environment) {
      return Status::InvalidArgument(
          "--shape prints a JSON document of its own; it cannot be combined with --explain, "
          "--payload, --jsonl or --lean");
    }
    globals_->lean = false;
    globals_->json = true;
    return Status::Ok();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    if (refresh_) RECALL_TRY(Refresh(context));
    Scope scope;
    scope.snapshot = snapshot_.value_or("");
    scope.filter = conditions_.filter.value_or("");
    RECALL_ASSIGN(AskedView asked, AskWithView(context.config, kSessionsView, std::move(scope)));
    for (const std::string& condition : Conditions()) {
      asked.scope.filter = "(" + asked.scope.filter + ") AND " + condition;
    }
    SearchRequest request;
    request.text = text_;
    request.newest = text_.empty();
    request.scope = asked.scope;
    request.ranking = RankingFrom(asked.config);
    request.tool_uses.ran = conditions_.ran.value_or("");
    request.tool_uses.outputs = conditions_.outputs.value_or("");
    request.threads = AskThreads(asked.config);
    request.explain = explain_;
    request.k = static_cast<size_t>(limit_.value_or(asked.view->k.value_or(20)));
    if (request.k == 0) request.k = static_cast<size_t>(asked.config.max_limit);
    RECALL_TRY(CheckLimit(asked.config, static_cast<int64_t>(request.k), "--limit"));
    request.offset = static_cast<size_t>(offset_);
    // The JSON of another program has no field for how many copies were folded.
    const bool keep = identical_ == "keep" || (identical_.empty() && !shape_.empty());
    request.identical = keep                   ? IdenticalChunks::kKeep
                        : identical_ == "list" ? IdenticalChunks::kList
                                               : IdenticalChunks::kFold;
    const Payload payload = payload_ == kFullPayload ? Payload::kFull
                            : results_.fields()      ? Payload::kPlain
                                                     : Payload::kLean;
    request.evidence = payload == Payload::kFull;
    request.snippet_bytes = kSnippetBytes;
    request.cite = results_.cite() || results_.cites();
    request.computed_fields = results_.computed();
    RECALL_ASSIGN(SearchResponse found, context.database->Search(request));
    if (found.hits.empty()) RECALL_TRY(SayIfThereAreNoSessions(context, request, &found.warnings));
    if (!shape_.empty()) {
      SendShape(context, found);
      return ExitCode::kDone;
    }
    Question question = Question::OfPage(request);
    question.view = asked.view;
    const HitsForm form{explain_, results_.fields(), false, payload, results_.named()};
    if (context.json()) {
      RECALL_TRY(SendHits(context, question, found, form, SteadyMicros() - start));
    } else {
      RECALL_TRY(PrintHits(context, question, found, form));
    }
    return ExitCode::kDone;
  }

 private:
  // The filter is that of the command, so "the filter matches nothing" says too little.
  static Status SayIfThereAreNoSessions(CommandContext& context, const SearchRequest& request,
                                        std::vector<std::string>* warnings) {
    QueryRequest any;
    any.rql = "FROM doc FILTER doc.session.agent IS NOT NULL LIMIT 1 SELECT doc.path";
    any.snapshot = request.scope.snapshot;
    RECALL_ASSIGN(const QueryResponse found, context.database->Query(any));
    if (!found.rows.empty()) return {};
    *warnings = {"no results: the store has no sessions; `recall capture` adds them"};
    return {};
  }

  // As `recall capture`. What cannot be captured does not keep the answer back.
  static Status Refresh(CommandContext& context) {
    CaptureRequest request;
    SetUpCapture(context, ".", &request);
    const auto report = context.database->Capture(request);
    if (!report && report.error().code() != StatusCode::kBusy) return report.error();
    if (report && report->cancelled) return Status::Cancelled("interrupted");
    const std::vector<std::string> warnings =
        report ? WarningsOf(*report)
               : std::vector<std::string>{"nothing was captured: " +
                                          std::string(report.error().message())};
    context.warnings.insert(context.warnings.end(), warnings.begin(), warnings.end());
    return Status::Ok();
  }

  static bool IsHexDigit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  std::vector<std::string> Conditions() const {
    std::vector<std::string> conditions;
    const auto add = [&](const char* field, const char* op, const std::string& value) {
      conditions.push_back(std::string(field) + " " + op + " " + QuotedText(value));
    };
    if (conditions_.file) add("doc.session.files", "REGEXP", *conditions_.file);
    if (conditions_.commit) {
      std::string sha = *conditions_.commit;
      for (char& c : sha) c = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
      add("doc.session.commits", "GLOB", sha + "*");
    }
    if (conditions_.author) add("doc.session.author", "=", *conditions_.author);
    if (!conditions_.actor.empty()) add("doc.session.actor", "=", conditions_.actor);
    if (conditions_.agent) add("doc.session.agent", "=", *conditions_.agent);
    if (conditions_.branch) add("doc.session.branch", "=", *conditions_.branch);
    if (since_) add("doc.mtime", ">=", FormatRfc3339(*since_));
    if (until_) add("doc.mtime", "<", FormatRfc3339(*until_));
    if (conditions_.tool) add("doc.session.tools", "=", *conditions_.tool);
    if (!conditions_.role.empty()) add("chunk.role", "=", conditions_.role);
    return conditions;
  }

  void SendShape(CommandContext& context, const SearchResponse& found) const {
    context.PrintWarnings(found.warnings);
    SessionShapeQuestion asked;
    asked.query = text_;
    asked.file = conditions_.file.value_or("");
    asked.actor = conditions_.actor;
    asked.commit = conditions_.commit.value_or("");
    asked.author = conditions_.author.value_or("");
    context.out->Write(FormatSessionShape(asked, found));
  }

  std::optional<UnixNanos> since_;
  std::optional<UnixNanos> until_;
  std::vector<std::string> words_;
  // The conditions on the metadata of a session, each by its flag.
  struct ConditionFlags {
    std::optional<std::string> file;
    std::optional<std::string> commit;
    std::optional<std::string> author;
    std::string actor;
    std::optional<std::string> checkpoint;
    std::optional<std::string> agent;
    std::optional<std::string> branch;
    std::optional<std::string> since;
    std::optional<std::string> until;
    std::optional<std::string> tool;
    std::optional<std::string> ran;
    std::optional<std::string> outputs;
    std::string role;
    std::optional<std::string> filter;
  };

  std::string text_;
  ConditionFlags conditions_;
  std::optional<int64_t> limit_;
  int64_t offset_ = 0;
  std::optional<std::string> snapshot_;
  std::string identical_;
  std::string shape_;
  std::string payload_;
  bool explain_ = false;
  bool refresh_ = false;
  ResultFlags results_;
  GlobalFlags* globals_ = nullptr;
};

}  // namespace

const CommandInfo kSessionsCommand = {
    "sessions",
    "[OPTIONS] [QUERY...]",
    "find the sessions in which something was said, or the latest",
    "  recall sessions JWT expiry\n"
    "  recall sessions --file '^src/auth/' why was the cache removed\n"
    "  recall sessions --commit a3f9b12        what led to a commit\n"
    "  recall sessions --since -7d --actor human\n",
    "A session stands once, with the turn that answers best. Its score is .4 of the words of that\n"
    "turn and .6 of the meaning of the whole session, each as a share of the best. All flags must\n"
    "hold; they apply before anything is ranked. `recall get SESSION --turns 10:5` reads on.\n",
    [] { return std::unique_ptr<Command>(new SessionsCommand); }};

}  // namespace recall
