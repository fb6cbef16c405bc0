#include <algorithm>
#include <cstdlib>

#include "cli/commands/commands.h"
#include "cli/commands/install_output.h"
#include "cli/options/settings/absolute_path.h"
#include "cli/setup/install/entry_text.h"
#include "cli/setup/install/git_hooks.h"
#include "cli/setup/install/installer.h"
#include "cli/setup/install/program_path.h"
#include "query/rql/rql.h"

namespace recall {
namespace {

std::string InstallVariable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Result<InstallPlaces> PlacesHere() {
  InstallPlaces places;
  places.home = InstallVariable("HOME");
#ifdef __APPLE__
  places.macos = true;
#endif
  places.variable = InstallVariable;
  RECALL_ASSIGN(places.project, AbsolutePath(""));
  return places;
}

// Hooks of git are installed with the entries of assistants, by a word of their own.
constexpr std::string_view kGitWord = "git";

bool NamesGit(const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), kGitWord) != words.end();
}

Result<std::vector<const ClientInfo*>> ClientsNamed(const std::vector<std::string>& words) {
  std::vector<const ClientInfo*> clients;
  for (const std::string& word : words) {
    if (word == kGitWord) continue;
    RECALL_ASSIGN(const ClientInfo* const client, FindClient(word));
    if (std::find(clients.begin(), clients.end(), client) == clients.end()) {
      clients.push_back(client);
    }
  }
  return clients;
}

// What both commands have.
class InstallingCommand : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }

 protected:
  void DeclareWhat(FlagSet& flags, size_t min) {
    flags.Words("WHAT", &what_, min, AllClients().size() + 1, "the assistants, or git");
    std::vector<std::string> names = ClientNames();
    names.emplace_back(kGitWord);
    flags.Suggest(std::move(names));
    flags.Switch("--project", &project_, "the settings of the project in the working directory");
    flags.Switch("--dry-run", &dry_run_, "show what would change, and write nothing");
  }

  InstallScope scope() const { return project_ ? InstallScope::kProject : InstallScope::kUser; }

  // Carries the plans out in their order, and tells of them by client and part. The plans of a
  // client are beside each other.
  Result<ExitCode> Finish(CommandContext& context, Installer& installer, std::string_view key,
                          std::vector<InstallItem> items,
                          const std::optional<GitInstallPlan>& git) const {
    for (const InstallItem& item : items) {
      if (!dry_run_) RECALL_TRY(installer.CarryOut(item.plan));
    }
    for (auto first = items.begin(); first != items.end();) {
      const ClientInfo* const client = first->plan.client;
      const auto last = std::find_if(
          first, items.end(), [&](const InstallItem& item) { return item.plan.client != client; });
      std::ranges::stable_sort(first, last, {},
                               [](const InstallItem& item) { return item.plan.part; });
      first = last;
    }
    if (git && !dry_run_) RECALL_TRY(CarryOut(*git));
    if (git) {
      context.warnings.insert(context.warnings.end(), git->warnings.begin(), git->warnings.end());
    }
    if (context.json()) {
      SendItems(context, key, items, git, dry_run_, false);
      return ExitCode::kDone;
    }
    PrintItems(context, items, dry_run_);
    if (git) PrintGit(context, *git, dry_run_);
    return ExitCode::kDone;
  }

  // Nothing that concerns only the settings of assistants is silently ignored.
  Status CheckGit(bool has_client_flags) const {
    const bool only_git = std::all_of(what_.begin(), what_.end(),
                                      [](const std::string& word) { return word == kGitWord; });
    if (!what_.empty() && only_git && (project_ || force_ || has_client_flags)) {
      return Status::InvalidArgument(
          "--project, --force, --scope, --allow-write, --auto, --hooks and --skill are for "
          "assistants",
          "leave them out for git");
    }
    return {};
  }

  std::vector<std::string> what_;
  bool project_ = false;
  bool dry_run_ = false;
  bool force_ = false;
};

