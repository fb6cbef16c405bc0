#include "tests/fault/fault_rig.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "storage/base/checksum.h"
#include "storage/base/ids.h"
#include "storage/schema/schema.h"
#include "tests/fault/child_process.h"
#include "tests/fault/plain_sql.h"
#include "tests/fault/store_check.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

// The power fails after the run has ended with success.
constexpr int kCutAfterSuccess = kPowerCutExit + 1;
constexpr const char* kSuffixes[] = {"", "-wal", "-shm", "-journal", ".old"};
// Characters that no description contains:
constexpr char kSeparator = '\1';  // between states
constexpr char kRemains = '\2';    // between what users can see and what they cannot
// Part of the description of every store with a history.
const std::string kFormat = "format " + std::to_string(SchemaVersion());
constexpr const char* kAbsent = "there is no store";

bool IsCleanFailure(StatusCode code) {
  return code == StatusCode::kIoError || code == StatusCode::kNotEnoughMemory;
}

Status UseJournal(const std::string& store, const std::string& journal) {
  RECALL_ASSIGN(PlainSql sql, PlainSql::OpenSealing(store));
  RECALL_ASSIGN(const std::string mode, sql.Value("PRAGMA journal_mode=" + journal));
  return mode == journal ? Status() : Status::Internal("the journal is " + mode);
}

std::string ReadBytes(const std::string& path) {
  std::string bytes(fs::file_size(path), '\0');
  std::ifstream(path, std::ios::binary)
      .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

// The first difference of two descriptions.
std::string FirstDifference(const std::string& a, const std::string& b) {
  size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  const size_t from = at < 60 ? 0 : at - 60;
  return "..." + a.substr(from, 160) + "... instead of ..." + b.substr(from, 160) + "...";
}

// What users can see of a state.
std::string Contents(const std::string& state) { return state.substr(0, state.find(kRemains)); }

}  // namespace

FaultRig::FaultRig(Scenario scenario, std::string journal)
    : scenario_(std::move(scenario)), journal_(std::move(journal)), place_{dir_.path()} {
  ::setenv("SQLITE_TMPDIR", temporary_.path().c_str(), 1);  // for the child processes
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
  for (const char* suffix : kSuffixes) {
    const std::string path = place_.store() + suffix;
    if (fs::exists(path)) saved_[suffix] = ReadBytes(path);
  }
  Restore();
  if (scenario_.keeps_history && !scenario_.crashes) {
    old_token_ = RunInChild([&] { return PresentToken(place_.store()).value_or("?"); }).output;
  }
  Restore();
  const Aftermath after = Inspect();
  old_state_ = after.state;
  new_state_ = after.last;
  states_ = {old_state_, new_state_};
  if (fs::exists(place_.store())) RecordCommits();
  if (!after.again.empty()) broken_ = "run: " + after.again;
  if (scenario_.steps) RecordSteps();
  for (const std::string& state : states_) {
    if (state.starts_with("fault: ")) broken_ = state;
  }
}

void FaultRig::RecordSteps() {
  Restore();
  const ChildOutcome trained = RunInChild([&] {
    std::string states;
    const Status status = scenario_.steps(place_, [&] { states += Look() + kSeparator; });
    return states + (status.ok() ? new_state_ : "fault: " + status.ToString());
  });
  std::istringstream states(trained.output);
  for (std::string state; std::getline(states, state, kSeparator);) states_.insert(state);
  std::set<std::string> contents;
  for (const std::string& state : states_) contents.insert(Contents(state));
  // The other steps change only what users cannot see.
  if (contents.size() > 1 + scenario_.changes) broken_ = "a step changes what a user can tell";
  if (states_.size() < 4) broken_ = "there are no steps";
}

void FaultRig::Restore() {
  const bool restored = std::exchange(pristine_, false);
  if (restored) return;
  for (const auto& entry : fs::directory_iterator(place_.directory)) {
    if (entry.path().filename().string().starts_with("recall.db")) fs::remove(entry.path());
  }
  for (const auto& [suffix, bytes] : saved_) {
    std::ofstream(place_.store() + suffix, std::ios::binary) << bytes;
  }
}

