#include "storage/postgres/postgres_address.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <system_error>
#include <utility>

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
constexpr std::string_view kCacheSize = "cache_size=";

// Returns the number after `key` in one of Recall's own parameters.
Result<int> ParseNumber(std::string_view parameter, std::string_view key, int most,
                        const char* unit) {
  const std::string_view text = parameter.substr(key.size());
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= 1 && number <= most) {
    return number;
  }
  return Fail(Status::InvalidArgument(
      "the address of the store has " + std::string(parameter),
      std::string(key) + "NUMBER is a number of " + unit + " from 1 to " + std::to_string(most)));
}

bool HasPassword(std::string_view authority, std::string_view parameters) {
  const size_t at = authority.rfind('@');
  if (at != authority.npos && authority.substr(0, at).find(':') != authority.npos) return true;
  for (const std::string_view key : {"password=", "sslpassword="}) {
    if (parameters.starts_with(key)) return true;
    if (parameters.find("&" + std::string(key)) != parameters.npos) return true;
  }
  return false;
}

bool IsThisMachine(std::string_view host) {
  if (host.empty() || host[0] == '/' || host.starts_with("%2F") || host.starts_with("%2f")) {
    return true;  // a Unix socket
  }
  const bool is_ipv4 = host.find_first_not_of("0123456789.") == host.npos;
  return host == "localhost" || host == "::1" || host == "[::1]" ||
         (is_ipv4 && host.starts_with("127."));
}

// Whether all hosts of a list of HOST or, if `with_ports`, HOST:PORT are this machine.
bool AreThisMachine(std::string_view hosts, bool with_ports) {
  for (;;) {
    const size_t comma = std::min(hosts.find(','), hosts.size());
    std::string_view host = hosts.substr(0, comma);
    const size_t bracket = host.find(']');  // ends an IPv6 address
    const size_t colon = host.find(':', bracket == host.npos ? 0 : bracket);
    if (with_ports) host = host.substr(0, colon);
    if (!IsThisMachine(host)) return false;
    if (comma == hosts.size()) return true;
    hosts.remove_prefix(comma + 1);
  }
}

// Returns the value of PostgresAddress::verify_certificate.
bool NeedsCertificate(std::string_view authority, std::string_view parameters) {
  if (std::getenv("PGSSLMODE") != nullptr || std::getenv("PGSERVICE") != nullptr) return false;
  const std::string_view hosts =
      authority.substr(0, std::min(authority.find('/'), authority.size()));
  const size_t at = hosts.rfind('@');
  bool local = AreThisMachine(at == hosts.npos ? hosts : hosts.substr(at + 1), true);
  bool named = hosts.size() > (at == hosts.npos ? 0 : at + 1);
  for (std::string_view rest = parameters; !rest.empty();) {
    const size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view parameter = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const size_t equals = std::min(parameter.find('='), parameter.size());
    const std::string_view key = parameter.substr(0, equals);
    const std::string_view value = parameter.substr(std::min(equals + 1, parameter.size()));
    if (key == "sslmode" || key == "ssl" || key == "service") return false;
    if (key != "host" && key != "hostaddr") continue;
    named = true;
    local = local && AreThisMachine(value, false);
  }
  const char* const host = std::getenv("PGHOST");
  if (!named && host != nullptr) local = local && AreThisMachine(host, false);
  const char* const numeric = std::getenv("PGHOSTADDR");
  if (numeric != nullptr) local = local && AreThisMachine(numeric, false);
  return !local;
}

// Stores one of Recall's own parameters in its member, and appends any other one to the conninfo.
Status AddParameter(std::string_view parameter, PostgresAddress* address) {
  if (parameter.starts_with("store=")) {
    address->store = parameter.substr(6);
  } else if (parameter.starts_with(kTimeout)) {
    RECALL_ASSIGN(const int seconds, ParseNumber(parameter, kTimeout, 3600, "seconds"));
    address->answer_timeout_ms = seconds * 1000;
  } else if (parameter.starts_with(kCacheSize)) {
    constexpr int kMostMebibytes = 1 << 30;
    RECALL_ASSIGN(const int mebibytes, ParseNumber(parameter, kCacheSize, kMostMebibytes, "MiB"));
    address->cache_bytes = static_cast<uint64_t>(mebibytes) << 20;
  } else {
    const bool first = address->conninfo.find('?') == std::string::npos;
    address->conninfo += (first ? '?' : '&') + std::string(parameter);
  }
  return Status::Ok();
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
  PostgresAddress address{.conninfo = std::string(place),
                          .store = "main",
                          .shown = std::string(text),
                          .verify_certificate = NeedsCertificate(authority, parameters)};
  for (std::string_view rest = parameters; !rest.empty();) {
    const size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view parameter = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    RECALL_TRY(AddParameter(parameter, &address));
  }
  if (!IsStoreName(address.store)) {
    return Fail(Status::InvalidArgument(
        "'" + address.store + "' is no name of a store on a server",
        "a name has up to 41 letters a-z, digits and _, and begins with a letter"));
  }
  return address;
}

Result<PostgresStore> ParsePostgresStore(std::string_view text) {
  PostgresStore store;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!IsPostgresAddress(word)) {
      return Fail(Status::InvalidArgument(
          "'" + std::string(word) + "' is no address of a server",
          "the addresses of several servers begin with postgres:// and have a space between them"));
    }
    RECALL_ASSIGN(PostgresAddress address, ParsePostgresAddress(word));
    store.shown += (store.shown.empty() ? "" : " ") + address.shown;
    store.servers.push_back(std::move(address));
  }
  return store;
}

}  // namespace recall
