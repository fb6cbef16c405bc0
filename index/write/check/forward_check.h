#pragma once

#include <memory>
#include <optional>
#include <string>

#include "index/search/ngram/forward_record.h"
#include "index/search/ngram/word_dictionary.h"
#include "storage/base/coding.h"
#include "storage/check/check_run.h"
#include "storage/sqlite/statement.h"

namespace recall {

// Compares the forward index with the texts: every record must be the one that the present text of
// its chunk gives. A chunk without a record is no fault.
class ForwardCheck final {
 public:
  explicit ForwardCheck(CheckRun& run) : run_(run) {}

  // Checks the dictionary.
  Status Open();
  // The words that the records number; null if no record can be compared.
  const WordNumbers* numbers() const { return numbers_.get(); }
  // Compares the record of a chunk, if it has one, with that of its text. Requires: numbers();
  // chunks ascend from call to call.
  Status Compare(uint32_t chunk, const std::string& expected);
  // Checks that each record belongs to a chunk. Requires: all chunks could be read.
  Status FindStrayRecords();

 private:
  Status CountRows();
  Status CountStrayRecords();
  Status ReadDictionary();
  // Moves to the first record of this chunk or a later one.
  Status MoveTo(uint32_t chunk);
  Status CompareByLookup(uint32_t chunk, const std::string& expected);
  void CompareRecord(uint32_t chunk, ByteSpan record, const std::string& expected);
  void Report(std::string where, std::string what);

  CheckRun& run_;
  bool has_tables_ = false;
  std::optional<WordDictionary> dictionary_;
  std::unique_ptr<const WordNumbers> numbers_;
  std::optional<Statement> records_;  // all records, ascending; none if they could not be read
  std::optional<int64_t> record_of_;  // the chunk of the record that records_ is at
};

}  // namespace recall