bool FaultRig::IsUntouched() const {
  for (const char* suffix : kSuffixes) {
    const auto saved = saved_.find(suffix);
    const std::string now = place_.store() + suffix;
    if ((saved != saved_.end()) != fs::exists(now)) return false;
    if (saved != saved_.end() && ReadBytes(now) != saved->second) return false;
  }
  return true;
}

std::string FaultRig::Look() const {
  if (!fs::exists(place_.store())) return kAbsent;
  const auto problem = [](const Status& status) { return "fault: " + status.ToString(); };
  std::string format;
  {
    auto sql = PlainSql::Open(place_.store());
    const auto id = sql ? sql->Value("PRAGMA application_id") : Fail(sql.error());
    if (!id) return problem(id.error());
    const auto rows = sql->Value("SELECT count(*) FROM sqlite_schema");
    if (!rows) return problem(rows.error());
    // A store of an older program is described by its bytes.
    auto version = sql->Value("PRAGMA user_version");
    if (!version) return problem(version.error());
    format = "format " + *version;
    if (*id == "0") return "old store " + ToHex(Sha256(ReadBytes(place_.store())));
  }
  const StoreCheckReport report = CheckStore(place_.store());
  const bool expected = scenario_.repairs && report.faults == report.note_faults;
  if (!report.faults.empty() && !expected) return "fault: " + JoinFaults(report.faults);
  auto description = DescribeStore(place_.store());
  if (!description) return problem(description.error());
  *description += format;
  const std::string kept = place_.store() + ".old";
  if (fs::exists(kept)) *description += "kept " + ToHex(Sha256(ReadBytes(kept)));
  if (!scenario_.steps) return *description;
  const auto remains = DescribeRemains(place_.store());
  return remains ? *description + kRemains + *remains : problem(remains.error());
}

// A store trains its model, and records the words of its chunks, in commits of their own, after the
// commit that added the texts.
void FaultRig::RecordCommits() {
  constexpr int kMostCommits = 4;
  const ChildOutcome looked = RunInChild([&] {
    const std::string token = PresentToken(place_.store()).value_or("");
    const size_t digits = token.find('-') + 1;
    const long last = digits == 0 ? 0 : std::strtol(token.c_str() + digits, nullptr, 10);
    std::string states;
    for (long commit = last - 1; commit > std::max(last - kMostCommits, 0L); --commit) {
      const auto past =
          DescribeStore(place_.store(), token.substr(0, digits) + std::to_string(commit));
      if (!past || *past + kFormat == Contents(old_state_)) break;
      states += *past + kFormat + kSeparator;
    }
    return states;
  });
  std::istringstream states(looked.output);
  for (std::string state; std::getline(states, state, kSeparator);) unfinished_.insert(state);
  states_.insert(unfinished_.begin(), unfinished_.end());
}

std::string FaultRig::LookBack() const {
  if (old_token_.empty()) return "";
  const auto past = DescribeStore(place_.store(), old_token_);
  return past ? *past + kFormat : "fault: " + past.error().ToString();
}

std::string FaultRig::FindUnfinished() const {
  for (const auto& entry : fs::directory_iterator(place_.directory)) {
    const std::string name = entry.path().filename().string();
    if (name.find(".new-") != std::string::npos) return name;
  }
  return "";
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
    const std::string last = Look();
    return state + kSeparator + again + kSeparator + last + kSeparator + LookBack();
  });
  if (outcome.exit_code != 0) return {"fault: looking ended with " + Describe(outcome), "", "", ""};
  Aftermath after;
  std::istringstream parts(outcome.output);
  for (std::string* part : {&after.state, &after.again, &after.last, &after.past}) {
    std::getline(parts, *part, kSeparator);
  }
  return after;
}

