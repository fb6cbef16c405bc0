// dict.bin:
//
//   version 1   "RKDICT" 1 | emails u8 | sessions u16 | branches u16
//               sessions of 26 bytes | branches, emails: size u8 and text | paths: size u16 and
//               text
//   version 2   "RKDICT" 2 | 0 | sessions, branches, emails, paths: LEB128
//               sessions of 26 bytes | branches, emails, paths: size LEB128 and text
//
// Numbers are little-endian; a shorter id of a session is filled up with NUL. Paths of version 1
// reach to the end. Its u8 has wrapped around in tables with more than 255 emails, so any number of
// emails that gives the same u8, and with which the paths end where the table ends, is the right
// one. No string has a NUL, which the size of a short path that is taken for an e-mail does.

#include "query/compat/rekal/rekal_strings.h"

#include "storage/base/byte_cursor.h"

namespace recall {
namespace {

constexpr std::string_view kStringsMagic = "RKDICT";
constexpr size_t kSessionBytes = 26;

Status DamagedStrings() {
  return Status::Corruption("dict.bin is damaged", "the owner of the branch can push it again");
}

std::vector<std::string_view> ReadSessionIds(uint64_t count, ByteCursor* cursor) {
  std::vector<std::string_view> ids;
  for (uint64_t i = 0; i < count && !cursor->broken(); ++i) {
    const std::string_view id = cursor->Text(kSessionBytes);
    ids.push_back(id.substr(0, id.find('\0')));
  }
  return ids;
}

// `size_bytes`: 0 means LEB128.
void ReadNames(uint64_t count, int size_bytes, ByteCursor* cursor,
               std::vector<std::string_view>* names) {
  for (uint64_t i = 0; i < count && !cursor->broken(); ++i) {
    names->push_back(cursor->Text(size_bytes == 0 ? cursor->Number() : cursor->Fixed(size_bytes)));
    if (names->back().find('\0') != std::string_view::npos) cursor->Break();
  }
}

// The paths that fill the rest of a table of version 1; nothing if they do not fill it.
std::optional<std::vector<std::string_view>> ReadPathsToEnd(ByteCursor cursor) {
  std::vector<std::string_view> paths;
  while (!cursor.at_end() && !cursor.broken()) ReadNames(1, 2, &cursor, &paths);
  if (!cursor.finished()) return std::nullopt;
  return paths;
}

Result<RekalStrings> ReadVersion1(ByteCursor cursor, uint64_t emails) {
  RekalStrings strings;
  const uint64_t sessions = cursor.Fixed(2);
  const uint64_t branches = cursor.Fixed(2);
  strings.sessions = ReadSessionIds(sessions, &cursor);
  ReadNames(branches, 1, &cursor, &strings.branches);
  ReadNames(emails, 1, &cursor, &strings.emails);
  while (!cursor.broken()) {
    if (auto paths = ReadPathsToEnd(cursor)) {
      strings.paths = *std::move(paths);
      return strings;
    }
    ReadNames(256, 1, &cursor, &strings.emails);
  }
  return Fail(DamagedStrings());
}

Result<RekalStrings> ReadVersion2(ByteCursor cursor) {
  RekalStrings strings;
  const uint64_t sessions = cursor.Number();
  const uint64_t branches = cursor.Number();
  const uint64_t emails = cursor.Number();
  const uint64_t paths = cursor.Number();
  strings.sessions = ReadSessionIds(sessions, &cursor);
  ReadNames(branches, 0, &cursor, &strings.branches);
  ReadNames(emails, 0, &cursor, &strings.emails);
  ReadNames(paths, 0, &cursor, &strings.paths);
  if (!cursor.finished()) return Fail(DamagedStrings());
  return strings;
}

}  // namespace

Result<RekalStrings> ReadRekalStrings(std::string_view bytes) {
  ByteCursor cursor(bytes);
  if (bytes.size() > kMostRekalStringBytes || cursor.Text(kStringsMagic.size()) != kStringsMagic) {
    return Fail(DamagedStrings());
  }
  const uint8_t version = cursor.Byte();
  const uint8_t emails = cursor.Byte();
  if (cursor.broken()) return Fail(DamagedStrings());
  if (version == 1) return ReadVersion1(cursor, emails);
  if (version == 2) return ReadVersion2(cursor);
  return Fail(Status::Unsupported(
      "dict.bin has version " + std::to_string(version) + " of its format, which is not known",
      "use a newer version of recall"));
}

std::optional<std::string_view> StringAt(const std::vector<std::string_view>& strings,
                                         uint64_t number) {
  if (number >= strings.size()) return std::nullopt;
  return strings[number];
}

}  // namespace recall
