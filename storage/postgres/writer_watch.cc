#include "storage/postgres/writer_watch.h"

namespace recall {

bool WriterWatch::HasStopped(const std::optional<PageServer::Writer>& seen, int64_t now) {
  looked_ = now;
  if (!seen) return false;
  const bool same =
      seen->pid == seen_.pid && seen->began == seen_.began && seen->progress == seen_.progress;
  if (!same || !seen->is_silent) since_ = now;
  seen_ = *seen;
  return seen->is_silent && now - since_ >= kSilenceMicros;
}

}  // namespace recall
