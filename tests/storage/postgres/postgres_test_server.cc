#include "tests/storage/postgres/postgres_test_server.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "storage/postgres/postgres_address.h"
#include "storage/postgres/postgres_session.h"

namespace recall {
namespace {

// Debian's, or those in the directory RECALL_TEST_POSTGRES.
std::string ProgramOf(const std::string& name) {
  const char* const other = std::getenv("RECALL_TEST_POSTGRES");
  return std::string(other == nullptr ? "/usr/lib/postgresql/15/bin" : other) + "/" + name;
}

constexpr int kStartSeconds = 60;

[[noreturn]] void Give(const std::string& why) {
  std::fprintf(stderr, "no PostgreSQL server for tests: %s; `./x setup` installs it\n",
               why.c_str());
  std::abort();
}

// Starts a program as an ordinary user, its output in a file. It gets a signal when the thread
// that has started it ends.
pid_t StartAsUser(const std::string& directory, std::vector<std::string> words) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  if (::geteuid() == 0) {
    const passwd* const nobody = ::getpwnam("nobody");
    if (nobody == nullptr || ::setgid(nobody->pw_gid) != 0 || ::setuid(nobody->pw_uid) != 0) {
      ::_exit(126);
    }
  }
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
  const int log =
      ::open((directory + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  ::dup2(log, 1);
  ::dup2(log, 2);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

// A port of 127.0.0.1 that nobody listens on now.
int FreePort() {
  const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  if (::bind(probe, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    Give("no free port");
  }
  ::close(probe);
  return ntohs(address.sin_port);
}

}  // namespace

void PostgresTestServer::MakeDirectory() {
  std::string pattern = "/tmp/recall-postgres-XXXXXX";  // a socket's path must be short
  directory_ = ::mkdtemp(pattern.data());
  if (::geteuid() == 0) {
    const passwd* const nobody = ::getpwnam("nobody");
    if (nobody == nullptr || ::chown(directory_.c_str(), nobody->pw_uid, nobody->pw_gid) != 0) {
      Give("no user nobody");
    }
  }
}

void PostgresTestServer::RunProgram(std::vector<std::string> words) {
  const std::string name = words[0];
  if (!name.starts_with('/')) words[0] = ProgramOf(name);
  const pid_t child = StartAsUser(directory_, std::move(words));
  int status = 0;
  if (::waitpid(child, &status, 0) != child || status != 0) Give(name + " failed");
}

void PostgresTestServer::MakeDatabase() {
  MakeDirectory();
  RunProgram({"initdb", "-D", directory_ + "/data", "-U", "recall", "--auth=trust", "--no-locale",
              "-E", "UTF8", "--no-sync"});
}

PostgresTestServer::PostgresTestServer() {
  MakeDatabase();
  Start();
}

PostgresTestServer::PostgresTestServer(const std::string& tls_name) : tls_(true) {
  MakeDatabase();
  RunProgram({"/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
              "ec_paramgen_curve:prime256v1", "-nodes", "-days", "3650", "-subj", "/CN=" + tls_name,
              "-addext", "subjectAltName=DNS:" + tls_name, "-keyout", directory_ + "/key", "-out",
              certificate_file()});
  std::ofstream(directory_ + "/data/postgresql.conf", std::ios::app)
      << "ssl = on\nssl_cert_file = '" << certificate_file() << "'\nssl_key_file = '" << directory_
      << "/key'\n";
  Start();
}

PostgresTestServer::PostgresTestServer(PostgresTestServer& primary) {
  MakeDirectory();
  RunProgram({"pg_basebackup", "-h", primary.directory_, "-U", "recall", "-D", directory_ + "/data",
              "-R", "-X", "stream", "-c", "fast", "--no-sync"});
  Start();
  const auto session =
      Must(PostgresSession::Connect(Must(ParsePostgresAddress(primary.Address("any")))));
  for (const char* sql :
       {"ALTER SYSTEM SET synchronous_standby_names = '*'",
        "ALTER SYSTEM SET synchronous_commit = 'remote_apply'", "SELECT pg_reload_conf()"}) {
    Must(session->Run(sql));
  }
}

void PostgresTestServer::Promote() {
  RunProgram({"pg_ctl", "-D", directory_ + "/data", "-w", "promote"});
}

PostgresTestServer::~PostgresTestServer() {
  if (pooler_ > 0) {
    ::kill(pooler_, SIGKILL);
    ::waitpid(pooler_, nullptr, 0);
  }
  if (process_ > 0) {
    ::kill(process_, SIGQUIT);
    ::waitpid(process_, nullptr, 0);
  }
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

std::string PostgresTestServer::Address(const std::string& name) const {
  const std::string port = tls_ ? "&port=" + std::to_string(port_) : "";
  return "postgres://recall@/postgres?host=" + directory_ + port + "&store=" + name;
}

int64_t PostgresTestServer::CountStatements() {
  if (!std::exchange(logs_statements_, true)) {
    const auto session = Must(PostgresSession::Connect(Must(ParsePostgresAddress(Address("any")))));
    Must(session->Run("ALTER SYSTEM SET log_statement = 'all'"));
    Must(session->Run("SELECT pg_reload_conf()"));
    // Sessions learn of it one by one; new ones begin with it.
    while (Must(PostgresSession::Connect(Must(ParsePostgresAddress(Address("any")))))
               ->Run("SELECT 1 WHERE current_setting('log_statement') = 'all'")
               ->rows() == 0) {
    }
    log_begins_ = std::filesystem::file_size(directory_ + "/log");
    return 0;
  }
  std::ifstream log(directory_ + "/log");
  log.seekg(static_cast<std::streamoff>(log_begins_));
  int64_t statements = 0;
  for (std::string line; std::getline(log, line);) {
    statements += line.find("execute <unnamed>: ") != line.npos ? 1 : 0;
  }
  return statements;
}

std::string PostgresTestServer::PooledAddress(const std::string& name) const {
  return "postgres://recall@/postgres?host=" + directory_ + "&port=6432&store=" + name;
}

void PostgresTestServer::StartPooler(int sessions) {
  std::ofstream(directory_ + "/pooler.ini")
      << "[databases]\npostgres = host=" << directory_ << " port=" << port_ << "\n[pgbouncer]\n"
      << "unix_socket_dir = " << directory_
      << "\nlisten_port = 6432\nauth_type = trust\nauth_file = " << directory_
      << "/users\npool_mode = transaction\ndefault_pool_size = " << sessions << "\n";
  std::ofstream(directory_ + "/users") << "\"recall\" \"\"\n";
  pooler_ = StartAsUser(directory_, {"/usr/sbin/pgbouncer", directory_ + "/pooler.ini"});
  const timespec pause{.tv_sec = 0, .tv_nsec = 10'000'000};
  for (int attempt = 0; attempt < kStartSeconds * 100; ++attempt) {
    if (PostgresSession::Connect(Must(ParsePostgresAddress(PooledAddress("any"))))) return;
    if (::waitpid(pooler_, nullptr, WNOHANG) == pooler_) Give("pgbouncer ended");
    ::nanosleep(&pause, nullptr);
  }
  Give("pgbouncer does not accept connections");
}

void PostgresTestServer::Start() {
  const auto start = [this] {
    if (tls_) port_ = FreePort();
    process_ =
        StartAsUser(directory_, {ProgramOf("postgres"), "-D", directory_ + "/data", "-k",
                                 directory_, "-p", std::to_string(port_), "-c",
                                 tls_ ? "listen_addresses=127.0.0.1" : "listen_addresses=", "-c",
                                 "shared_buffers=16MB", "-c", "max_wal_size=128MB", "-c",
                                 "max_connections=300"});
  };
  start();
  const timespec pause{.tv_sec = 0, .tv_nsec = 10'000'000};
  for (int attempt = 0; attempt < kStartSeconds * 100; ++attempt) {
    if (PostgresSession::Connect(Must(ParsePostgresAddress(Address("any"))))) return;
    // It refuses to start while processes of the one before have not ended, or if another program
    // has taken the port.
    if (::waitpid(process_, nullptr, WNOHANG) == process_) start();
    ::nanosleep(&pause, nullptr);
  }
  Give("it does not accept connections");
}

// The server itself first: it starts processes, and they have process groups of their own.
std::vector<pid_t> PostgresTestServer::StopAndListProcesses() {
  ::kill(process_, SIGSTOP);
  std::vector<pid_t> processes = {process_};
  std::ifstream children("/proc/" + std::to_string(process_) + "/task/" + std::to_string(process_) +
                         "/children");
  for (pid_t child = 0; children >> child;) processes.push_back(child);
  return processes;
}

void PostgresTestServer::Pause() {
  for (const pid_t process : StopAndListProcesses()) ::kill(process, SIGSTOP);
}

void PostgresTestServer::Resume() {
  for (const pid_t process : StopAndListProcesses()) ::kill(process, SIGCONT);
}

void PostgresTestServer::Kill() {
  for (const pid_t process : StopAndListProcesses()) ::kill(process, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

}  // namespace recall
