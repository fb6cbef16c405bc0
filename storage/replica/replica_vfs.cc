#include "storage/replica/replica_vfs.h"

#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "storage/base/coding.h"
#include "storage/replica/page_source.h"

namespace recall {
namespace {

// The problem: SQLite reads and writes a database file, but the database is on a server.
//
// The idea: SQLite works on a replica of the file, with its usual locks and rollback journal. Its
// calls of the VFS drive the protocol with the server:
//
//   xLock(SHARED)    reads the newest epoch; if it is not the replica's, moves the replica there
//                    under an EXCLUSIVE lock: pages that changed become absent
//   xRead, xFetch    fetch an absent page first
//   xLock(RESERVED)  takes the server's right to write; BUSY if another writer has it, or has
//                    committed since SHARED
//   xSync            commits the written pages on the server as the next epoch, as a whole or not
//                    at all
//   xUnlock          moves the replica to the new epoch, and returns the right to write
//
// Invariants:
// - The pages that are present belong to one epoch, which changes under an EXCLUSIVE lock only.
// - A commit is on the server before SQLite deletes its journal. If the server does not commit,
//   xSync fails, and SQLite restores the replica from the journal.
// - A page becomes absent before a transaction writes it. So if the process dies, the pages that it
//   wrote are fetched again. The journal is then applied by SQLite, or deleted by xLock.
// - A restored replica is not committed: xSync recognises it, because page 1 has the same change
//   counter as before the transaction.
// - SQLite's cache has pages of the replica's epoch only. Epochs are compared by their random ids,
//   because two epochs may have the same change counter: a server that lost commits reuses their
//   numbers.
//
// The files need not survive a crash of the system, so nothing is synchronised with the disk.
// Source: https://sqlite.org/lockingv3.html, https://sqlite.org/atomiccommit.html.

constexpr int64_t kPageBytes = PageSource::kPageBytes;
// The file change counter and the size in pages, both in the header of page 1.
constexpr int64_t kChangeCounterAt = 24;
// After taking a SHARED lock, SQLite compares these bytes from the change counter on with those of
// its last transaction, and drops its cache of pages if they differ.
constexpr int kComparedBytes = 16;

class ReplicaFile final {
 public:
  explicit ReplicaFile(int inner_bytes)
      : storage_(static_cast<size_t>(inner_bytes) / sizeof(std::max_align_t) + 1),
        inner_(reinterpret_cast<sqlite3_file*>(storage_.data())) {}

  sqlite3_file* inner() const { return inner_; }
  const sqlite3_io_methods& methods() const { return *inner_->pMethods; }
  void SetSource(PageSource* source, sqlite3_filename name) {
    source_ = source;
    name_ = name;
  }

  int Close() {
    if (lock_ != SQLITE_LOCK_NONE) Unlock(SQLITE_LOCK_NONE);
    return methods().xClose(inner_);
  }

  int Read(void* to, int size, sqlite3_int64 offset) {
    if (!Ensure(offset, size)) return SQLITE_IOERR_READ;
    const int code = methods().xRead(inner_, to, size, offset);
    const bool compares = offset == kChangeCounterAt && size == kComparedBytes;
    if (code == SQLITE_OK && compares && std::exchange(moved_, false)) {
      static_cast<uint8_t*>(to)[kComparedBytes - 1] ^= 1;
    }
    return code;
  }

  int Write(const void* from, int size, sqlite3_int64 offset) {
    const auto number = static_cast<uint32_t>(offset / kPageBytes + 1);
    source_->WillWrite(number);
    const int code = methods().xWrite(inner_, from, size, offset);
    if (code == SQLITE_OK) source_->WasWritten(number);
    return code;
  }

  int Truncate(sqlite3_int64 size) {
    source_->NoteTruncated(static_cast<uint32_t>(size / kPageBytes));
    return methods().xTruncate(inner_, size);
  }

  int Sync() {
    if (!writes_ || ChangeCounter() == counter_before_) return SQLITE_OK;
    if (!source_->Commit().ok()) return SQLITE_IOERR_FSYNC;
    committed_counter_ = ChangeCounter();
    return SQLITE_OK;
  }

  int Fetch(sqlite3_int64 offset, int size, void** page) {
    *page = nullptr;
    if (!Ensure(offset, size)) return SQLITE_IOERR_READ;
    return methods().xFetch(inner_, offset, size, page);
  }

