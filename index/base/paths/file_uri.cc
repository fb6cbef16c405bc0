#include "index/base/paths/file_uri.h"

namespace recall {

std::string PathOfUri(std::string_view uri) {
  constexpr std::string_view kFile = "file://";
  if (!uri.starts_with(kFile)) return {};
  uri.remove_prefix(kFile.size());
  constexpr std::string_view kThisMachine = "localhost/";
  if (uri.starts_with(kThisMachine)) uri.remove_prefix(kThisMachine.size() - 1);
  std::string path;
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  for (size_t at = 0; at < uri.size(); ++at) {
    if (uri[at] == '%' && at + 2 < uri.size() && digit(uri[at + 1]) >= 0 &&
        digit(uri[at + 2]) >= 0) {
      path.push_back(static_cast<char>(digit(uri[at + 1]) * 16 + digit(uri[at + 2])));
      at += 2;
    } else {
      path.push_back(uri[at]);
    }
  }
  return path.starts_with('/') ? path : std::string();
}

}  // namespace recall
