#include <zstd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <new>

#include "storage/base/bytes.h"
#include "storage/base/checked_math.h"
#include "storage/documents/document_store.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// The text of a document is stored in blocks of 32 KiB, each a zstd frame in a row of text_block
// with consecutive ids:
//
//   text     |  block 0: 32768 bytes  |  block 1: 32768  |  block 2: the rest |
//   rows      first_block              first_block + 1    first_block + 2
//
// Why blocks: a search reads chunks of a few hundred bytes from anywhere in a document. A byte
// range costs the decompression of the blocks that contain it, at most 32 KiB too much at each end.
// Larger blocks compress better, smaller ones are read faster; the size is part of the format. The
// number of blocks is not stored, because it follows from doc.size.
//
// Invariants: a frame decompresses to exactly the size that doc.size implies. The bytes are
// untrusted, so a frame that is longer than zstd's bound for that size is refused before it is
// decompressed, and the text grows block by block: a wrong doc.size cannot allocate memory that no
// block justifies.
//
// Cost: about 350 MB/s to compress; a context uses a few hundred kilobytes.

// For blocks of this size level 3 is as fast as level 1 (350 MB/s) and 4 % smaller.
constexpr int kTextZstdLevel = 3;

// Contexts that no thread uses now, because making one takes longer than a block. They are not
// thread_local: glibc ends the process if a thread has no memory to register a destructor.
template <typename Context, auto kMake, auto kFree>
class SpareContexts final {
 public:
  SpareContexts() = default;
  ~SpareContexts() {
    for (auto& slot : slots_) kFree(slot.load());
  }
  SpareContexts(const SpareContexts&) = delete;
  SpareContexts& operator=(const SpareContexts&) = delete;

  struct GiveBack {
    SpareContexts* owner;
    void operator()(Context* context) const noexcept { owner->Give(context); }
  };
  using Lease = std::unique_ptr<Context, GiveBack>;

  Lease Take() {
    for (auto& slot : slots_) {
      if (slot.load(std::memory_order_relaxed) == nullptr) continue;
      if (Context* const spare = slot.exchange(nullptr)) return Lease(spare, {this});
    }
    Context* const made = kMake();
    if (made == nullptr) throw std::bad_alloc();
    return Lease(made, {this});
  }

 private:
  void Give(Context* context) noexcept {
    for (auto& slot : slots_) {
      Context* empty = nullptr;
      if (slot.compare_exchange_strong(empty, context)) return;
    }
    kFree(context);
  }

  std::array<std::atomic<Context*>, 16> slots_ = {};
};

SpareContexts<ZSTD_CCtx, ZSTD_createCCtx, ZSTD_freeCCtx> compressors;
SpareContexts<ZSTD_DCtx, ZSTD_createDCtx, ZSTD_freeDCtx> decompressors;

std::string CompressBlock(std::string_view text) {
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  const auto context = compressors.Take();
  const size_t size = ZSTD_compressCCtx(context.get(), frame.data(), frame.size(), text.data(),
                                        text.size(), kTextZstdLevel);
  if (ZSTD_isError(size)) throw std::bad_alloc();  // the only error of a valid call
  frame.resize(size);
  frame.shrink_to_fit();
  return frame;
}

Status DamagedBlock(const DocRow& doc, uint64_t block) {
  return Status::Corruption(doc.path + ": text block " + std::to_string(block) + " (row " +
                                std::to_string(doc.first_block + static_cast<int64_t>(block)) +
                                ") is damaged or missing",
                            "run `recall doctor`; then remove the document with recall rm --purge "
                            "and add it again, or restore the store from a backup");
}

// Passes blocks first..last of a document to visit(frame), in order.
template <typename Visit>
Status VisitBlocks(const ReadTransaction& transaction, const DocRow& doc, uint64_t first,
                   uint64_t last, const Visit& visit) {
  RECALL_ASSIGN(Statement * cached,
                transaction.connection().Cached(
                    "SELECT id, data FROM text_block WHERE id BETWEEN ?1 AND ?2 ORDER BY id"));
  const StatementScope select(cached);
  select->BindInt(1, doc.first_block + static_cast<int64_t>(first));
  select->BindInt(2, doc.first_block + static_cast<int64_t>(last));
  for (uint64_t block = first; block <= last; ++block) {
    RECALL_ASSIGN(const bool row, select->Step());
    const bool there = row && select->ColumnInt(0) == doc.first_block + static_cast<int64_t>(block);
    if (!there) return DamagedBlock(doc, block);
    RECALL_TRY(visit(select->ColumnBlob(1)));
  }
  return Status::Ok();
}

