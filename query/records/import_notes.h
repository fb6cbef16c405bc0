#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// What an import did differently from what its file says. Never renumber for sorting's sake: this
// is the order in which the user is told.
enum class ImportNote : uint8_t {
  kChunkSizes,      // cut by other limits than the store's
  kVectorSpace,     // vectors of another space
  kForeignVectors,  // not what the store's embedder makes of the text
  kVectorSize,
  kRebuiltText,
  kGap,
  kOverlapDiffers,
  kPathNotNormal,
  kDocId,
  kChunkId,
  kHash,
  kTokenCount,
  kMtime,
  kMeta,
  kEmptyChunk,
  kNoChunks,
  kLoneChunk,
  kDuplicateDoc,
  kDuplicateChunk,
};
inline constexpr size_t kImportNotes = static_cast<size_t>(ImportNote::kDuplicateChunk) + 1;

// Counts notes by kind and remembers the first place of each, so that a file with a million
// oddities makes one warning of each kind.
class ImportNotes final {
 public:
  // `where` is "line 12" or a path.
  void Add(ImportNote note, std::string_view where, int64_t count = 1);
  // What `other` noted came later.
  void Merge(const ImportNotes& other);
  std::vector<std::string> Sentences() const;

 private:
  struct Entry {
    int64_t count = 0;
    std::string first;
  };
  std::array<Entry, kImportNotes> entries_;
};

}  // namespace recall
