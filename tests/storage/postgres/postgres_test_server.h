#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/test_util.h"

namespace recall {

// A PostgreSQL server of Debian's package, with a directory of its own, that ends with the test. It
// listens on a socket in that directory and runs as an ordinary user, since it refuses root.
class PostgresTestServer final {
 public:
  // Aborts the test program if the server cannot be started.
  PostgresTestServer();
  ~PostgresTestServer();
  PostgresTestServer(const PostgresTestServer&) = delete;
  PostgresTestServer& operator=(const PostgresTestServer&) = delete;

  // Begins as a copy of `primary` and repeats what it commits, until Promote. From now on a commit
  // of the primary is on both.
  explicit PostgresTestServer(PostgresTestServer& primary);
  void Promote();

  // Listens on a port of 127.0.0.1, too, with a certificate for `tls_name` alone. Nobody has
  // signed it but itself: who trusts certificate_file() accepts it.
  explicit PostgresTestServer(const std::string& tls_name);
  std::string certificate_file() const { return directory_ + "/certificate"; }
  int port() const { return port_; }

  // The directory of the socket, as parameter `host` of an address.
  const std::string& socket_directory() const { return directory_; }
  // The address of the store `name`.
  std::string Address(const std::string& name) const;

  // Starts pgbouncer before the server, with transactions of all clients in `sessions` sessions,
  // and waits until it accepts connections. Ends with the test.
  void StartPooler(int sessions);
  // The address of the store `name` behind the pooler.
  std::string PooledAddress(const std::string& name) const;

  // The number of statements that it has run so far, each of which is a round trip. The first call
  // returns 0: statements are counted from then on.
  int64_t CountStatements();

  // As a crash of the machine, but that what was written to files stays.
  void Kill();
  // As a network that loses everything, both ways: no process of the server runs until Resume.
  void Pause();
  void Resume();
  // After Kill. Returns when the server accepts connections.
  void Start();

 private:
  void MakeDirectory();
  void MakeDatabase();
  // Runs a program, of the package unless it has a path, as an ordinary user. Aborts if it fails.
  void RunProgram(std::vector<std::string> words);
  std::vector<pid_t> StopAndListProcesses();

  std::string directory_;
  pid_t process_ = -1;
  pid_t pooler_ = -1;
  bool logs_statements_ = false;
  uintmax_t log_begins_ = 0;  // the size of the log when statements were first counted
  bool tls_ = false;
  int port_ = 5432;
};

}  // namespace recall
