#include <algorithm>
#include <cstdint>

#include "cli/commands/commands.h"
#include "cli/commands/result_flags.h"
#include "cli/commands/source_flags.h"
#include "cli/compat/programs/generated_section.h"
#include "cli/compat/shapes/session_shape.h"
#include "cli/run/execution/open_store.h"
#include "cli/show/output/card_text.h"
#include "cli/show/output/metadata_tree.h"
#include "cli/show/output/payload.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "query/ask/answer/text_reference.h"
#include "query/ask/passages/passage_fence.h"
#include "query/memory/sessions/session_view.h"

namespace recall {
namespace {

// The name of the outcome in JSON; nothing if no verification was requested.
std::optional<std::string_view> OutcomeName(VerifyOutcome outcome) {
  switch (outcome) {
    case VerifyOutcome::kNotAsked:
      return std::nullopt;
    case VerifyOutcome::kSame:
      return "same";
    case VerifyOutcome::kSameText:
      return "same_text";
    case VerifyOutcome::kChanged:
      return "changed";
    case VerifyOutcome::kMissing:
      return "missing";
    case VerifyOutcome::kNoFile:
      return "no_file";
  }
  return std::nullopt;
}

std::string_view OutcomeName(CitationOutcome outcome) {
  if (outcome == CitationOutcome::kMoved) return "moved";
  return outcome == CitationOutcome::kReplaced ? "replaced" : "same";
}

std::string CitationOf(const GetResponse& found) {
  if (found.whole_doc) return ExactCitation(found.doc.path, found.doc.hash, std::nullopt);
  return ExactCitation(found.doc.path, found.chunk.lines_hash,
                       LineRange{found.chunk.start_line, found.chunk.end_line});
}

// " (p. 12)" of a text that was extracted from a file of another format.
std::string PlaceText(const ChunkView& chunk) {
  return chunk.locator ? " (" + chunk.locator->text + ")" : "";
}

// What became of an exact citation; nothing if the text is where the citation says.
std::optional<std::string> RemarkOnCitation(const GetResponse& found) {
  if (found.citation == CitationOutcome::kMoved) {
    return "the cited text has moved; it is now " + found.now;
  }
  if (found.citation != CitationOutcome::kReplaced) return std::nullopt;
  return "this is the cited text of an older version of " + found.doc.path +
         (found.now.empty() ? "; no document has it now" : "; it is now " + found.now);
}

// The outcome of --verify as an error: which of citation, store and source file differs.
std::optional<Failure> FailureOf(const GetResponse& found) {
  if (found.verify == VerifyOutcome::kNotAsked) return std::nullopt;
  const std::string& path = found.doc.path;
  const bool cited = found.citation != CitationOutcome::kNone;
  const bool differs =
      found.citation == CitationOutcome::kMoved || found.citation == CitationOutcome::kReplaced;
  Failure failure{.code = ErrorCode::kVerifyFailed, .message = {}};
  if (found.verify == VerifyOutcome::kChanged) {
    failure.message = "'" + path + "' has changed since it was added";
    failure.hint = "`recall add` brings the store up to date";
  } else if (found.verify == VerifyOutcome::kMissing) {
    failure.message = "the source file '" + path + "' is missing";
    failure.hint = "`recall rm` removes it from the store";
  }
  if (differs) {
    const bool file_differs = !failure.message.empty();
    failure.message =
        "the citation differs from the store: " + *RemarkOnCitation(found) +
        (file_differs ? "; and " + failure.message : "; the source file is the same as the store");
    if (!file_differs && !found.now.empty()) failure.hint = "cite " + found.now;
  } else if (cited && !failure.message.empty()) {
    failure.message += "; the citation is the same as the store";
  }
  return failure.message.empty() ? std::nullopt : std::optional(std::move(failure));
}

// The error of a target. It says so if the target is a citation whose hash is too short.
Status ErrorOf(const Status& error, const std::string& target) {
  if (error.code() != StatusCode::kNotFound || !HasTooShortHash(target)) return error;
  return Status::NotFound(std::string(error.message()), "the hash of a citation has at least " +
                                                            std::to_string(kLeastHashDigits) +
                                                            " digits: path@1f0c39ab66e2:9-17");
}

// One target and its answer, or why there is none.
struct Item {
  std::string target;
  std::optional<GetResponse> found;
  std::optional<Failure> failure;
};

// The text of an answer with little: of a whole document without parts of its card and without the
// generated section.
std::string LeanTextOf(const GetResponse& found, bool with_card) {
  const std::string_view text = found.chunk.text;
  if (!found.whole_doc) return WithoutGeneratedSection(text);
  const size_t card = found.doc.meta_json ? CardLength(text) : 0;
  return (with_card ? LeanCard(text.substr(0, card)) : "") +
         WithoutGeneratedSection(text.substr(card));
}

// What a reader of a note applies: its card, without what only maintenance needs, and its text.
void WriteLeanFound(const GetResponse& found, bool verify, bool cite, JsonWriter& json) {
  const DocView& doc = found.doc;
  json.Object("doc", [&] {
    json.Field("id", doc.id);
    json.Field("path", doc.path);
    json.Field("kind", CardOf(doc).kind);
    if (doc.meta_json) {
      json.Key("meta");
      MetadataTree(doc.meta_json).WriteWithout(IsLeftOutOfLeanCard, json);
    }
    WriteSourceState(doc, json);
  });
  if (!found.whole_doc) {
    json.Field("start_line", found.chunk.start_line);
    json.Field("end_line", found.chunk.end_line);
  }
  json.Field("text", LeanTextOf(found, false));
  if (verify) json.Field("verify", OutcomeName(found.verify));
  if (cite) json.Field("cite", CitationOf(found));
}

void WriteFound(const GetResponse& found, bool cite, JsonWriter& json) {
  json.Object("doc", [&] { WriteFields(found.doc, json); });
  json.Object("chunk", [&] { WriteFields(found.chunk, json); });
  json.Field("whole_doc", found.whole_doc);
  json.Field("verify", OutcomeName(found.verify));
  if (cite) json.Field("cite", CitationOf(found));
  if (found.citation == CitationOutcome::kNone) return;
  json.Object("citation", [&] {
    json.Field("outcome", OutcomeName(found.citation));
    json.FieldOrNull("now", found.now);
  });
}

// The turns of a session, as the published tool has them.
void WriteTurns(const GetResponse& found, bool full, JsonWriter& json) {
  const TurnsView& view = *found.turns;
  json.Object("doc", [&] {
    json.Field("id", found.doc.id);
    json.Field("path", found.doc.path);
  });
  json.Field("total_turns", view.total);
  json.Field("offset", view.offset);
  json.Field("limit", view.limit == kAllTurns ? view.total : view.limit);
  json.Field("has_more", view.has_more);
  json.Objects("turns", view.turns, [&](const auto& numbered) {
    const auto& [number, turn] = numbered;
    json.Field("ordinal", number);
    json.Field("role", TurnRoleName(turn.role));
    json.FieldOrNull("at", turn.at ? FormatRfc3339(*turn.at) : "");
    json.Field("text", turn.text);
    turn.line > 0 ? json.Field("source_line", turn.line) : json.Field("source_line", nullptr);
  });
  if (!full) return;
  json.Objects("tool_calls", view.tool_calls, [&](const ToolCall& call) {
    json.Field("turn", call.turn);
    json.Field("tool", call.tool);
    json.FieldOrNull("path", call.path);
    json.FieldOrNull("command", call.command);
  });
  const std::string files = "files";
  json.Key("files");
  MetadataTree(found.doc.meta_json).WriteList({&files, 1}, json);
  json.FieldOrNull("resume", ResumeCommandOf(found.doc));
}

void WriteTranscript(const GetResponse& found, JsonWriter& json) {
  json.Object("doc", [&] {
    json.Field("id", found.doc.id);
    json.Field("path", found.doc.path);
  });
  json.Field("transcript", *found.transcript);
}

void WriteOriginal(const GetResponse& found, JsonWriter& json) {
  json.Object("doc", [&] {
    json.Field("id", found.doc.id);
    json.Field("path", found.doc.path);
  });
  json.Key("original_base64");
  json.Base64({reinterpret_cast<const uint8_t*>(found.original->data()), found.original->size()});
}

class GetCommand final : public Command {
 public:
  StoreAccess access() const override { return sources_.access(); }

