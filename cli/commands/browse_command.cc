#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/commands/search_flags.h"
#include "cli/run/execution/open_store.h"
#include "cli/show/browse/browser.h"
#include "cli/show/browse/private_file.h"
#include "cli/show/browse/question_history.h"
#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

// The preview has the whole chunk, with the words of the question.
constexpr size_t kPreviewBytes = 65'536;

class BrowseCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("QUERY", &words_, 0, SIZE_MAX, "the question to begin with");
    ranking_.DeclareFilter(flags);
    ranking_.DeclareRetrievers(flags);
    DeclareCues(flags);
    flags.Number("-k,--k", &k_, 1, INT32_MAX, "results of each question (default: 50)");
    flags.AlsoSpelled("-n,--limit");
    flags.Switch("--print", &print_, "Enter prints the chosen or marked citations and ends");
    flags.Switch("--review", &review_, "review what is due, one after the other");
    flags.Switch("--no-history", &no_history_, "neither read nor keep earlier questions");
    ranking_.DeclareRest(flags);
  }

  Status Check(const GlobalFlags& globals) override {
    if (!TerminalScreen::IsBuiltIn()) {
      return Status::Unsupported("this program was built without the terminal view",
                                 "install libncurses-dev and build it again; `recall search` "
                                 "answers without it");
    }
    if (globals.mode() != OutputMode::kText) {
      return Status::InvalidArgument("browse has no JSON", "use `recall search --json`");
    }
    if (review_ && print_) {
      return Status::InvalidArgument("--review and --print exclude each other");
    }
    if (review_ && !words_.empty()) {
      return Status::InvalidArgument("--review takes no QUERY", "use --filter to select documents");
    }
    return ranking_.Read();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    // Errors of the view and the filter of the flags come before all else.
    RECALL_ASSIGN(const AskedView asked, ranking_.Ask(context.config));
    if (!asked.scope.filter.empty()) RECALL_TRY(CheckFilter(asked.scope.filter));
    if (!IsTerminal(STDIN_FILENO) || (!print_ && !IsTerminal(STDOUT_FILENO))) {
      return Fail(Status::IoError("browse needs a terminal",
                                  "`recall search` answers in pipes; --print prints the choice "
                                  "into one"));
    }
    // With --print, standard output may be a pipe.
    std::optional<FileDescriptor> terminal;
    if (!IsTerminal(STDOUT_FILENO)) {
      terminal.emplace(::open("/dev/tty", O_RDWR | O_CLOEXEC));
      if (terminal->get() < 0) return Fail(Status::IoError("browse needs a terminal"));
    }
    RECALL_TRY(CheckLimit(context.config, k_));
    RECALL_ASSIGN(BrowserOptions options,
                  MakeOptions(context, asked, terminal ? terminal->get() : STDOUT_FILENO));
    RECALL_ASSIGN(const BrowserEnd end,
                  Browse(FirstState(options.presets, context.out_style.store_directory), options));
    if (!end.history.ok()) context.warnings.emplace_back(end.history.message());
    context.PrintWarnings();
    for (const std::string& citation : end.cited) context.out->Write(citation + "\n");
    const bool nothing_chosen = print_ && end.cited.empty();
    return end.interrupted || nothing_chosen ? ExitCode::kInterrupted : ExitCode::kDone;
  }

 private:
  // `output`: the descriptor of the terminal.
  Result<BrowserOptions> MakeOptions(CommandContext& context, const AskedView& asked,
                                     int output) const {
    BrowserOptions options;
    options.terminal.output = output;
    options.style = context.out_style;
    options.style.utf8 = true;
    options.terminal.color =
        UseColor(context.flags.color == "never" ? ColorMode::kNever : ColorMode::kAuto, output);
    options.store_directory = context.out_style.store_directory;
    options.presets = Presets(context.config);
    options.rating = RatingFrom(context.config);
    options.saving = SavingFrom(context.config);
    options.snapshot = asked.scope.snapshot;
    options.as_of = asked.scope.as_of;
    options.documents = context.database;
    if (!no_history_) options.history_path = HistoryPath();
    if (const std::string state = StateDirectory(); !state.empty()) {
      options.drafts_directory = state + "/drafts";
    }
    RECALL_ASSIGN(const StoreLocation location, LocateStore(context.locate, &context.warnings));
    const auto open_for = [&](StoreAccess access) -> SearchWorker::Open {
      return [access, location, config = context.config] {
        return Database::Open(location.path, OpenOptionsFor(access, location, config));
      };
    };
    options.open = open_for(StoreAccess::kRead);
    options.open_for_writing = open_for(StoreAccess::kWrite);
    return options;
  }

  BrowseState FirstState(const std::vector<SearchPreset>& presets,
                         const std::string& store_directory) const {
    BrowseState state;
    state.store_name = std::filesystem::path(store_directory).filename().string();
    if (state.store_name.empty()) state.store_name = "this store";
    std::string question;
    for (const std::string& word : words_) question += (question.empty() ? "" : " ") + word;
    state.question = LineOf(question);
    state.applied_filter = ranking_.scope().filter;
    state.views.clear();
    for (const SearchPreset& preset : presets) state.views.push_back(preset.view);
    if (ranking_.view()) {
      const auto found = std::ranges::find(state.views, *ranking_.view());
      state.preset = static_cast<size_t>(found - state.views.begin());
    }
    state.explains = ranking_.explain();
    state.prints = print_;
    state.only_reviews = review_;
    return state;
  }

  // The searches without a view, and with each view.
  std::vector<SearchPreset> Presets(const Config& config) const {
    std::vector<SearchPreset> presets = {PresetOf(config, std::nullopt)};
    for (const View& view : config.views) presets.push_back(PresetOf(config, view.name));
    return presets;
  }

  SearchPreset PresetOf(const Config& config, const std::optional<std::string>& view) const {
    SearchPreset preset{view.value_or(""), SearchRequest()};
    if (const Result<AskedView> asked = ranking_.AskWith(config, view)) {
      SearchRequest request = ranking_.MakeRequest(*asked);
      request.k = static_cast<size_t>(k_);
      request.snippet_bytes = kPreviewBytes;
      request.explain = true;
      preset.like = std::move(request);
    } else {
      preset.like = Fail(asked.error());
    }
    return preset;
  }

  std::vector<std::string> words_;
  RankingFlags ranking_;
  int64_t k_ = 50;
  bool print_ = false;
  bool review_ = false;
  bool no_history_ = false;
};

}  // namespace

