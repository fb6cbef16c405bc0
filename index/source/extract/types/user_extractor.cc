#include "index/source/extract/types/user_extractor.h"

#include <algorithm>

#include "storage/base/ids.h"

namespace recall {

const UserExtractor* FindUserExtractor(const std::vector<UserExtractor>& extractors,
                                       std::string_view path) {
  const auto ends_with = [&](std::string_view suffix) {
    return path.size() > suffix.size() &&
           std::ranges::equal(path.substr(path.size() - suffix.size()), suffix, [](char a, char b) {
             return (a >= 'A' && a <= 'Z' ? static_cast<char>(a | 0x20) : a) == b;
           });
  };
  for (const UserExtractor& extractor : extractors) {
    if (std::ranges::any_of(extractor.suffixes, ends_with)) return &extractor;
  }
  return nullptr;
}

std::string NameWithVersion(const UserExtractor& extractor) {
  constexpr size_t kDigits = 8;
  std::string command;
  for (const std::string& word : extractor.command) command.append(word).push_back('\0');
  return extractor.name + "/" + ToHex(Sha256(command)).substr(0, kDigits);
}

}  // namespace recall