  void Declare(FlagSet& flags, GlobalFlags& globals) override {
    flags.Words("TARGET", &targets_, 1, SIZE_MAX,
                "a path or pattern, lines (path:9-17), an exact citation, or an id");
    sources_.Declare(flags);
    flags.Switch("--verify", &verify_,
                 "compare with the source file, and an exact citation with the store");
    flags.Text("--turns", &turns_, "OFFSET:COUNT",
               "turns of a session, as in 10:5; 10: one of them");
    flags.Choice("--role", &role_, {"human", "assistant"},
                 "turns that this one said (with --turns)");
    flags.Switch("--full", &full_turns_, "with --turns: also the tools used and the files touched");
    flags.Choice("--shape", &shape_, SessionShapeNames(), SessionShapeHelp());
    flags.Switch("--raw", &raw_, "the transcript of a session, as it was read, without secrets");
    flags.Switch("--original", &original_,
                 "the bytes of the source file, if it is the one that was added");
    flags.Switch("--use", &use_, "record that it was used, for doc.uses and doc.consolidation");
    flags.Choice("--payload", &payload_, {"lean", "full"},
                 "lean: without what only maintenance needs; full (default): every byte");
    flags.Text("--snapshot", &snapshot_, "TOKEN", "read the store as of this commit");
    results_.Declare(flags, globals, {.lean_fields = kLeanGetFields});
    globals_ = &globals;
  }