const CommandInfo kBrowseCommand = {
    "browse",
    "[OPTIONS] [QUERY...]",
    "search while typing, in the terminal, with a preview",
    "  recall browse\n"
    "  recall browse --filter \"doc.path GLOB 'docs/**'\" release process\n"
    "  recall get \"$(recall browse --print)\"     the lines of the chosen result\n"
    "  recall browse --print | xargs -rd '\\n' recall get    of all that are marked with Tab\n"
    "  recall browse --review                     what is due, one after the other\n",
    "Without a question it shows what is due, and the newest notes, documents and sessions. Type "
    "the\n"
    "question; results and a preview follow. Up and Down choose, Enter opens the document in "
    "$VISUAL\n"
    "or $EDITOR at the line (in the pager if it is no file, or if there is no editor), Tab marks, "
    "F2\n"
    "shows why a result has its rank, F3 edits the filter, F4 shows the links of the document, F5 "
    "asks\n"
    "with the next view, F6 reviews what is due, F7 shows the definitions of a file of source "
    "code, F8\n"
    "edits a note, F9 writes one, Ctrl-R recalls earlier questions, F1 shows all keys, Esc "
    "leaves.\n"
    "Ctrl-G leaves and prints the citations of what is marked, or of the chosen result, as does "
    "Enter\n"
    "with --print; the exit code of --print is 130 if nothing is chosen. Questions are kept in\n"
    "$XDG_STATE_HOME/recall/history (~/.local/state), for their owner alone.\n",
    [] { return std::unique_ptr<Command>(new BrowseCommand); }};

}  // namespace recall
