#include "cli/server/tools/resource_uri.h"

#include "storage/base/ids.h"

namespace recall {
namespace {

constexpr std::string_view kScheme = "recall://";

// RFC 3986, "unreserved", and '/', which separates the parts of a path.
bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~' || c == '/';
}

std::optional<std::string> Decode(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const auto byte = FromHex(text.substr(i + 1, 2));
    if (!byte) return std::nullopt;
    decoded += *byte;
    i += 2;
  }
  if (decoded.find('\0') != std::string::npos) return std::nullopt;
  return decoded;
}

// Reads "name=value&...". Returns: false for an unknown name.
bool ReadParameters(std::string_view text, ResourceUri& uri) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('&'), text.size());
    const std::string_view pair = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t equals = pair.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view name = pair.substr(0, equals);
    auto value = Decode(pair.substr(equals + 1));
    if (!value) return false;
    if (name == "lines") {
      uri.lines = *std::move(value);
    } else if (name == "snapshot") {
      uri.snapshot = *std::move(value);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<ResourceUri> ParseResourceUri(std::string_view uri) {
  if (!uri.starts_with(kScheme)) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  ResourceUri parsed;
  if (const size_t question = uri.find('?'); question != std::string_view::npos) {
    if (!ReadParameters(uri.substr(question + 1), parsed)) return std::nullopt;
    uri = uri.substr(0, question);
  }
  const size_t slash = uri.find('/');
  parsed.kind = uri.substr(0, slash);
  if (slash != std::string_view::npos) {
    auto path = Decode(uri.substr(slash + 1));
    if (!path || path->empty()) return std::nullopt;
    parsed.path = *std::move(path);
  }
  return parsed;
}

std::string DocumentUri(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = std::string(kScheme) + "doc/";
  for (const char c : path) {
    if (IsPlain(c)) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<uint8_t>(c);
    uri += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return uri;
}

}  // namespace recall
