#pragma once

struct sqlite3_vfs;

namespace recall {

// The VFS of replicas (page_source.h): it wraps the VFS that is the default when a file is opened,
// and is used below PageVfs(). Other files are passed through. Thread-safe.
sqlite3_vfs* ReplicaVfs();

}  // namespace recall
