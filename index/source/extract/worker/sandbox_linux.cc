#include "index/source/extract/worker/sandbox.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <vector>

#include "index/source/extract/worker/resource_limits.h"
#include "storage/base/child_descriptors.h"
#include "storage/base/dynamic_library.h"
#include "storage/base/own_process.h"

namespace recall::linux_form {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// The system calls that only sanitizers make.
constexpr int kSanitizerCalls[] = {SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep),
                                   SCMP_SYS(sigaltstack), SCMP_SYS(prctl), SCMP_SYS(getppid)};
#else
constexpr std::array<int, 0> kSanitizerCalls = {};
#endif

struct SeccompLibrary {
  decltype(&seccomp_init) init;
  decltype(&seccomp_release) release;
  decltype(&seccomp_load) load;
  decltype(&seccomp_rule_add_array) rule_add_array;
};

const SeccompLibrary* LoadSeccompLibrary() {
  void* const library = OpenLibrary("libseccomp.so.2");
  if (library == nullptr) return nullptr;
  static SeccompLibrary seccomp;
  const bool all = LoadSymbol(library, "seccomp_init", &seccomp.init) &&
                   LoadSymbol(library, "seccomp_release", &seccomp.release) &&
                   LoadSymbol(library, "seccomp_load", &seccomp.load) &&
                   LoadSymbol(library, "seccomp_rule_add_array", &seccomp.rule_add_array);
  return all ? &seccomp : nullptr;
}

// The system calls that a worker needs to compute, to read a mapped or piped file, and to answer.
// abort() needs the calls for signals. mmap and mprotect are allowed separately, because memory may
// not become executable.
constexpr int kWorkerCalls[] = {
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(recvmsg),
    SCMP_SYS(sendmsg),
    SCMP_SYS(recvfrom),
    SCMP_SYS(sendto),
    SCMP_SYS(close),
    SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(lseek),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(brk),
    SCMP_SYS(futex),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(getrandom),
    SCMP_SYS(getrusage),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(getpid),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(gettid),
    SCMP_SYS(tgkill),
    SCMP_SYS(sched_yield),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(sysinfo),
    SCMP_SYS(sched_getaffinity),
};

// The system calls that no helper program needs. A list of forbidden calls suffices, because
// Landlock and the resource limits have taken its other rights away.
constexpr int kForbiddenCalls[] = {
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(kill),
    SCMP_SYS(tkill),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(setuid),
    SCMP_SYS(setgid),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(mknod),
    SCMP_SYS(mknodat),
    SCMP_SYS(symlink),
    SCMP_SYS(symlinkat),
    SCMP_SYS(link),
    SCMP_SYS(linkat),
    SCMP_SYS(chmod),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(chown),
    SCMP_SYS(fchown),
    SCMP_SYS(truncate),
    SCMP_SYS(utimensat),
    SCMP_SYS(setxattr),
    SCMP_SYS(fsetxattr),
};

class SeccompRules final {
 public:
  SeccompRules(const SeccompLibrary& library, uint32_t fallback)
      : library_(library), rules_(library.init(fallback)) {}
  ~SeccompRules() {
    if (rules_ != nullptr) library_.release(rules_);
  }
  SeccompRules(const SeccompRules&) = delete;
  SeccompRules& operator=(const SeccompRules&) = delete;

  // Calls that this processor does not have (fork on ARM) are passed over by libseccomp.
  void Set(uint32_t action, int call) { good_ = good_ && Added(action, call, nullptr); }
  void SetIf(uint32_t action, int call, const scmp_arg_cmp& condition) {
    good_ = good_ && Added(action, call, &condition);
  }
  Status Load() {
    if (!good_ || rules_ == nullptr || library_.load(rules_) != 0) {
      return Status::Unsupported("this kernel does not accept a seccomp filter",
                                 "--unsafe-extract reads documents without it");
    }
    return Status::Ok();
  }

 private:
  bool Added(uint32_t action, int call, const scmp_arg_cmp* condition) {
    return rules_ != nullptr &&
           library_.rule_add_array(rules_, action, call, condition ? 1 : 0, condition) == 0;
  }

  const SeccompLibrary& library_;
  scmp_filter_ctx rules_;
  bool good_ = true;
};

Status GiveUpRights(uint64_t memory_bytes, uint64_t cpu_seconds, uint64_t descriptors) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return Status::IoError("cannot give up privileges: " + SystemErrorText(errno));
  }
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  EndWithParent();
  return SetResourceLimits(memory_bytes, cpu_seconds, descriptors);
}

int LandlockVersion() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

