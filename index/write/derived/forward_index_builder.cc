#include "index/write/derived/forward_index_builder.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "index/search/ngram/forward_record.h"
#include "index/search/ngram/word_dictionary.h"
#include "storage/base/bytes.h"
#include "storage/base/ordered_pipeline.h"
#include "storage/documents/chunk_scan.h"
#include "storage/tables/forward_table.h"

namespace recall {
namespace {

// Fills the forward index.
//
//   IsDue        read transaction: are there enough chunks without a record?
//   WriteBatch   write transaction, until no chunk is left:
//     OpenDictionary   if there is none, or the store has outgrown it: the most frequent words of
//                      a sample
//     texts from the first chunk without a record on, up to 64 MiB
//       --pieces--> threads make the records --in order--> rows of chunk_words
//
// Problem: each record must match the text of its chunk, although other processes add and purge
// documents meanwhile and the build may be killed.
//
// Idea: everything happens in write transactions, so no other process changes anything between the
// reading of a text and the commit of its record. A batch holds the write lock for some tenths of a
// second, as a batch of an ingest does. Rowids ascend, so the new chunks are those after the last
// one with a record, and an interrupted build resumes there.
//
// The sample of the dictionary consists of short runs of neighbouring chunks, evenly spaced: a text
// is decompressed in blocks of 32 KiB, so single chunks would cost ten times as much.
//
// Invariants: a store has one dictionary, and all records refer to it. Searches read the texts of
// chunks without a record, so answers do not depend on how far the index has been built.
//
// Cost: reading and analysing each text once; four thirds of that over the life of a store that
// grows, because of new dictionaries.

constexpr int64_t kGrowth = 4;         // of the store, until it gets a new dictionary
constexpr int64_t kShareWithout = 32;  // one chunk in this many may be without a record
constexpr int64_t kFewWithout = 16;

constexpr size_t kJobBytes = 256 << 10;  // of text; one job of a thread
constexpr size_t kMostJobs = 8;          // in flight
constexpr int64_t kRangeRows = 32;       // read by one statement

constexpr int64_t kRunChunks = 16;
constexpr int64_t kFewestRuns = 128;
constexpr int64_t kMostRuns = 512;
constexpr int64_t kSampledChunks = 32;  // one in this many, between these limits

constexpr uint32_t kLastChunk = std::numeric_limits<uint32_t>::max();

struct WordsJob {
  struct Passage {
    uint32_t chunk = 0;
    std::string heading;
    std::string text;
  };
  std::vector<Passage> passages;
  size_t bytes = 0;
};
struct WordsOutput {
  std::vector<std::pair<uint32_t, std::string>> records;  // by chunk
};

// The state of a thread. Copyable because std::function requires it; copies share the state.
class WordsWorker final {
 public:
  explicit WordsWorker(const WordNumbers& numbers)
      : writer_(std::make_shared<ForwardRecordWriter>(numbers)) {}

  WordsOutput operator()(const WordsJob& job) {
    WordsOutput output;
    output.records.reserve(job.passages.size());
    for (const WordsJob::Passage& passage : job.passages) {
      output.records.emplace_back(passage.chunk, writer_->Write(passage.heading, passage.text));
    }
    return output;
  }

 private:
  std::shared_ptr<ForwardRecordWriter> writer_;
};

using WordsPipeline = OrderedPipeline<WordsJob, WordsOutput, WordsWorker>;

// Damaged text is left out; doctor reports it.
Status IgnoreDamage(const Status& status) {
  return status.code() == StatusCode::kCorruption ? Status::Ok() : status;
}

// The most frequent words of a sample of the store's chunks.
Result<std::string> SampleDictionary(const WriteTransaction& transaction) {
  const int64_t rows = std::min<int64_t>(transaction.next_chunk(), int64_t{kLastChunk} + 1);
  const int64_t runs = std::clamp(rows / kSampledChunks / kRunChunks, kFewestRuns, kMostRuns);
  WordCounter counter;
  ChunkReader reader(transaction, ChunkReader::Access::kScattered);
  const auto count = [&](uint32_t, std::string_view heading, std::string_view text) {
    counter.AddChunk(heading, text);
  };
  for (int64_t run = 0; run < runs; ++run) {
    const int64_t begin = rows * run / runs;
    const int64_t end = std::min(rows * (run + 1) / runs, begin + kRunChunks);
    if (begin == end) continue;
    RECALL_TRY(IgnoreDamage(
        reader.ScanPassages(static_cast<uint32_t>(begin), static_cast<uint32_t>(end - 1), count)));
  }
  return WordDictionary::Encode(counter.MostFrequent(WordDictionary::kMostWords));
}

// Makes the records of one batch, in a write transaction with a dictionary.
class ForwardBatch final {
 public:
  ForwardBatch(WriteTransaction& transaction, const WordDictionary& dictionary,
               const ForwardIndexOptions& options)
      : transaction_(transaction),
        numbers_(dictionary),
        options_(options),
        reader_(transaction),
        // This thread reads and writes half of the time, so it does not count as one of several.
        pipeline_(options.threads > 1 ? options.threads : 0,
                  [this] { return WordsWorker(numbers_); }) {}

  // Returns: whether it has written records.
  Result<bool> Run(int64_t first) {
    const int64_t end = std::min<int64_t>(transaction_.next_chunk(), int64_t{kLastChunk} + 1);
    for (; first < end && bytes_ < options_.batch_bytes; first += kRangeRows) {
      RECALL_TRY(Read(first, std::min(first + kRangeRows, end) - 1));
      if (job_.bytes < kJobBytes) continue;
      Submit();
      RECALL_TRY(WriteUntil(kMostJobs));
    }
    Submit();
    RECALL_TRY(WriteUntil(0));
    return written_ > 0;
  }