  Status Check(const GlobalFlags& globals) override {
    RECALL_TRY(results_.Check(globals));
    RECALL_TRY(CheckTurns());
    RECALL_TRY(CheckShape(globals));
    RECALL_TRY(sources_.Check(snapshot_.value_or("")));
    const bool narrow = payload_ == kFullPayload && globals.lean;
    if (payload_.empty() || !(results_.named() || narrow)) return {};
    return Status::InvalidArgument("--payload " + payload_ + " and " +
                                   (narrow ? "--lean" : "--fields") + " cannot be combined");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const GetRequest request = {.target = {},
                                .verify = verify_,
                                .secret_settings = context.config.secret_settings,
                                .cite = results_.cite(),
                                .snapshot = snapshot_.value_or(""),
                                .computed_fields = results_.computed(),
                                .turns = wanted_turns_,
                                .transcript = raw_,
                                .original = original_,
                                .check = sources_.CheckFor(context),
                                .extract = {.program = context.program}};
    RECALL_TRY(sources_.Refresh(context));
    RECALL_TRY(ExpandPatterns(*context.database));
    RECALL_TRY(CheckShape(context.flags));
    RECALL_ASSIGN(auto answers, context.database->GetAll(targets_, request));
    std::vector<Item> items;
    for (size_t i = 0; i < answers.size(); ++i) {
      Result<GetResponse>& found = answers[i];
      if (!found && targets_.size() == 1) return Fail(ErrorOf(found.error(), targets_[i]));
      Item item{targets_[i], std::nullopt, std::nullopt};
      if (found) {
        item.failure = FailureOf(*found);
        item.found = *std::move(found);
      } else {
        item.failure = Failure::FromStatus(ErrorOf(found.error(), targets_[i]));
        if (item.failure->exit() != ExitCode::kAbsent) return Fail(found.error());
      }
      items.push_back(std::move(item));
    }
    if (use_) RecordUses(context, items);
    if (!shape_.empty() && items.front().found->turns) {
      context.out->Write(FormatTurnsShape(*items.front().found, full_turns_));
      return ExitCode::kDone;
    }
    context.json() ? SendJson(context, items) : PrintText(context, items);
    const auto failed =
        std::ranges::find_if(items, [](const Item& item) { return item.failure.has_value(); });
    return failed == items.end() ? ExitCode::kDone : failed->failure->exit();
  }

