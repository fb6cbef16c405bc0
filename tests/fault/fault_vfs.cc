#include "tests/fault/fault_vfs.h"

#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <string>

namespace recall {
namespace {

struct FaultState {
  std::mutex mutex;
  std::atomic<bool> armed = false;
  FaultPlan plan;
  std::array<int64_t, std::size(kAllFaultKinds)> counts = {};
  bool happened = false;
  UnsyncedChanges unsynced;
};

FaultState& State() {
  static FaultState& state = *new FaultState;
  return state;
}

bool IsArmed(FaultKind kind) {
  FaultState& state = State();
  return state.armed.load(std::memory_order_relaxed) && state.plan.kind == kind;
}

// Counts an operation. Returns: true if it must fail.
bool Fails(FaultKind kind) {
  FaultState& state = State();
  if (!state.armed.load(std::memory_order_relaxed)) return false;
  const std::lock_guard lock(state.mutex);
  const int64_t number = ++state.counts[static_cast<size_t>(kind)];
  const FaultPlan& plan = state.plan;
  if (plan.kind != kind) return false;
  const bool fails = number == plan.nth || (plan.from_then_on && plan.nth > 0 && number > plan.nth);
  state.happened |= fails;
  return fails;
}

bool RecordsChanges() { return IsArmed(FaultKind::kPower); }

// Called before each change of a file.
void PowerMayGo() {
  if (Fails(FaultKind::kPower)) CutPower(kPowerCutExit);
}

bool SyncsAreOff() { return RecordsChanges() && State().plan.synchronous_off; }

// Within this scope, changes of names by SQLite's own VFS are not counted a second time.
thread_local bool g_in_vfs = false;
struct InVfs {
  InVfs() { g_in_vfs = true; }
  ~InVfs() { g_in_vfs = false; }
};

// ---- Files ------------------------------------------------------------------------------------

struct FaultFile {
  sqlite3_file base;
  char* path;           // "" for a temporary file
  bool syncs_its_name;  // SQLite syncs the directory at the first sync of a new journal
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
  bool recorded() const { return path[0] != '\0' && RecordsChanges(); }
};

FaultFile* AsFault(sqlite3_file* file) { return reinterpret_cast<FaultFile*>(file); }
sqlite3_file* Real(sqlite3_file* file) { return AsFault(file)->real(); }

int Close(sqlite3_file* file) {
  const int code = Real(file)->pMethods->xClose(Real(file));
  std::free(AsFault(file)->path);
  return code;
}

int Read(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
  if (Fails(FaultKind::kRead)) return SQLITE_IOERR_READ;
  return Real(file)->pMethods->xRead(Real(file), to, size, offset);
}

int Write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  if (Fails(FaultKind::kWrite)) return State().plan.writes_lie ? SQLITE_OK : SQLITE_IOERR_WRITE;
  if (Fails(FaultKind::kFull)) return SQLITE_FULL;
  if (Fails(FaultKind::kShortWrite)) {
    Real(file)->pMethods->xWrite(Real(file), bytes, size / 2, offset);
    return SQLITE_IOERR_WRITE;
  }
  PowerMayGo();
  if (AsFault(file)->recorded()) {
    State().unsynced.WillWrite(AsFault(file)->path, offset, bytes, size);
  }
  return Real(file)->pMethods->xWrite(Real(file), bytes, size, offset);
}

int Truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (Fails(FaultKind::kTruncate)) return SQLITE_IOERR_TRUNCATE;
  PowerMayGo();
  if (AsFault(file)->recorded()) State().unsynced.WillTruncate(AsFault(file)->path, size);
  return Real(file)->pMethods->xTruncate(Real(file), size);
}

