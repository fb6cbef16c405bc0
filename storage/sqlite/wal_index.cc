#include "storage/sqlite/wal_index.h"

#include <sqlite3.h>

#include <cstddef>
#include <string>

#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// The problem: a reader that wants to read the main file past SQLite must know whether the WAL
// contains frames that the file lacks. SQLite offers no call for that: the counts that
// sqlite3_wal_checkpoint_v2 returns come with a checkpoint.
//
// The idea: read the header of the WAL index, shared memory that all connections of the database
// map (the -shm file; https://sqlite.org/walformat.html, section 2.1):
//
//    0  48  header: version, change counter, page size, frames (at 16), checksums
//   48  48  the same again
//   96   4  number of frames that have been copied into the main file (nBackfill)
//
// Invariants: SQLite writes the second copy of the header before the first one. The count of frames
// is therefore used only if both copies agree; otherwise a commit is in progress, and nothing is
// returned. nBackfill only grows until the WAL is restarted. The values may be outdated as soon as
// they are returned; the caller must detect commits that follow (PRAGMA data_version).
//
// Cost: a few loads from mapped memory.

// The start of the index, in the byte order of the machine.
struct Header {
  uint32_t version;
  uint32_t unused;
  uint32_t changes;
  uint32_t initialized_order_and_page_size;
  uint32_t frames;
  uint32_t pages;
  uint32_t checksum_of_frames[2];
  uint32_t salt[2];
  uint32_t checksum[2];
};
struct Index {
  Header header[2];
  uint32_t copied;
};
static_assert(offsetof(Index, header[0].frames) == 16);
static_assert(offsetof(Index, header[1].frames) == 64);
static_assert(offsetof(Index, copied) == 96);

constexpr uint32_t kVersion = 3'007'000;
constexpr int kRegionBytes = 32'768;

// Other processes write there meanwhile.
uint32_t Load(const volatile uint32_t& number) {
  return __atomic_load_n(&number, __ATOMIC_ACQUIRE);
}

const volatile Index* FindIndex(Connection& connection) {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(connection.handle(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (!file || !file->pMethods || file->pMethods->iVersion < 2) return nullptr;
  volatile void* region = nullptr;
  const int code = file->pMethods->xShmMap(file, 0, kRegionBytes, 0, &region);
  const bool mapped = code == SQLITE_OK || code == SQLITE_READONLY;
  return mapped ? static_cast<const volatile Index*>(region) : nullptr;
}

}  // namespace

std::optional<WalState> ReadWalState(Connection& connection) {
  if (!connection.features().file_format) return std::nullopt;
  // Without a WAL there is no index, and SQLite would create one to map it.
  const auto journal = connection.QueryText("PRAGMA journal_mode");
  if (!journal || *journal != "wal") return std::nullopt;
  if (connection.borrowed()) {
    // Recall's own connections keep the index in a file. In exclusive mode SQLite need not.
    const auto locking = connection.QueryText("PRAGMA main.locking_mode");
    if (!locking || *locking != "normal") return std::nullopt;
  }
  const volatile Index* const index = FindIndex(connection);
  if (index == nullptr) return std::nullopt;
  for (const volatile Header& header : index->header) {
    if (Load(header.version) != kVersion) return std::nullopt;
  }
  const WalState state{.frames = Load(index->header[0].frames), .copied = Load(index->copied)};
  if (Load(index->header[1].frames) != state.frames) return std::nullopt;
  return state;
}

}  // namespace recall
