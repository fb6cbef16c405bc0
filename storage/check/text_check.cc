#include "storage/check/text_check.h"

#include <algorithm>
#include <utility>

#include "storage/base/bytes.h"
#include "storage/base/checked_math.h"
#include "storage/documents/document_store.h"

namespace recall {
namespace {

// Verifies all texts of a store with one sequential pass over text_block, which is most of a
// store's file. Reading them document by document would be random I/O if documents and blocks are
// not in the same order.
//
// The idea: a merge join. Texts are sorted by their first block, blocks are read by row; a cursor
// (at_) points to the text that the next block belongs to.
//
//   text_block rows:  0 1 2 | 3 4 | 6 7 8 | 12 ...
//   texts:            A     | B   | C from 5 to 8 | D from 9 to 9
//   findings:                       5 of C missing    9 of D missing;  12 belongs to no text
//
// A block that does not decompress to the size that doc.size implies is damaged. The SHA-256 of a
// text is computed while its blocks pass and compared with doc.hash when the cursor leaves it.
//
// Invariants: a document is text_ok only if all its blocks exist, decompress and have the right
// hash; later checks read only such texts. If some rows of doc are unreadable, blocks without a
// text are not reported, because they may belong to those documents.
//
// Cost: one pass; memory for one block and one hash state.

int64_t BlocksOf(const CheckedDoc& doc) {
  return static_cast<int64_t>(DivideRoundUp(static_cast<uint64_t>(doc.size), kTextBlockBytes));
}

size_t BlockBytes(const CheckedDoc& doc, int64_t block) {
  const int64_t left = doc.size - block * kTextBlockBytes;
  return static_cast<size_t>(std::min<int64_t>(left, kTextBlockBytes));
}

// Visits all blocks in parallel with the texts, which are sorted by first block.
class TextWalk final {
 public:
  TextWalk(CheckRun& run, const std::vector<TextToCheck>& texts, DocumentFacts* facts)
      : run_(run), texts_(texts), facts_(facts), buffer_(kTextBlockBytes) {}

  Status Run() {
    RECALL_ASSIGN(Statement select,
                  run_.connection().Prepare("SELECT id, data FROM text_block ORDER BY id"));
    for (;;) {
      RECALL_ASSIGN(const bool row, select.Step());
      if (!row) break;
      Visit(select.ColumnInt(0), select.ColumnBlob(1));
    }
    while (at_ < texts_.size()) Leave();
    return Status::Ok();
  }

 private:
  CheckedDoc& doc() { return facts_->docs[texts_[at_].doc]; }

  void Visit(int64_t row, ByteSpan frame) {
    while (at_ < texts_.size() && row >= doc().first_block + BlocksOf(doc())) Leave();
    if (at_ == texts_.size() || row < doc().first_block) {
      if (!facts_->all_read) return;  // it may belong to a document whose row is damaged
      run_.findings().Add(FindingCode::kTextOrphan, "text block row " + std::to_string(row),
                          std::to_string(frame.size()) + " bytes");
      return;
    }
    const int64_t block = row - doc().first_block;
    ReportMissing(block);
    next_ = block + 1;
    const std::span<char> text(buffer_.data(), BlockBytes(doc(), block));
    if (!DecompressTextBlock(frame, text)) {
      whole_ = false;
      run_.findings().Add(FindingCode::kTextDamaged, texts_[at_].name,
                          "block " + std::to_string(block) + ", row " + std::to_string(row));
      return;
    }
    hash_.Add(AsBytes({text.data(), text.size()}));
  }

  // Reports the blocks from next_ up to, not including, `block` as missing.
  void ReportMissing(int64_t block) {
    if (next_ == block) return;
    whole_ = false;
    run_.findings().Add(FindingCode::kTextMissing, texts_[at_].name,
                        std::to_string(block - next_) + " of " + std::to_string(BlocksOf(doc())) +
                            " blocks, from row " + std::to_string(doc().first_block + next_),
                        block - next_);
  }

  // Finishes the current text and moves to the next one.
  void Leave() {
    ReportMissing(BlocksOf(doc()));
    const Digest found = hash_.Finish();
    const TextToCheck& text = texts_[at_];
    const bool same = !text.has_hash || found == text.hash;
    if (whole_ && !same) {
      run_.findings().Add(FindingCode::kTextHash, text.name,
                          "the hash is " + ToHex(found) + ", expected " + ToHex(text.hash));
    }
    doc().text_ok = whole_ && same;
    whole_ = true;
    next_ = 0;
    ++at_;
  }

  CheckRun& run_;
  const std::vector<TextToCheck>& texts_;
  DocumentFacts* facts_;
  std::vector<char> buffer_;
  size_t at_ = 0;     // the text that the next block belongs to
  int64_t next_ = 0;  // the next block of that text
  bool whole_ = true;
  Sha256Stream hash_;
};

}  // namespace

Status CheckTexts(CheckRun& run, std::vector<TextToCheck> texts, DocumentFacts* facts) {
  std::ranges::sort(texts, {}, [&](const TextToCheck& text) {
    const CheckedDoc& doc = facts->docs[text.doc];
    return std::tuple(doc.first_block, BlocksOf(doc), doc.row);
  });
  return TextWalk(run, texts, facts).Run();
}

Result<std::string> ReadCheckedText(Connection& connection, const CheckedDoc& doc) {
  RECALL_ASSIGN(
      Statement * cached,
      connection.Cached("SELECT data FROM text_block WHERE id BETWEEN ?1 AND ?2 ORDER BY id"));
  const StatementScope select(cached);
  select->BindInt(1, doc.first_block);
  select->BindInt(2, doc.first_block + BlocksOf(doc) - 1);
  std::string text(static_cast<size_t>(doc.size), '\0');
  for (int64_t block = 0; block < BlocksOf(doc); ++block) {
    RECALL_ASSIGN(const bool row, select->Step());
    const std::span<char> out = std::span(text).subspan(
        static_cast<size_t>(block) * kTextBlockBytes, BlockBytes(doc, block));
    if (!row || !DecompressTextBlock(select->ColumnBlob(0), out)) {
      return Fail(Status::Corruption("the text of document row " + std::to_string(doc.row) +
                                     " changed while it was checked"));
    }
  }
  return text;
}

}  // namespace recall
