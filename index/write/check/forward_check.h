#pragma once

#include <memory>
#include <optional>
#include <string>

#include "index/search/ngram/forward_record.h"
#include "index/search/ngram/word_dictionary.h"
#include "storage/check/check_run.h"

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
  // Compares the record of a chunk, if it has one, with that of its text. Requires: numbers().
  Status Compare(uint32_t chunk, const std::string& expected);
  // Checks that each record belongs to a chunk. Requires: all chunks could be read.
  Status FindStrayRecords();

 private:
  Status CountRows();
  Status CountStrayRecords();
  Status ReadDictionary();
  void Report(std::string where, std::string what);

  CheckRun& run_;
  bool has_tables_ = false;
  std::optional<WordDictionary> dictionary_;
  std::unique_ptr<const WordNumbers> numbers_;
};

}  // namespace recall
