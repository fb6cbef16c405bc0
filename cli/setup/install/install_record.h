#pragma once

// What `recall install` put into settings files, so that `recall uninstall` can take exactly that
// away: one small JSON file, below XDG_STATE_HOME.

#include <optional>
#include <string>
#include <vector>

#include "cli/setup/install/server_entry.h"
#include "storage/base/result.h"

namespace recall {

struct InstallRecord {
  std::string client;
  std::string file;  // absolute, with symbolic links resolved
  EntryPath path;
  // The entry, as canonical JSON. Before an entry is replaced, the record holds the old and the new
  // one, so that either is recognised if the process ends in between.
  std::vector<std::string> entries;
  AddedText added;
  bool made_file = false;
  std::vector<std::string> made_directories;  // outermost first
  std::string backup;       // the copy of the file from before; "" if there was no file
  std::string before_hash;  // SHA-256 of the file from before

  bool operator==(const InstallRecord&) const = default;
};

struct InstallRecords {
  std::vector<InstallRecord> records;
  std::vector<std::string> made_directories;  // for the file of the records itself

  // One of this client and file, of any path. Null if there is none.
  const InstallRecord* Find(const std::string& client, const std::string& file) const;
  const InstallRecord* Find(const std::string& client, const std::string& file,
                            const EntryPath& path) const;
  // One of another client for the same file and path: both read a file that they share.
  const InstallRecord* FindOther(const std::string& client, const std::string& file,
                                 const EntryPath& path) const;
  // Adds the record, in the place of the one of the same client, file and path.
  void Put(InstallRecord record);
  void Remove(const std::string& client, const std::string& file, const EntryPath& path);
};

std::string PrintRecords(const InstallRecords& records);
// Errors: InvalidArgument if the text is not what PrintRecords returns. Members of newer programs
// are ignored.
Result<InstallRecords> ParseRecords(std::string_view text);

}  // namespace recall
