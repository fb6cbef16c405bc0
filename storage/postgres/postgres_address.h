#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// A store on one PostgreSQL server: postgres://[USER@]HOST[:PORT][,HOST...]/DATABASE[?PARAMETERS],
// with libpq's parameters (https://www.postgresql.org/docs/15/libpq-connect.html) and three of
// Recall's own, store=NAME, answer_timeout=SECONDS and cache_size=MIB. Several hosts are a server
// and its standbys.
struct PostgresAddress {
  std::string conninfo;           // for libpq, without Recall's parameters
  std::string store;              // "main" by default
  int answer_timeout_ms = 30000;  // how long a server may be silent; 1 to 3600 s
  uint64_t cache_bytes = 0;       // maximum size of a replica; 0: no limit but the store's size
  std::string shown;              // for messages; has no secrets
  // Whether the connection must be encrypted, with a certificate that is valid for the server's
  // name. True if the server may be another machine, unless the address, PGSSLMODE or a service
  // file chooses another mode.
  bool verify_certificate = false;
};

// A store whose pages are on these servers, in this order.
struct PostgresStore {
  std::vector<PostgresAddress> servers;  // at least one
  std::string shown;
};

// Whether the text begins like the address of a store on a server, or like a list of addresses.
bool IsPostgresAddress(std::string_view text);
// Parses one address. Errors: InvalidArgument, also if the address contains a password, which
// belongs in the password file or the environment.
Result<PostgresAddress> ParsePostgresAddress(std::string_view text);

// Parses one address, or several separated by spaces.
Result<PostgresStore> ParsePostgresStore(std::string_view text);

}  // namespace recall
