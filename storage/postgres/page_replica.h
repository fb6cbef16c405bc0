#pragma once

#include <memory>
#include <string>

#include "storage/base/result.h"
#include "storage/postgres/postgres_address.h"
#include "storage/replica/page_source.h"

namespace recall {

enum class ReplicaUse { kRead, kWrite, kCheck };

// Connects to the servers and returns the path of one of the store's replicas in `cache_directory`,
// which the process may then open like a local store. Writers have one replica. Readers have the
// first of kMostReaderReplicas that no reader of an older commit uses. A caller that gets Busy from
// SQLite later, because such a reader was faster, calls this again for another one. The replica of
// checks drops its pages when it is next locked without another user, so that a check examines what
// the server has. Errors:
// StoreNotFound, IoError. Thread-safe.
Result<std::string> OpenPostgresReplica(const PostgresStore& store,
                                        const std::string& cache_directory, ReplicaUse use);
constexpr int kMostReaderReplicas = 8;

// Makes a store on the servers from a complete local one, whose journal mode is DELETE.
// Errors: AlreadyExists.
Status CreatePostgresStore(const PostgresStore& store, const std::string& local_path);

}  // namespace recall
