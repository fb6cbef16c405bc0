#pragma once

// Simulates the contents of a disk after a power failure: everything that was synced, and any part
// of the rest.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace recall {

// The unsynced changes that reach the disk.
enum class Survivors {
  kNone,
  kAll,
  kSome,  // any sectors of 512 bytes in any order; any names
};

// Records the changes of files since their last sync. Writes also go to the real files, so that
// running programs see them; Cut then restores what is on the simulated disk. Files and names are
// recorded from their first change on, and their previous contents count as synced. The name of a
// file is durable once its directory is synced.
class UnsyncedChanges final {
 public:
  void WillWrite(const std::string& path, int64_t offset, const void* bytes, int64_t size);
  void WillTruncate(const std::string& path, int64_t size);
  void WillCreate(const std::string& path);
  void WillDelete(const std::string& path);
  // Call these before and after the file `from` gets the name `to`. With `keeps_old` it keeps its
  // old name, too.
  void WillLink(const std::string& from, const std::string& to);
  void DidLink(const std::string& from, const std::string& to, bool keeps_old);
  void Synced(const std::string& path);
  void SyncedDirectoryOf(const std::string& path);

  // Restores all recorded files to what is on the simulated disk. The process must not use them
  // afterwards.
  void Cut(Survivors survivors, uint64_t seed);

 private:
  struct Change {
    int64_t offset = 0;
    int64_t old_size = 0;   // of the file, before the change
    std::string old_bytes;  // what the change overwrites or truncates
    std::string new_bytes;
    bool truncate = false;  // to `offset` bytes
  };
  // A file, independent of its names.
  struct Inode {
    std::vector<Change> changes;  // since the last sync
    std::string content;          // what programs see; set when the last name is gone
  };
  // The file that a name refers to now, and the one it referred to at the last sync of the
  // directory. Null: none.
  struct Name {
    std::shared_ptr<Inode> current;
    std::shared_ptr<Inode> durable;
  };

  Name& NameOf(const std::string& path);
  static std::string OnDisk(const Inode& inode, std::string content, Survivors survivors,
                            std::mt19937_64& random);

  std::map<std::string, Name> names_;
};

}  // namespace recall
