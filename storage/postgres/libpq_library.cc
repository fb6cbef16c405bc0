#include "storage/postgres/libpq_library.h"

#include "storage/base/dynamic_library.h"

namespace recall {
namespace {

const LibpqLibrary* LoadLibpq() {
  void* const library = OpenLibrary("libpq.so.5");
  if (library == nullptr) return nullptr;
  static LibpqLibrary pq;
  const auto load = [library](const char* name, auto* symbol) {
    return LoadSymbol(library, name, symbol);
  };
  const bool all = load("PQconnectdbParams", &pq.connect) && load("PQstatus", &pq.status) &&
                   load("PQerrorMessage", &pq.error_message) && load("PQfinish", &pq.finish) &&
                   load("PQsetnonblocking", &pq.set_nonblocking) && load("PQsocket", &pq.socket) &&
                   load("PQbackendPID", &pq.backend_pid) && load("PQsendQueryParams", &pq.send) &&
                   load("PQflush", &pq.flush) && load("PQconsumeInput", &pq.consume_input) &&
                   load("PQisBusy", &pq.is_busy) && load("PQresultStatus", &pq.result_status) &&
                   load("PQresultErrorField", &pq.result_error_field) &&
                   load("PQresultErrorMessage", &pq.result_error_message) &&
                   load("PQntuples", &pq.rows) && load("PQgetvalue", &pq.value) &&
                   load("PQgetlength", &pq.length) && load("PQclear", &pq.clear) &&
                   load("PQputCopyData", &pq.put_copy_data) &&
                   load("PQputCopyEnd", &pq.put_copy_end) && load("PQgetResult", &pq.get_result) &&
                   load("PQsetNoticeProcessor", &pq.set_notice_processor);
  return all ? &pq : nullptr;
}

}  // namespace

Result<const LibpqLibrary*> LibpqLibrary::Get() {
  static const LibpqLibrary* const pq = LoadLibpq();
  if (pq != nullptr) return pq;
  return Fail(Status::Unsupported("a store on PostgreSQL needs the library libpq.so.5",
                                  "install it: apt-get install libpq5"));
}

}  // namespace recall
