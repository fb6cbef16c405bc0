// Puts entries into files of other programs, and takes them out again.
//
// The problem: afterwards the file must have the bytes of before, apart from what others changed in
// it meanwhile; and a process that is killed between two writes must leave nothing that the next
// install or uninstall does not understand.
//
// The idea: a record of each entry says which bytes were put in. Entries are taken out in the
// opposite order, so each finds the text that it was put into.
//
// Invariants: a record is written before the file that it speaks of, and removed after it. What the
// records do not name is by somebody else.
//
// Cost: one pass over the file for each of its entries; hooks are six.

#include "cli/setup/install/installer.h"

#include <algorithm>
#include <filesystem>

#include "cli/setup/install/settings_file.h"

namespace recall {
namespace {

std::string ParentDirectory(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

// Names the file in an error about its text.
Status InFile(const std::string& file, const Status& error) {
  return error.WithContext(file).WithHint("correct the file, then try again");
}

Status NotOurs(const InstallPlan& plan, bool recorded, std::string_view force_does) {
  const std::string what = recorded ? " that was changed since `recall install`"
                                    : " that `recall install` did not put there";
  const std::string entry = plan.part == InstallPart::kServer  ? "an entry \"recall\""
                            : plan.part == InstallPart::kHooks ? "a call of `recall hook`"
                                                               : "a text for recall";
  return Status::AlreadyExists(plan.file + ": there is " + entry + what,
                               "--force " + std::string(force_does));
}

// Whether a text that is left holds nothing, or what a file begins with, and the file was made by
// `recall install`.
bool IsLeftOver(const InstallPlan& plan, const std::vector<InstallRecord>& records,
                const std::string& text) {
  const bool empty = HoldsNothing(plan.format, text) || text == plan.seed;
  return empty && std::ranges::any_of(records, &InstallRecord::made_file);
}

// Whether the text is what the file was before `recall install`, so that no copy is needed.
bool IsAsBefore(const InstallPlan& plan, const std::vector<InstallRecord>& records,
                const std::string& text) {
  if (records.empty()) return false;
  if (IsLeftOver(plan, records, text)) return true;
  return std::ranges::count(records, HashOf(text), &InstallRecord::before_hash) > 0;
}

// The record of an entry that was not there. `known`: an older record of the file, or null.
InstallRecord NewRecord(const InstallPlan& plan, const EntryPath& path,
                        const InstallRecord* known) {
  InstallRecord record;
  record.client = plan.client->name;
  record.file = plan.file;
  record.path = path;
  record.before_hash = plan.before ? HashOf(*plan.before) : "";
  record.made_file = !plan.before || (known != nullptr && known->made_file);
  if (known != nullptr) record.made_directories = known->made_directories;
  return record;
}

const InstallRecord* RecordOf(const InstallPlan& plan, const EntryPath& path) {
  const auto found = std::ranges::find(plan.records, path, &InstallRecord::path);
  return found == plan.records.end() ? nullptr : &*found;
}

bool IsRecorded(const InstallRecord* record, const std::string& entry) {
  return record != nullptr && std::ranges::count(record->entries, entry) > 0;
}

// Those of the entries of the part.
void RemoveRecords(const InstallPlan& plan, InstallRecords* records) {
  for (const EntryPath& path : PathsOf(*plan.client, plan.part)) {
    records->Remove(std::string(plan.client->name), plan.file, path);
  }
}

// Directories that hold files of other records still become theirs, so that the last of them
// removes the directories.
void HandOver(const std::vector<std::vector<std::string>>& left, InstallRecords* records) {
  std::error_code ignored;
  for (const std::vector<std::string>& directories : left) {
    for (const std::string& directory : directories) {
      if (!std::filesystem::exists(directory, ignored)) continue;
      const auto inside = std::ranges::find_if(records->records, [&](const InstallRecord& record) {
        return record.file.starts_with(directory + "/");
      });
      if (inside == records->records.end()) continue;
      std::vector<std::string>& made = inside->made_directories;
      if (std::ranges::find(made, directory) == made.end()) made.push_back(directory);
      std::ranges::stable_sort(made, {}, &std::string::size);  // outermost first
    }
  }
}

// The copy of the file from before, if it still is that.
void RemoveBackup(const InstallRecord& record) {
  if (record.backup.empty()) return;
  const Result<std::optional<std::string>> copy = ReadSettings(record.backup);
  if (copy && *copy && HashOf(**copy) == record.before_hash) {
    RemoveSettings(record.backup).IgnoreError();  // a copy that stays does no harm
  }
}

}  // namespace

Result<Installer> Installer::Open(const InstallPlaces& places) {
  const std::string xdg = places.variable("XDG_STATE_HOME");
  if (!xdg.starts_with('/') && places.home.empty()) {
    return Fail(Status::InvalidArgument("HOME is not set", "set it to your home directory"));
  }
  const std::string state = xdg.starts_with('/') ? xdg : places.home + "/.local/state";
  Installer installer;
  installer.places_ = &places;
  RECALL_ASSIGN(installer.records_file_, ResolvedPath(state + "/recall/install.json"));
  RECALL_ASSIGN(const std::optional<std::string> text, ReadSettings(installer.records_file_));
  if (!text || text->empty()) return installer;
  Result<InstallRecords> records = ParseRecords(*text);
  if (!records) return Fail(InFile(installer.records_file_, records.error()));
  installer.records_ = std::move(*records);
  installer.planned_ = installer.records_;
  return installer;
}

// The file of a part and the records of its entries.
Result<InstallPlan> Installer::Locate(const ClientInfo& client, InstallScope scope,
                                      InstallPart part) const {
  InstallPlan plan;
  plan.client = &client;
  plan.scope = scope;
  plan.part = part;
  RECALL_ASSIGN(const PartPlace place, PlaceOf(client, part, scope, *places_));
  plan.format = place.format;
  plan.seed = place.seed;
  std::error_code ignored;
  plan.found = std::filesystem::exists(place.files.directory, ignored);
  // The file that has our entry, else one that exists, else the first.
  const std::string name(client.name);
  int best = -1;
  for (const std::string& candidate : place.files.files) {
    RECALL_ASSIGN(const std::string file, ResolvedPath(candidate));
    const bool exists = std::filesystem::exists(file, ignored);
    const bool recorded = exists && planned_.Find(name, file) != nullptr;
    const int rank = recorded ? 2 : exists ? 1 : 0;
    if (rank <= best) continue;
    best = rank;
    plan.file = file;
  }
  plan.found = plan.found || best > 0;
  for (const EntryPath& path : PathsOf(client, part)) {
    const InstallRecord* const record = planned_.Find(name, plan.file, path);
    if (record != nullptr) plan.records.push_back(*record);
  }
  return plan;
}

Result<InstallPlan> Installer::Survey(const ClientInfo& client, InstallScope scope,
                                      InstallPart part) const {
  RECALL_ASSIGN(InstallPlan plan, Locate(client, scope, part));
  const auto planned = planned_texts_.find(plan.file);
  if (planned != planned_texts_.end()) {
    plan.before = planned->second;
  } else {
    RECALL_ASSIGN(plan.before, ReadSettings(plan.file));
  }
  plan.after = plan.before;
  for (const EntryPath& path : PathsOf(client, part)) {
    const auto entry = FindEntry(plan.format, plan.before.value_or(""), path);
    if (!entry) return Fail(InFile(plan.file, entry.error()));
    if (!*entry || plan.state == EntryState::kOther) continue;
    const InstallRecord* record = RecordOf(plan, path);
    // A file that clients share.
    if (record == nullptr) record = planned_.FindOther(std::string(client.name), plan.file, path);
    plan.state = IsRecorded(record, **entry) ? EntryState::kInstalled : EntryState::kOther;
  }
  return plan;
}

Result<InstallPlan> Installer::PlanInstall(const ClientInfo& client, InstallScope scope,
                                           InstallPart part, const std::vector<PartEntry>& wanted,
                                           bool force) {
  RECALL_ASSIGN(InstallPlan plan, Survey(client, scope, part));
  const std::string text = plan.before.value_or("");
  bool complete = true;
  std::vector<InstallRecord> present;  // what the records say of entries that are there
  for (const auto& [path, entry] : wanted) {
    RECALL_ASSIGN(const auto found, FindEntry(plan.format, text, path));
    const InstallRecord* record = RecordOf(plan, path);
    const bool same = found == CanonicalEntry(entry);
    complete = complete && same;
    // A file that clients share.
    if (record == nullptr) record = planned_.FindOther(std::string(client.name), plan.file, path);
    if (found && !same && !IsRecorded(record, *found) && !force) {
      return Fail(NotOurs(plan, record != nullptr, "replaces it"));
    }
    if (!found || record == nullptr) continue;
    present.push_back(*record);
    present.back().client = client.name;
  }
  plan.records = std::move(present);
  if (complete) {
    plan.state = EntryState::kInstalled;
  } else {
    // What the file would be without our entries.
    std::string base = text;
    for (auto next = wanted.rbegin(); next != wanted.rend(); ++next) {
      const InstallRecord* const record = RecordOf(plan, next->path);
      RECALL_ASSIGN(const auto found, FindEntry(plan.format, base, next->path));
      if (!found || record == nullptr) continue;
      Result<std::string> taken = TakeEntry(plan.format, base, next->path, &record->added);
      if (!taken) return Fail(InFile(plan.file, taken.error()));
      base = std::move(*taken);
    }
    RECALL_TRY(AddEntries(wanted, std::move(base), &plan));
  }
  Expect(plan);
  return plan;
}

// Adds to `base`, which has none of our entries.
Status Installer::AddEntries(const std::vector<PartEntry>& wanted, std::string base,
                             InstallPlan* plan) const {
  const InstallRecord* const known = planned_.Find(std::string(plan->client->name), plan->file);
  // What an earlier plan made needs no copy.
  const bool planned = planned_texts_.contains(plan->file);
  if (plan->before && !planned && !IsAsBefore(*plan, plan->records, base)) {
    plan->backup = BackupName(plan->file, *plan->before);
  }
  std::vector<InstallRecord> records;
  std::string text = plan->before ? std::move(base) : plan->seed;
  for (const auto& [path, entry] : wanted) {
    RECALL_ASSIGN(const auto present, FindEntry(plan->format, text, path));
    const std::string canonical = CanonicalEntry(entry);
    const InstallRecord* const record = RecordOf(*plan, path);
    if (present == canonical && record == nullptr) continue;  // by somebody else, but the same
    Result<SettingsEdit> edit = present ? ReplaceEntry(plan->format, text, path, entry)
                                        : AddEntry(plan->format, text, path, entry);
    if (!edit) return InFile(plan->file, edit.error());
    InstallRecord next = record != nullptr ? *record : NewRecord(*plan, path, known);
    next.entries.push_back(canonical);
    next.added = std::move(edit->added);
    if (next.backup.empty()) next.backup = plan->backup;
    records.push_back(next);
    for (const InstallRecord& other : planned_.records) {
      if (other.file != next.file || other.path != path || other.client == next.client) continue;
      records.push_back(next);
      records.back().client = other.client;
    }
    text = std::move(edit->text);
  }
  const bool adds = plan->state == EntryState::kAbsent;
  plan->action = adds ? InstallAction::kAdd : InstallAction::kReplace;
  plan->after = std::move(text);
  plan->records = std::move(records);
  return {};
}

// The text without the entries of the plan that are ours, or with `force` without all.
Result<std::string> Installer::TakeEntries(const InstallPlan& plan, bool force) const {
  std::string text = plan.before.value_or("");
  const std::vector<EntryPath> paths = PathsOf(*plan.client, plan.part);
  for (auto path = paths.rbegin(); path != paths.rend(); ++path) {
    RECALL_ASSIGN(const auto found, FindEntry(plan.format, text, *path));
    if (!found) continue;
    // Another client reads the same text.
    if (planned_.FindOther(std::string(plan.client->name), plan.file, *path) != nullptr) continue;
    const InstallRecord* const record = RecordOf(plan, *path);
    if (!force && record == nullptr && plan.part != InstallPart::kServer) continue;
    if (!force && !IsRecorded(record, *found)) {
      return Fail(NotOurs(plan, record != nullptr, "removes it"));
    }
    Result<std::string> rest =
        TakeEntry(plan.format, text, *path, record == nullptr ? nullptr : &record->added);
    if (!rest) return Fail(InFile(plan.file, rest.error()));
    text = std::move(*rest);
  }
  return text;
}

Result<InstallPlan> Installer::PlanUninstall(const ClientInfo& client, InstallScope scope,
                                             InstallPart part, bool force) {
  RECALL_ASSIGN(InstallPlan plan, Locate(client, scope, part));
  if (part != InstallPart::kServer && plan.records.empty() && !force) return plan;
  RECALL_ASSIGN(plan, Survey(client, scope, part));
  if (plan.state != EntryState::kAbsent) {
    RECALL_ASSIGN(std::string rest, TakeEntries(plan, force));
    plan.shared = rest == *plan.before && plan.state == EntryState::kInstalled;
    if (rest != *plan.before) {
      plan.action = InstallAction::kRemove;
      const bool planned = planned_texts_.contains(plan.file);
      if (!planned && !IsAsBefore(plan, plan.records, rest)) {
        plan.backup = BackupName(plan.file, *plan.before);
      }
      const bool empty_text = plan.format == SettingsFormat::kText && plan.records.empty();
      plan.after = std::move(rest);
      if (empty_text || IsLeftOver(plan, plan.records, *plan.after)) plan.after.reset();
    }
  }
  plan.forget = !plan.records.empty();
  plan.records.clear();
  Expect(plan);
  return plan;
}

// The next plans see the files and records as if this one had been carried out.
void Installer::Expect(const InstallPlan& plan) {
  if (plan.action != InstallAction::kNone) planned_texts_[plan.file] = plan.after;
  if (plan.forget) RemoveRecords(plan, &planned_);
  for (const InstallRecord& record : plan.records) planned_.Put(record);
}

Status Installer::CarryOut(const InstallPlan& plan) {
  if (plan.action == InstallAction::kNone) {
    if (plan.forget) return Forget(plan);
    InstallRecords records = records_;
    for (const InstallRecord& record : plan.records) {
      if (!records.Find(record.client, record.file, record.path)) records.Put(record);
    }
    return records.records == records_.records ? Status::Ok() : SaveRecords(records);
  }
  RECALL_ASSIGN(const std::optional<std::string> now, ReadSettings(plan.file));
  if (now != plan.before) {
    return Status::Busy(plan.file + ": another program has just changed the file",
                        "run the command again");
  }
  return plan.action == InstallAction::kRemove ? Uninstall(plan) : Install(plan);
}

// The record comes first: if the process ends before the file is written, the record names an entry
// that is not there, which the next install or uninstall notices. Without a record, an entry would
// be taken for that of somebody else.
Status Installer::Install(const InstallPlan& plan) {
  std::vector<InstallRecord> made_records = plan.records;
  RECALL_ASSIGN(const std::vector<std::string> made, MakeDirectories(ParentDirectory(plan.file)));
  std::vector<std::string>& directories = made_records.front().made_directories;
  // Those that were made for another part in the same file.
  const InstallRecord* const known = records_.Find(made_records.front().client, plan.file);
  if (directories.empty() && known != nullptr) directories = known->made_directories;
  directories.insert(directories.end(), made.begin(), made.end());
  const bool new_backup = !plan.backup.empty() && !std::filesystem::exists(plan.backup);
  Status written;
  if (new_backup) written = WriteSettings(plan.backup, *plan.before, plan.file);
  const std::vector<InstallRecord> old_records = records_.records;
  if (written.ok()) {
    InstallRecords records = records_;
    for (const InstallRecord& record : made_records) records.Put(record);
    written = SaveRecords(records);
    if (written.ok()) {
      written = WriteSettings(plan.file, *plan.after, "");
      if (!written.ok()) {
        InstallRecords back = records_;
        back.records = old_records;
        SaveRecords(back).IgnoreError();  // the first error is reported
      }
    }
  }
  if (!written.ok()) {
    if (new_backup) RemoveSettings(plan.backup).IgnoreError();
    RemoveEmptyDirectories(made);
    return written;
  }
  // From now on, only the present entries are ours.
  bool shorter = false;
  InstallRecords records = records_;
  for (InstallRecord& record : made_records) {
    shorter = shorter || record.entries.size() > 1;
    record.entries = {record.entries.back()};
    records.Put(std::move(record));
  }
  // A record that names earlier entries as well does no harm.
  if (shorter) SaveRecords(records).IgnoreError();
  return {};
}

// The file comes first: a record of an entry that is not there does no harm.
Status Installer::Uninstall(const InstallPlan& plan) {
  const bool new_backup = !plan.backup.empty() && !std::filesystem::exists(plan.backup);
  if (new_backup) RECALL_TRY(WriteSettings(plan.backup, *plan.before, plan.file));
  const Status written =
      plan.after ? WriteSettings(plan.file, *plan.after, "") : RemoveSettings(plan.file);
  if (!written.ok() && new_backup) RemoveSettings(plan.backup).IgnoreError();
  RECALL_TRY(written);
  for (const InstallRecord& record : records_.records) {
    if (record.client != plan.client->name || record.file != plan.file) continue;
    if (plan.after && HashOf(*plan.after) == record.before_hash) RemoveBackup(record);
    if (!plan.after) left_directories_.push_back(record.made_directories);
  }
  // Some may have held files that were removed since.
  for (const auto& directories : left_directories_) RemoveEmptyDirectories(directories);
  return Forget(plan);
}

Status Installer::Forget(const InstallPlan& plan) {
  InstallRecords records = records_;
  RemoveRecords(plan, &records);
  HandOver(left_directories_, &records);
  return records.records == records_.records ? Status::Ok() : SaveRecords(records);
}

Status Installer::SaveRecords(const InstallRecords& records) {
  InstallRecords next = records;
  const std::string directory = ParentDirectory(records_file_);
  if (next.records.empty()) {
    RECALL_TRY(RemoveSettings(records_file_));
    RemoveEmptyDirectories(next.made_directories);
    next.made_directories.clear();
  } else {
    RECALL_ASSIGN(const std::vector<std::string> made, MakeDirectories(directory));
    next.made_directories.insert(next.made_directories.end(), made.begin(), made.end());
    const Status written = WritePrivate(records_file_, PrintRecords(next));
    if (!written.ok()) {
      RemoveEmptyDirectories(made);
      return written;
    }
  }
  records_ = std::move(next);
  return {};
}

}  // namespace recall
