// TermIndex: the index of the vocabulary of an untrusted model. A search finds at most as many
// terms as asked, in order, or fails. Input: u8, whose lowest bit means that the checksum is
// repaired first, so that the contents are reached; u8, which part of a sound index is replaced;
// the bytes of this part.

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "index/search/vocabulary/term_index.h"
#include "index/search/vocabulary/term_index_check.h"
#include "index/search/vocabulary/term_index_format.h"
#include "storage/base/checksum.h"

namespace recall {
namespace {

using term_index_format::Header;

// A vocabulary of two pieces.
std::vector<ModelPart> SoundIndex() {
  std::vector<std::string> terms;
  for (const std::string first : {"data", "con", "ver", "re", "stor", "ind", "sear", "mem"}) {
    for (const std::string middle : {"ba", "vers", "nect", "mi", "age", "ex", "ch", "or"}) {
      for (const std::string last : {"se", "ion", "or", "er", "y"}) {
        terms.push_back(first + middle + last);
      }
    }
  }
  return TermIndex::Build(std::move(terms));
}

void RepairChecksum(bool is_header, std::string* bytes) {
  auto* const begin = reinterpret_cast<uint8_t*>(bytes->data());
  if (is_header && bytes->size() >= sizeof(Header)) {
    const ByteSpan rest = {begin + sizeof(Header), bytes->size() - sizeof(Header)};
    StoreLittle(begin + offsetof(Header, checksum),
                Crc32c(rest, Crc32c({begin, offsetof(Header, checksum)})));
  } else if (!is_header && bytes->size() >= sizeof(uint32_t)) {
    const size_t body = bytes->size() - sizeof(uint32_t);
    StoreLittle(begin + body, Crc32c({begin, body}));
  }
}

void CheckCode(const Status& status) {
  RECALL_CHECK(status.code() == StatusCode::kCorruption ||
               status.code() == StatusCode::kUnsupported);
}

}  // namespace

void FuzzOne(ByteSpan input) {
  static const std::vector<ModelPart> kSound = SoundIndex();
  static Tokenizer tokenizer;
  static const TermSimilarity kWords[] = {TermSimilarity("databsae", "databsa", tokenizer),
                                          TermSimilarity("conversion", "convers", tokenizer),
                                          TermSimilarity("searchor", "searchor", tokenizer)};
  if (input.size() < 2) return;
  std::vector<ModelPart> parts = kSound;
  ModelPart& replaced = parts[input[1] % parts.size()];
  replaced.data.assign(input.begin() + 2, input.end());
  if (input[0] & 1) RepairChecksum(replaced.kind == kTermsPart, &replaced.data);
  const auto read = [&](const std::string& kind) -> Result<std::string> {
    const auto found = std::ranges::find(parts, kind, &ModelPart::kind);
    if (found != parts.end()) return found->data;
    return Fail(Status::Corruption("there is no part " + kind));
  };
  Result<TermIndex> index = TermIndex::Open(parts.front().data, read);
  if (!index) return CheckCode(index.error());
  for (const TermSimilarity& word : kWords) {
    const auto near = index->Find(word, 5);
    if (!near) {
      CheckCode(near.error());
      continue;
    }
    RECALL_CHECK(near->size() <= 5);
    RECALL_CHECK(std::ranges::is_sorted(*near, IsNearer));
  }
  std::set<std::string> kinds;
  for (const ModelPart& part : parts) kinds.insert(part.kind);
  const Status checked = CheckTermIndex(kinds, read);
  if (!checked.ok()) CheckCode(checked);
}

}  // namespace recall
