#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// A store on one PostgreSQL server: postgres://[USER@]HOST[:PORT][,HOST...]/DATABASE[?PARAMETERS],
// with libpq's parameters (https://www.postgresql.org/docs/15/libpq-connect.html) and three of
// ours, store=NAME, answer_timeout=SECONDS and cache_size=MIB. Several hosts are a server and its
// standbys.
struct PostgresAddress {
  std::string conninfo;           // for libpq, without ours
  std::string store;              // "main" by default
  int answer_timeout_ms = 30000;  // how long a server may be silent; 1 to 3600 s
  uint64_t cache_bytes = 0;       // how large the replica may grow; 0: as the store
  std::string shown;              // for messages; has no secrets
  // The connection must be encrypted, and the server's certificate valid for its name. True if the
  // server may be another machine, and neither the address, PGSSLMODE nor a service file says
  // otherwise.
  bool verify_certificate = false;
};

// A store whose pages are on these servers, in this order.
struct PostgresStore {
  std::vector<PostgresAddress> servers;  // at least one
  std::string shown;
};

// Whether the text is meant as such an address, or as several of them.
bool IsPostgresAddress(std::string_view text);
// Errors: InvalidArgument, also for a password, which belongs into the password file or the
// environment.
Result<PostgresAddress> ParsePostgresAddress(std::string_view text);

// One address, or several with spaces between them.
Result<PostgresStore> ParsePostgresStore(std::string_view text);

}  // namespace recall
