#include "index/write/check/forward_check.h"

#include <limits>
#include <span>
#include <utility>

#include "storage/base/bytes.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/forward_table.h"

namespace recall {

void ForwardCheck::Report(std::string where, std::string what) {
  run_.findings().Add(FindingCode::kForwardIndex, std::move(where), std::move(what));
}

Status ForwardCheck::CountRows() {
  Connection& connection = run_.connection();
  RECALL_ASSIGN(const int64_t dictionaries,
                connection.QueryInt("SELECT count(*) FROM word_dictionary"));
  RECALL_ASSIGN(const bool records,
                connection.QueryInt("SELECT EXISTS(SELECT 1 FROM chunk_words)"));
  if (dictionaries > 1) {
    Report("table word_dictionary", std::to_string(dictionaries) + " dictionaries, expected one");
  }
  if (dictionaries == 0 && records) Report("table word_dictionary", "the dictionary is missing");
  return Status::Ok();
}

Status ForwardCheck::CountStrayRecords() {
  RECALL_ASSIGN(
      const int64_t stray,
      run_.connection().QueryInt("SELECT count(*) FROM chunk_words WHERE NOT EXISTS "
                                 "(SELECT 1 FROM main.chunk WHERE id = chunk_words.chunk)"));
  if (stray > 0) {
    Report("table chunk_words", std::to_string(stray) + " records belong to no chunk");
  }
  return Status::Ok();
}

Status ForwardCheck::ReadDictionary() {
  std::optional<std::string> bytes;
  RECALL_TRY(ReadWordDictionary(run_.connection(), [&](ByteSpan data) { bytes = AsText(data); }));
  if (!bytes) return Status::Ok();
  auto dictionary = WordDictionary::Decode(*std::move(bytes));
  if (!dictionary) {
    Report("table word_dictionary", std::string(dictionary.error().message()));
    return Status::Ok();
  }
  dictionary_ = *std::move(dictionary);
  numbers_ = std::make_unique<const WordNumbers>(*dictionary_);
  return Status::Ok();
}

Status ForwardCheck::Open() {
  for (const char* table : {"word_dictionary", "chunk_words", "chunk"}) {
    if (!run_.HasTable(table)) return Status::Ok();
  }
  has_tables_ = true;
  RECALL_TRY(run_.Absorb(CountRows(), FindingCode::kForwardIndex, "chunk_words"));
  RECALL_TRY(run_.Absorb(ReadDictionary(), FindingCode::kForwardIndex, "word_dictionary"));
  auto records = run_.connection().Prepare("SELECT chunk, data FROM chunk_words ORDER BY chunk");
  if (records) records_ = *std::move(records);
  return Status::Ok();
}

Status ForwardCheck::MoveTo(uint32_t chunk) {
  while (!record_of_ || *record_of_ < chunk) {
    RECALL_ASSIGN(const bool row, records_->Step());
    record_of_ = row ? records_->ColumnInt(0) : std::numeric_limits<int64_t>::max();
  }
  return Status::Ok();
}

void ForwardCheck::CompareRecord(uint32_t chunk, ByteSpan record, const std::string& expected) {
  if (AsText(record) == expected) return;
  Report("chunk rowid " + std::to_string(chunk), "the record is not that of its text");
}

Status ForwardCheck::CompareByLookup(uint32_t chunk, const std::string& expected) {
  return ReadChunkWords(run_.connection(), {&chunk, 1},
                        [&](uint32_t, ByteSpan record) { CompareRecord(chunk, record, expected); });
}

// Records are read one after the other. Behind a page that cannot be read, each is looked up, so
// that the others are compared nevertheless.
Status ForwardCheck::Compare(uint32_t chunk, const std::string& expected) {
  if (records_ && !MoveTo(chunk).ok()) records_.reset();
  if (!records_) {
    return run_.Absorb(CompareByLookup(chunk, expected), FindingCode::kForwardIndex, "chunk_words");
  }
  if (record_of_ == chunk) CompareRecord(chunk, records_->ColumnBlob(1), expected);
  return Status::Ok();
}

Status ForwardCheck::FindStrayRecords() {
  if (!has_tables_) return Status::Ok();
  return run_.Absorb(CountStrayRecords(), FindingCode::kForwardIndex, "chunk_words");
}

}  // namespace recall
