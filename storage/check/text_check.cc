#include "storage/check/text_check.h"

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "storage/base/bytes.h"
#include "storage/base/checked_math.h"
#include "storage/documents/document_store.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/text_grams.h"

namespace recall {
namespace {

// Each text is read once, by the thread with the connection, and decompressed, hashed and analysed
// by another.
//
//   text_block rows:  0 1 2 | 3 4 | 6 7 8 | 12 ...
//   texts:            A     | B   | C from 5 to 8 | D from 9 to 9
//   findings:                       5 of C missing    9 of D missing;  12 belongs to no text
//
// A block belongs to one text. If the ranges of two texts overlap, it belongs to the one that
// begins first, and the other one lacks it (first_own_block). So all texts together read each block
// once, whatever ranges a damaged store names.
//
// A block that does not decompress to the size that doc.size implies is damaged. Memory is
// allocated for existing blocks, never for a size that a row only states.

int64_t BlocksOf(const CheckedDoc& doc) {
  return static_cast<int64_t>(DivideRoundUp(static_cast<uint64_t>(doc.size), kTextBlockBytes));
}

size_t BlockBytes(const CheckedDoc& doc, int64_t block) {
  const int64_t left = doc.size - block * kTextBlockBytes;
  return static_cast<size_t>(std::min<int64_t>(left, kTextBlockBytes));
}

// Reports the blocks with rows in [first, end). Requires: they belong to no text.
Status ReportOrphans(CheckRun& run, int64_t first, int64_t end) {
  RECALL_ASSIGN(Statement * cached,
                run.connection().Cached("SELECT id, length(data) FROM text_block "
                                        "WHERE id >= ?1 AND id < ?2 ORDER BY id"));
  const StatementScope select(cached);
  select->BindInt(1, first);
  select->BindInt(2, end);
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) return Status::Ok();
    run.findings().Add(FindingCode::kTextOrphan,
                       "text block row " + std::to_string(select->ColumnInt(0)),
                       std::to_string(select->ColumnInt(1)) + " bytes");
  }
}

Status ReadBlocks(Connection& connection, const CheckedDoc& doc, StoredText* stored) {
  RECALL_ASSIGN(
      Statement * cached,
      connection.Cached("SELECT id, data FROM text_block WHERE id >= ?1 AND id < ?2 ORDER BY id"));
  const StatementScope select(cached);
  select->BindInt(1, doc.first_own_block);
  select->BindInt(2, doc.first_block + BlocksOf(doc));
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) return Status::Ok();
    stored->blocks.push_back(
        {select->ColumnInt(0) - doc.first_block, std::string(AsText(select->ColumnBlob(1)))});
  }
}

// Adds the blocks from `first` up to, not including, `end` as missing.
void AddMissing(const CheckedDoc& doc, int64_t first, int64_t end, CheckedText* checked) {
  if (first == end) return;
  checked->faults.push_back({FindingCode::kTextMissing,
                             std::to_string(end - first) + " of " + std::to_string(BlocksOf(doc)) +
                                 " blocks, from row " + std::to_string(doc.first_block + first),
                             end - first});
}

}  // namespace

Status AssignTextBlocks(CheckRun& run, DocumentFacts* facts) {
  std::vector<CheckedDoc*> docs;
  for (CheckedDoc& doc : facts->docs) docs.push_back(&doc);
  std::ranges::sort(docs, {}, [](const CheckedDoc* doc) {
    return std::tuple(doc->first_block, BlocksOf(*doc), doc->row);
  });
  constexpr int64_t kFirstRow = std::numeric_limits<int64_t>::min();
  constexpr int64_t kLastRow = std::numeric_limits<int64_t>::max();
  std::vector<std::pair<int64_t, int64_t>> gaps;
  int64_t end = kFirstRow;  // of the texts before
  for (CheckedDoc* const doc : docs) {
    if (end < doc->first_block) gaps.emplace_back(end, doc->first_block);
    doc->first_own_block = std::max(doc->first_block, end);
    end = std::max(end, doc->first_block + BlocksOf(*doc));
  }
  gaps.emplace_back(end, kLastRow);
  facts->has_texts = true;
  if (!facts->all_read) return Status::Ok();
  for (const auto& [first, last] : gaps) RECALL_TRY(ReportOrphans(run, first, last));
  return Status::Ok();
}

Result<StoredText> ReadStoredText(Connection& connection, const CheckedDoc& doc) {
  StoredText stored;
  Status read = ReadBlocks(connection, doc, &stored);
  if (read.ok() && doc.has_grams) {
    auto grams = FindTextGrams(connection, doc.row);
    read = grams ? Status::Ok() : grams.error();
    if (grams) stored.grams = *std::move(grams);
  }
  if (EndsExamination(read)) return Fail(read);
  stored.fault = read.message();
  return stored;
}

CheckedText CheckText(const CheckedDoc& doc, const StoredText& stored) {
  CheckedText checked;
  if (!stored.fault.empty()) checked.faults.push_back({FindingCode::kSqliteDamage, stored.fault});
  std::string text(stored.blocks.size() * kTextBlockBytes, '\0');
  Sha256Stream hash;
  size_t size = 0;
  int64_t next = 0;
  for (const auto& [block, frame] : stored.blocks) {
    AddMissing(doc, next, block, &checked);
    next = block + 1;
    const std::span<char> out = std::span(text).subspan(size, BlockBytes(doc, block));
    if (!DecompressTextBlock(AsBytes(frame), out)) {
      checked.faults.push_back(
          {FindingCode::kTextDamaged,
           "block " + std::to_string(block) + ", row " + std::to_string(doc.first_block + block)});
      continue;
    }
    hash.Add(AsBytes({out.data(), out.size()}));
    size += out.size();
  }
  AddMissing(doc, next, BlocksOf(doc), &checked);
  if (!checked.faults.empty()) return checked;
  const Digest found = hash.Finish();
  if (!doc.imported && found != doc.hash) {
    checked.faults.push_back(
        {FindingCode::kTextHash, "the hash is " + ToHex(found) + ", expected " + ToHex(doc.hash)});
    return checked;
  }
  text.resize(size);
  if (!stored.grams.empty() && stored.grams != MakeTextGrams(text)) {
    checked.faults.push_back({FindingCode::kTextGrams, "a search for a pattern may overlook it"});
  }
  checked.text = std::move(text);
  return checked;
}

void ReportTextFaults(CheckRun& run, const CheckedDoc& doc, std::span<const TextFault> faults) {
  for (const TextFault& fault : faults) {
    run.findings().Add(fault.code, doc.name, fault.what, fault.count);
  }
}

Status CheckTexts(CheckRun& run, const DocumentFacts& facts) {
  if (!facts.has_texts) return Status::Ok();
  for (const CheckedDoc& doc : facts.docs) {
    RECALL_TRY(run.CheckCancelled());
    RECALL_ASSIGN(const StoredText stored, ReadStoredText(run.connection(), doc));
    ReportTextFaults(run, doc, CheckText(doc, stored).faults);
  }
  return Status::Ok();
}

}  // namespace recall
