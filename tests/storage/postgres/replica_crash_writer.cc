// replica_crash_writer ADDRESS CACHE
//
// Adds a row to two tables of a store on a server in each transaction, and writes a byte to its
// output when the transaction is committed, until it is killed. Ends with status 1 if that fails.

#include <unistd.h>

#include <cstdio>
#include <string>

#include "storage/postgres/page_replica.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

Status WriteForever(const char* address_text, const char* cache) {
  RECALL_ASSIGN(const PostgresStore store, ParsePostgresStore(address_text));
  RECALL_ASSIGN(const std::string path, OpenPostgresReplica(store, cache, ReplicaUse::kWrite));
  RECALL_ASSIGN(const auto writer, Connection::Open(path, {.mode = ConnectionMode::kReadWrite}));
  for (;;) {
    RECALL_TRY(writer->BeginImmediate());
    RECALL_TRY(writer->Execute("INSERT INTO small(a) VALUES(hex(randomblob(3000)))"));
    RECALL_TRY(writer->Execute("INSERT INTO large(a) VALUES(randomblob(90000))"));
    RECALL_TRY(writer->Execute("COMMIT"));
    if (::write(STDOUT_FILENO, "c", 1) != 1) return Status::IoError("nobody reads");
  }
}

}  // namespace
}  // namespace recall

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const recall::Status failed = recall::WriteForever(arguments[1], arguments[2]);
  std::fprintf(stderr, "%s\n", failed.ToString().c_str());
  return 1;
}
