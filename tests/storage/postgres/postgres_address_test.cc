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

TEST(PostgresAddressTest, OnlyUrlsAreAddresses) {
  EXPECT_TRUE(IsPostgresAddress("postgres://h/db"));
  EXPECT_FALSE(IsPostgresAddress("postgres.db"));
  EXPECT_FALSE(IsPostgresAddress("/srv/postgres://h"));
}

// Other users can see the arguments of a process.
TEST(PostgresAddressTest, PasswordsAreRefused) {
  for (const char* text : {"postgres://me:secret@h/db", "postgres://me:@h/db",
                           "postgres://h/db?password=secret", "postgres://h/db?a=b&password=s"}) {
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

}  // namespace
}  // namespace recall