int Sync(sqlite3_file* file, int flags) {
  if (Fails(FaultKind::kSync)) return SQLITE_IOERR_FSYNC;
  PowerMayGo();
  if (AsFault(file)->recorded()) {
    if (State().plan.syncs_lie) return SQLITE_OK;
    State().unsynced.Synced(AsFault(file)->path);
    if (AsFault(file)->syncs_its_name) State().unsynced.SyncedDirectoryOf(AsFault(file)->path);
    AsFault(file)->syncs_its_name = false;
    return SQLITE_OK;  // durability is simulated, and a real sync takes milliseconds
  }
  const InVfs within;
  return Real(file)->pMethods->xSync(Real(file), flags);
}

int FileSize(sqlite3_file* file, sqlite3_int64* size) {
  return Real(file)->pMethods->xFileSize(Real(file), size);
}
int Lock(sqlite3_file* file, int level) { return Real(file)->pMethods->xLock(Real(file), level); }
int Unlock(sqlite3_file* file, int level) {
  return Real(file)->pMethods->xUnlock(Real(file), level);
}
int CheckReservedLock(sqlite3_file* file, int* out) {
  return Real(file)->pMethods->xCheckReservedLock(Real(file), out);
}
int FileControl(sqlite3_file* file, int operation, void* argument) {
  // TurnSyncsOff has set the control's connections; the product must not change that.
  if (operation == SQLITE_FCNTL_PRAGMA && SyncsAreOff()) {
    const char* const name = static_cast<char**>(argument)[1];
    if (sqlite3_stricmp(name, "synchronous") == 0) return SQLITE_OK;
  }
  // A size hint would extend the file without a write that is counted here.
  if (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_CHUNK_SIZE) {
    return SQLITE_NOTFOUND;
  }
  return Real(file)->pMethods->xFileControl(Real(file), operation, argument);
}
int SectorSize(sqlite3_file* file) { return Real(file)->pMethods->xSectorSize(Real(file)); }
int DeviceCharacteristics(sqlite3_file* file) {
  return Real(file)->pMethods->xDeviceCharacteristics(Real(file));
}
int ShmMap(sqlite3_file* file, int region, int size, int extend, void volatile** out) {
  if (Fails(FaultKind::kShmMap)) return SQLITE_IOERR_SHMMAP;
  return Real(file)->pMethods->xShmMap(Real(file), region, size, extend, out);
}
int ShmLock(sqlite3_file* file, int offset, int count, int flags) {
  return Real(file)->pMethods->xShmLock(Real(file), offset, count, flags);
}
void ShmBarrier(sqlite3_file* file) { Real(file)->pMethods->xShmBarrier(Real(file)); }
int ShmUnmap(sqlite3_file* file, int remove) {
  return Real(file)->pMethods->xShmUnmap(Real(file), remove);
}
int Fetch(sqlite3_file* file, sqlite3_int64 offset, int size, void** out) {
  *out = nullptr;  // makes SQLite call xRead, which can fail
  if (IsArmed(FaultKind::kRead)) return SQLITE_OK;
  return Real(file)->pMethods->xFetch(Real(file), offset, size, out);
}
int Unfetch(sqlite3_file* file, sqlite3_int64 offset, void* page) {
  return Real(file)->pMethods->xUnfetch(Real(file), offset, page);
}

constexpr sqlite3_io_methods kMethods = {3,
                                         Close,
                                         Read,
                                         Write,
                                         Truncate,
                                         Sync,
                                         FileSize,
                                         Lock,
                                         Unlock,
                                         CheckReservedLock,
                                         FileControl,
                                         SectorSize,
                                         DeviceCharacteristics,
                                         ShmMap,
                                         ShmLock,
                                         ShmBarrier,
                                         ShmUnmap,
                                         Fetch,
                                         Unfetch};

// ---- The VFS ----------------------------------------------------------------------------------

sqlite3_vfs* Base(sqlite3_vfs* vfs) { return static_cast<sqlite3_vfs*>(vfs->pAppData); }

