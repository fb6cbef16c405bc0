// FindChain and PageLocator: the pages of a row in an untrusted file, that is, b-tree pages and an
// overflow page chain.
// Input: u8 page size (512 << 0..3), u32 root page, i64 rowid, u16 number of pages of the row minus
// 1, then the file.
// A chain that is found has exactly that number of pages, all inside the file, and each page
// contains the number of the next, even if the file contains cycles. A PageLocator that walks page
// by page finds the same chain; one that skips pages finds only pages inside the file that pass its
// check.

#include <numeric>

#include "fuzz/fuzz_target.h"
#include "storage/overflow/page_locator.h"
#include "storage/overflow/page_map.h"

namespace recall {

void FuzzOne(ByteSpan input) {
  ByteReader reader(input);
  const uint32_t page_size = 512u << reader.Read<uint8_t>() % 4;
  const auto root = reader.Read<uint32_t>();
  const auto rowid = reader.Read<int64_t>();
  const uint32_t pages = 1 + reader.Read<uint16_t>();
  const Result<PageLayout> layout = PageLayout::Make(page_size, page_size);
  RECALL_CHECK(layout.has_value());
  const std::optional<uint64_t> length = layout->BlobLength(pages);
  if (!length) return;

  const FilePages file{TakeRest(reader), *layout};
  const Result<PageMap> map = FindChain(file, root, rowid, *length);
  if (!map) {
    RECALL_CHECK(map.error().code() == StatusCode::kCorruption);
    return;
  }
  RECALL_CHECK(map->size() == pages);
  for (uint32_t i = 0; i < pages; ++i) {
    const uint8_t* const page = file.page((*map)[i]);
    RECALL_CHECK(page != nullptr);
    RECALL_CHECK(LoadBig32(page) == (i + 1 < pages ? (*map)[i + 1] : 0));
  }

  std::vector<uint32_t> ordinals(pages);
  std::iota(ordinals.begin(), ordinals.end(), 0);
  PageLocator walker((*map)[0], pages, false, 1, [](uint32_t, const uint8_t*) { return true; });
  RECALL_CHECK(walker.Locate(file, ordinals));
  const auto leads_on = [&map, pages](uint32_t ordinal, const uint8_t* start) {
    return LoadBig32(start) == (ordinal + 1 < pages ? (*map)[ordinal + 1] : 0);
  };
  PageLocator leaper((*map)[0], pages, true, 1, leads_on);
  RECALL_CHECK(leaper.Locate(file, std::span(&ordinals.back(), 1)));
  RECALL_CHECK(leaper.Locate(file, ordinals));
  for (uint32_t i = 0; i < pages; ++i) {
    RECALL_CHECK(walker.number(i) == (*map)[i]);
    const uint8_t* const page = file.page(leaper.number(i));
    RECALL_CHECK(page != nullptr && leads_on(i, page));
  }
}

}  // namespace recall
