// CoarseQuantizer: the IVF centroids of an untrusted model. A quantiser that opens assigns any
// vector to an existing list, ranks each list once, and selects more lists for a larger share of
// the sample. Input: u8, whose lowest bit means that the checksum is repaired first, so that the
// fields are reached; then the bytes of a model part `cells`.

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "index/embed/vector_space/coarse_format.h"
#include "index/embed/vector_space/coarse_quantizer.h"
#include "storage/base/checksum.h"

namespace recall {
namespace {

using coarse_format::Header;

void RepairChecksum(std::string* bytes) {
  if (bytes->size() < sizeof(Header)) return;
  auto* const begin = reinterpret_cast<uint8_t*>(bytes->data());
  const ByteSpan rest = {begin + sizeof(Header), bytes->size() - sizeof(Header)};
  StoreLittle(begin + offsetof(Header, checksum),
              Crc32c(rest, Crc32c({begin, offsetof(Header, checksum)})));
}

void CheckLists(const CoarseQuantizer& lists) {
  RECALL_CHECK(lists.dim() > 0 && lists.list_count() > 0);
  // The values are small enough that no product exceeds the range of the kernels.
  std::vector<int8_t> vector(lists.dim());
  std::vector<int16_t> question(lists.dim());
  for (size_t i = 0; i < vector.size(); ++i) {
    vector[i] = static_cast<int8_t>(static_cast<int>(i * 37 % 255) - 127);
    question[i] = vector[i];
  }
  RECALL_CHECK(lists.ListOf(vector) < lists.list_count());
  CoarseQuantizer::Ranking ranking = lists.Rank(question, 0.001f);
  std::vector<uint16_t>& ranked = ranking.lists;
  RECALL_CHECK(ranked.size() == lists.list_count());
  RECALL_CHECK(ranking.reaches.empty() || ranking.reaches.size() == ranked.size());
  RECALL_CHECK(std::ranges::is_sorted(ranking.reaches, std::greater<>()));
  RECALL_CHECK(lists.NearestLists(ranked, 0, 1).empty());
  const size_t tenth = lists.NearestLists(ranked, 1, 10).size();
  RECALL_CHECK(tenth <= lists.NearestLists(ranked, 1, 2).size());
  std::ranges::sort(ranked);
  for (size_t i = 0; i < ranked.size(); ++i) RECALL_CHECK(ranked[i] == i);
}

}  // namespace

void FuzzOne(ByteSpan input) {
  if (input.empty()) return;
  std::string bytes(input.begin() + 1, input.end());
  if (input[0] & 1) RepairChecksum(&bytes);
  const Result<CoarseQuantizer> opened = CoarseQuantizer::Open(bytes);
  if (!opened) {
    const StatusCode code = opened.error().code();
    RECALL_CHECK(code == StatusCode::kCorruption || code == StatusCode::kUnsupported);
    return;
  }
  RECALL_CHECK(opened->bytes() == bytes);
  CheckLists(*opened);
}

}  // namespace recall