 private:
  // Reads the chunks with rowids first .. last. Skips those whose text is damaged.
  Status Read(int64_t first, int64_t last) {
    const auto add = [&](uint32_t row, std::string_view heading, std::string_view text) {
      job_.passages.push_back({row, std::string(heading), std::string(text)});
      job_.bytes += heading.size() + text.size();
      bytes_ += heading.size() + text.size();
      first = int64_t{row} + 1;
    };
    while (first <= last) {
      const Status read =
          reader_.ScanPassages(static_cast<uint32_t>(first), static_cast<uint32_t>(last), add);
      if (read.ok()) break;
      RECALL_TRY(IgnoreDamage(read));
      ++first;  // the damaged chunk, or a rowid without a chunk before it
    }
    return Status::Ok();
  }

  void Submit() {
    if (job_.passages.empty()) return;
    pipeline_.Submit(std::exchange(job_, {}));
  }

  // Writes the records of the oldest pieces until at most `pending` are left.
  Status WriteUntil(size_t pending) {
    while (pipeline_.pending() > pending) {
      const WordsOutput output = pipeline_.Take();
      for (const auto& [chunk, record] : output.records) {
        RECALL_TRY(InsertChunkWords(transaction_.connection(), chunk, AsBytes(record)));
        ++written_;
      }
    }
    return Status::Ok();
  }

  WriteTransaction& transaction_;
  const WordNumbers numbers_;
  const ForwardIndexOptions& options_;
  ChunkReader reader_;
  WordsJob job_;      // the piece that is being read
  size_t bytes_ = 0;  // text that has been read
  size_t written_ = 0;
  WordsPipeline pipeline_;
};

class ForwardIndexBuilder final {
 public:
  ForwardIndexBuilder(Store* store, const ForwardIndexOptions& options)
      : store_(store), options_(options) {}

  Result<bool> IsDue() {
    RECALL_ASSIGN(const auto transaction, store_->BeginRead());
    const int64_t chunks = transaction->counts().chunks;
    if (chunks < options_.chunks_from) return false;
    RECALL_ASSIGN(const auto extent, ReadForwardExtent(transaction->connection()));
    if (IsOutgrown(extent, chunks)) return true;
    const int64_t few = options_.always ? 0 : std::max(kFewWithout, chunks / kShareWithout);
    RECALL_ASSIGN(const int64_t without, CountChunksAfter(transaction->connection(), *extent));
    return without > few;
  }

  // Returns false if there is nothing more to do, or if another process holds the write lock.
  Result<bool> WriteBatch() {
    auto begun = store_->BeginWrite();
    if (!begun && begun.error().code() == StatusCode::kBusy) return false;
    if (!begun) return Fail(begun.error());
    WriteTransaction& transaction = **begun;
    RECALL_ASSIGN(const WordDictionary dictionary, OpenDictionary(transaction));
    RECALL_ASSIGN(const auto extent, ReadForwardExtent(transaction.connection()));
    ForwardBatch batch(transaction, dictionary, options_);
    RECALL_ASSIGN(const bool written, batch.Run(extent ? extent->next_chunk : 0));
    if (!written) return false;
    RECALL_TRY(transaction.Commit());
    return true;
  }

  Result<DerivedDataProgress> progress() const {
    RECALL_ASSIGN(const auto transaction, store_->BeginRead());
    RECALL_ASSIGN(const auto extent, ReadForwardExtent(transaction->connection()));
    return DerivedDataProgress{DerivedDataStage::kChunkWords, extent ? extent->next_chunk : 0,
                               transaction->next_chunk()};
  }

 private:
  static bool IsOutgrown(const std::optional<ForwardExtent>& extent, int64_t chunks) {
    return !extent || chunks / kGrowth >= std::max<int64_t>(extent->chunks, 1);
  }

  // The dictionary of the store. Makes one if there is none that can be used.
  Result<WordDictionary> OpenDictionary(WriteTransaction& transaction) {
    Connection& connection = transaction.connection();
    const int64_t chunks = transaction.counts().chunks;
    RECALL_ASSIGN(const auto extent, ReadForwardExtent(connection));
    std::string bytes;
    if (!IsOutgrown(extent, chunks)) {
      RECALL_TRY(ReadWordDictionary(connection, [&](ByteSpan data) { bytes = AsText(data); }));
      auto dictionary = WordDictionary::Decode(std::move(bytes));
      if (dictionary) return dictionary;
    }
    RECALL_ASSIGN(bytes, SampleDictionary(transaction));
    RECALL_TRY(ReplaceWordDictionary(connection, chunks, AsBytes(bytes)));
    return WordDictionary::Decode(std::move(bytes));
  }

  Store* store_;
  const ForwardIndexOptions& options_;
};

}  // namespace

Status BuildForwardIndexIfDue(Store& store, const std::atomic<bool>& cancelled,
                              const ForwardIndexOptions& options) {
  ForwardIndexBuilder builder(&store, options);
  RECALL_ASSIGN(bool more, builder.IsDue());
  while (more) {
    if (cancelled.load(std::memory_order_relaxed)) return Status::Cancelled("interrupted");
    if (options.progress) {
      RECALL_ASSIGN(const DerivedDataProgress progress, builder.progress());
      options.progress(progress);
    }
    RECALL_ASSIGN(more, builder.WriteBatch());
  }
  return Status::Ok();
}

}  // namespace recall
