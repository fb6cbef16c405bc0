#include "cli/commands/commands.h"
#include "cli/options/settings/absolute_path.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "cli/show/terminal/signals.h"

namespace recall {
namespace {

class BackupCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kPath; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("FILE", &file_, 1, 1, "the copy to write");
    flags.Switch("--force", &request_.force, "replace an existing file");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    request_.path = context.store_path;
    request_.busy_timeout_ms = context.busy_timeout_ms();
    if (IsServerAddress(file_[0])) {
      request_.to = file_[0];
    } else if (!file_[0].empty()) {
      RECALL_ASSIGN(request_.to, AbsolutePath(file_[0]));
    }
    RECALL_ASSIGN(const BackupReport report, Copy(context));
    if (context.json()) {
      JsonResponse response;
      response.own_key = "backup";
      response.own = [&](JsonWriter& json) {
        json.Field("from", context.store_path);
        json.Field("to", report.to);
        json.Field("bytes", report.bytes);
        json.FieldOrNull("snapshot", report.snapshot);
      };
      context.Send(std::move(response));
      return ExitCode::kDone;
    }
    context.PrintWarnings();
    if (!context.flags.quiet) context.out->Write(ReportText(context, report));
    return ExitCode::kDone;
  }

 private:
  Result<BackupReport> Copy(CommandContext& context) const {
    const InterruptFlag interrupted;
    ProgressLine line(!context.flags.quiet);
    return Database::Backup(
        request_, [&](std::string_view doing) { line.Say(doing); },
        context.cancelled != nullptr ? context.cancelled : interrupted.get());
  }

  static std::string ReportText(const CommandContext& context, const BackupReport& report) {
    const std::string commit = report.snapshot.empty() ? "" : ", snapshot " + report.snapshot;
    const std::string size = context.flags.stable ? "" : ", " + FormatBytes(report.bytes);
    return "copied the store to " + EscapeLine(report.to) + size + commit + "\n";
  }

  BackupRequest request_;
  std::vector<std::string> file_;
};

}  // namespace

const CommandInfo kBackupCommand = {
    "backup",
    "[OPTIONS] FILE",
    "copy the store while it is in use",
    "  recall backup ~/backups/recall.db\n"
    "  recall backup --force /mnt/usb/recall.db    replace the copy of last week\n",
    "The copy contains one commit, even if other processes write meanwhile. It is a complete "
    "store:\n"
    "open it with --store, or use it to replace a damaged one. The file appears only when it is\n"
    "complete and on the disk; a failed or interrupted backup leaves an existing file unchanged.\n"
    "Damage is copied as well; `recall doctor` finds it. An address as FILE, such as\n"
    "postgres://HOST/DATABASE, copies the store to a server, where it must be new.\n",
    [] { return std::unique_ptr<Command>(new BackupCommand); }};

}  // namespace recall
