#include "tests/fault/fault_rig.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "tests/fault/child_process.h"
#include "tests/fault/plain_sql.h"
#include "tests/fault/store_check.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

// The power went when the run had ended with success.
constexpr int kCutAfterSuccess = kPowerCutExit + 1;
constexpr const char* kSuffixes[] = {"", "-wal", "-shm", "-journal"};
constexpr char kSeparator = '\1';  // in no description
constexpr const char* kAbsent = "there is no store";

bool IsCleanFailure(StatusCode code) {
  return code == StatusCode::kIoError || code == StatusCode::kLimitExceeded;
}

Status UseJournal(const std::string& store, const std::string& journal) {
  RECALL_ASSIGN(PlainSql sql, PlainSql::Open(store));
  RECALL_ASSIGN(const std::string mode, sql.Value("PRAGMA journal_mode=" + journal));
  return mode == journal ? Status() : Status::Internal("the journal is " + mode);
}

std::string ReadBytes(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

// Where two descriptions part.
std::string FirstDifference(const std::string& a, const std::string& b) {
  size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  const size_t from = at < 60 ? 0 : at - 60;
  return "..." + a.substr(from, 160) + "... instead of ..." + b.substr(from, 160) + "...";
}

}  // namespace

FaultRig::FaultRig(Scenario scenario, std::string journal)
    : scenario_(std::move(scenario)), journal_(std::move(journal)), place_{dir_.path()} {
  const ChildOutcome prepared = RunInChild([&] {
    InstallFaultVfs();
    Status status = scenario_.prepare(place_);
    if (status.ok() && fs::exists(place_.store())) status = UseJournal(place_.store(), journal_);
    if (status.ok() && scenario_.crashes) status = DieCommitting(place_);
    return status.ToString();
  });
  const bool died = prepared.exit_code == kPowerCutExit || prepared.output.empty();
  if (prepared.signal != 0 || (!died && prepared.output != Status().ToString())) {
    broken_ = "prepare: " + Describe(prepared) + " " + prepared.output;
    return;
  }
  fs::create_directory(dir_ / "saved");
  for (const char* suffix : kSuffixes) {
    if (!fs::exists(place_.store() + suffix)) continue;
    fs::copy(place_.store() + suffix, dir_ / "saved/recall.db" + suffix);
  }
  Restore();
  const Aftermath after = Inspect();
  old_state_ = after.state;
  new_state_ = after.last;
  if (!after.again.empty()) broken_ = "run: " + after.again;
  for (const std::string& state : {old_state_, new_state_}) {
    if (state.starts_with("fault: ")) broken_ = state;
  }
}

void FaultRig::Restore() {
  for (const auto& entry : fs::directory_iterator(place_.directory)) {
    if (entry.path().filename().string().starts_with("recall.db")) fs::remove(entry.path());
  }
  for (const char* suffix : kSuffixes) {
    const std::string saved = dir_ / "saved/recall.db" + suffix;
    if (fs::exists(saved)) fs::copy(saved, place_.store() + suffix);
  }
}

bool FaultRig::IsUntouched() const {
  for (const char* suffix : kSuffixes) {
    const std::string saved = dir_ / "saved/recall.db" + suffix;
    const std::string now = place_.store() + suffix;
    if (fs::exists(saved) != fs::exists(now)) return false;
    if (fs::exists(now) && ReadBytes(saved) != ReadBytes(now)) return false;
  }
  return true;
}

std::string FaultRig::Look() const {
  if (!fs::exists(place_.store())) return kAbsent;
  const StoreCheckReport report = CheckStore(place_.store());
  if (!report.faults.empty()) return "fault: " + JoinFaults(report.faults);
  const auto description = DescribeStore(place_.store());
  return description ? *description : "fault: " + description.error().ToString();
}

std::string FaultRig::RunPlainly() const {
  const Status status =
      scenario_.read ? internal::ToStatus(scenario_.read(place_)) : scenario_.run(place_);
  return status.ok() ? "" : status.ToString();
}

FaultRig::Aftermath FaultRig::Inspect() const {
  const ChildOutcome outcome = RunInChild([&] {
    const std::string state = Look();
    const std::string again = RunPlainly();
    return state + kSeparator + again + kSeparator + Look();
  });
  if (outcome.exit_code != 0) return {"fault: looking ended with " + Describe(outcome), "", ""};
  const size_t first = outcome.output.find(kSeparator);
  const size_t second = outcome.output.find(kSeparator, first + 1);
  return {outcome.output.substr(0, first), outcome.output.substr(first + 1, second - first - 1),
          outcome.output.substr(second + 1)};
}

int64_t FaultRig::Count(FaultKind kind) {
  Restore();
  const ChildOutcome counted = RunInChild([&] {
    InstallFaultVfs();
    ArmFault({.kind = kind});
    if (scenario_.read) {
      internal::ToStatus(scenario_.read(place_)).IgnoreError();
    } else {
      scenario_.run(place_).IgnoreError();
    }
    return std::to_string(DisarmFault().count);
  });
  return counted.output.empty() ? 0 : std::stoll(counted.output);
}

std::string FaultRig::Try(const FaultPlan& plan) {
  Restore();
  // "0 told what", "code message"
  const ChildOutcome outcome = RunInChild([&] {
    InstallFaultVfs();
    ArmFault(plan);
    std::string told;
    Status status;
    if (scenario_.read) {
      auto text = scenario_.read(place_);
      text ? told = *std::move(text) : (status = text.error(), told);
    } else {
      status = scenario_.run(place_);
    }
    if (plan.kind == FaultKind::kPower && status.ok()) CutPower(kCutAfterSuccess);
    DisarmFault();
    return std::to_string(static_cast<int>(status.code())) + " " +
           (status.ok() ? told : status.ToString());
  });
  const bool cut = outcome.exit_code == kPowerCutExit || outcome.exit_code == kCutAfterSuccess;
  if (outcome.exit_code != 0 && !cut) return "ended with " + Describe(outcome);
  const auto code = cut ? StatusCode::kOk : static_cast<StatusCode>(std::stoi(outcome.output));
  const bool succeeded = outcome.exit_code == kCutAfterSuccess || (!cut && code == StatusCode::kOk);
  if (code != StatusCode::kOk && !IsCleanFailure(code)) return "failed with " + outcome.output;
  if (scenario_.read && !cut && succeeded && outcome.output.substr(2) != old_state_) {
    return "read something else: " + FirstDifference(outcome.output.substr(2), old_state_);
  }

  // The very bytes of the old state need no second look; most early failures leave them.
  if (!cut && !succeeded && IsUntouched()) return "";
  const Aftermath after = Inspect();
  const std::string& state = after.state;
  if (state.starts_with("fault: ")) return "left a store with a " + state;
  if (state != old_state_ && state != new_state_) {
    return "left neither the old nor the new state: " + FirstDifference(state, new_state_);
  }
  if (succeeded && state != new_state_) return "reported success, but the store is the old one";
  if (!after.again.empty()) return "cannot be done again: " + after.again;
  if (after.last != new_state_) return "done again: " + FirstDifference(after.last, new_state_);
  return "";
}

}  // namespace recall
