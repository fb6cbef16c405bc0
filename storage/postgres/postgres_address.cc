#include "storage/postgres/postgres_address.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace recall {
namespace {

constexpr std::string_view kSchemes[] = {"postgres://", "postgresql://"};
constexpr size_t kLongestName = 41;

bool IsStoreName(std::string_view name) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && name.size() <= kLongestName && name[0] >= 'a' && name[0] <= 'z' &&
         std::ranges::all_of(name, is_word);
}

constexpr std::string_view kTimeout = "answer_timeout=";

Result<int> ParseTimeout(std::string_view text) {
  constexpr int kMostSeconds = 3600;
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error == std::errc() && end == text.data() + text.size() && seconds >= 1 &&
      seconds <= kMostSeconds) {
    return seconds * 1000;
  }
  return Fail(Status::InvalidArgument(
      "answer_timeout=" + std::string(text) + " in the address of the store is no time",
      "it is a number of seconds from 1 to 3600"));
}

bool HasPassword(std::string_view authority, std::string_view parameters) {
  const size_t at = authority.rfind('@');
  if (at != authority.npos && authority.substr(0, at).find(':') != authority.npos) return true;
  return parameters.starts_with("password=") || parameters.find("&password=") != parameters.npos;
}

}  // namespace

bool IsPostgresAddress(std::string_view text) {
  return std::ranges::any_of(kSchemes, [&](auto scheme) { return text.starts_with(scheme); });
}

Result<PostgresAddress> ParsePostgresAddress(std::string_view text) {
  const size_t question = std::min(text.find('?'), text.size());
  const std::string_view place = text.substr(0, question);
  const std::string_view parameters =
      question < text.size() ? text.substr(question + 1) : std::string_view();
  const std::string_view authority = place.substr(std::min(place.find("://") + 3, place.size()));
  if (HasPassword(authority, parameters)) {
    return Fail(Status::InvalidArgument(
        "the address of the store has a password, which other users of this machine can see",
        "put it into ~/.pgpass or PGPASSWORD"));
  }
  PostgresAddress address{
      .conninfo = std::string(place), .store = "main", .shown = std::string(text)};
  char joint = '?';
  for (std::string_view rest = parameters; !rest.empty();) {
    const size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view parameter = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (parameter.starts_with("store=")) {
      address.store = parameter.substr(6);
    } else if (parameter.starts_with(kTimeout)) {
      RECALL_ASSIGN(address.answer_timeout_ms, ParseTimeout(parameter.substr(kTimeout.size())));
    } else {
      address.conninfo += joint + std::string(parameter);
      joint = '&';
    }
  }
  if (!IsStoreName(address.store)) {
    return Fail(Status::InvalidArgument(
        "'" + address.store + "' is no name of a store on a server",
        "a name has up to 41 letters a-z, digits and _, and begins with a letter"));
  }
  return address;
}

}  // namespace recall
