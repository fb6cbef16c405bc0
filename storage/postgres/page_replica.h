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
// first of kMostReaderReplicas that is not held by a reader of an older commit: whoever finds later
// that it is (Busy) asks for another one. The replica of checks loses its pages when it is locked
// next and nobody else uses it, so that a check finds what is wrong on the server. Errors:
// StoreNotFound, IoError. Thread-safe.
Result<std::string> OpenPostgresReplica(const PostgresStore& store,
                                        const std::string& cache_directory, ReplicaUse use);
constexpr int kMostReaderReplicas = 8;

// Makes a store on the servers from a complete local one, whose journal mode is DELETE.
// Errors: AlreadyExists.
Status CreatePostgresStore(const PostgresStore& store, const std::string& local_path);

}  // namespace recall