int64_t FaultRig::Count(FaultKind kind) {
  const auto known = counts_.find(kind);
  if (known != counts_.end()) return known->second;
  Restore();
  const ChildOutcome counted = RunInChild([&] {
    InstallFaultVfs();
    ArmFault({.kind = kind});
    if (scenario_.read) {
      internal::ToStatus(scenario_.read(place_)).IgnoreError();
    } else {
      scenario_.run(place_).IgnoreError();
    }
    std::string counts;
    for (const int64_t count : DisarmFault().counts) counts += std::to_string(count) + " ";
    return counts;
  });
  std::istringstream counts(counted.output);
  for (const FaultKind each : kAllFaultKinds) {
    int64_t count = 0;
    counts >> count;
    // Injecting read faults or power failures changes how SQLite works, so other counts do not
    // apply.
    const bool comparable = kind != FaultKind::kPower && kind != FaultKind::kRead &&
                            each != FaultKind::kPower && each != FaultKind::kRead;
    if (comparable || each == kind) counts_[each] = count;
  }
  return counts_[kind];
}

// Returns: "code message", or "0 " and what was read. Exits the process if the power fails.
std::string FaultRig::RunWith(const FaultPlan& plan) const {
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
}

size_t FaultRig::TrySome(std::span<const FaultPlan> plans, std::string* wrong) {
  Restore();
  const ChildOutcome outcome = RunInChild([&] {
    InstallFaultVfs();
    std::string results;
    for (const FaultPlan& plan : plans) {
      const std::string result = RunWith(plan);
      results += result + kSeparator;
      const bool failed = IsCleanFailure(static_cast<StatusCode>(std::stoi(result)));
      if (!failed || !IsUntouched() || !FindUnfinished().empty()) break;
    }
    return results;
  });
  const bool cut = outcome.exit_code == kPowerCutExit || outcome.exit_code == kCutAfterSuccess;
  if (outcome.exit_code != 0 && !cut) {
    if (plans.size() > 1) return TrySome(plans.first(1), wrong);  // tries them one at a time
    *wrong = "ended with " + Describe(outcome);
    return 1;
  }
  std::istringstream results(outcome.output);
  std::string last;
  size_t tried = cut ? 1 : 0;
  for (std::string result; std::getline(results, result, kSeparator); ++tried) last = result;
  const auto code = cut ? StatusCode::kOk : static_cast<StatusCode>(std::stoi(last));
  *wrong = Judge(cut, outcome.exit_code == kCutAfterSuccess || (!cut && code == StatusCode::kOk),
                 code, last);
  return tried;
}

std::string FaultRig::Try(const FaultPlan& plan) {
  std::string wrong;
  TrySome({&plan, 1}, &wrong);
  return wrong;
}

std::string FaultRig::Judge(bool cut, bool succeeded, StatusCode code, const std::string& result) {
  if (code != StatusCode::kOk && !IsCleanFailure(code)) return "failed with " + result;
  if (scenario_.read && !cut && succeeded && result.substr(2) + kFormat != old_state_) {
    return "read something else: " + FirstDifference(result.substr(2), old_state_);
  }
  const std::string unfinished = cut ? "" : FindUnfinished();
  if (!unfinished.empty()) return "left " + unfinished;
  // Most early failures leave the bytes of the old state, which need no further check.
  if (!cut && !succeeded && IsUntouched()) {
    pristine_ = true;
    return "";
  }
  const Aftermath after = Inspect();
  const std::string& state = after.state;
  if (state.starts_with("fault: ")) return "left a store with a " + state;
  if (!states_.contains(state)) {
    return "left neither the old nor the new state: " + FirstDifference(state, new_state_);
  }
  // A failure of the training is only a warning.
  const bool unfinished_data = unfinished_.contains(state) && state != old_state_;
  if (succeeded && state != new_state_ && !unfinished_data)
    return "reported success, but the store is the old one";
  if (!after.again.empty()) return "cannot be done again: " + after.again;
  if (after.last != new_state_) return "done again: " + FirstDifference(after.last, new_state_);
  const std::string old_contents = Contents(old_state_);
  if (!old_token_.empty() && after.past != old_contents) {
    return "the old state is lost: " + FirstDifference(after.past, old_contents);
  }
  return "";
}

}  // namespace recall
