#include "tests/damage/flip_stores.h"

#include <unistd.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "index/write/derived/forward_index_builder.h"
#include "index/write/derived/posting_list_builder.h"
#include "index/write/training/training.h"
#include "query/database/database.h"
#include "storage/base/split_mix.h"
#include "storage/notes/note_card.h"
#include "storage/store/store.h"
#include "tests/fault/plain_sql.h"

namespace recall {
namespace {

constexpr uint32_t kGivenDim = 16;
const std::atomic<bool> kNotCancelled = false;

// Numbers in [0, 1).
class Dice final {
 public:
  explicit Dice(uint64_t seed) : generator_(seed) {}
  double Next() { return std::ldexp(static_cast<double>(generator_.Next() >> 11), -53); }
  size_t Below(size_t end) { return static_cast<size_t>(Next() * static_cast<double>(end)); }

 private:
  SplitMix64 generator_;
};

// One of 600 words, the first of which are frequent.
std::string Word(Dice& dice) {
  constexpr const char* kFrequent[] = {"alpha", "memory", "vector", "gamma", "index", "search"};
  constexpr const char* kSyllables[] = {"ba", "de", "fi", "go", "ku", "la", "me", "ni", "po"};
  const auto rank = static_cast<size_t>(600 * std::pow(dice.Next(), 3));
  if (rank < std::size(kFrequent)) return kFrequent[rank];
  std::string word;
  for (size_t left = rank; left > 0; left /= std::size(kSyllables)) {
    word += kSyllables[left % std::size(kSyllables)];
  }
  return word;
}

std::string Text(Dice& dice, size_t words) {
  std::string text = "# Part\n\n";
  for (size_t i = 0; i < words; ++i) text += Word(dice) + (dice.Below(12) == 0 ? "\n\n" : " ");
  return text;
}

struct Documents {
  int first = 0;
  int count = 0;
  size_t words = 0;
  uint64_t seed = 1;
  bool embeddings = false;
};

// One JSON object a line. Every fourth document is red, every fourth blue.
std::string Lines(const Documents& documents) {
  Dice dice(documents.seed);
  std::string lines;
  for (int i = documents.first; i < documents.first + documents.count; ++i) {
    nlohmann::json line = {{"path", "docs/a" + std::to_string(i) + ".md"},
                           {"text", Text(dice, documents.words)},
                           {"mtime", "202" + std::to_string(i % 6) + "-03-01T10:00:00Z"},
                           {"source", "s" + std::to_string(i % 5)},
                           {"meta",
                            {{"author", "a" + std::to_string(i % 7)},
                             {"size", i},
                             {"labels", {"x" + std::to_string(i % 3), "y"}},
                             {"nested", {{"note", Text(dice, 8)}}}}}};
    if (i % 4 == 0) line["tag"] = "red";
    if (i % 4 == 1) line["tag"] = "blue";
    if (documents.embeddings) {
      for (uint32_t c = 0; c < kGivenDim; ++c) line["embedding"].push_back(dice.Next() - 0.5);
    }
    lines += line.dump() + "\n";
  }
  return lines;
}

class Maker final {
 public:
  Maker(const std::string& directory, uint32_t flush_vectors)
      : directory_(directory), flush_vectors_(flush_vectors) {}

  std::string path() const { return directory_ + "/recall.db"; }

  Status Add(const std::string& lines) const {
    const std::string file = directory_ + "/lines.jsonl";
    std::ofstream(file, std::ios::binary) << lines;
    AddRequest request;
    request.jsonl = file;
    RECALL_ASSIGN(const auto database, Open());
    return internal::ToStatus(database->Add(request));
  }

  Status Add(const Documents& documents) const { return Add(Lines(documents)); }

  // Edits documents, changes tags, removes documents.
  Status Change(const Documents& all) const {
    Documents edited = all;
    edited.seed = all.seed + 1;
    edited.first = all.first + all.count / 2;
    edited.count = all.count / 12;
    RECALL_TRY(Add(edited));
    std::string tags = Lines(all);
    tags.resize(tags.find('\n', tags.size() / 10) + 1);
    for (size_t at = 0; (at = tags.find("\"blue\"", at)) != std::string::npos;) {
      tags.replace(at, 6, "\"teal\"");
    }
    RECALL_TRY(Add(tags));
    RECALL_ASSIGN(const auto database, Open());
    RemoveRequest removal;
    for (int i = all.first + all.count - all.count / 12; i < all.first + all.count; ++i) {
      removal.targets.push_back("docs/a" + std::to_string(i) + ".md");
    }
    return internal::ToStatus(database->Remove(removal));
  }