class InstallCommand final : public InstallingCommand {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    DeclareWhat(flags, 0);
    flags.Switch("--force", &force_, "replace an entry that is by somebody else");
    flags.Text("--scope", &scope_filter_, "FILTER", "the assistant sees only these documents");
    flags.Switch("--allow-write", &allow_write_, "the assistant may add and remove documents");
    flags.Switch("--auto", &auto_, "bring the store up to date while the assistant runs");
    flags.Switch("--hooks", &hooks_, "also hooks of the assistant that call `recall hook`");
    flags.Switch("--skill", &skill_, "also a text that says when to recall and when to save");
    flags.Switch("--push", &push_, "git: also a hook that pushes the sessions");
  }

  Status Check(const GlobalFlags&) override {
    const bool for_clients = scope_filter_ || allow_write_ || auto_ || hooks_ || skill_;
    const bool acts = dry_run_ || force_ || for_clients || push_;
    if (what_.empty() && acts) return Status::InvalidArgument("WHAT is missing");
    if (push_ && !NamesGit(what_)) {
      return Status::InvalidArgument("--push is for git", "run `recall install git --push`");
    }
    RECALL_TRY(CheckGit(for_clients));
    if (scope_filter_) RECALL_TRY(ParseFilter(*scope_filter_));
    RECALL_TRY(ClientsNamed(what_));
    return {};
  }

  Result<ExitCode> Run(CommandContext& context) override {
    RECALL_ASSIGN(const InstallPlaces places, PlacesHere());
    RECALL_ASSIGN(Installer installer, Installer::Open(places));
    if (what_.empty()) return List(context, installer, places.project);
    RECALL_ASSIGN(const std::string program, ProgramToStart(InstallVariable("PATH")));
    RECALL_ASSIGN(const std::vector<const ClientInfo*> clients, ClientsNamed(what_));
    std::vector<InstallItem> items;
    for (const ClientInfo* client : clients) {
      RECALL_TRY(PlanClient(context, *client, program, places, &installer, &items));
    }
    std::optional<GitInstallPlan> git;
    if (NamesGit(what_)) {
      RECALL_ASSIGN(git, PlanGit(context, program, places.project));
    }
    return Finish(context, installer, "install", std::move(items), git);
  }

 private:
  // The entry of the server, and what else is wanted.
  Status PlanClient(CommandContext& context, const ClientInfo& client, const std::string& program,
                    const InstallPlaces& places, Installer* installer,
                    std::vector<InstallItem>* items) const {
    RECALL_ASSIGN(const std::string store, StoreFor(context, client, places));
    InstallItem server;
    server.command = Arguments(store);
    RECALL_TRY(CheckUtf8(program, server.command));
    const std::vector<PartEntry> entry = {
        {EntryPathOf(client), EntryOf(client, program, server.command)}};
    server.command.insert(server.command.begin(), program);
    RECALL_ASSIGN(server.plan,
                  installer->PlanInstall(client, scope(), InstallPart::kServer, entry, force_));
    items->push_back(std::move(server));
    const auto add = [&](InstallPart part, const std::vector<PartEntry>& entries) -> Status {
      InstallItem item;
      RECALL_ASSIGN(item.plan, installer->PlanInstall(client, scope(), part, entries, force_));
      items->push_back(std::move(item));
      return {};
    };
    if (hooks_) {
      std::string command = QuotedForShell(program) + " hook";
      if (!store.empty()) command += " --store " + StoreWord(client, store);
      RECALL_TRY(add(InstallPart::kHooks, HookEntriesOf(client, command)));
    }
    if (skill_) RECALL_TRY(add(InstallPart::kSkill, SkillEntriesOf(client)));
    return {};
  }

  // The store as a word of a shell. Hooks run in any directory of the project; a store in it has a
  // relative path. Those of Cursor run in its root.
  static std::string StoreWord(const ClientInfo& client, const std::string& store) {
    const std::string root = std::string(client.project_variable) + "/";
    if (root.size() > 1 && store.starts_with(root))
      return QuotedForShell(store.substr(root.size()));
    const bool relative = !store.starts_with('/') && store.find("://") == store.npos;
    const bool has_variable = client.name == "claude-code";
    return (relative && has_variable ? "\"$CLAUDE_PROJECT_DIR\"/" : "") + QuotedForShell(store);
  }

  Result<GitInstallPlan> PlanGit(CommandContext& context, const std::string& program,
                                 const std::string& directory) const {
    context.warnings.clear();
    RECALL_ASSIGN(const StoreLocation found, LocateStore(context.locate, &context.warnings));
    return PlanGitInstall({directory, program, found.path, !context.locate.store.empty(), push_});
  }

  // The store that the entry names; "" if `recall mcp` is to find it from its working directory.
  Result<std::string> StoreFor(CommandContext& context, const ClientInfo& client,
                               const InstallPlaces& places) const {
    const bool named = project_ ? context.flags.store.has_value() : !context.locate.store.empty();
    const bool in_project = client.project_variable.empty() && client.starts_in_project;
    if (project_ && !named && in_project) return std::string();
    context.warnings.clear();
    const Result<StoreLocation> found = LocateStore(context.locate, &context.warnings);
    if (found) return project_ ? InProject(client, found->path, places.project) : found->path;
    if (named || found.error().code() != StatusCode::kStoreNotFound) return Fail(found.error());
    if (project_ || client.starts_in_project) return std::string();
    return Fail(Status::StoreNotFound("store not found, and " + std::string(client.title) +
                                          " does not start programs in the directory of a project",
                                      "name the store with --store, or run `recall init` first"));
  }

  // A path that is right for everybody who has the project, if the store is in it.
  static std::string InProject(const ClientInfo& client, const std::string& store,
                               const std::string& project) {
    const std::string prefix = project == "/" ? project : project + "/";
    if (!store.starts_with(prefix)) return store;
    const std::string inside = store.substr(prefix.size());
    if (client.project_variable.empty()) return inside;
    return std::string(client.project_variable) + "/" + inside;
  }

  std::vector<std::string> Arguments(const std::string& store) const {
    std::vector<std::string> arguments = {"mcp"};
    if (!store.empty()) arguments.insert(arguments.end(), {"--store", store});
    if (scope_filter_) arguments.insert(arguments.end(), {"--scope", *scope_filter_});
    if (allow_write_) arguments.emplace_back("--allow-write");
    if (auto_) arguments.emplace_back("--auto");
    return arguments;
  }

  // Settings files are UTF-8. A path that is not would name another file.
  static Status CheckUtf8(const std::string& program, const std::vector<std::string>& arguments) {
    constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
    std::vector<std::string> words = arguments;
    words.push_back(program);
    for (const std::string& word : words) {
      const bool replaced = QuotedText(word).find(kReplacement) != std::string::npos;
      if (!replaced || word.find(kReplacement) != word.npos) continue;
      return Status::InvalidArgument("'" + word + "' is not UTF-8, as settings files must be",
                                     "give the file or directory another name");
    }
    return {};
  }

  // The repository around a directory, with the edits that would take the lines of recall away.
  // Nothing outside of git.
  static std::optional<GitInstallPlan> SurveyGit(const std::string& directory) {
    auto plan = PlanGitUninstall(directory);
    return plan ? std::optional(std::move(*plan)) : std::nullopt;
  }

  // Shows all clients and whether they have the entry, and whether the repository has the hooks. A
  // file that cannot be read is shown as such.
  Result<ExitCode> List(CommandContext& context, const Installer& installer,
                        const std::string& project) const {
    std::vector<InstallItem> items;
    for (const ClientInfo& client : AllClients()) {
      if (project_ && !client.has_project_file) continue;
      InstallItem item;
      Result<InstallPlan> plan = installer.Survey(client, scope(), InstallPart::kServer);
      if (plan) {
        item.plan = std::move(*plan);
      } else {
        item.plan.client = &client;
        item.plan.scope = scope();
        item.plan.found = true;
        item.problem = ProblemText(plan.error());
      }
      items.push_back(std::move(item));
      for (const InstallPart part : {InstallPart::kHooks, InstallPart::kSkill}) {
        Result<InstallPlan> other = installer.Survey(client, scope(), part);
        if (!other || other->state == EntryState::kAbsent) continue;
        items.push_back({std::move(*other), {}, ""});
      }
    }
    const std::optional<GitInstallPlan> git = SurveyGit(project);
    if (context.json()) {
      SendItems(context, "install", items, git, false, true);
      return ExitCode::kDone;
    }
    PrintInstalled(context, items, git);
    return ExitCode::kDone;
  }

  std::optional<std::string> scope_filter_;
  bool allow_write_ = false;
  bool auto_ = false;
  bool push_ = false;
  bool hooks_ = false;
  bool skill_ = false;
};

