#pragma once

#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// A store on a PostgreSQL server:
// postgres://[USER@]HOST[:PORT][,HOST...]/DATABASE[?store=NAME&...], with libpq's parameters
// (https://www.postgresql.org/docs/15/libpq-connect.html) and `store`.
struct PostgresAddress {
  std::string conninfo;  // for libpq
  std::string store;     // NAME; "main" by default
  std::string shown;     // for messages; has no secrets
};

// Whether the text is meant as such an address.
bool IsPostgresAddress(std::string_view text);
// Errors: InvalidArgument, also for a password, which belongs into the password file or the
// environment.
Result<PostgresAddress> ParsePostgresAddress(std::string_view text);

}  // namespace recall
