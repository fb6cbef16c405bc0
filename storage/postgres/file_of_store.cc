#include "storage/postgres/file_of_store.h"

#include <cstdlib>

#include "storage/postgres/postgres_address.h"

namespace recall {
namespace {

Result<std::string> CacheDirectory() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/recall/postgres";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return std::string(home) + "/.cache/recall/postgres";
  return Fail(Status::IoError("there is no place for the pages of a store on a server",
                              "set HOME or XDG_CACHE_HOME to a directory"));
}

}  // namespace

Result<std::string> FileOfStore(const std::string& store, ReplicaUse use) {
  if (!IsPostgresAddress(store)) return store;
  RECALL_ASSIGN(const PostgresStore place, ParsePostgresStore(store));
  RECALL_ASSIGN(const std::string cache, CacheDirectory());
  return OpenPostgresReplica(place, cache, use);
}

}  // namespace recall
