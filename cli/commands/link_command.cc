#include "cli/commands/commands.h"
#include "cli/commands/scope_flags.h"
#include "cli/show/output/link_graph.h"
#include "cli/show/output/note_json.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"

namespace recall {
namespace {

std::string LineOf(const LinkRecord& link) {
  std::string line =
      EscapeLine(link.source) + "  " + link.relation + "  " + EscapeLine(link.target);
  if (link.origin != kNearLink) return line + "\n";
  char weight[32];
  std::snprintf(weight, sizeof(weight), "  %.2f", link.weight);
  return line + weight + "\n";
}

// Sends a report as the object `key`.
void SendReport(CommandContext& context, std::string_view key, const JsonFields& fields,
                std::vector<std::string> warnings = {}) {
  JsonResponse response;
  response.warnings = std::move(warnings);
  response.own_key = key;
  response.own = fields;
  context.Send(std::move(response));
}

class LinkCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kWrite; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("TARGET", &words_, 0, SIZE_MAX,
                "the source and the target: paths, or ids of notes");
    flags.Text("--as", &relation_, "REL",
               "the relation: related, supports, derived_from, contradicts, any word");
    flags.Suggest({"related", "similar", "derived_from", "supports", "supersedes", "contradicts"});
    flags.Text("--reason", &request_.reason, "TEXT", "why they are linked");
    flags.Share("--weight", &request_.weight, "SHARE", "how strong the link is, 0 to 1");
    flags.Share("--near", &near_, "SCORE",
                "link SOURCE..., or all notes, to the notes at least this near");
    flags.Text("--at", &at_, "TIME", "the time to record instead of now");
    flags.Switch("--dry-run", &request_.dry_run, "report the links without making them");
  }

  Status Check(const GlobalFlags&) override {
    if (at_) {
      RECALL_ASSIGN(request_.at, ReadTimeFlag(*at_, "--at"));
    }
    if (near_) {
      if (!relation_ && !request_.reason) return Status::Ok();
      return Status::InvalidArgument("--near cannot be combined with --as and --reason",
                                     "links of nearness are related");
    }
    if (words_.size() != 2) {
      return Status::InvalidArgument("SOURCE and TARGET are needed",
                                     "as in: recall link css-focus forms --as supports");
    }
    request_.source = words_[0];
    request_.target = words_[1];
    if (relation_) request_.relation = *relation_;
    return Status::Ok();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const auto made = near_ ? context.database->LinkNear({.sources = words_,
                                                          .least = *near_,
                                                          .at = request_.at,
                                                          .dry_run = request_.dry_run})
                            : context.database->Link(request_);
    RECALL_ASSIGN(const LinkReport report, made);
    if (context.json()) {
      SendReport(context, "link",
                 [&](JsonWriter& json) { WriteFields(report, request_.dry_run, json); });
    } else if (!context.flags.quiet) {
      for (const LinkRecord& link : report.links) {
        context.out->Write((request_.dry_run ? "would link " : "linked ") + LineOf(link));
      }
      if (report.links.empty()) context.out->Write("nothing to link; unchanged\n");
    }
    return ExitCode::kDone;
  }

 private:
  std::vector<std::string> words_;
  std::optional<std::string> relation_;
  std::optional<double> near_;
  std::optional<std::string> at_;
  LinkRequest request_;
};

class UnlinkCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kWrite; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("TARGET", &words_, 2, 2, "the source and the target: paths, or ids of notes");
    flags.Text("--as", &request_.relation, "REL", "only links of this relation");
    flags.Switch("--dry-run", &request_.dry_run, "report the links without removing them");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    request_.source = words_[0];
    request_.target = words_[1];
    RECALL_ASSIGN(const UnlinkReport report, context.database->Unlink(request_));
    std::vector<std::string> warnings;
    for (const LinkRecord& link : report.in_texts) {
      warnings.push_back("the text of " + link.source + " contains the link to " + link.target +
                         "; edit the note to remove it");
    }
    std::optional<Failure> failure;
    if (report.links.empty()) {
      failure = Failure::FromStatus(
          Status::NotFound("there is no link from " + request_.source + " to " + request_.target +
                               (report.in_texts.empty() ? "" : " that could be removed"),
                           "`recall links " + request_.source + "` shows its links"));
    }
    if (context.json()) {
      JsonResponse response;
      response.warnings = std::move(warnings);
      response.own_key = "unlink";
      response.own = [&](JsonWriter& json) { WriteFields(report, request_.dry_run, json); };
      response.failure = failure;
      context.Send(std::move(response));
    } else {
      context.PrintWarnings(warnings);
      for (const LinkRecord& link : report.links) {
        if (context.flags.quiet) break;
        context.out->Write((request_.dry_run ? "would unlink " : "unlinked ") + LineOf(link));
      }
      if (failure) PrintFailure(*failure, OutputMode::kText, context.error_style, {}, context.out);
    }
    return failure ? failure->exit() : ExitCode::kDone;
  }

 private:
  std::vector<std::string> words_;
  UnlinkRequest request_;
};

class LinksCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("TARGET", &words_, 1, 1, "a path, or the id of a note");
    flags.Number("--depth", &request_.depth, 1, 3, "how many links away");
    flags.Switch("--out", &out_, "only links that leave");
    flags.Switch("--in", &in_, "only links that arrive");
    flags.Text("--as", &request_.relation, "REL", "only links of this relation");
    flags.Choice("--format", &format_, {"text", "mermaid", "dot"}, "the form of the graph");
    flags.Switch("--central", &central_, "also how central it is, 0 to 100");
    scope_.DeclareSnapshot(flags);
    scope_.DeclareAsOf(flags);
  }

  Status Check(const GlobalFlags&) override {
    RECALL_TRY(scope_.Read());
    if (out_ && in_) {
      return Status::InvalidArgument("--in and --out exclude each other",
                                     "omit both for all links");
    }
    return Status::Ok();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    request_.target = words_[0];
    request_.direction = out_  ? LinkDirection::kOut
                         : in_ ? LinkDirection::kIn
                               : LinkDirection::kBoth;
    request_.snapshot = scope_.scope().snapshot;
    request_.as_of = scope_.scope().as_of;
    RECALL_ASSIGN(const LinksReport report, context.database->Links(request_));
    if (report.links.empty()) {
      context.warnings.push_back(words_[0] + " has no such links; `recall link` makes one");
    }
    if (context.json()) {
      SendReport(context, "links", [&](JsonWriter& json) {
        WriteFields(report, central_, json);
        if (format_ == "mermaid") json.Field("mermaid", FormatMermaid(report));
        if (format_ == "dot") json.Field("dot", FormatDot(report));
      });
      return ExitCode::kDone;
    }
    context.PrintWarnings();
    context.out->Write(format_ == "mermaid" ? FormatMermaid(report)
                       : format_ == "dot"   ? FormatDot(report)
                                            : FormatLinks(report, central_));
    return ExitCode::kDone;
  }

 private:
  std::vector<std::string> words_;
  bool out_ = false;
  bool in_ = false;
  bool central_ = false;
  std::string format_ = "text";
  ScopeFlags scope_;
  LinksRequest request_;
};

}  // namespace

const CommandInfo kLinkCommand = {
    "link",
    "[OPTIONS] SOURCE TARGET | --near SCORE [SOURCE...]",
    "link two documents, or notes to those nearest to them",
    "  recall link css-focus forms --as supports --reason 'same component'\n"
    "  recall link docs/a.md notes/b.md         any document can be linked\n"
    "  recall link --near .7                    all notes to at most five near ones\n",
    "A link joins paths, so it survives new versions. The same link again changes nothing. The "
    "text\n"
    "of a note makes links, too: [[id]] and `related:` in its card.\n",
    [] { return std::unique_ptr<Command>(new LinkCommand); }};

const CommandInfo kUnlinkCommand = {
    "unlink",
    "[OPTIONS] SOURCE TARGET",
    "remove links from one document to another",
    "  recall unlink css-focus forms\n"
    "  recall unlink css-focus forms --as supports\n",
    "Links that the text of a note contains stay until the note is edited.\n",
    [] { return std::unique_ptr<Command>(new UnlinkCommand); }};

const CommandInfo kLinksCommand = {"links",
                                   "[OPTIONS] TARGET",
                                   "show what a document is linked to, as text or as a graph",
                                   "  recall links css-focus\n"
                                   "  recall links css-focus --depth 2 --format mermaid\n"
                                   "  recall links css-focus --format dot > links.dot\n",
                                   "",
                                   [] { return std::unique_ptr<Command>(new LinksCommand); }};

}  // namespace recall
