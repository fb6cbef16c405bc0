#include "cli/server/remote/started_server.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "cli/run/execution/quiet_process.h"
#include "cli/run/execution/runtime_directory.h"
#include "cli/server/remote/advertised_socket.h"
#include "query/database/database.h"
#include "storage/base/clock.h"
#include "storage/base/file_times.h"
#include "storage/base/own_process.h"
#include "storage/base/private_directory.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIdle = "10m";
constexpr int64_t kBetweenStarts = 10'000'000'000;  // nanoseconds

bool Make(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
  return file >= 0;
}

// Of processes that ask at the same time one may start a server. Its mark stays.
bool MayStart(const std::string& mark) {
  if (Make(mark)) return true;
  struct stat info {};
  if (::stat(mark.c_str(), &info) != 0) return false;
  const int64_t age = WallClockNanos() - ModifiedNanos(info);
  if (age >= 0 && age < kBetweenStarts) return false;
  ::unlink(mark.c_str());
  return Make(mark);
}

}  // namespace

void StartServer(const std::string& store, const std::string& key) {
  const std::string directory = RuntimeDirectory();
  const std::string link = SocketLinkOf(key);
  const std::string program = PathOfProgram();
  std::error_code error;
  const std::string path = IsServerAddress(store) ? store : fs::absolute(store, error).string();
  if (program.empty() || error || !MakePrivateDirectory(directory)) return;
  if (!MayStart(link + ".start")) return;
  // A server of a former program may still listen at another name.
  const std::string socket = link + "." + std::to_string(::getpid()) + ".sock";
  // Lists of processes show the words. The path of the program may be one that tells nothing.
  SpawnQuietly(program,
               {"recall", "serve", "--idle", kIdle, "--root", "/", "--socket", socket, "--", path},
               QuietProcess::kOwnSession);
}

}  // namespace recall