  int Lock(int level) {
    if (level <= lock_) return SQLITE_OK;
    const int code = level == SQLITE_LOCK_SHARED     ? LockShared()
                     : level == SQLITE_LOCK_RESERVED ? LockReserved()
                                                     : methods().xLock(inner_, level);
    if (code == SQLITE_OK) lock_ = level;
    return code;
  }

  int Unlock(int level) {
    if (level >= lock_) return SQLITE_OK;
    if (writes_) {
      if (committed_counter_ != 0 && ChangeCounter() == committed_counter_) {
        source_->AcceptCommit();
        seen_epoch_ = source_->epoch_id();
      }
      committed_counter_ = 0;
      writes_ = false;
      source_->EndWrite();
    }
    if (level == SQLITE_LOCK_NONE) source_->EndUse();
    lock_ = level;
    return methods().xUnlock(inner_, level);
  }

 private:
  bool Ensure(sqlite3_int64 offset, int size) {
    // SQLite reads the header of a file that it has not locked yet; it reads it again afterwards.
    if (lock_ == SQLITE_LOCK_NONE) return true;
    const int64_t last = (offset + size - 1) / kPageBytes;
    for (int64_t page = offset / kPageBytes; page <= last; ++page) {
      if (!source_->Ensure(static_cast<uint32_t>(page + 1))) return false;
    }
    return true;
  }

  uint32_t ChangeCounter() {
    uint8_t bytes[4] = {};
    const int code = methods().xRead(inner_, bytes, sizeof(bytes), kChangeCounterAt);
    return code == SQLITE_OK ? LoadBig32(bytes) : 0;
  }

  int LockShared() {
    int code = methods().xLock(inner_, SQLITE_LOCK_SHARED);
    if (code != SQLITE_OK) return code;
    const Result<bool> current = source_->IsCurrent();
    if (!current) code = SQLITE_IOERR_LOCK;
    if (code == SQLITE_OK && !*current) code = MoveOn();
    if (code == SQLITE_OK && source_->IsTooLarge()) EvictIfAlone();
    if (code == SQLITE_OK) {
      const int64_t before = std::exchange(seen_epoch_, source_->epoch_id());
      moved_ = before != seen_epoch_;
      source_->BeginUse();
    } else {
      methods().xUnlock(inner_, SQLITE_LOCK_NONE);
    }
    return code;
  }

  // Takes an EXCLUSIVE lock, moves the replica to the newest epoch, and returns to SHARED. A
  // journal that exists now was left by a writer that died. The pages that it had written are
  // absent and will be fetched, so the journal is deleted.
  int MoveOn() {
    int code = methods().xLock(inner_, SQLITE_LOCK_RESERVED);
    if (code == SQLITE_OK) code = methods().xLock(inner_, SQLITE_LOCK_EXCLUSIVE);
    if (code != SQLITE_OK) return (code & 0xff) == SQLITE_BUSY ? SQLITE_BUSY : code;
    if (::unlink(sqlite3_filename_journal(name_)) != 0 && errno != ENOENT) code = SQLITE_IOERR_LOCK;
    if (code == SQLITE_OK && !source_->Advance().ok()) code = SQLITE_IOERR_LOCK;
    const int released = methods().xUnlock(inner_, SQLITE_LOCK_SHARED);
    return code == SQLITE_OK ? released : code;
  }

  // Takes an EXCLUSIVE lock if there is no other user, evicts pages, and returns to SHARED.
  void EvictIfAlone() {
    if (methods().xLock(inner_, SQLITE_LOCK_RESERVED) == SQLITE_OK &&
        methods().xLock(inner_, SQLITE_LOCK_EXCLUSIVE) == SQLITE_OK) {
      source_->Evict();
    }
    methods().xUnlock(inner_, SQLITE_LOCK_SHARED);
  }

  int LockReserved() {
    int code = methods().xLock(inner_, SQLITE_LOCK_RESERVED);
    if (code != SQLITE_OK) return code;
    const Result<bool> begun = source_->TryBeginWrite();
    if (begun && *begun) {
      writes_ = true;
      committed_counter_ = 0;
      counter_before_ = source_->Ensure(1) ? ChangeCounter() : 0;
      return SQLITE_OK;
    }
    methods().xUnlock(inner_, SQLITE_LOCK_SHARED);
    return begun ? SQLITE_BUSY : SQLITE_IOERR_LOCK;
  }

