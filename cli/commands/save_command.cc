// The command `save`: makes a note of the flags, and prints its path and the notes nearest to it.
//
// Each flag is a member of the card (NoteDraft) or decides how the note is written (SaveRequest).
// --text, --summary and --context read files and standard input, except for clients of a server,
// whose texts are taken literally.

#include <unistd.h>

#include <utility>

#include "cli/commands/ask_note.h"
#include "cli/commands/commands.h"
#include "cli/commands/scope_flags.h"
#include "cli/options/flags/text_argument.h"
#include "cli/show/output/note_json.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "query/memory/notes/context_json.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

std::string ReportText(const SaveReport& report, bool dry_run, const TextStyle& style) {
  std::string text = report.unchanged  ? "unchanged "
                     : dry_run         ? "would save "
                     : report.replaced ? "replaced "
                                       : "saved ";
  text += style.DocPath(report.doc.path) + "\n";
  for (const LinkRecord& link : report.links) {
    text += "linked " + EscapeLine(link.source) + "  " + link.relation + "  " +
            EscapeLine(link.target) + "\n";
  }
  for (const NearDocument& near : report.near) {
    char score[32];
    std::snprintf(score, sizeof(score), "near  %.2f  ", near.score);
    text += score + style.DocPath(near.doc.path) + "\n";
  }
  for (const Contradiction& old : report.contradicts) {
    const std::string path = EscapeLine(old.doc.path);
    // What is saved already is not to be saved once more.
    const std::string way =
        dry_run ? "--supersedes " + path
                : "`recall retire " + path + " --by " + EscapeLine(report.doc.path) + "`";
    text += "contradicts " + style.DocPath(old.doc.path) + ": '" + EscapeLine(old.old_text) +
            "' -> '" + EscapeLine(old.new_text) + "'; " + way + " retires it\n";
  }
  return text;
}

class SaveCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kWrite; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    literal_ = flags.takes_texts_literally();
    flags.Words("NOTE", &words_, 0, SIZE_MAX, "its type, a word such as lesson, and its title");
    flags.Text("--text", &text_, "TEXT", "the note, in Markdown; @FILE reads it, @- from stdin");
    flags.Text("--summary", &summary_, "TEXT", "what it says, in at most 400 characters");
    flags.EmptyIsAbsent();
    flags.TextList("--when", &request_.note.recall_when, "PHRASE",
                   "a trigger: when the note is wanted; else triggers are extracted");
    flags.EmptyIsAbsent();
    flags.TextList("--tag", &request_.note.tags, "TAG", "a tag of the card");
    flags.EmptyIsAbsent();
    flags.TextList("--topic", &request_.note.topic_path, "PATH", "a topic such as web/forms");
    flags.EmptyIsAbsent();
    flags.Text("--scope", &request_.note.scope, "TEXT", "where it applies: a project, a team");
    flags.EmptyIsAbsent();
    flags.Text("--context", &context_, "JSON",
               "situation, solution, what_failed, trigger_keywords, ...; @FILE reads it");
    flags.EmptyIsAbsent();
    flags.Switch("--ask", &ask_, "ask on the terminal for what is not given");
    flags.TextList("--link", &links_, "REL=TARGET", "link the note to a document");
    flags.EmptyIsAbsent();
    flags.Text("--supersedes", &request_.supersedes, "TARGET", "retire a note that this replaces");
    flags.EmptyIsAbsent();
    flags.Text("--id", &request_.id, "ID", "the id; else made of the title");
    flags.Switch("--replace", &request_.replace, "write a new version if the id is taken");
    flags.Text("--rewrite", &request_.rewrite, "TARGET",
               "give this note the text of --text, under the card that it has");
    flags.Share("--unless-near", &request_.unless_near, "SCORE",
                "refuse if a note is at least this near, as in .9");
    flags.Share("--confidence", &request_.note.confidence, "SHARE", "how sure it is, 0 to 1");
    flags.Text("--source", &request_.note.source, "TEXT", "where it is known from");
    flags.EmptyIsAbsent();
    flags.Text("--memory", &request_.note.memory, "KIND", "episodic or semantic");
    flags.EmptyIsAbsent();
    flags.Text("--valid-until", &valid_until_, "TIME", "it is expired from this time on");
    flags.EmptyIsAbsent();
    flags.Text("--expires-after", &expires_after_, "DAYS",
               "days until it is stale, or a length: 36h, 2w, 6mo; else by its type");
    flags.Switch("--private", &private_, "never show it over MCP and HTTP");
    flags.Choice("--secrets", &secrets_, {"warn", "keep", "redact", "skip"},
                 "what to do with credentials in it");
    flags.Text("--at", &at_, "TIME", "the time to record instead of now");
    flags.Switch("--dry-run", &request_.dry_run, "report what would be saved");
  }

  Status Check(const GlobalFlags&) override {
    NoteDraft& note = request_.note;
    if (ask_) RECALL_TRY(CheckAsk());
    if (request_.rewrite) {
      RECALL_TRY(CheckRewrite());
    } else if (words_.size() < 2 && !ask_) {
      return Status::InvalidArgument(words_.empty() ? "NOTE is missing" : "the title is missing",
                                     "recall save TYPE TITLE");
    } else if (!words_.empty()) {
      note.type = words_.front();
    }
    for (size_t i = 1; i < words_.size(); ++i) {
      note.title += (i == 1 ? "" : " ") + words_[i];
    }
    RECALL_TRY(Read(text_, "--text", &note.text));
    if (summary_) {
      note.summary.emplace();
      RECALL_TRY(Read(summary_, "--summary", &*note.summary));
    }
    if (context_) {
      std::string json;
      RECALL_TRY(Read(context_, "--context", &json));
      RECALL_ASSIGN(note.context, ParseNoteContext(json));
    }
    if (note.memory && note.memory != "episodic" && note.memory != "semantic") {
      return Status::InvalidArgument("--memory must be episodic or semantic");
    }
    if (valid_until_) {
      RECALL_ASSIGN(note.valid_until,
                    ReadTimeFlag(*valid_until_, "--valid-until", TimeDirection::kFuture));
    }
    if (at_) {
      RECALL_ASSIGN(request_.at, ReadTimeFlag(*at_, "--at"));
    }
    if (expires_after_) RECALL_TRY(ReadExpiry(*expires_after_));
    if (private_) note.sensitivity = "private";
    for (const std::string& link : links_) {
      const size_t equals = link.find('=');
      if (equals == std::string::npos || equals == 0 || equals + 1 == link.size()) {
        return Status::InvalidArgument("--link must be RELATION=TARGET, not '" + link + "'",
                                       "as in --link derived_from=css-focus");
      }
      request_.links.emplace_back(link.substr(0, equals), link.substr(equals + 1));
    }
    return Status::Ok();
  }

  // Whole days, or a length of time as filters read it, rounded up to days.
  Status ReadExpiry(const std::string& text) {
    constexpr int64_t kMostDays = 36'500;
    constexpr UnixNanos kDay = int64_t{86'400} * 1'000'000'000;
    const auto wrong = [&] {
      return Status::InvalidArgument(
          "--expires-after is a number of days or a length of time up to " +
              std::to_string(kMostDays) + " days, not '" + text + "'",
          "for example: 30, 36h, 2w, 6mo");
    };
    if (text.empty() || text[0] < '0' || text[0] > '9' || text.find('-') != text.npos) {
      return wrong();
    }
    const bool is_number = text.find_first_not_of("0123456789") == text.npos;
    const UnixNanos now = request_.at.value_or(WallClockNanos());
    const auto end = ReadTime(is_number ? text + "d" : text, now, TimeDirection::kFuture);
    if (!end || *end < now) return wrong();
    const int64_t days = (*end - now) / kDay + ((*end - now) % kDay != 0 ? 1 : 0);
    if (days > kMostDays) return wrong();
    request_.note.expires_after_days = days;
    return Status::Ok();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    if (ask_) RECALL_TRY(AskForNote(!text_, !context_, context.out, &request_.note));
    const int64_t start = SteadyMicros();
    SaveRequest saving = SavingFrom(context.config, secrets_);
    request_.notes_dir = std::move(saving.notes_dir);
    request_.secret_settings = std::move(saving.secret_settings);
    request_.secrets = saving.secrets;
    RECALL_ASSIGN(const SaveReport report, context.database->Save(request_));
    std::vector<std::string> warnings = report.warnings;
    if (report.summary_cut) warnings.push_back("the summary was cut to 400 characters");
    if (!context.json()) {
      context.PrintWarnings(warnings);
      if (!context.flags.quiet) {
        context.out->Write(ReportText(report, request_.dry_run, context.out_style));
      }
      return ExitCode::kDone;
    }
    RECALL_ASSIGN(const StatsReport stats, context.database->Stats());
    JsonResponse response;
    response.stats =
        StatsFields(1, stats.store, {.took_ms = (SteadyMicros() - start) / 1000, .timings = {}});
    response.warnings = std::move(warnings);
    response.own_key = "save";
    response.own = [&](JsonWriter& json) { WriteFields(report, request_.dry_run, json); };
    context.Send(std::move(response));
    return ExitCode::kDone;
  }

 private:
  Status CheckAsk() const {
    if (request_.rewrite) {
      return Status::InvalidArgument("--ask and --rewrite cannot be combined");
    }
    if (!literal_ && ::isatty(STDIN_FILENO) != 0) return Status::Ok();
    return Status::InvalidArgument(
        "--ask needs a terminal",
        "without one: recall save TYPE TITLE --text @FILE --context JSON");
  }

  // The card of a note that is rewritten stays, so nothing may be said about it.
  Status CheckRewrite() const {
    const NoteDraft& note = request_.note;
    const bool has_card = !words_.empty() || summary_ || context_ || !note.recall_when.empty() ||
                          !note.tags.empty() || !note.topic_path.empty() || note.scope ||
                          note.source || note.confidence || note.memory || valid_until_ ||
                          note.expires_after_days || private_;
    if (!text_) return Status::InvalidArgument("--rewrite needs --text", "specify the new text");
    if (!has_card && !request_.id && !request_.replace) return Status::Ok();
    return Status::InvalidArgument("--rewrite changes the text of a note, and nothing on its card",
                                   "save TYPE TITLE --id ID --replace makes a new card");
  }

  Status Read(const std::optional<std::string>& argument, std::string_view flag,
              std::string* text) const {
    if (!argument) return Status::Ok();
    if (literal_) {
      *text = *argument;
      return Status::Ok();
    }
    RECALL_ASSIGN(*text, ReadTextArgument(*argument, flag));
    return Status::Ok();
  }

  bool literal_ = false;
  bool ask_ = false;
  std::vector<std::string> words_;
  std::optional<std::string> text_;
  std::optional<std::string> summary_;
  std::optional<std::string> context_;
  std::vector<std::string> links_;
  std::optional<std::string> valid_until_;
  std::optional<std::string> expires_after_;
  std::optional<std::string> at_;
  std::string secrets_;
  bool private_ = false;
  SaveRequest request_;
};

}  // namespace

const CommandInfo kSaveCommand = {
    "save",
    "[OPTIONS] TYPE TITLE...",
    "save a note: what was learnt, decided or is to be remembered",
    "  recall save lesson Do not stack focus styles --when 'new input component' --text @-\n"
    "  recall save decision Use SQLite --link supports=adr-7 --tag storage\n"
    "  recall save bug CORS on Safari --context @context.json --unless-near .9\n",
    "A note is a Markdown document with a card; its path is notes/ID.md. All other commands work "
    "on\n"
    "it. The answer names the notes nearest to it.\n",
    [] { return std::unique_ptr<Command>(new SaveCommand); }};

}  // namespace recall
