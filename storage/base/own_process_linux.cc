#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "storage/base/hosted.h"
#include "storage/base/own_process.h"

namespace recall::linux_form {
namespace {

constexpr char kProgram[] = "/proc/self/exe";

// The target of a link of /proc, if it is a path.
std::string TargetOf(const std::string& link) {
  std::error_code error;
  std::string target = std::filesystem::read_symlink(link, error);
  return error || !target.starts_with('/') ? "" : target;
}

}  // namespace

void RememberProgram(const char*) {}

std::string PathOfProgram() { return IsHosted() ? "" : kProgram; }

std::string FileOfProgram() {
  if (IsHosted()) return "";
  std::string file = TargetOf(kProgram);
  std::error_code ignored;
  return std::filesystem::exists(file, ignored) ? file : "";
}

bool StatOfProgram(struct stat* info) { return ::stat(kProgram, info) == 0; }

std::string PathToReopen(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

std::string FileOfDescriptor(int descriptor) { return TargetOf(PathToReopen(descriptor)); }

std::optional<std::array<uint64_t, 2>> NamespaceOfFiles() {
  struct stat info;
  if (::stat("/proc/self/ns/mnt", &info) != 0) return std::nullopt;
  return std::array{static_cast<uint64_t>(info.st_dev), static_cast<uint64_t>(info.st_ino)};
}

std::string BootIdentity() {
  std::string id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  return id;
}

ProcessMemory MemoryOfProcess() {
  long pages_mapped = 0;
  long pages_resident = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages_mapped, &pages_resident) != 2) pages_resident = 0;
    std::fclose(file);
  }
  const int64_t page = ::sysconf(_SC_PAGESIZE);
  return {pages_resident * page, pages_mapped * page};
}

int64_t PeakMemoryBytes(const rusage& usage) { return int64_t{usage.ru_maxrss} * 1024; }

bool IsRunning(pid_t process) {
  const std::string path = "/proc/" + std::to_string(process) + "/stat";
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char line[512];
  const ssize_t size = ::read(fd, line, sizeof(line));
  ::close(fd);
  // "PID (NAME) STATE ...", where NAME may contain anything.
  const std::string_view text(line, static_cast<size_t>(std::max<ssize_t>(size, 0)));
  const size_t name_end = text.rfind(") ");
  return name_end != text.npos &&
         std::string_view("tTZX").find(text[name_end + 2]) == std::string_view::npos;
}

void EndWithParent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

}  // namespace recall::linux_form
