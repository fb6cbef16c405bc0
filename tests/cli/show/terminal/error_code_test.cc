// The closed lists of error codes and exit codes, and the pages that document them.

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "cli/show/output/response.h"
#include "cli/show/terminal/exit_code.h"
#include "tests/cli/show/output/json_text.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

std::string ReadDocsPage(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::string(SourceDir()) + "/docs/" + name).rdbuf();
  return text.str();
}

constexpr StatusCode kStatusCodes[] = {
    StatusCode::kNotFound,
    StatusCode::kAlreadyExists,
    StatusCode::kInvalidArgument,
    StatusCode::kCorruption,
    StatusCode::kUnsupported,
    StatusCode::kIoError,
    StatusCode::kBusy,
    StatusCode::kLimitExceeded,
    StatusCode::kCancelled,
    StatusCode::kInternal,
    StatusCode::kExpired,
    StatusCode::kStoreNotFound,
    StatusCode::kCitationChanged,
    StatusCode::kCitationGone,
    StatusCode::kNoteExists,
    StatusCode::kNearDuplicate,
};

TEST(ErrorCodeTest, TheTableIsInTheOrderOfTheEnum) {
  size_t i = 0;
  for (const ErrorCodeInfo& info : AllErrorCodes()) {
    EXPECT_EQ(static_cast<size_t>(info.code), i++) << info.name;
    EXPECT_EQ(InfoOf(info.code).name, info.name);
  }
}

TEST(ErrorCodeTest, EveryStatusHasACodeOfItsOwnName) {
  for (const StatusCode status : kStatusCodes) {
    EXPECT_EQ(InfoOf(ErrorCodeFor(status)).name, StatusCodeName(status));
  }
  // The command line has one code of its own; all others are those of Status.
  EXPECT_EQ(AllErrorCodes().size(), std::size(kStatusCodes) + 1);
}

TEST(ErrorCodeTest, EveryCodeHasItsNumber) {
  const std::pair<ErrorCode, int> table[] = {
      {ErrorCode::kNotFound, 1},
      {ErrorCode::kVerifyFailed, 1},
      {ErrorCode::kInvalidArgument, 2},
      {ErrorCode::kLimitExceeded, 2},
      {ErrorCode::kStoreNotFound, 3},
      {ErrorCode::kAlreadyExists, 3},
      {ErrorCode::kIoError, 3},
      {ErrorCode::kInternal, 3},
      {ErrorCode::kCorruption, 4},
      {ErrorCode::kUnsupported, 4},
      {ErrorCode::kBusy, 5},
      {ErrorCode::kCancelled, 130},
      {ErrorCode::kSnapshotExpired, 1},
      {ErrorCode::kCitationChanged, 1},
      {ErrorCode::kCitationGone, 1},
      {ErrorCode::kExists, 1},
      {ErrorCode::kNearDuplicate, 1},
  };
  ASSERT_EQ(std::size(table), AllErrorCodes().size());
  for (const auto& [code, exit] : table) {
    EXPECT_EQ(static_cast<int>(InfoOf(code).exit), exit) << InfoOf(code).name;
  }
}

TEST(ErrorCodeTest, TheManualHasTheTable) {
  const std::string page = ReadDocsPage("json.md");
  const std::regex row(R"(\n\| `([a-z_]+)` \| (\d+) \| ([^|]+) \|)");
  std::vector<std::string> documented;
  const std::string section = page.substr(page.find("\n## error"));
  for (std::sregex_iterator i(section.begin(), section.end(), row), end; i != end; ++i) {
    documented.push_back((*i)[1].str() + " " + (*i)[2].str() + " " + (*i)[3].str());
  }
  std::vector<std::string> known;
  for (const ErrorCodeInfo& info : AllErrorCodes()) {
    known.push_back(std::string(info.name) + " " + std::to_string(static_cast<int>(info.exit)) +
                    " " + std::string(info.meaning));
  }
  EXPECT_EQ(documented, known);
}

TEST(ExitCodeTest, TheManualAndTheHelpHaveEveryNumber) {
  const std::string page = ReadDocsPage("cli/README.md");
  const size_t start = page.find("\n## Exit codes");
  const std::string section = page.substr(start, page.find("\n## ", start + 4) - start);
  const std::regex row(R"(\n\| (\d+) \|)");
  std::vector<int> documented;
  for (std::sregex_iterator i(section.begin(), section.end(), row), end; i != end; ++i) {
    documented.push_back(std::stoi((*i)[1].str()));
  }
  std::vector<int> known;
  for (const ExitCodeInfo& info : AllExitCodes()) {
    known.push_back(static_cast<int>(info.code));
    EXPECT_NE(ExitCodeHelp().find("  " + std::to_string(known.back()) + "  "), std::string::npos);
  }
  EXPECT_EQ(documented, known);
}

TEST(FailureTest, JsonTellsThePlace) {
  const Status status = Status::InvalidArgument("expected a value", "write one")
                            .WithPosition({3, 7, "doc.tag =\n         ^"});
  EXPECT_EQ(FieldsText(Failure::FromStatus(status)),
            "{\"code\":\"invalid_argument\",\"message\":\"expected a value\",\"details\":"
            "{\"exit_code\":2,\"line\":3,\"column\":7,\"excerpt\":\"doc.tag =\\n         ^\"},"
            "\"hint\":\"write one\"}");
}

TEST(FailureTest, APlaceMayBeAWholeLineOrNone) {
  const Status line = Status::InvalidArgument("m").WithPosition({12, 0, ""});
  EXPECT_EQ(FieldsText(Failure::FromStatus(line)),
            "{\"code\":\"invalid_argument\",\"message\":\"m\",\"details\":"
            "{\"exit_code\":2,\"line\":12},\"hint\":null}");
  EXPECT_EQ(FieldsText(Failure::FromStatus(Status::Busy("m"))),
            "{\"code\":\"busy\",\"message\":\"m\",\"details\":{\"exit_code\":5},\"hint\":null}");
}

}  // namespace
}  // namespace recall