class UninstallCommand final : public InstallingCommand {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    DeclareWhat(flags, 1);
    flags.Switch("--force", &force_, "remove an entry that is by somebody else or was changed");
    flags.Switch("--hooks", &hooks_, "only the hooks; what else is installed stays");
    flags.Switch("--skill", &skill_, "only the skill, or the lines of instructions");
  }

  Status Check(const GlobalFlags&) override {
    RECALL_TRY(CheckGit(hooks_ || skill_));
    if (!takes_all() && NamesGit(what_)) {
      return Status::InvalidArgument("--hooks and --skill are for assistants",
                                     "run `recall uninstall git` by itself");
    }
    RECALL_TRY(ClientsNamed(what_));
    return {};
  }

  Result<ExitCode> Run(CommandContext& context) override {
    RECALL_ASSIGN(const InstallPlaces places, PlacesHere());
    RECALL_ASSIGN(Installer installer, Installer::Open(places));
    RECALL_ASSIGN(const std::vector<const ClientInfo*> clients, ClientsNamed(what_));
    std::vector<InstallItem> items;
    for (const ClientInfo* client : clients) {
      for (const InstallPart part :
           {InstallPart::kSkill, InstallPart::kHooks, InstallPart::kServer}) {
        if (!Takes(part)) continue;
        // Who asks for a part is told that a client has none.
        const bool asked = part == InstallPart::kServer || !takes_all();
        if (!asked && !PlaceOf(*client, part, scope(), places)) continue;
        InstallItem item;
        RECALL_ASSIGN(item.plan, installer.PlanUninstall(*client, scope(), part, force_));
        const bool nothing = item.plan.action == InstallAction::kNone && !item.plan.forget;
        if (asked || !nothing) items.push_back(std::move(item));
      }
    }
    std::optional<GitInstallPlan> git;
    if (NamesGit(what_)) {
      RECALL_ASSIGN(git, PlanGitUninstall(places.project));
    }
    return Finish(context, installer, "uninstall", std::move(items), git);
  }

 private:
  bool takes_all() const { return !hooks_ && !skill_; }

  bool Takes(InstallPart part) const {
    return takes_all() || (part == InstallPart::kHooks && hooks_) ||
           (part == InstallPart::kSkill && skill_);
  }

  bool hooks_ = false;
  bool skill_ = false;
};

}  // namespace