  // Trains the model on the present texts, so that a repair that trains it again gives the same
  // one.
  Status TrainAgain() const {
    RECALL_ASSIGN(const auto database, Open());
    EmbedRequest request;
    request.embedder = "lsa";
    request.again = true;
    request.threads = 1;
    return internal::ToStatus(database->Embed(request));
  }

  // IVF lists, posting lists and a forward index, which other stores of this size do not have.
  Status Derive() const {
    RECALL_ASSIGN(const auto store, Store::Open(path(), {.flush_vectors = flush_vectors_}));
    TrainingOptions training;
    training.fill_vectors = 700;
    training.lists_from = 1;
    training.divide = true;
    RECALL_TRY(internal::ToStatus(TrainIfDue(*store, kNotCancelled, training)));
    RECALL_TRY(
        BuildPostingListsIfDue(*store, kNotCancelled, {.chunks_from = 1, .chunks_per_posting = 8}));
    return BuildForwardIndexIfDue(*store, kNotCancelled, {.chunks_from = 1});
  }

  // Replaces what differs from one making to the next: the uuid and the times of commits.
  Status MakeEqual(const char* journal = "WAL") const {
    RECALL_ASSIGN(PlainSql sql, PlainSql::OpenSealing(path()));
    return sql.Run(
        "UPDATE meta SET value = '0123456789abcdef0123456789abcdef' WHERE key = 'uuid';"
        "UPDATE commit_log SET committed_at = 1700000000000000000 + seq * 1000000000;"
        "PRAGMA journal_mode=DELETE; PRAGMA journal_mode=" +
        std::string(journal));
  }

  Result<std::unique_ptr<Database>> Open() const {
    OpenOptions options;
    options.flush_vectors = flush_vectors_;
    return Database::Open(path(), options);
  }

