#pragma once

#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// A store on a PostgreSQL server: postgres://[USER@]HOST[:PORT][,HOST...]/DATABASE[?PARAMETERS],
// with libpq's parameters (https://www.postgresql.org/docs/15/libpq-connect.html) and two of ours,
// store=NAME and answer_timeout=SECONDS.
struct PostgresAddress {
  std::string conninfo;           // for libpq, without ours
  std::string store;              // "main" by default
  int answer_timeout_ms = 30000;  // how long a server may be silent; 1 to 3600 s
  std::string shown;              // for messages; has no secrets
};

// Whether the text is meant as such an address.
bool IsPostgresAddress(std::string_view text);
// Errors: InvalidArgument, also for a password, which belongs into the password file or the
// environment.
Result<PostgresAddress> ParsePostgresAddress(std::string_view text);

}  // namespace recall
