// ArchiveReader: any bytes are rejected, or give members that have valid document names and are
// within the limits. Reading them again gives the same.
// Input: the archive.

#include <atomic>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "index/base/text/utf8.h"
#include "index/source/archive/archive_names.h"
#include "index/source/archive/archive_reader.h"
#include "storage/base/bytes.h"
#include "tests/index/source/archive/memory_archive.h"

namespace recall {
namespace {

constexpr ArchiveLimits kLimits = {64 << 10, 1 << 20};

void CheckMember(const ArchiveMember& member) {
  RECALL_CHECK(IsValidUtf8(member.shown));
  if (member.name.empty()) {
    RECALL_CHECK(!member.refusal.empty());
    return;
  }
  const auto again = NormalMemberName(member.name);
  RECALL_CHECK(again && *again == member.name);
  RECALL_CHECK(member.name.front() != '/' && member.name.find('\0') == std::string::npos);
  const std::string path = MemberPath("x.tar", member.name);
  const auto parts = SplitMemberPath(path);
  RECALL_CHECK(parts && parts->archive == "x.tar" && parts->member == member.name);
}

// All members, texts and errors of the archive, for comparison.
std::vector<std::string> ReadAll(ByteSpan input) {
  const std::atomic<bool> never = false;
  std::vector<std::string> told;
  const MemoryArchive archive(AsText(input));
  const auto reader = ArchiveReader::Open(archive.path(), kLimits, &never);
  if (!reader) return {reader.error().ToString()};
  ArchiveMember member;
  uint64_t total = 0;
  for (;;) {
    const auto more = (*reader)->Next(&member);
    if (!more) told.push_back(more.error().ToString());
    RECALL_CHECK(!more || *more != (*reader)->ended());
    if (!more || !*more) break;
    CheckMember(member);
    told.push_back(member.shown + " " + member.refusal);
    if (member.is_directory || !member.refusal.empty()) continue;
    const auto text = (*reader)->Read();
    told.push_back(text ? *text : text.error().ToString());
    if (text) {
      RECALL_CHECK(text->size() <= kLimits.max_member_bytes);
      total += text->size();
    }
    RECALL_CHECK(total <= kLimits.max_total_bytes);
  }
  RECALL_CHECK((*reader)->ended());
  return told;
}

}  // namespace

void FuzzOne(ByteSpan input) { RECALL_CHECK(ReadAll(input) == ReadAll(input)); }

}  // namespace recall
