#pragma once

// How the parts of an assistant (client_parts.h) get into its files, and out again: what is to be
// done is planned first, without writing anything, and then carried out.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/setup/install/client_parts.h"
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

// What is to be done with one file of a client: a part has one.
struct InstallPlan {
  const ClientInfo* client = nullptr;
  InstallScope scope = InstallScope::kUser;
  InstallPart part = InstallPart::kServer;
  SettingsFormat format = SettingsFormat::kJson;
  std::string seed;                        // as PartPlace::seed
  std::string file;                        // absolute, with symbolic links resolved
  bool found = false;                      // the directory of the client exists
  EntryState state = EntryState::kAbsent;  // before the plan is carried out
  InstallAction action = InstallAction::kNone;
  std::optional<std::string> before;   // the bytes of the file; nothing if there is none
  std::optional<std::string> after;    // nothing: the file is removed
  std::vector<InstallRecord> records;  // that are kept or made: one for each entry
  bool forget = false;                 // no record of the file is kept
  bool shared = false;                 // the text stays, because another client reads it
  std::string backup;                  // the copy of `before` that is made; "" if none is
};

// Not thread-safe. Two programs that install at the same time may lose the record of one of them.
// Plans are carried out in the order in which they are made: a plan builds upon those before it,
// because two clients may share a file.
class Installer final {
 public:
  // Reads the records. `places` must outlive the object. Errors: InvalidArgument if they are
  // damaged or if neither XDG_STATE_HOME nor HOME is set; IoError.
  static Result<Installer> Open(const InstallPlaces& places);

  // The file and the state of a part, with the action kNone. Errors: those of PlaceOf;
  // InvalidArgument, with the position, if its file cannot be parsed; IoError.
  Result<InstallPlan> Survey(const ClientInfo& client, InstallScope scope, InstallPart part) const;

  // `wanted`: all entries of the part. Errors: those of Survey; AlreadyExists without `force` if an
  // entry that is there is by somebody else; Unsupported if the file must be edited by hand.
  Result<InstallPlan> PlanInstall(const ClientInfo& client, InstallScope scope, InstallPart part,
                                  const std::vector<PartEntry>& wanted, bool force);

  // Hooks and texts that `recall install` did not put there are left alone without `force`, and
  // files without any are not read. Errors: those of PlanInstall.
  Result<InstallPlan> PlanUninstall(const ClientInfo& client, InstallScope scope, InstallPart part,
                                    bool force);

  // Writes the backup, the record and the file, each whole or not at all, in an order in which the
  // next install or uninstall continues after the process was killed. After an error nothing is
  // changed. Errors: IoError; Busy if the file has changed since it was read.
  Status CarryOut(const InstallPlan& plan);

 private:
  Installer() = default;

  Result<InstallPlan> Locate(const ClientInfo& client, InstallScope scope, InstallPart part) const;
  Status AddEntries(const std::vector<PartEntry>& wanted, std::string text,
                    InstallPlan* plan) const;
  Result<std::string> TakeEntries(const InstallPlan& plan, bool force) const;
  void Expect(const InstallPlan& plan);
  Status Install(const InstallPlan& plan);
  Status Uninstall(const InstallPlan& plan);
  Status Forget(const InstallPlan& plan);
  Status SaveRecords(const InstallRecords& records);

  const InstallPlaces* places_ = nullptr;
  std::string records_file_;
  InstallRecords records_;
  std::vector<std::vector<std::string>> left_directories_;  // that were made for files now removed
  // As they will be when all plans are carried out.
  InstallRecords planned_;
  std::map<std::string, std::optional<std::string>> planned_texts_;
};

}  // namespace recall
