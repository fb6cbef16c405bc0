#pragma once

// A damage trial: some bits of a sound store are changed; then questions are asked, and the
// doctor examines the store and repairs it, each in a process of its own.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/damage/damaged_copy.h"
#include "tests/damage/flip_stores.h"
#include "tests/damage/store_questions.h"

namespace recall {

// What is changed.
enum class FlipKind : uint8_t {
  kBit,     // one bit of a byte that is not zero
  kByte,    // some bits of such a byte
  kSector,  // the 512 bytes around it become random ones
  kZeros,   // the 512 or 4096 bytes around it become zeros
};

struct FlipOptions {
  FlipKind kind = FlipKind::kBit;
  // Where: "any"; "header", the first page; "trailers", the ends of pages; a table or an index, or
  // the beginning of its name and "*". In a store with a WAL: in the WAL.
  std::string aim = "any";
  // Pages have no checksums, as if another program had copied them out of a WAL.
  bool unsealed = false;
  // Controls, which must lead to bad outcomes: questions that do not compare pages with their
  // checksums, repairs that accept damaged pages.
  bool unverified = false;
  bool accepting = false;
};

// A place in the files of a store.
struct FlipPlace {
  std::string file;   // as in FileBytes
  size_t at = 0;      // the byte
  uint32_t page = 0;  // of the main file, from 1; 0 in a WAL
  std::string part;   // table, or section of a segment; and "next page", "trailer", ...
};

// How bad an answer is, in ascending order.
enum class AnswerVerdict : uint8_t {
  kRight,
  kRefused,     // corruption
  kOtherError,  // another error that damage may cause, such as unsupported
  kMisleading,  // not_found, internal or another error that says nothing about damage
  kWrong,       // success, but not the right answer
};
inline constexpr size_t kVerdicts = 5;

// What became of the repair, in ascending order of harm.
enum class Repaired : uint8_t {
  kNotNeeded,  // the doctor found no error
  kRestored,   // no error is left; export and answers are those of the sound store
  kRetrained,  // the same, but for the rankings of vectors and models that were made again
  kRefused,    // errors are left, and all primary data is as it was
  kOverwrote,  // errors are left, and primary data was changed
  kLossy,      // no error is left, but the export or answers are not those of the sound store
};
inline constexpr size_t kRepairs = 6;

struct FlipOutcome {
  uint64_t seed = 0;
  FlipPlace place;
  std::string change;  // "bit 3", "xor 0x5a", "sector"
  AnswerVerdict answers = AnswerVerdict::kRight;
  std::string differs;     // the questions that were not answered right
  bool faultless = false;  // the doctor found no error
  std::string findings;    // the codes of its errors, or why it failed
  Repaired repaired = Repaired::kNotNeeded;
  std::string repair;  // what is wrong with the repair, or why it was refused
  std::string crash;   // a process that crashed, hung or used too much memory; which and how

  // The doctor did not find why answers were not right.
  bool is_missed() const { return faultless && answers != AnswerVerdict::kRight; }
  bool is_bad() const {
    return !crash.empty() || is_missed() || answers >= AnswerVerdict::kMisleading ||
           repaired >= Repaired::kOverwrote;
  }
};

// Makes trials with one store. Files are made in a directory of its own.
class FlipTrials final {
 public:
  // Makes the store. Errors: IoError if that fails, or if it does not answer all questions.
  static Result<FlipTrials> Make(const FlipStore& store, const std::string& directory,
                                 const FlipOptions& options);

  // The same seed makes the same trial. Requires: no other thread runs.
  FlipOutcome Run(uint64_t seed) const;

  // True if the aim of the options exists in this store.
  bool has_targets() const { return !targets_.empty(); }
  size_t bytes() const { return files_.at("").size(); }

 private:
  // Bytes begin .. end-1 of a file.
  struct Target {
    std::string file;
    size_t begin;
    size_t end;
  };

  FlipPlace Locate(const std::string& file, size_t at) const;
  FileBytes Damage(uint64_t seed, FlipOutcome* outcome) const;
  void Ask(const FileBytes& files, FlipOutcome* outcome) const;
  void Repair(const FileBytes& files, bool keep_copy, FlipOutcome* outcome) const;
  void CompareRepaired(bool changed_tables, bool retrained, bool again, FlipOutcome* outcome) const;
  void ComparePrimary(const FileBytes& before, FlipOutcome* outcome) const;

  FlipOptions options_;
  QuestionOptions questions_;
  std::string path_;
  FileBytes files_;
  uint32_t page_size_ = 0;
  std::vector<std::string> tables_;  // by page - 1; "" for free pages
  std::vector<Target> targets_;
  // The answers of the states that are right: the store, and the commits of its WAL.
  std::vector<Answers> right_;
  std::string primary_;  // the rows of primary data of the store
};

}  // namespace recall