int Open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  FaultFile* const fault = AsFault(file);
  fault->base.pMethods = nullptr;
  if (Fails(FaultKind::kOpen)) return SQLITE_CANTOPEN;
  constexpr int kJournals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL;
  const bool creates = name != nullptr && (flags & SQLITE_OPEN_CREATE) != 0;
  fault->syncs_its_name = creates && (flags & kJournals) != 0;
  if (creates && RecordsChanges() && ::access(name, F_OK) != 0) {
    PowerMayGo();
    State().unsynced.WillCreate(name);
  }
  const int code = Base(vfs)->xOpen(Base(vfs), name, fault->real(), flags, out_flags);
  if (fault->real()->pMethods == nullptr) return code;
  fault->path = ::strdup(name ? name : "");
  fault->base.pMethods = &kMethods;
  return code;
}

int Delete(sqlite3_vfs* vfs, const char* name, int sync_directory) {
  if (Fails(FaultKind::kDelete)) return SQLITE_IOERR_DELETE;
  PowerMayGo();
  if (RecordsChanges() && State().plan.nth < 0 && std::string_view(name).ends_with("-journal")) {
    CutPower(kPowerCutExit);
  }
  if (RecordsChanges()) State().unsynced.WillDelete(name);
  const InVfs within;
  const int code = Base(vfs)->xDelete(Base(vfs), name, sync_directory);
  if (RecordsChanges() && sync_directory) {
    PowerMayGo();
    if (!State().plan.syncs_lie) State().unsynced.SyncedDirectoryOf(name);
  }
  return code;
}

int Access(sqlite3_vfs* vfs, const char* name, int flags, int* out) {
  return Base(vfs)->xAccess(Base(vfs), name, flags, out);
}
int FullPathname(sqlite3_vfs* vfs, const char* name, int size, char* out) {
  return Base(vfs)->xFullPathname(Base(vfs), name, size, out);
}
int Randomness(sqlite3_vfs* vfs, int size, char* out) {
  return Base(vfs)->xRandomness(Base(vfs), size, out);
}
int Sleep(sqlite3_vfs* vfs, int micros) { return Base(vfs)->xSleep(Base(vfs), micros); }
int CurrentTime(sqlite3_vfs* vfs, double* out) { return Base(vfs)->xCurrentTime(Base(vfs), out); }
int GetLastError(sqlite3_vfs* vfs, int size, char* out) {
  return Base(vfs)->xGetLastError(Base(vfs), size, out);
}
int CurrentTimeInt64(sqlite3_vfs* vfs, sqlite3_int64* out) {
  return Base(vfs)->xCurrentTimeInt64(Base(vfs), out);
}

// Prepares a new connection of the control.
int TurnSyncsOff(sqlite3* connection, char**, const sqlite3_api_routines*) {
  if (!SyncsAreOff()) return SQLITE_OK;
  State().plan.synchronous_off = false;  // lets this statement pass FileControl
  sqlite3_exec(connection, "PRAGMA synchronous=OFF", nullptr, nullptr, nullptr);
  State().plan.synchronous_off = true;
  return SQLITE_OK;
}

// ---- Memory -----------------------------------------------------------------------------------

sqlite3_mem_methods g_memory;

void* Allocate(int size) {
  return Fails(FaultKind::kAllocation) ? nullptr : g_memory.xMalloc(size);
}
void* Reallocate(void* memory, int size) {
  return Fails(FaultKind::kAllocation) ? nullptr : g_memory.xRealloc(memory, size);
}

}  // namespace

std::string_view FaultKindName(FaultKind kind) {
  constexpr std::string_view kNames[] = {"write",    "short_write", "full",       "sync",
                                         "truncate", "read",        "open",       "delete",
                                         "shm_map",  "rename",      "allocation", "power"};
  return kNames[static_cast<size_t>(kind)];
}

