#include "storage/postgres/postgres_address.h"

#include "tests/test_util.h"

namespace recall {
namespace {

TEST(PostgresAddressTest, TheStoreIsNamedByAParameterOfOurs) {
  ASSERT_OK_AND_ASSIGN(
      const PostgresAddress address,
      ParsePostgresAddress("postgres://me@one:5433,two/db?sslmode=verify-full&store=team_2&x=y"));
  EXPECT_EQ(address.conninfo, "postgres://me@one:5433,two/db?sslmode=verify-full&x=y");
  EXPECT_EQ(address.store, "team_2");

  ASSERT_OK_AND_ASSIGN(const PostgresAddress plain, ParsePostgresAddress("postgresql://h/db"));
  EXPECT_EQ(plain.conninfo, "postgresql://h/db");
  EXPECT_EQ(plain.store, "main");
}

TEST(PostgresAddressTest, NumbersHaveRanges) {
  const PostgresAddress address =
      Must(ParsePostgresAddress("postgres://h/db?answer_timeout=5&cache_size=100&a=b"));
  EXPECT_EQ(address.answer_timeout_ms, 5000);
  EXPECT_EQ(address.cache_bytes, 100u << 20);
  EXPECT_EQ(address.conninfo, "postgres://h/db?a=b");
  for (const char* parameter : {"answer_timeout=0", "answer_timeout=3601", "answer_timeout=",
                                "cache_size=-1", "cache_size=1GB", "cache_size=99999999999"}) {
    const auto bad = ParsePostgresAddress(std::string("postgres://h/db?") + parameter);
    ASSERT_FALSE(bad) << parameter;
    EXPECT_NE(bad.error().hint().find("from 1 to"), std::string::npos);
  }
}

TEST(PostgresAddressTest, OnlyUrlsAreAddresses) {
  EXPECT_TRUE(IsPostgresAddress("postgres://h/db"));
  EXPECT_FALSE(IsPostgresAddress("postgres.db"));
  EXPECT_FALSE(IsPostgresAddress("/srv/postgres://h"));
}

// Other users can see the arguments of a process.
TEST(PostgresAddressTest, PasswordsAreRefused) {
  for (const char* text :
       {"postgres://me:secret@h/db", "postgres://me:@h/db", "postgres://h/db?password=secret",
        "postgres://h/db?a=b&password=s", "postgres://h/db?sslkey=k&sslpassword=secret"}) {
    const auto address = ParsePostgresAddress(text);
    ASSERT_FALSE(address) << text;
    EXPECT_EQ(address.error().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(address.error().ToString().find("secret"), std::string::npos);
  }
  EXPECT_TRUE(ParsePostgresAddress("postgres://me@h:5432/db"));
}

// A name becomes a part of SQL texts.
TEST(PostgresAddressTest, NamesOfStoresAreWords) {
  for (const char* name : {"", "A", "1a", "a-b", "a\"b", "a;drop", "\xC3\xA4",
                           "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
    EXPECT_FALSE(ParsePostgresAddress("postgres://h/db?store=" + std::string(name))) << name;
  }
}

TEST(PostgresAddressTest, SeveralServersHaveSpacesBetweenThem) {
  ASSERT_OK_AND_ASSIGN(const PostgresStore store,
                       ParsePostgresStore("postgres://a/db  postgres://b/db?store=x "));
  ASSERT_EQ(store.servers.size(), 2u);
  EXPECT_EQ(store.servers[0].conninfo, "postgres://a/db");
  EXPECT_EQ(store.servers[1].store, "x");
  EXPECT_EQ(store.shown, "postgres://a/db postgres://b/db?store=x");
  const auto mixed = ParsePostgresStore("postgres://a/db recall.db");
  ASSERT_FALSE(mixed);
  EXPECT_NE(mixed.error().message().find("recall.db"), std::string::npos);
}

// A server on another machine must prove who it is, unless the user says otherwise.
TEST(PostgresAddressTest, OtherMachinesNeedACertificate) {
  const auto needs = [](const char* text) {
    return Must(ParsePostgresAddress(text)).verify_certificate;
  };
  for (const char* text :
       {"postgres://db.example/x", "postgres://me@10.0.0.1:5433/x", "postgres://localhost,db/x",
        "postgres:///x?host=db.example", "postgres:///x?a=b&hostaddr=10.0.0.1",
        "postgres://[fe80::1]:5432/x", "postgres://127.example/x",
        "postgres://localhost/x?hostaddr=10.0.0.1"}) {
    EXPECT_TRUE(needs(text)) << text;
  }
  for (const char* text :
       {"postgres:///x", "postgres://me@/x?host=/run/postgresql", "postgres://localhost:5433/x",
        "postgres://me@127.0.0.1/x", "postgres://[::1]:5432/x", "postgres://%2Frun%2Fpg/x",
        "postgres://db.example/x?sslmode=prefer", "postgres://db.example/x?service=team"}) {
    EXPECT_FALSE(needs(text)) << text;
  }
}

}  // namespace
}  // namespace recall
