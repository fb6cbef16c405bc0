#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace recall {

// Divides a memory budget between the parts of an ingest and the training after it, independent of
// the amount of text. About 200 MiB are not planned, and 280 MiB for a short time while a model is
// trained: SQLite's cache, a batch and its postings, and the matrices of the training.
struct MemoryPlan {
  int64_t in_flight_bytes;   // of text in flight; its terms and blocks take up to six times that
  uint64_t largest_file;     // a single file is in memory as a whole, its terms in pieces
  size_t term_list_entries;  // of four bytes each, used when no text is in flight
};

// What the processes that extract documents and parse source code may have beside that: as much
// again in all, at least 512 MiB. How much one may have does not depend on the number of threads,
// so that the same documents are extracted with any number.
struct ExtractionMemory {
  uint64_t process_bytes;  // of address space: of a worker, and of pdftotext beside it
  size_t workers;          // at the same time
};

inline constexpr uint64_t kDefaultMemory = uint64_t{512} << 20;
inline constexpr uint64_t kLeastMemory = uint64_t{320} << 20;

// Requires: bytes >= kLeastMemory. More than kDefaultMemory is not faster, but permits larger
// files.
inline MemoryPlan PlanMemory(uint64_t bytes) {
  const uint64_t spare = bytes - (uint64_t{208} << 20);
  const uint64_t batch = uint64_t{40} << 20;  // the additional memory of a batch
  return {
      .in_flight_bytes = static_cast<int64_t>(std::min<uint64_t>((spare - batch) / 6, 48 << 20)),
      .largest_file = spare / 2,
      .term_list_entries = static_cast<size_t>(std::min<uint64_t>(spare / 8, 32 << 20))};
}

// Requires: bytes >= kLeastMemory. From 4 GiB on a process has the 1 GiB that it has without a
// limit. 256 MiB is the least: a worker has some 60 MiB before it reads the first document.
inline ExtractionMemory PlanExtraction(uint64_t bytes) {
  const uint64_t process = std::clamp<uint64_t>(bytes / 4, uint64_t{256} << 20, uint64_t{1} << 30);
  return {.process_bytes = process,
          .workers = static_cast<size_t>(std::max<uint64_t>(bytes / (2 * process), 1))};
}

}  // namespace recall
