#include "index/source/archive/archive_names.h"

#include <algorithm>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

constexpr std::string_view kSuffixes[] = {".tar", ".tar.gz",  ".tgz",  ".tar.zst", ".tar.xz",
                                          ".txz", ".tar.bz2", ".tbz2", ".tbz",     ".zip"};
constexpr std::string_view kCompressedSuffixes[] = {".gz", ".zst", ".xz", ".bz2"};
constexpr std::string_view kMark = "!/";
// The limit of a path in common operating systems.
constexpr size_t kMaxMemberNameBytes = 4096;

char LowerSuffixChar(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool EndsWith(std::string_view path, std::string_view suffix) {
  if (path.size() <= suffix.size()) return false;
  const std::string_view end = path.substr(path.size() - suffix.size());
  return std::ranges::equal(end, suffix, [](char a, char b) { return LowerSuffixChar(a) == b; });
}

}  // namespace

bool IsArchiveName(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::ranges::any_of(kSuffixes, [&](auto suffix) { return EndsWith(name, suffix); });
}

bool IsMailboxName(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return EndsWith(name, ".mbox") || EndsWith(name, ".mbx");
}

bool IsCompressedName(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::ranges::any_of(kCompressedSuffixes, [&](std::string_view suffix) {
    return EndsWith(name, suffix) && !EndsWith(name.substr(0, name.size() - suffix.size()), ".tar");
  });
}

std::string MemberPath(std::string_view archive, std::string_view member) {
  return std::string(archive) + std::string(kMark) + std::string(member);
}

std::optional<MemberPathParts> SplitMemberPath(std::string_view doc_path) {
  for (size_t at = doc_path.find(kMark); at != doc_path.npos; at = doc_path.find(kMark, at + 1)) {
    const std::string_view archive = doc_path.substr(0, at);
    if (IsArchiveName(archive) || IsMailboxName(archive))
      return MemberPathParts{archive, doc_path.substr(at + 2)};
  }
  return std::nullopt;
}

Result<std::string> NormalMemberName(std::string_view name) {
  if (!IsValidUtf8(name)) return Fail(Status::InvalidArgument("its name is not UTF-8"));
  if (name.starts_with('/')) return Fail(Status::InvalidArgument("its name is absolute"));
  if (name.size() > kMaxMemberNameBytes) {
    return Fail(Status::InvalidArgument("its name has more than " +
                                        std::to_string(kMaxMemberNameBytes) + " bytes"));
  }
  std::string normal;
  for (size_t begin = 0; begin <= name.size();) {
    const size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view component = name.substr(begin, end - begin);
    begin = end + 1;
    if (component.empty() || component == ".") continue;
    if (component == "..") {
      return Fail(Status::InvalidArgument("its name leads out of the archive"));
    }
    if (!normal.empty()) normal += '/';
    normal += component;
  }
  if (normal.empty()) return Fail(Status::InvalidArgument("it has no name"));
  return normal;
}

}  // namespace recall
