#include <unistd.h>

#include <algorithm>

#include "cli/commands/add_flags.h"
#include "cli/commands/commands.h"
#include "cli/commands/watch_events.h"
#include "cli/setup/watch/watcher.h"
#include "cli/show/output/add_json.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/text_output.h"
#include "cli/show/terminal/signals.h"
#include "storage/base/own_process.h"

namespace recall {
namespace {

// "added 2, updated 1, removed 1 (3 files)"; "" if nothing was changed.
std::string BatchText(const AddReport& report) {
  std::string text;
  const auto part = [&text](const char* verb, int64_t count) {
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + std::string(verb) + " " + std::to_string(count);
  };
  part("added", report.added);
  part("updated", report.updated);
  part("refreshed", report.refreshed);
  part("removed", report.removed);
  const int64_t written = report.added + report.updated + report.refreshed;
  return written > 0 ? text + " (" + Plural(written, "file") + ")" : text;
}

// The files that standard output and standard error are redirected to: a log in a watched directory
// must not be a reason to write to it.
std::vector<std::string> OutputFiles() {
  std::vector<std::string> files;
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    std::string file = FileOfDescriptor(stream);
    if (!file.empty()) files.push_back(std::move(file));
  }
  return files;
}

class WatchCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kWrite; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("PATH", &request_.paths, 0, SIZE_MAX, "files and directories (default: .)");
    file_flags_.DeclareDocuments(flags, &request_);
    flags.Duration("--poll", &poll_nanos_,
                   "how often directories without events are listed (default: 60s)");
    flags.Switch("--poll-only", &poll_only_,
                 "list all directories, where the file system reports no events");
    DeclareSecrets(flags);
    file_flags_.DeclareFiles(flags, &request_);
  }

  Status Check(const GlobalFlags&) override {
    if (!poll_nanos_ || *poll_nanos_ >= 1'000'000'000) return {};
    return Status::InvalidArgument("--poll needs at least 1s", "for example: --poll 10s");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    if (request_.paths.empty()) request_.paths = {"."};
    file_flags_.Apply(context.config, context.program, &request_);
    WatchOptions options;
    options.add = request_;
    options.poll_only = poll_only_;
    if (poll_nanos_) options.poll_micros = *poll_nanos_ / 1000;
    options.own_files = OutputFiles();

    const auto ended = [&](Watcher* watcher) {
      if (!context.out->Flush().ok() || context.out->broken()) watcher->Stop();
    };
    Watcher* running = nullptr;
    std::optional<ProgressLine> line;
    line.emplace(!context.flags.quiet, "files");
    WatchObserver observer;
    observer.on_progress = [&](const AddProgress& progress) {
      if (line) line->Update(progress);
    };
    observer.on_ready = [&](int64_t directories, int64_t polled) {
      line.reset();
      ShowWatchReady(context, directories, polled);
      ended(running);
    };
    observer.on_batch = [&](const AddReport& report) {
      line.reset();
      ShowBatch(context, report);
      ended(running);
    };
    observer.on_problem = [&](const std::string& problem) {
      line.reset();
      ShowWatchProblem(context, problem);
      ended(running);
    };
    RECALL_ASSIGN(const auto watcher,
                  Watcher::Make(context.database, std::move(options), std::move(observer)));
    running = watcher.get();
    const InterruptWake wake(watcher->stop_descriptor());
    if (WasInterrupted()) return ExitCode::kDone;
    RECALL_TRY(watcher->Run());
    return ExitCode::kDone;
  }

 private:
  static void ShowBatch(CommandContext& context, const AddReport& report) {
    if (context.json()) {
      SendWatchEvent(context, "batch", report.warnings,
                     [&](JsonWriter& json) { WriteFields(report, json); });
      return;
    }
    context.PrintWarnings(report.warnings);
    context.warnings.clear();
    const std::string text = BatchText(report);
    if (!text.empty()) PrintWatchLine(context, text);
  }

  AddRequest request_;
  AddFlags file_flags_;
  std::optional<int64_t> poll_nanos_;
  bool poll_only_ = false;
};

}  // namespace

const CommandInfo kWatchCommand = {
    "watch",
    "[OPTIONS] [PATH...]",
    "add files and directories, and keep the store up to date with them",
    "  recall watch                             everything under this directory, until Ctrl-C\n"
    "  recall watch docs src --ignore '*.min.js' --poll 10s\n"
    "  recall watch docs --glob '*.md' --json\n",
    "Begins like `add --sync`. Then it waits for changes, and adds what is saved, moved and "
    "deleted\n"
    "after a moment without changes, or after two seconds of constant ones. The same files are "
    "taken as\n"
    "by `add`. A directory that is named and disappears keeps its documents until it is back.\n"
    "Directories of network file systems, and those that the system allows no watch for, are "
    "listed\n"
    "every --poll instead. A file of several writes may be found half written before it is found\n"
    "whole. Ctrl-C or SIGTERM ends it with exit code 0; what was not committed then is added by "
    "the\n"
    "next run.\n",
    [] { return std::unique_ptr<Command>(new WatchCommand); }};

}  // namespace recall
