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

Status NotOurs(const InstallPlan& plan, const InstallRecord* record, std::string_view force_does) {
  const std::string what = record == nullptr ? " that `recall install` did not put there"
                                             : " that was changed since `recall install`";
  return Status::AlreadyExists(plan.file + ": there is an entry \"recall\"" + what,
                               "--force " + std::string(force_does));
}

// Whether uninstalling leaves nothing in a file that `recall install` made.
bool IsLeftOver(const InstallPlan& plan, const InstallRecord* record, const std::string& text) {
  return record != nullptr && record->made_file && HoldsNothing(plan.client->format, text);
}

// Whether the text is what the file was before `recall install`, so that no copy is needed.
bool IsAsBefore(const InstallPlan& plan, const InstallRecord* record, const std::string& text) {
  if (record == nullptr) return false;
  return IsLeftOver(plan, record, text) || HashOf(text) == record->before_hash;
}

// The record of a file that had no entry of ours. `known`: an older record of the file, or null.
InstallRecord NewRecord(const ClientInfo& client, const InstallPlan& plan,
                        const InstallRecord* known) {
  InstallRecord record;
  record.client = client.name;
  record.file = plan.file;
  record.before_hash = plan.before ? HashOf(*plan.before) : "";
  record.made_file = !plan.before || (known != nullptr && known->made_file);
  if (known != nullptr) record.made_directories = known->made_directories;
  return record;
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
  return installer;
}

Result<InstallPlan> Installer::Survey(const ClientInfo& client, InstallScope scope) const {
  InstallPlan plan;
  plan.client = &client;
  plan.scope = scope;
  RECALL_ASSIGN(const ClientFiles files, FilesOf(client, scope, *places_));
  std::error_code ignored;
  plan.found = std::filesystem::exists(files.directory, ignored);
  // The file that has our entry, else one that exists, else the first.
  int best = -1;
  for (const std::string& candidate : files.files) {
    RECALL_ASSIGN(const std::string file, ResolvedPath(candidate));
    const bool exists = std::filesystem::exists(file, ignored);
    const bool recorded = exists && records_.Find(std::string(client.name), file) != nullptr;
    const int rank = recorded ? 2 : exists ? 1 : 0;
    if (rank <= best) continue;
    best = rank;
    plan.file = file;
  }
  plan.found = plan.found || best > 0;
  RECALL_ASSIGN(plan.before, ReadSettings(plan.file));
  plan.after = plan.before;
  const auto entry = FindEntry(client.format, plan.before.value_or(""), EntryPathOf(client));
  if (!entry) return Fail(InFile(plan.file, entry.error()));
  const InstallRecord* const record = records_.Find(std::string(client.name), plan.file);
  if (*entry) {
    const bool ours = record != nullptr && std::ranges::count(record->entries, **entry) > 0;
    plan.state = ours ? EntryState::kInstalled : EntryState::kOther;
  }
  if (record != nullptr) plan.record = *record;
  return plan;
}

Result<InstallPlan> Installer::PlanInstall(const ClientInfo& client, InstallScope scope,
                                           const ServerEntry& entry, bool force) const {
  RECALL_ASSIGN(InstallPlan plan, Survey(client, scope));
  const EntryPath path = EntryPathOf(client);
  const std::string wanted = CanonicalEntry(entry);
  const std::string text = plan.before.value_or("");
  const InstallRecord* const known = records_.Find(std::string(client.name), plan.file);
  // If the entry was removed by hand, the record says nothing about the file as it is.
  const InstallRecord* const record = plan.state == EntryState::kAbsent ? nullptr : known;
  RECALL_ASSIGN(std::optional<std::string> present, FindEntry(client.format, text, path));
  if (present == wanted) {
    plan.state = EntryState::kInstalled;
    return plan;
  }
  if (plan.state == EntryState::kOther && !force) {
    return Fail(NotOurs(plan, record, "replaces it"));
  }
  // What the file would be without our entry.
  std::string base = text;
  if (present && record != nullptr) {
    Result<std::string> taken = TakeEntry(client.format, text, path, &record->added);
    if (!taken) return Fail(InFile(plan.file, taken.error()));
    base = std::move(*taken);
    RECALL_ASSIGN(present, FindEntry(client.format, base, path));
  }
  Result<SettingsEdit> edit = present ? ReplaceEntry(client.format, base, path, entry)
                                      : AddEntry(client.format, base, path, entry);
  if (!edit) return Fail(InFile(plan.file, edit.error()));
  plan.action = plan.state == EntryState::kAbsent ? InstallAction::kAdd : InstallAction::kReplace;
  plan.after = std::move(edit->text);
  InstallRecord next = record != nullptr ? *record : NewRecord(client, plan, known);
  next.path = path;
  next.entries.push_back(wanted);
  next.added = std::move(edit->added);
  if (plan.before && !IsAsBefore(plan, record, base)) {
    plan.backup = BackupName(plan.file, *plan.before);
    if (next.backup.empty()) next.backup = plan.backup;
  }
  plan.record = std::move(next);
  return plan;
}