// Assembles text from consecutive blocks. The text grows block by block, so that a wrong size of
// the document cannot make it allocate memory that no block justifies.
class TextBuilder final {
 public:
  TextBuilder(const DocRow& doc, uint64_t first_block)
      : doc_(doc), first_(first_block), next_(first_block) {}

  Status Append(ByteSpan frame) {
    const uint64_t before = next_ * kTextBlockBytes;
    const auto size = static_cast<uint64_t>(doc_.size);
    if (before >= size) return DamagedBlock(doc_, next_);
    const size_t old_size = text_.size();
    text_.resize(old_size + std::min<uint64_t>(kTextBlockBytes, size - before));
    if (!DecompressTextBlock(frame, std::span(text_).subspan(old_size))) {
      return DamagedBlock(doc_, next_);
    }
    ++next_;
    return Status::Ok();
  }

  // Returns the text before `end`, from the first block on.
  Result<std::string> Take(uint64_t end) && {
    const uint64_t wanted = end - first_ * kTextBlockBytes;
    if (text_.size() < wanted) return Fail(DamagedBlock(doc_, next_));
    text_.resize(wanted);
    return std::move(text_);
  }

 private:
  const DocRow& doc_;
  const uint64_t first_;
  uint64_t next_;
  std::string text_;
};

}  // namespace

std::vector<std::string> CompressText(std::string_view text) {
  std::vector<std::string> blocks;
  blocks.reserve(DivideRoundUp(text.size(), kTextBlockBytes));
  for (; !text.empty(); text.remove_prefix(std::min<size_t>(kTextBlockBytes, text.size()))) {
    blocks.push_back(CompressBlock(text.substr(0, kTextBlockBytes)));
  }
  return blocks;
}

bool DecompressTextBlock(ByteSpan frame, std::span<char> out) {
  if (frame.size() > ZSTD_compressBound(out.size())) return false;
  const auto context = decompressors.Take();
  const size_t written =
      ZSTD_decompressDCtx(context.get(), out.data(), out.size(), frame.data(), frame.size());
  return !ZSTD_isError(written) && written == out.size();
}

Result<std::string> DecompressText(const DocRow& doc, std::span<const std::string> blocks) {
  TextBuilder builder(doc, 0);
  for (const std::string& block : blocks) RECALL_TRY(builder.Append(AsBytes(block)));
  return std::move(builder).Take(static_cast<uint64_t>(doc.size));
}

Result<std::string> ReadText(const ReadTransaction& transaction, const DocRow& doc, uint64_t start,
                             uint64_t end) {
  end = std::min(end, static_cast<uint64_t>(doc.size));
  if (start >= end) return std::string();
  const uint64_t first = start / kTextBlockBytes;
  TextBuilder builder(doc, first);
  RECALL_TRY(VisitBlocks(transaction, doc, first, (end - 1) / kTextBlockBytes,
                         [&](ByteSpan frame) { return builder.Append(frame); }));
  RECALL_ASSIGN(std::string text, std::move(builder).Take(end));
  text.erase(0, start - first * kTextBlockBytes);
  return text;
}

Result<std::vector<std::string>> ReadTextBlocks(const ReadTransaction& transaction,
                                                const DocRow& doc) {
  std::vector<std::string> blocks;
  const uint64_t count = DivideRoundUp(static_cast<uint64_t>(doc.size), kTextBlockBytes);
  if (count == 0) return blocks;
  RECALL_TRY(VisitBlocks(transaction, doc, 0, count - 1, [&](ByteSpan frame) {
    if (frame.size() > ZSTD_compressBound(kTextBlockBytes)) {
      return DamagedBlock(doc, blocks.size());
    }
    blocks.emplace_back(AsText(frame));
    return Status::Ok();
  }));
  return blocks;
}

}  // namespace recall