const CommandInfo kInstallCommand = {
    "install",
    "[OPTIONS] [WHAT...]",
    "let an assistant search the store; let git capture sessions",
    "  recall install                  the assistants, and which have the entry\n"
    "  recall install claude-code      for all projects of this user\n"
    "  recall install --project vscode cursor     in files that the project can share\n"
    "  recall install --dry-run codex     show the change\n"
    "  recall install --store notes.db --scope \"doc.tag = 'a'\" claude-desktop\n"
    "  recall install --hooks --skill claude-code     notes are recalled and saved\n"
    "  recall install git              hooks that capture sessions, and follow the files\n",
    "WHAT is claude-code, claude-desktop, cursor, windsurf, vscode, codex, gemini or opencode. "
    "The\n"
    "entry starts `recall mcp`. For the user it names the store that is given or found; without "
    "one,\n"
    "`recall mcp` looks for a store where the assistant runs. With --project the entry is in a "
    "file\n"
    "of the working directory.\n"
    "\n"
    "--hooks adds hooks that call `recall hook`: claude-code, codex, cursor, gemini, and for\n"
    "opencode a plugin that does. --skill adds a skill to claude-code, and with --project lines "
    "to\n"
    "AGENTS.md (codex, cursor, opencode) or GEMINI.md.\n"
    "Hooks and instructions of others stay as they are.\n"
    "\n"
    "git adds lines to hooks of the repository, which run recall in the background: `capture`\n"
    "after a commit, `add --known .` after a checkout of a branch, a merge and a rebase, and with\n"
    "--push `push` before a push. It adds the store to info/exclude of the repository.\n"
    "\n"
    "Only the entry is inserted: all other bytes of the file stay. The file as it was is kept "
    "beside\n"
    "it. Running the command again changes nothing, or replaces the entry by one with other "
    "options.\n"
    "What was written is recorded in ~/.local/state/recall/install.json, so that `recall "
    "uninstall`\n"
    "restores the file to the byte.\n",
    [] { return std::unique_ptr<Command>(new InstallCommand); }};

const CommandInfo kUninstallCommand = {
    "uninstall",
    "[OPTIONS] WHAT...",
    "take out what install put into settings or into hooks of git",
    "  recall uninstall claude-code\n"
    "  recall uninstall --project vscode cursor\n"
    "  recall uninstall --dry-run codex    show the change\n"
    "  recall uninstall --hooks codex      the hooks alone\n"
    "  recall uninstall git                take the lines out of the hooks\n",
    "Exactly what `recall install` wrote is removed, hooks and texts too, or with --hooks and "
    "--skill\n"
    "these alone, with files and directories that it made and that hold nothing else. What others\n"
    "changed in the file meanwhile stays. An entry that was changed since, or that `recall "
    "install`\n"
    "did not write, is removed only with --force.\n",
    [] { return std::unique_ptr<Command>(new UninstallCommand); }};

}  // namespace recall
