#pragma once

#include <string>

#include "storage/base/result.h"
#include "storage/postgres/page_replica.h"

namespace recall {

// The local file of a store: `store` itself if it is a path; a replica if it is the address of a
// store on a server (postgres_address.h), to which the process is then connected. Replicas lie in
// $XDG_CACHE_HOME/recall/postgres or ~/.cache/recall/postgres. Errors: those of
// OpenPostgresReplica. Thread-safe.
Result<std::string> FileOfStore(const std::string& store, ReplicaUse use);

}  // namespace recall