Result<InstallPlan> Installer::PlanUninstall(const ClientInfo& client, InstallScope scope,
                                             bool force) const {
  RECALL_ASSIGN(InstallPlan plan, Survey(client, scope));
  const InstallRecord* const record = records_.Find(std::string(client.name), plan.file);
  plan.record.reset();
  if (plan.state == EntryState::kAbsent) return plan;
  if (plan.state == EntryState::kOther && !force) return Fail(NotOurs(plan, record, "removes it"));
  Result<std::string> rest = TakeEntry(client.format, *plan.before, EntryPathOf(client),
                                       record == nullptr ? nullptr : &record->added);
  if (!rest) return Fail(InFile(plan.file, rest.error()));
  plan.action = InstallAction::kRemove;
  if (!IsAsBefore(plan, record, *rest)) plan.backup = BackupName(plan.file, *plan.before);
  plan.after = std::move(*rest);
  if (IsLeftOver(plan, record, *plan.after)) plan.after.reset();
  return plan;
}

Status Installer::CarryOut(const InstallPlan& plan) {
  const bool removes = plan.action == InstallAction::kRemove;
  if (plan.action == InstallAction::kNone) return plan.record ? Status::Ok() : Forget(plan);
  RECALL_ASSIGN(const std::optional<std::string> now, ReadSettings(plan.file));
  if (now != plan.before) {
    return Status::Busy(plan.file + ": another program has just changed the file",
                        "run the command again");
  }
  return removes ? Uninstall(plan) : Install(plan);
}

// The record comes first: if the process ends before the file is written, the record names an entry
// that is not there, which the next install or uninstall notices. Without a record, an entry would
// be taken for that of somebody else.
Status Installer::Install(const InstallPlan& plan) {
  InstallRecord record = *plan.record;
  RECALL_ASSIGN(const std::vector<std::string> made, MakeDirectories(ParentDirectory(plan.file)));
  record.made_directories.insert(record.made_directories.end(), made.begin(), made.end());
  const bool new_backup = !plan.backup.empty() && !std::filesystem::exists(plan.backup);
  Status written;
  if (new_backup) written = WriteSettings(plan.backup, *plan.before, plan.file);
  const std::vector<InstallRecord> old_records = records_.records;
  if (written.ok()) {
    InstallRecords records = records_;
    records.Put(record);
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
  if (record.entries.size() == 1) return {};
  // From now on, only the present entry is ours.
  record.entries = {record.entries.back()};
  InstallRecords records = records_;
  records.Put(std::move(record));
  SaveRecords(records).IgnoreError();  // a record that names earlier entries as well does no harm
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
  const InstallRecord* const record = records_.Find(std::string(plan.client->name), plan.file);
  if (record == nullptr) return {};
  if (plan.after && HashOf(*plan.after) == record->before_hash) RemoveBackup(*record);
  if (!plan.after) RemoveEmptyDirectories(record->made_directories);
  return Forget(plan);
}

Status Installer::Forget(const InstallPlan& plan) {
  const std::string client(plan.client->name);
  if (records_.Find(client, plan.file) == nullptr) return {};
  InstallRecords records = records_;
  records.Remove(client, plan.file);
  return SaveRecords(records);
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

// Removes the copy of the file from before, if it still is that.
void Installer::RemoveBackup(const InstallRecord& record) const {
  if (record.backup.empty()) return;
  const Result<std::optional<std::string>> copy = ReadSettings(record.backup);
  if (copy && *copy && HashOf(**copy) == record.before_hash) {
    RemoveSettings(record.backup).IgnoreError();  // a copy that stays does no harm
  }
}

}  // namespace recall
