#include "cli/server/http/http_types.h"

#include <algorithm>

namespace recall {

std::string_view HttpHead::Header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &std::pair<std::string, std::string>::first);
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace recall
