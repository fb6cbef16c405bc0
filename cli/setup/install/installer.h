#pragma once

// How the entry gets into the settings of an assistant, and out again: what is to be done is
// planned first, without writing anything, and then carried out.

#include <optional>
#include <string>
#include <vector>

#include "cli/setup/install/clients.h"
#include "cli/setup/install/install_record.h"
#include "storage/base/result.h"

namespace recall {

enum class EntryState {
  kAbsent,
  kInstalled,  // it is what `recall install` put there
  kOther,      // it is by somebody else, or was changed since
};

enum class InstallAction { kNone, kAdd, kReplace, kRemove };

// What is to be done with the settings of one client.
struct InstallPlan {
  const ClientInfo* client = nullptr;
  InstallScope scope = InstallScope::kUser;
  std::string file;                        // absolute, with symbolic links resolved
  bool found = false;                      // the directory of the client exists
  EntryState state = EntryState::kAbsent;  // before the plan is carried out
  InstallAction action = InstallAction::kNone;
  std::optional<std::string> before;    // the bytes of the file; nothing if there is none
  std::optional<std::string> after;     // nothing: the file is removed
  std::optional<InstallRecord> record;  // that replaces the present one, or nothing
  std::string backup;                   // the copy of `before` that is made; "" if none is
};

// Not thread-safe. Two programs that install at the same time may lose the record of one of them.
class Installer final {
 public:
  // Reads the records. `places` must outlive the object. Errors: InvalidArgument if they are
  // damaged or if neither XDG_STATE_HOME nor HOME is set; IoError.
  static Result<Installer> Open(const InstallPlaces& places);

  // The file and the state of a client, with the action kNone. Errors: those of FilesOf;
  // InvalidArgument, with the position, if its file cannot be parsed; IoError.
  Result<InstallPlan> Survey(const ClientInfo& client, InstallScope scope) const;

  // Errors: those of Survey; AlreadyExists without `force` if the entry that is there is by
  // somebody else; Unsupported if the file must be edited by hand.
  Result<InstallPlan> PlanInstall(const ClientInfo& client, InstallScope scope,
                                  const ServerEntry& entry, bool force) const;

  // Errors: those of PlanInstall.
  Result<InstallPlan> PlanUninstall(const ClientInfo& client, InstallScope scope, bool force) const;

  // Writes the backup, the record and the file, each whole or not at all, in an order in which the
  // next install or uninstall continues after the process was killed. After an error nothing is
  // changed. Errors: IoError; Busy if the file has changed since it was read.
  Status CarryOut(const InstallPlan& plan);

 private:
  Installer() = default;

  Status Install(const InstallPlan& plan);
  Status Uninstall(const InstallPlan& plan);
  Status Forget(const InstallPlan& plan);
  Status SaveRecords(const InstallRecords& records);
  void RemoveBackup(const InstallRecord& record) const;

  const InstallPlaces* places_ = nullptr;
  std::string records_file_;
  InstallRecords records_;
};

}  // namespace recall
