#pragma once

#include <memory>
#include <string>

#include "storage/base/result.h"
#include "storage/postgres/postgres_address.h"
#include "storage/replica/page_source.h"

namespace recall {

// Connects to the servers and returns the path of the store's replica in `cache_directory`, which
// the process may then open like a local store. The path is the same for the life of the process.
// Errors: StoreNotFound, IoError. Thread-safe.
Result<std::string> OpenPostgresReplica(const PostgresStore& store,
                                        const std::string& cache_directory);

// Makes a store on the servers from a complete local one, whose journal mode is DELETE.
// Errors: AlreadyExists.
Status CreatePostgresStore(const PostgresStore& store, const std::string& local_path);

}  // namespace recall
