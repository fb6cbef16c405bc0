#include "cli/flags/text_argument.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

namespace recall {
namespace {

constexpr size_t kMaxBytes = 1 << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Result<std::string> ReadAll(std::istream& stream, std::string_view name, std::string_view place) {
  std::string text(kMaxBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(stream.gcount()));
  if (stream.bad()) {
    return Fail(Status::InvalidArgument(std::string(name) + ": cannot read " + std::string(place)));
  }
  if (text.size() > kMaxBytes) {
    return Fail(Status::InvalidArgument(std::string(name) + " in " + std::string(place) +
                                        " is longer than 1 MiB"));
  }
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  return text;
}

}  // namespace

Result<std::string> ReadStandardInput(std::string_view name) {
  return ReadAll(std::cin, name, "standard input");
}

Result<std::string> ReadTextArgument(const std::string& argument, std::string_view name) {
  if (!argument.starts_with('@')) return argument;
  const std::string path = argument.substr(1);
  if (path == "-") return ReadStandardInput(name);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  // A directory can be opened but not read.
  if (!file.is_open() || (file.peek() == std::ifstream::traits_type::eof() && errno != 0)) {
    return Fail(Status::InvalidArgument(std::string(name) + ": cannot read " + path + ": " +
                                        std::strerror(errno)));
  }
  file.clear();
  return ReadAll(file, name, path);
}

}  // namespace recall
