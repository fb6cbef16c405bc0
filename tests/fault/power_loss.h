#pragma once

// What a disk holds when the power goes: everything that was synced, and of the rest any part.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace recall {

// Which un-synced changes reach the disk.
enum class Survivors {
  kNone,
  kAll,
  kSome,  // any sectors of 512 bytes, whatever their order; any names
};

// The changes that files have seen since they were last synced. Files are written through, so that
// running programs see what they wrote; at the cut their bytes on disk are put back. Files and
// names are known from their first change on; what they held before counts as synced. Names of
// files are durable once their directory is synced.
class UnsyncedChanges final {
 public:
  void WillWrite(const std::string& path, int64_t offset, const void* bytes, int64_t size);
  void WillTruncate(const std::string& path, int64_t size);
  void WillCreate(const std::string& path);
  void WillDelete(const std::string& path);
  // Before and after the file `from` gets the name `to`; it has its old one still if it
  // `keeps_old`.
  void WillLink(const std::string& from, const std::string& to);
  void DidLink(const std::string& from, const std::string& to, bool keeps_old);
  void Synced(const std::string& path);
  void SyncedDirectoryOf(const std::string& path);

  // Makes every file known what the disk holds. The process must not go on with them.
  void Cut(Survivors survivors, uint64_t seed);

 private:
  struct Change {
    int64_t offset = 0;
    int64_t old_size = 0;   // of the file, before
    std::string old_bytes;  // what the change overwrites or cuts off
    std::string new_bytes;
    bool truncate = false;  // to `offset` bytes
  };
  // A file, whatever its name.
  struct Inode {
    std::vector<Change> changes;  // since the last sync
    std::string content;          // what programs see of it; kept once no name leads to it
  };
  // A name, and which file it led to when the directory was last synced. Null: none.
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
