#include "cli/commands/install_output.h"

#include <algorithm>

#include "cli/setup/install/text_diff.h"
#include "cli/show/output/response.h"

namespace recall {
namespace {

std::string_view NameOfState(EntryState state) {
  switch (state) {
    case EntryState::kAbsent:
      return "absent";
    case EntryState::kInstalled:
      return "installed";
    case EntryState::kOther:
      return "other";
  }
  return "";
}

std::string_view NameOfAction(InstallAction action) {
  switch (action) {
    case InstallAction::kNone:
      return "none";
    case InstallAction::kAdd:
      return "add";
    case InstallAction::kReplace:
      return "replace";
    case InstallAction::kRemove:
      return "remove";
  }
  return "";
}

// Whether a hook of the repository has lines of recall. Requires: a plan to take them away.
bool IsInstalled(const GitInstallPlan& plan) {
  return std::any_of(plan.edits.begin(), plan.edits.end(), [](const GitFileEdit& edit) {
    return edit.installed && edit.name != "exclude";
  });
}

void WriteFields(const InstallItem& item, bool dry_run, bool list, JsonWriter& json) {
  const InstallPlan& plan = item.plan;
  json.Field("client", plan.client->name);
  json.Field("part", NameOfPart(plan.part));
  json.Field("scope", plan.scope == InstallScope::kUser ? "user" : "project");
  json.FieldOrNull("file", plan.file);
  json.Field("found", plan.found);
  json.Field("entry", item.problem.empty() ? NameOfState(plan.state) : "unreadable");
  if (!item.problem.empty()) json.Field("problem", item.problem);
  if (list) return;
  json.Field("action", NameOfAction(plan.action));
  if (!item.command.empty()) json.Field("command", item.command);
  json.FieldOrNull("backup", plan.backup);
  if (dry_run) json.Field("diff", UnifiedDiff(plan.file, plan.before, plan.after));
}

void WriteGit(const GitInstallPlan& plan, bool dry_run, bool list, JsonWriter& json) {
  json.Key("git");
  json.BeginObject();
  json.Field("repository", plan.repository.root);
  json.Field("hooks_directory", plan.hooks_directory);
  if (list) json.Field("installed", IsInstalled(plan));
  json.Objects("files", plan.edits, [&](const GitFileEdit& edit) {
    json.Field("name", edit.name);
    json.Field("file", edit.file);
    json.Field("installed", edit.installed);
    json.Field("action", NameOfAction(list ? InstallAction::kNone : edit.action));
    if (dry_run) json.Field("diff", UnifiedDiff(edit.file, edit.before, edit.after));
  });
  json.EndObject();
}

std::string Padded(std::string_view text, size_t width) {
  return std::string(text) + std::string(width - std::min(width, text.size()), ' ');
}

// What a part is called in a sentence.
struct PartWords {
  std::string_view added;    // "Added ... to Codex"
  std::string_view present;  // "Codex has ... already"
  std::string_view absent;   // "Codex has no ..."
};

PartWords WordsOfPart(InstallPart part) {
  switch (part) {
    case InstallPart::kServer:
      return {"recall", "the entry", "entry for recall"};
    case InstallPart::kHooks:
      return {"hooks of recall", "the hooks", "hooks of recall"};
    case InstallPart::kSkill:
      return {"the skill of recall", "the skill", "skill of recall"};
  }
  return {};
}

// One line about what was done or would be done.
std::string SentenceOf(const InstallPlan& plan, bool dry_run) {
  const auto [added, present, absent] = WordsOfPart(plan.part);
  const std::string title(plan.client->title);
  const std::string file = ": " + EscapeLine(plan.file) + "\n";
  const std::string what(added);
  if (plan.shared) return title + " shares the text with another assistant, so it stays" + file;
  switch (plan.action) {
    case InstallAction::kNone:
      return title + " has " +
             (plan.state == EntryState::kAbsent ? "no " + std::string(absent)
                                                : std::string(present) + " already") +
             file;
    case InstallAction::kAdd:
      return (dry_run ? "Would add " : "Added ") + what + " to " + title + file;
    case InstallAction::kReplace:
      return (dry_run ? "Would replace " : "Replaced ") + std::string(present) + " of " + title +
             file;
    case InstallAction::kRemove:
      return (dry_run ? "Would remove " : "Removed ") + what + " from " + title + file;
  }
  return "";
}

std::string SentenceOf(const GitFileEdit& edit, bool dry_run) {
  const std::string what = edit.name == "exclude" ? "list of excluded files" : edit.name + " hook";
  const std::string file = ": " + EscapeLine(edit.file) + "\n";
  switch (edit.action) {
    case InstallAction::kNone:
      return "The " + what +
             (edit.installed ? " has the lines already" : " has no lines of recall") + file;
    case InstallAction::kAdd:
      return (dry_run ? "Would add lines to the " : "Added lines to the ") + what + file;
    case InstallAction::kReplace:
      return (dry_run ? "Would replace the lines of the " : "Replaced the lines of the ") + what +
             file;
    case InstallAction::kRemove:
      return (dry_run ? "Would remove the lines of the " : "Removed the lines of the ") + what +
             file;
  }
  return "";
}

}  // namespace

std::string ProblemText(const Status& error) {
  std::string text(error.message());
  if (const TextPosition* at = error.position()) {
    text += " (line " + std::to_string(at->line) + ", column " + std::to_string(at->column) + ")";
  }
  return text;
}

void SendItems(CommandContext& context, std::string_view key, const std::vector<InstallItem>& items,
               const std::optional<GitInstallPlan>& git, bool dry_run, bool list) {
  JsonResponse response;
  response.own_key = key;
  response.own = [&](JsonWriter& json) {
    json.Field("dry_run", dry_run);
    json.Objects("clients", items,
                 [&](const InstallItem& item) { WriteFields(item, dry_run, list, json); });
    if (git) WriteGit(*git, dry_run, list, json);
  };
  context.Send(std::move(response));
}

void PrintItems(CommandContext& context, const std::vector<InstallItem>& items, bool dry_run) {
  context.PrintWarnings();
  if (context.flags.quiet && !dry_run) return;
  for (const auto& [plan, command, problem] : items) {
    context.out->Write(SentenceOf(plan, dry_run));
    if (dry_run) {
      const std::string diff = UnifiedDiff(plan.file, plan.before, plan.after);
      context.out->Write(context.out_style.escape ? EscapeControls(diff) : diff);
    } else if (plan.action != InstallAction::kNone && !plan.backup.empty()) {
      context.out->Write("  the file as it was: " + EscapeLine(plan.backup) + "\n");
    }
    const bool changed =
        !dry_run && plan.action != InstallAction::kNone && plan.part == InstallPart::kServer;
    if (changed) context.Remark("Start " + std::string(plan.client->title) + " again.");
  }
}

void PrintGit(CommandContext& context, const GitInstallPlan& plan, bool dry_run) {
  if (context.flags.quiet && !dry_run) return;
  if (plan.edits.empty()) {
    context.out->Write("The hooks of " + EscapeLine(plan.repository.root) +
                       " have no lines of recall\n");
  }
  for (const GitFileEdit& edit : plan.edits) {
    context.out->Write(SentenceOf(edit, dry_run));
    if (!dry_run) continue;
    const std::string diff = UnifiedDiff(edit.file, edit.before, edit.after);
    context.out->Write(context.out_style.escape ? EscapeControls(diff) : diff);
  }
}

void PrintInstalled(CommandContext& context, const std::vector<InstallItem>& items,
                    const std::optional<GitInstallPlan>& git) {
  context.PrintWarnings();
  for (const auto& [plan, command, problem] : items) {
    const std::string_view state = !problem.empty()                    ? "unreadable"
                                   : plan.state != EntryState::kAbsent ? NameOfState(plan.state)
                                   : plan.found                        ? "no entry"
                                                                       : "not found";
    const bool server = plan.part == InstallPart::kServer;
    const std::string name =
        server ? std::string(plan.client->name) : "  " + std::string(NameOfPart(plan.part));
    context.out->Write(Padded(name, 16) + Padded(state, 14) +
                       EscapeLine(problem.empty() ? plan.file : problem) + "\n");
  }
  const std::string_view state = git && IsInstalled(*git) ? "installed" : "no entry";
  context.out->Write(
      Padded("git", 16) +
      (git ? Padded(state, 14) + EscapeLine(git->hooks_directory) : std::string("not found")) +
      "\n");
}

}  // namespace recall