 private:
  // Replaces each pattern by the documents that it matches, by path. A target that names something
  // by itself stays, as does one that matches nothing: a name or a citation may have brackets.
  Status ExpandPatterns(Database& database) {
    std::vector<std::string> expanded;
    for (std::string& target : targets_) {
      const bool may_be_pattern =
          !target.starts_with('[') && target.find_first_of("*?[{") != target.npos;
      if (!may_be_pattern || database.Get({.target = target, .snapshot = snapshot_.value_or("")})) {
        expanded.push_back(std::move(target));
        continue;
      }
      ListRequest request;
      request.paths = {target};
      request.scope.snapshot = snapshot_.value_or("");
      const auto found = database.List(request);
      if (!found && found.error().code() != StatusCode::kNotFound) return found.error();
      if (!found || found->rows.empty()) {
        expanded.push_back(std::move(target));
        continue;
      }
      for (const auto& row : found->rows) expanded.push_back(row.doc.path);
    }
    targets_ = std::move(expanded);
    return {};
  }

  // Reads --turns, of which --role and --full say more.
  Status CheckTurns() {
    if (!turns_ && role_.empty() && !full_turns_) return Status::Ok();
    if (raw_) {
      return Status::InvalidArgument("--raw cannot be combined with --turns, --role and --full",
                                     "the transcript is printed as it was read");
    }
    GetRequest::Turns wanted;
    wanted.count = kAllTurns;
    if (turns_) {
      const auto bad = [this] {
        return Status::InvalidArgument("--turns must be OFFSET:COUNT, not '" + *turns_ + "'",
                                       "as in --turns 10:5, the turns 10 to 14, or 10: for all "
                                       "from turn 10 on");
      };
      const size_t colon = turns_->find(':');
      const auto offset = ParseCount(std::string_view(*turns_).substr(0, colon));
      if (!offset) return bad();
      wanted.offset = *offset;
      wanted.count = 1;
      if (colon != std::string::npos) {
        const std::string_view text = std::string_view(*turns_).substr(colon + 1);
        const auto count = text.empty() ? kAllTurns : ParseCount(text);
        if (!count) return bad();
        wanted.count = *count;
      }
    }
    if (!role_.empty()) wanted.role = TurnRoleFromName(role_);
    wanted_turns_ = wanted;
    return Status::Ok();
  }

  // A shape is a JSON document of its own, of the turns of one session.
  Status CheckShape(const GlobalFlags& globals) {
    if (shape_.empty()) return {};
    if (!wanted_turns_ || targets_.size() != 1) {
      return Status::InvalidArgument("--shape is for the turns of one session",
                                     "as in recall get SESSION --turns 10:5 --shape " + shape_);
    }
    if (globals.lean || globals.json_lines || results_.named() || !payload_.empty()) {
      return Status::InvalidArgument(
          "--shape cannot be combined with --fields, --payload, --jsonl or --lean");
    }
    globals_->json = true;
    return {};
  }

  static std::optional<int64_t> ParseCount(std::string_view text) {
    if (text.empty() || text.size() > 9) return std::nullopt;
    int64_t count = 0;
    for (const char c : text) {
      if (c < '0' || c > '9') return std::nullopt;
      count = count * 10 + (c - '0');
    }
    return count;
  }

  // A use is a commit of its own. What was asked for is printed even if the use cannot be recorded.
  static void RecordUses(CommandContext& context, const std::vector<Item>& items) {
    UseRequest request;
    request.how = "get";
    for (const Item& item : items) {
      if (item.found) request.targets.push_back(item.found->doc.path);
    }
    if (request.targets.empty()) return;
    OpenOptions options;
    RecordCopies(context, &options);
    auto database = Database::Open(context.store_path, options);
    Status status;
    if (!database) {
      status = database.error();
    } else if (const auto used = (*database)->Use(request); !used) {
      status = used.error();
    }
    if (!status.ok()) {
      context.warnings.push_back("the use was not recorded: " + std::string(status.message()));
    }
  }

