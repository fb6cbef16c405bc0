#pragma once

#include <string_view>

#include "storage/base/result.h"

// The part of PostgreSQL's client library that Recall uses
// (https://www.postgresql.org/docs/15/libpq.html). The library is opened when a store on a server
// is asked for, so a program without it has all commands for local stores.

struct pg_conn;
struct pg_result;

namespace recall {

struct LibpqLibrary {
  // Values of ConnStatusType and ExecStatusType, which are stable.
  static constexpr int kConnectionOk = 0;
  static constexpr int kCommandOk = 1;
  static constexpr int kTuplesOk = 2;
  static constexpr int kCopyIn = 4;
  static constexpr int kSqlState = 'C';  // PG_DIAG_SQLSTATE

  pg_conn* (*connect)(const char* const* keywords, const char* const* values,
                      int expand_dbname) = nullptr;
  int (*status)(const pg_conn*) = nullptr;
  char* (*error_message)(const pg_conn*) = nullptr;
  void (*finish)(pg_conn*) = nullptr;
  int (*set_nonblocking)(pg_conn*, int on) = nullptr;
  int (*socket)(const pg_conn*) = nullptr;
  int (*backend_pid)(const pg_conn*) = nullptr;
  int (*send)(pg_conn*, const char* sql, int count, const unsigned* types,
              const char* const* values, const int* lengths, const int* formats,
              int result_format) = nullptr;
  int (*flush)(pg_conn*) = nullptr;
  int (*consume_input)(pg_conn*) = nullptr;
  int (*is_busy)(pg_conn*) = nullptr;
  int (*result_status)(const pg_result*) = nullptr;
  char* (*result_error_field)(const pg_result*, int field) = nullptr;
  char* (*result_error_message)(const pg_result*) = nullptr;
  int (*rows)(const pg_result*) = nullptr;
  char* (*value)(const pg_result*, int row, int column) = nullptr;
  int (*length)(const pg_result*, int row, int column) = nullptr;
  void (*clear)(pg_result*) = nullptr;
  int (*put_copy_data)(pg_conn*, const char* bytes, int count) = nullptr;
  int (*put_copy_end)(pg_conn*, const char* error) = nullptr;
  pg_result* (*get_result)(pg_conn*) = nullptr;
  void (*(*set_notice_processor)(pg_conn*, void (*)(void*, const char*),
                                 void*))(void*, const char*) = nullptr;

  // The library, opened by the first call and never closed. Errors: Unsupported, naming the
  // package. Thread-safe.
  static Result<const LibpqLibrary*> Get();
};

}  // namespace recall
