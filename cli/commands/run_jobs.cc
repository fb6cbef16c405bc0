#include "cli/commands/run_jobs.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <new>
#include <utility>

#include "cli/commands/add_flags.h"
#include "cli/commands/capture_setup.h"
#include "cli/commands/report_failures.h"
#include "cli/options/settings/recorded_settings.h"
#include "cli/run/execution/open_store.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/text_output.h"
#include "cli/show/terminal/signals.h"

namespace recall {
namespace {

// The directory of a store; "" for one on a server.
std::string DirectoryOfStore(const std::string& store) {
  if (IsServerAddress(store)) return "";
  return std::filesystem::path(store).parent_path().string();
}

// Whether a store lies in the home directory itself, where most files have nothing to do with it.
bool IsHome(const std::string& directory) {
  const char* const home = std::getenv("HOME");
  std::error_code error;
  return home != nullptr && std::filesystem::equivalent(directory, home, error);
}

std::map<std::string, int64_t> CountsOf(const AddReport& report) {
  return {{"added", report.added},         {"updated", report.updated},
          {"refreshed", report.refreshed}, {"unchanged", report.unchanged},
          {"skipped", report.skipped},     {"failed", report.failed},
          {"removed", report.removed},     {"chunks", report.chunks}};
}

std::map<std::string, int64_t> CountsOf(const CaptureReport& report) {
  return {{"found", report.found},          {"captured", report.captured},
          {"grown", report.grown},          {"turns", report.turns},
          {"refused", report.with_secrets}, {"failed", static_cast<int64_t>(report.failed.size())}};
}

// "error: page_checksum: a page does not match its checksum (3)"
std::string SentenceOf(const DoctorFinding& finding) {
  return (finding.fixed ? "fixed" : finding.severity) + ": " + finding.code + ": " +
         finding.meaning + (finding.count > 1 ? " (" + std::to_string(finding.count) + ")" : "");
}

}  // namespace

JobOutcome JobRunner::Run(std::string_view name) const {
  Result<JobOutcome> outcome = JobOutcome();
  try {
    outcome = Dispatch(name);
  } catch (const std::bad_alloc&) {
    outcome = Fail(Status::NotEnoughMemory());
  }
  if (outcome) return std::move(*outcome);
  JobOutcome failed;
  failed.failure = FailureToReport(outcome.error());
  return failed;
}

Result<JobOutcome> JobRunner::Dispatch(std::string_view name) const {
  if (name == "add") return Add();
  if (name == "capture") return Capture();
  return name == "compact" ? Compact() : Doctor();
}

Result<std::unique_ptr<Database>> JobRunner::Open() const {
  OpenOptions options = OpenOptionsFor(StoreAccess::kWrite, location_, context_.config);
  options.on_long_wait = [this] { context_.ShowWait(); };
  RECALL_ASSIGN(auto database, Database::Open(location_.path, options));
  if (MayContradictStore(location_.layers)) {
    RECALL_ASSIGN(const StatsReport stats, database->Stats());
    RECALL_TRY(CheckAgainstStore(location_.layers, stats));
  }
  return database;
}

Result<JobOutcome> JobRunner::Add() const {
  RECALL_ASSIGN(const auto database, Open());
  const InterruptDatabase interrupts(database.get());
  RefreshRequest request;
  AddFlags().Apply(context_.config, context_.program, &request.like);
  request.check.on = true;
  request.check.secrets = context_.config.secret_settings;
  request.unattended = true;
  request.below = settings_.known;
  const std::string beside = DirectoryOfStore(location_.path);
  const bool at_home = request.below.empty() && !beside.empty() && IsHome(beside);
  if (request.below.empty() && !beside.empty() && !at_home) request.below = {beside};
  RECALL_ASSIGN(const AddReport report, database->Refresh(request));
  JobOutcome outcome;
  outcome.failure = FailureOfAdd(report, false, settings_.max_skipped);
  outcome.counts = CountsOf(report);
  outcome.warnings = report.warnings;
  for (std::string& skipped : SummarizeSkips(report)) {
    outcome.warnings.push_back(std::move(skipped));
  }
  if (at_home) {
    outcome.warnings.push_back(
        "new files are not looked for in the home directory: --known says where");
  }
  if (beside.empty()) {
    outcome.warnings.push_back("documents of a store on a server are not compared with files");
  }
  return outcome;
}

Result<JobOutcome> JobRunner::Capture() const {
  RECALL_ASSIGN(const auto database, Open());
  const InterruptDatabase interrupts(database.get());
  CaptureRequest request;
  const std::string beside = DirectoryOfStore(location_.path);
  SetUpCapture(context_, beside.empty() ? "." : beside, &request);
  request.all = settings_.all_sessions;
  RECALL_ASSIGN(const CaptureReport report, database->Capture(request));
  JobOutcome outcome;
  outcome.failure = FailureOfCapture(report);
  outcome.counts = CountsOf(report);
  outcome.warnings = WarningsOf(report);
  return outcome;
}

Result<JobOutcome> JobRunner::Compact() const {
  RECALL_ASSIGN(const auto database, Open());
  const InterruptDatabase interrupts(database.get());
  ProgressLine line(!context_.flags.quiet);
  RECALL_ASSIGN(
      const CompactReport report,
      database->Compact({}, [&](const CompactProgress& progress) { line.Update(progress); }));
  JobOutcome outcome;
  outcome.counts = {{"expired_snapshots", report.expired_snapshots},
                    {"purged_docs", report.purged_docs},
                    {"purged_chunks", report.purged_chunks}};
  return outcome;
}

Result<JobOutcome> JobRunner::Doctor() const {
  DoctorRequest request;
  request.path = location_.path;
  request.busy_timeout_ms = context_.busy_timeout_ms();
  request.on_long_wait = [this] { context_.ShowWait(); };
  ProgressLine line(!context_.flags.quiet);
  RECALL_ASSIGN(
      const DoctorReport report,
      Database::Doctor(
          request, [&](const DoctorProgress& progress) { line.Update(progress); }, cancel_));
  JobOutcome outcome;
  outcome.failure = FailureOfDoctor(report);
  outcome.counts = {{"docs", report.docs},
                    {"errors", report.errors},
                    {"warnings", report.warnings},
                    {"notes", report.notes}};
  for (const DoctorFinding& finding : report.findings) {
    if (finding.severity != "note") outcome.warnings.push_back(SentenceOf(finding));
  }
  return outcome;
}

}  // namespace recall