void InstallFaultVfs() {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &g_memory);
  sqlite3_mem_methods failing = g_memory;
  failing.xMalloc = Allocate;
  failing.xRealloc = Reallocate;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3_vfs* const base = sqlite3_vfs_find(nullptr);
  static sqlite3_vfs vfs = {};
  vfs.iVersion = 2;
  vfs.szOsFile = static_cast<int>(sizeof(FaultFile)) + base->szOsFile;
  vfs.mxPathname = base->mxPathname;
  vfs.zName = "recall-fault";
  vfs.pAppData = base;
  vfs.xOpen = Open;
  vfs.xDelete = Delete;
  vfs.xAccess = Access;
  vfs.xFullPathname = FullPathname;
  vfs.xRandomness = Randomness;
  vfs.xSleep = Sleep;
  vfs.xCurrentTime = CurrentTime;
  vfs.xGetLastError = GetLastError;
  vfs.xCurrentTimeInt64 = CurrentTimeInt64;
  sqlite3_vfs_register(&vfs, 1);
  sqlite3_auto_extension(reinterpret_cast<void (*)()>(&TurnSyncsOff));
}

void ArmFault(const FaultPlan& plan) {
  FaultState& state = State();
  const std::lock_guard lock(state.mutex);
  state.plan = plan;
  state.counts = {};
  state.happened = false;
  state.armed = true;
}

FaultOutcome DisarmFault() {
  FaultState& state = State();
  const std::lock_guard lock(state.mutex);
  state.armed = false;
  return {state.counts[static_cast<size_t>(state.plan.kind)], state.counts, state.happened};
}

void CutPower(int exit_code) {
  FaultState& state = State();
  state.armed = false;
  state.unsynced.Cut(state.plan.survivors, state.plan.seed);
  ::_exit(exit_code);
}

namespace {

// ---- Names --------------------------------------------------------------------------------------

// The product renames and links files without SQLite. These functions replace those of the C
// library and make the system call directly.
bool SeesNames() { return !g_in_vfs && State().armed.load(std::memory_order_relaxed); }

template <typename Call>
int ChangeName(const char* from, const char* to, bool keeps_old, const Call& call) {
  if (!SeesNames()) return call();
  if (Fails(FaultKind::kRename)) {
    errno = EIO;
    return -1;
  }
  PowerMayGo();
  if (RecordsChanges()) State().unsynced.WillLink(from, to);
  const int result = call();
  if (result == 0 && RecordsChanges()) State().unsynced.DidLink(from, to, keeps_old);
  return result;
}

int RemoveName(const char* path) {
  if (SeesNames() && RecordsChanges() && ::access(path, F_OK) == 0) {
    PowerMayGo();
    State().unsynced.WillDelete(path);
  }
  return static_cast<int>(::syscall(SYS_unlink, path));
}

int SyncDescriptor(int fd) {
  if (!SeesNames() || !RecordsChanges()) return static_cast<int>(::syscall(SYS_fsync, fd));
  PowerMayGo();
  if (State().plan.syncs_lie || SyncsAreOff()) return 0;
  char path[PATH_MAX + 1] = {};
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  if (::readlink(link.c_str(), path, PATH_MAX) <= 0) return 0;
  struct stat info {};
  ::fstat(fd, &info);
  S_ISDIR(info.st_mode) ? State().unsynced.SyncedDirectoryOf(std::string(path) + "/any")
                        : State().unsynced.Synced(path);
  return 0;
}

}  // namespace
}  // namespace recall

extern "C" {

int rename(const char* from, const char* to) noexcept {
  return recall::ChangeName(from, to, false,
                            [&] { return static_cast<int>(::syscall(SYS_rename, from, to)); });
}
int renameat2(int from_directory, const char* from, int to_directory, const char* to,
              unsigned flags) noexcept {
  return recall::ChangeName(from, to, false, [&] {
    return static_cast<int>(
        ::syscall(SYS_renameat2, from_directory, from, to_directory, to, flags));
  });
}
int link(const char* from, const char* to) noexcept {
  return recall::ChangeName(from, to, true,
                            [&] { return static_cast<int>(::syscall(SYS_link, from, to)); });
}
int unlink(const char* path) noexcept { return recall::RemoveName(path); }
int fsync(int fd) { return recall::SyncDescriptor(fd); }

}  // extern "C"