  std::vector<std::max_align_t> storage_;
  sqlite3_file* inner_;
  PageSource* source_ = nullptr;
  sqlite3_filename name_ = nullptr;  // lives as long as the file is open
  int lock_ = SQLITE_LOCK_NONE;
  bool writes_ = false;     // this connection, not another of the process, has the right to write
  int64_t seen_epoch_ = 0;  // the id of the epoch of the pages in SQLite's cache
  bool moved_ = false;      // whether the replica has moved on since SQLite filled its cache
  uint32_t counter_before_ = 0;
  uint32_t committed_counter_ = 0;  // 0: this transaction has not committed
};

struct ReplicaSlot : sqlite3_file {
  ReplicaFile* replica;
};

ReplicaFile& Replica(sqlite3_file* file) { return *static_cast<ReplicaSlot*>(file)->replica; }

int CloseReplica(sqlite3_file* file) {
  const std::unique_ptr<ReplicaFile> replica(&Replica(file));
  file->pMethods = nullptr;
  return replica->Close();
}
int ReadReplica(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
  return Replica(file).Read(to, size, offset);
}
int WriteReplica(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  return Replica(file).Write(from, size, offset);
}
int TruncateReplica(sqlite3_file* file, sqlite3_int64 size) { return Replica(file).Truncate(size); }
int SyncReplica(sqlite3_file* file, int) { return Replica(file).Sync(); }
int LockReplica(sqlite3_file* file, int level) { return Replica(file).Lock(level); }
int UnlockReplica(sqlite3_file* file, int level) { return Replica(file).Unlock(level); }
int FetchReplica(sqlite3_file* file, sqlite3_int64 offset, int size, void** page) {
  return Replica(file).Fetch(offset, size, page);
}

template <auto kMethod, typename... Arguments>
int PassOnReplica(sqlite3_file* file, Arguments... arguments) {
  sqlite3_file* const inner = Replica(file).inner();
  return (inner->pMethods->*kMethod)(inner, arguments...);
}

using ReplicaIo = sqlite3_io_methods;
constexpr ReplicaIo kReplicaMethods = {
    .iVersion = 3,
    .xClose = CloseReplica,
    .xRead = ReadReplica,
    .xWrite = WriteReplica,
    .xTruncate = TruncateReplica,
    .xSync = SyncReplica,
    .xFileSize = PassOnReplica<&ReplicaIo::xFileSize, sqlite3_int64*>,
    .xLock = LockReplica,
    .xUnlock = UnlockReplica,
    .xCheckReservedLock = PassOnReplica<&ReplicaIo::xCheckReservedLock, int*>,
    .xFileControl = PassOnReplica<&ReplicaIo::xFileControl, int, void*>,
    .xSectorSize = PassOnReplica<&ReplicaIo::xSectorSize>,
    .xDeviceCharacteristics = PassOnReplica<&ReplicaIo::xDeviceCharacteristics>,
    .xShmMap = PassOnReplica<&ReplicaIo::xShmMap, int, int, int, void volatile**>,
    .xShmLock = PassOnReplica<&ReplicaIo::xShmLock, int, int, int>,
    .xShmBarrier =
        [](sqlite3_file* file) {
          sqlite3_file* const inner = Replica(file).inner();
          inner->pMethods->xShmBarrier(inner);
        },
    .xShmUnmap = PassOnReplica<&ReplicaIo::xShmUnmap, int>,
    .xFetch = FetchReplica,
    .xUnfetch = PassOnReplica<&ReplicaIo::xUnfetch, sqlite3_int64, void*>,
};

sqlite3_vfs* PlainVfs() { return sqlite3_vfs_find(nullptr); }

int OpenReplica(sqlite3_vfs*, sqlite3_filename name, sqlite3_file* file, int flags,
                int* out_flags) {
  file->pMethods = nullptr;
  sqlite3_vfs* const base = PlainVfs();
  std::unique_ptr<ReplicaFile> replica(new (std::nothrow) ReplicaFile(base->szOsFile));
  if (!replica) return SQLITE_NOMEM;
  const int code = base->xOpen(base, name, replica->inner(), flags, out_flags);
  if (code != SQLITE_OK) {
    if (replica->inner()->pMethods) replica->methods().xClose(replica->inner());
    return code;
  }
  replica->SetSource(FindPageSource(name), name);
  static_cast<ReplicaSlot*>(file)->replica = replica.release();
  file->pMethods = &kReplicaMethods;
  return SQLITE_OK;
}

}  // namespace

sqlite3_vfs* ReplicaVfs() {
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs made = *PlainVfs();
    made.zName = "recall-replica";
    made.szOsFile = static_cast<int>(sizeof(ReplicaSlot));
    made.xOpen = OpenReplica;
    return made;
  }();
  return &vfs;
}

}  // namespace recall
