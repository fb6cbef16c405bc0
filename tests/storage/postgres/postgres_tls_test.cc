// Connections to servers that are, or pretend to be, on other machines: addresses give them names,
// and libpq's `hostaddr` leads these to a server of the test.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "storage/postgres/postgres_address.h"
#include "storage/postgres/postgres_session.h"
#include "tests/storage/postgres/postgres_test_server.h"
#include "tests/test_util.h"

namespace recall {
namespace {

class PostgresTlsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = std::make_unique<PostgresTestServer>("db.example"); }
  static void TearDownTestSuite() { server_ = nullptr; }

  static Result<std::unique_ptr<PostgresSession>> Connect(const std::string& host, int port,
                                                          const std::string& parameters) {
    return PostgresSession::Connect(
        Must(ParsePostgresAddress("postgres://recall@" + host + ":" + std::to_string(port) +
                                  "/postgres?hostaddr=127.0.0.1" + parameters)));
  }
  static void ExpectRefused(const std::string& host, const std::string& parameters,
                            const std::string& why) {
    const auto session = Connect(host, server_->port(), parameters);
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().code(), StatusCode::kIoError);
    EXPECT_NE(session.error().message().find(why), std::string::npos) << session.error().ToString();
    EXPECT_NE(session.error().message().find(host), std::string::npos);
  }
  static std::string Root(const std::string& file) { return "&sslrootcert=" + file; }
  static bool IsEncrypted(PostgresSession& session) {
    return Must(session.Run("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")).Bool(0, 0);
  }

  static std::unique_ptr<PostgresTestServer> server_;
};

std::unique_ptr<PostgresTestServer> PostgresTlsTest::server_;

TEST_F(PostgresTlsTest, AServerWithTheRightCertificateIsAccepted) {
  ASSERT_OK_AND_ASSIGN(const auto session,
                       Connect("db.example", server_->port(), Root(server_->certificate_file())));
  EXPECT_TRUE(IsEncrypted(*session));
}

TEST_F(PostgresTlsTest, AnotherNameAnotherAuthorityAndNoneAreRefused) {
  ExpectRefused("other.example", Root(server_->certificate_file()), "does not match host name");
  const PostgresTestServer other("db.example");
  ExpectRefused("db.example", Root(other.certificate_file()), "certificate verify failed");
  ExpectRefused("db.example", Root("/nonexistent/root.crt"), "root certificate file");
}

// A server that offers no encryption, or somebody in between who says so.
TEST_F(PostgresTlsTest, TextInTheClearIsForThisMachineOrByRequest) {
  const auto session = Must(Connect("db.example", server_->port(), "&sslmode=disable"));
  EXPECT_FALSE(IsEncrypted(*session));
  ASSERT_OK(session->Do("ALTER SYSTEM SET ssl = off"));
  ASSERT_OK(session->Do("SELECT pg_reload_conf()"));
  const std::string root = Root(server_->certificate_file());
  while (Connect("db.example", server_->port(), root)) {  // until the server has read it
  }
  ExpectRefused("db.example", root, "does not support SSL");
  ASSERT_OK(session->Do("ALTER SYSTEM RESET ssl"));
  ASSERT_OK(session->Do("SELECT pg_reload_conf()"));
  EXPECT_TRUE(Connect("127.0.0.1", server_->port(), ""));
}

}  // namespace
}  // namespace recall