  // The failure of the whole answer: the first one, and how many there are.
  static std::optional<Failure> FailureOfAll(const std::vector<Item>& items) {
    std::optional<Failure> first;
    size_t failed = 0;
    for (const Item& item : items) {
      if (!item.failure) continue;
      if (failed++ == 0) first = item.failure;
    }
    if (failed > 1) {
      first->message +=
          " (and " + Plural(static_cast<int64_t>(failed) - 1, "further target") + " failed)";
    }
    return first;
  }

  std::vector<std::string> Remarks(const std::vector<Item>& items) const {
    std::vector<std::string> remarks;
    for (const Item& item : items) {
      if (!item.found) continue;
      if (item.found->verify == VerifyOutcome::kNoFile) {
        remarks.push_back("'" + item.found->doc.path +
                          "' has no source file: it was compared with nothing");
      }
      if (verify_) continue;
      if (auto remark = RemarkOnCitation(*item.found)) remarks.push_back(*std::move(remark));
    }
    return remarks;
  }

  // Text is printed byte for byte, so its marks are warnings unless a citation is above it.
  static std::vector<std::string> StaleWarnings(const std::vector<Item>& items) {
    StaleSources stale;
    for (const Item& item : items) {
      if (item.found) stale.Add(item.found->doc);
    }
    return stale.Warnings();
  }

  bool lean_payload() const { return payload_ == kLeanPayload; }

  void WriteItem(const CommandContext& context, const Item& item, bool several,
                 JsonWriter& json) const {
    if (item.found && item.found->original) {
      WriteOriginal(*item.found, json);
    } else if (item.found && item.found->transcript) {
      WriteTranscript(*item.found, json);
    } else if (item.found && item.found->turns) {
      WriteTurns(*item.found, full_turns_, json);
    } else if (item.found && lean_payload()) {
      if (several || !context.lean()) json.Field("target", item.target);
      WriteLeanFound(*item.found, verify_, results_.cites(), json);
    } else if (item.found && results_.fields()) {
      const ResultForm form = context.lean() ? ResultForm::kLean : ResultForm::kFull;
      results_.fields()->Write(ViewOf(*item.found), form, json);
    } else {
      json.Field("target", item.target);
      if (item.found) WriteFound(*item.found, results_.cite(), json);
    }
    if (!item.failure) return;
    json.Object("error", [&] { WriteFields(*item.failure, json); });
  }

  // One target is the object `get`; several, and lines, are results.
  void SendJson(CommandContext& context, const std::vector<Item>& items) const {
    const JsonItems results = {items.size(), [&](size_t item, JsonWriter& json) {
                                 WriteItem(context, items[item], items.size() > 1, json);
                               }};
    if (context.lean()) {
      return SendLean(context, results, Remarks(items), [&](JsonWriter& json) {
        json.Field("total", static_cast<int64_t>(items.size()));
      });
    }
    JsonResponse response;
    const bool one = items.size() == 1 && context.flags.mode() == OutputMode::kJson;
    if (one) {
      const GetResponse& found = *items[0].found;
      response.own_key = "get";
      response.own = [&](JsonWriter& json) {
        if (found.original) return WriteOriginal(found, json);
        if (found.transcript) return WriteTranscript(found, json);
        if (found.turns) return WriteTurns(found, full_turns_, json);
        if (lean_payload()) return WriteLeanFound(found, verify_, results_.cites(), json);
        results_.fields() ? results_.fields()->Write(ViewOf(found), ResultForm::kFull, json)
                          : WriteFound(found, results_.cite(), json);
      };
    } else {
      response.results = results;
    }
    response.warnings = Remarks(items);
    response.failure = FailureOfAll(items);
    context.Send(std::move(response));
  }

  // What is printed of a document or a part of one.
  std::string TextOf(const GetResponse& found) const {
    return lean_payload() ? LeanTextOf(found, true) : found.chunk.text;
  }

  // The turns of a session; with --full also its files and the command that goes on with it.
  std::string TurnsText(const GetResponse& found) const {
    const std::string turns = FormatTurns(*found.turns);
    const std::string more = full_turns_ ? FormatFilesAndResume(found.doc) : "";
    return turns + (turns.empty() || more.empty() ? "" : "\n") + more;
  }

