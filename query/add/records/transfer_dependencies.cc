#include "query/add/records/transfer_dependencies.h"

#include <filesystem>

#include "storage/base/clock.h"

namespace recall {

TransferProgress::TransferProgress(const AddProgressFn& show)
    : show_(show), last_micros_(SteadyMicros()) {}

void TransferProgress::Update(const AddProgress& progress) {
  if (!show_) return;
  const int64_t now = SteadyMicros();
  if (now - last_micros_ < kProgressMicros) return;
  last_micros_ = now;
  show_(progress);
}

bool IsFileOfStore(const std::string& path, const std::string& store_path) {
  namespace fs = std::filesystem;
  std::error_code error;
  // weakly_canonical leaves the name of a file that does not exist relative.
  const fs::path absolute = fs::absolute(path, error);
  if (error) return false;  // a relative name in a directory that is gone names no file
  const fs::path asked = fs::weakly_canonical(absolute, error);
  const fs::path store = fs::weakly_canonical(fs::absolute(store_path, error), error);
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    const fs::path file = store.string() + suffix;
    // Compare names, because the file may not exist yet, and identities, because of hard links.
    if (asked == file || fs::equivalent(asked, file, error)) return true;
  }
  return false;
}

}  // namespace recall