// Returns all rights over files that this version of the interface knows.
uint64_t AllFileRights(int version) {
  uint64_t rights = (uint64_t{1} << 13) - 1;
  if (version >= 2) rights |= uint64_t{1} << 13;  // LANDLOCK_ACCESS_FS_REFER
  if (version >= 3) rights |= uint64_t{1} << 14;  // LANDLOCK_ACCESS_FS_TRUNCATE
  if (version >= 5) rights |= uint64_t{1} << 15;  // LANDLOCK_ACCESS_FS_IOCTL_DEV
  return rights;
}

// Forbids every use of files except reading and executing those below `readable`. Does nothing on a
// kernel without Landlock.
Status RestrictFiles(const std::vector<const char*>& readable) {
  const int version = LandlockVersion();
  if (version == 0) return Status::Ok();
  // struct landlock_ruleset_attr of later kernels: files, then (version 4) TCP.
  struct {
    uint64_t files;
    uint64_t network;
  } handled = {AllFileRights(version), version >= 4 ? uint64_t{3} : 0};
  const size_t size = version >= 4 ? sizeof(handled) : sizeof(handled.files);
  const int rules = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, size, 0));
  if (rules < 0) return Status::IoError("cannot use Landlock: " + SystemErrorText(errno));
  for (const char* const path : readable) {
    const int directory = ::open(path, O_PATH | O_CLOEXEC);
    if (directory < 0) continue;  // not every system has /lib64
    landlock_path_beneath_attr beneath{};
    beneath.allowed_access =
        LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    beneath.parent_fd = directory;
    ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    ::close(directory);
  }
  const long restricted = ::syscall(SYS_landlock_restrict_self, rules, 0);
  const int error = errno;
  ::close(rules);
  if (restricted == 0) return Status::Ok();
  return Status::IoError("cannot use Landlock: " + SystemErrorText(error));
}

Status NeedSeccomp() {
  return Status::Unsupported("libseccomp is not installed, so documents cannot be read safely",
                             "install the package libseccomp2, or add --unsafe-extract");
}

}  // namespace

bool HasSandbox() { return true; }

SandboxSupport FindSandboxSupport() {
  SandboxSupport support;
  support.seccomp = LoadSeccompLibrary() != nullptr && ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
  support.landlock_version = LandlockVersion();
  return support;
}

Status EnterWorkerSandbox(int socket, uint64_t memory_bytes, bool without_seccomp) {
  const SeccompLibrary* const library = LoadSeccompLibrary();
  if (library == nullptr && !without_seccomp) return NeedSeccomp();
  constexpr uint64_t kMostCpuSeconds = 24 * 60 * 60;  // the program watches each file's time
  RECALL_TRY(GiveUpRights(memory_bytes, kMostCpuSeconds, 16));
  // Closes every other descriptor, so that none that was left open can be read.
  CloseDescriptors(0, socket - 1);
  CloseDescriptors(socket + 1, INT_MAX);
  RECALL_TRY(RestrictFiles({}));
  if (without_seccomp) return Status::Ok();
  SeccompRules rules(*library, SCMP_ACT_KILL_PROCESS);
  for (const int call : kWorkerCalls) rules.Set(SCMP_ACT_ALLOW, call);
  for (const int call : kSanitizerCalls) rules.Set(SCMP_ACT_ALLOW, call);
  // Memory may be mapped if it is not executable: the third argument of both calls lacks PROT_EXEC,
  // which is 4.
  for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect)}) {
    rules.SetIf(SCMP_ACT_ALLOW, call, SCMP_A2(SCMP_CMP_MASKED_EQ, 4, 0));
  }
  // These calls fail as if the file did not exist, for libraries that look for optional files.
  for (const int call : {SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(access), SCMP_SYS(faccessat),
                         SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(stat)}) {
    rules.Set(SCMP_ACT_ERRNO(ENOENT), call);
  }
  // stdio calls ioctl(TCGETS) to find out whether it writes to a terminal.
  rules.Set(SCMP_ACT_ERRNO(ENOTTY), SCMP_SYS(ioctl));
  return rules.Load();
}

Status EnterHelperSandbox(uint64_t memory_bytes, int cpu_seconds, bool without_seccomp) {
  const SeccompLibrary* const library = LoadSeccompLibrary();
  if (library == nullptr && !without_seccomp) return NeedSeccomp();
  RECALL_TRY(GiveUpRights(memory_bytes, static_cast<uint64_t>(cpu_seconds), 64));
  CloseDescriptors(3, INT_MAX);
  RECALL_TRY(RestrictFiles({"/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/fonts",
                            "/etc/alternatives", "/dev/null", "/dev/urandom"}));
  if (without_seccomp) return Status::Ok();
  SeccompRules rules(*library, SCMP_ACT_ALLOW);
  for (const int call : kForbiddenCalls) rules.Set(SCMP_ACT_ERRNO(EPERM), call);
  return rules.Load();
}

}  // namespace recall::linux_form