  // The line above the text of a target.
  std::string HeadOf(const GetResponse& found) const {
    if (results_.cite()) return EscapeLine(CitationOf(found));
    return EscapeLine(found.doc.path + ":" + std::to_string(found.chunk.start_line) + "-" +
                      std::to_string(found.chunk.end_line) + PlaceText(found.chunk));
  }

  // Prints the exact bytes, so that `recall get a.md > a.md` restores a file. Several targets, and
  // those with --cite, begin with their citations.
  void PrintText(CommandContext& context, const std::vector<Item>& items) const {
    const bool headed = items.size() > 1 || results_.cite();
    PassageFence fence;
    for (const Item& item : items) {
      if (headed && item.found) fence.Cover(TextOf(*item.found));
    }
    context.PrintWarnings(Remarks(items));
    if (!headed && !verify_) context.PrintWarnings(StaleWarnings(items));
    bool first = true;
    for (const Item& item : items) {
      if (!item.found) continue;
      const GetResponse& found = *item.found;
      if (found.transcript) {
        Print(context, *found.transcript, false);
        continue;
      }
      if (found.original) {
        context.out->Write(*found.original);
        continue;
      }
      if (found.turns) {
        Print(context, TurnsText(found), true);
        continue;
      }
      if (results_.fields() && !lean_payload()) {
        Print(context, results_.fields()->Row(ViewOf(found)), false);
        continue;
      }
      const std::string text = TextOf(found);
      if (headed) {
        context.out->Write((first ? "[" : "\n[") + HeadOf(found) + "]" +
                           SourceMark(found.doc, context.out_style) + "\n" + fence.Opening());
      }
      Print(context, text, headed);
      if (headed && !fence.Opening().empty()) context.out->Write(fence.Opening());
      first = false;
    }
    for (const Item& item : items) {
      if (!item.failure) continue;
      PrintFailure(*item.failure, OutputMode::kText, context.error_style, {}, context.out);
    }
  }

  static void Print(CommandContext& context, const std::string& text, bool ends_line) {
    const bool escape = context.out_style.escape;
    context.out->Write(escape ? EscapeControls(text) : text);
    if ((escape || ends_line) && !text.empty() && !text.ends_with('\n')) context.out->Write("\n");
  }

  std::vector<std::string> targets_;
  bool verify_ = false;
  bool use_ = false;
  std::optional<std::string> turns_;
  std::string role_;
  bool full_turns_ = false;
  std::optional<GetRequest::Turns> wanted_turns_;
  bool raw_ = false;
  bool original_ = false;
  std::string payload_;
  std::string shape_;
  std::optional<std::string> snapshot_;
  ResultFlags results_;
  GlobalFlags* globals_ = nullptr;
  SourceFlags sources_;
};

}  // namespace

const CommandInfo kGetCommand = {
    "get",
    "[OPTIONS] TARGET...",
    "print documents, chunks or lines from the store; check citations",
    "  recall get docs/guide.md             the whole document, byte for byte\n"
    "  recall get docs/guide.md:120-139     lines, as search and context print them\n"
    "  recall get docs/a.md:7-9 docs/b.md:3 several at once, each with its citation\n"
    "  recall get --cite docs/guide.md:120-139\n"
    "                                       with an exact citation: path@hash:120-139\n"
    "  recall get report.pdf@p12            page 12; also deck.pptx@slide7, "
    "costs.xlsx@Sheet1!B4:F9\n"
    "  recall get --verify docs/guide.md    is the source file still the same?\n",
    "Targets: path; path:9-17, path:9 or path:9- in lines, with or without the brackets of a\n"
    "citation; path:9:17 for 17 lines from line 9; an id, or at least 12 digits of it, or id: and\n"
    "4 digits. Text is read from the store, even if the source file no longer exists.\n"
    "\n"
    "An exact citation path@hash:9-17 always gives the text that was cited: if the document has\n"
    "changed, from its new place or from an older version. A warning says where the text is now.\n"
    "The exit code is 1 if the store has it no more: citation_changed, or citation_gone if the\n"
    "document is gone, too. With --verify it is 1 if citation, store and source file differ.\n",
    [] { return std::unique_ptr<Command>(new GetCommand); }};

}  // namespace recall