 private:
  std::string directory_;
  uint32_t flush_vectors_;
};

constexpr Documents kSmall = {.count = 120, .words = 200};

Status FillSmall(const Maker& maker) {
  CreateOptions options;
  options.dim = 64;
  options.chunk_tokens = 64;
  options.overlap_tokens = 8;
  RECALL_TRY(internal::ToStatus(Database::Create(maker.path(), options)));
  RECALL_TRY(maker.Add(kSmall));
  RECALL_TRY(maker.Change(kSmall));
  return maker.TrainAgain();
}

Status MakeSmall(const std::string& directory) {
  const Maker maker(directory, 4096);
  RECALL_TRY(FillSmall(maker));
  return maker.MakeEqual();
}

Status MakeRollback(const std::string& directory) {
  const Maker maker(directory, 4096);
  RECALL_TRY(FillSmall(maker));
  return maker.MakeEqual("DELETE");
}

// The process ends while a reader keeps the last commits from being copied into the file.
Status MakeWal(const std::string& directory) {
  const Maker maker(directory, 4096);
  RECALL_TRY(FillSmall(maker));
  RECALL_TRY(maker.MakeEqual());
  RECALL_ASSIGN(const auto store, Store::Open(maker.path(), {.read_only = true}));
  RECALL_ASSIGN(const auto reader, store->BeginRead());
  for (int i = 0; i < 4; ++i) {
    RECALL_TRY(maker.Add({.first = 200 + i, .count = 1, .words = 60, .seed = 7}));
  }
  ::_exit(0);
}

Status MakeSegments(const std::string& directory) {
  const Maker maker(directory, 500);
  CreateOptions options;
  options.dim = 64;
  options.chunk_tokens = 64;
  options.overlap_tokens = 8;
  constexpr Documents kShort = {.count = 2400, .words = 12};
  RECALL_TRY(internal::ToStatus(Database::Create(maker.path(), options)));
  RECALL_TRY(maker.Add(kShort));
  RECALL_TRY(maker.Derive());
  RECALL_TRY(maker.Change(kShort));
  return maker.MakeEqual();
}

Status MakeFull(const std::string& directory) {
  const Maker maker(directory, 4096);
  constexpr Documents kMany = {.count = 5400, .words = 20};
  RECALL_TRY(internal::ToStatus(Database::Create(maker.path(), {})));
  RECALL_TRY(maker.Add(kMany));
  RECALL_TRY(maker.TrainAgain());
  RECALL_TRY(maker.Add({.first = 6000, .count = 300, .words = 20, .seed = 9}));
  return maker.MakeEqual();
}

Status MakeGiven(const std::string& directory) {
  const Maker maker(directory, 128);
  CreateOptions options;
  options.embedder = "given";
  options.dim = kGivenDim;
  options.chunk_tokens = 64;
  options.overlap_tokens = 8;
  constexpr Documents kWithVectors = {.count = 400, .words = 60, .embeddings = true};
  RECALL_TRY(internal::ToStatus(Database::Create(maker.path(), options)));
  RECALL_TRY(maker.Add(kWithVectors));
  RECALL_TRY(maker.Change(kWithVectors));
  return maker.MakeEqual();
}

// Notes that refer to each other and to documents, with uses and reviews.
Status AddNotes(const Maker& maker) {
  constexpr UnixNanos kStart = 20'000 * kNanosPerDay;
  RECALL_ASSIGN(const auto database, maker.Open());
  Dice dice(5);
  for (int i = 0; i < 60; ++i) {
    SaveRequest save;
    save.note.type = "lesson";
    save.note.title = "Note " + std::to_string(i);
    save.note.recall_when = {Word(dice) + " " + Word(dice)};
    save.note.text = Text(dice, 30) + "\n[[note-" + std::to_string(i / 2) + "]]";
    save.at = kStart + i * kNanosPerDay;
    RECALL_TRY(internal::ToStatus(database->Save(save)));
    const std::string note = "note-" + std::to_string(i);
    const UnixNanos later = *save.at + kNanosPerDay;
    LinkRequest link{.source = note, .relation = "supports", .reason = "a reason", .at = later};
    link.target = "docs/a" + std::to_string(i % 20) + ".md";
    link.weight = 0.5;
    RECALL_TRY(internal::ToStatus(database->Link(link)));
    if (i % 2 == 0) RECALL_TRY(internal::ToStatus(database->Use({{note}, "used", later})));
    if (i % 3 == 0) {
      ReviewRequest review{.target = note, .quality = i % 6, .at = later};
      RECALL_TRY(internal::ToStatus(database->Review(review)));
    }
    if (i % 10 == 9)
      RECALL_TRY(internal::ToStatus(database->Retire({.target = note, .at = later})));
  }
  return Status::Ok();
}

Status MakeNotes(const std::string& directory) {
  const Maker maker(directory, 4096);
  RECALL_TRY(FillSmall(maker));
  RECALL_TRY(AddNotes(maker));
  RECALL_TRY(maker.TrainAgain());
  // What was recorded names the store that recorded it.
  {
    RECALL_ASSIGN(PlainSql sql, PlainSql::OpenSealing(maker.path()));
    RECALL_TRY(
        sql.Run("UPDATE use_log SET store = '0123456789abcdef0123456789abcdef';"
                "UPDATE review_log SET store = '0123456789abcdef0123456789abcdef'"));
  }
  return maker.MakeEqual();
}

const FlipStore kStores[] = {
    {"small", "120 documents with edits and removals, vectors in the delta", MakeSmall},
    {"rollback", "the same with a rollback journal", MakeRollback},
    {"wal", "the same with four commits in a WAL", MakeWal},
    {"notes", "the same and 60 notes with links, uses and reviews", MakeNotes},
    {"given", "400 documents with user-supplied vectors, in segments of 128", MakeGiven,
     std::vector<float>(kGivenDim, 0.25f)},
    {"segments", "2400 chunks in segments with IVF lists, posting lists, forward index",
     MakeSegments},
    {"full", "5700 chunks with the usual thresholds", MakeFull},
};

}  // namespace

std::span<const FlipStore> AllFlipStores() { return kStores; }

}  // namespace recall
