#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace recall {

// "recall://KIND/PATH?lines=9-17&snapshot=TOKEN". The path is percent-encoded bytes.
struct ResourceUri {
  std::string kind;  // "doc", "guide", "stats"
  std::string path;  // decoded; "" if there is none
  std::string lines;
  std::string snapshot;

  bool operator==(const ResourceUri&) const = default;
};

// Returns: nullopt for any other URI: another scheme, bad percent-encoding, a zero byte, an unknown
// parameter.
std::optional<ResourceUri> ParseResourceUri(std::string_view uri);
// Returns: the URI of a document.
std::string DocumentUri(std::string_view path);

}  // namespace recall
