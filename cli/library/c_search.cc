// The functions of recall.h about searches: hits as structs, and sets of documents.
//
// Idea. The command `search` runs as for any other answer, but gives its hits away before they are
// written as JSON. They are copied into one block of memory: the structs, then all texts.
//
// Cost: a copy of the texts of the hits.

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "cli/library/c_answer.h"
#include "cli/library/c_memory.h"
#include "cli/library/library_store.h"
#include "cli/library/recall.h"
#include "cli/show/output/field_values.h"
#include "query/database/database.h"

struct recall_hits {
  size_t count;
  size_t next;
  recall_hit* hits;
};

struct recall_set {
  const char* filter;
};

namespace recall {
namespace {

// Writes texts into a block, or only counts their bytes while there is none.
class HitTexts final {
 public:
  explicit HitTexts(char* to) : to_(to) {}

  const char* Add(std::string_view text) {
    const char* const begin = to_ == nullptr ? nullptr : to_ + size_;
    if (to_ != nullptr) {
      std::memcpy(to_ + size_, text.data(), text.size());
      to_[size_ + text.size()] = '\0';
    }
    size_ += text.size() + 1;
    return begin;
  }
  size_t size() const { return size_; }

 private:
  char* const to_;
  size_t size_ = 0;
};

recall_hit StructOf(const SearchHit& hit, HitTexts& texts) {
  recall_hit made = {};
  made.score = hit.score;
  made.path = texts.Add(hit.doc.path);
  made.citation = texts.Add(CitationOf(hit.doc, &hit.chunk));
  made.document = texts.Add(hit.doc.id);
  made.chunk = texts.Add(hit.chunk.id);
  made.first_line = hit.chunk.start_line;
  made.last_line = hit.chunk.end_line;
  made.start_byte = hit.chunk.start_byte;
  made.end_byte = hit.chunk.end_byte;
  made.heading = texts.Add(hit.chunk.heading);
  made.text = texts.Add(hit.chunk.text);
  made.text_size = hit.chunk.text.size();
  const Snippet none;
  const Snippet& snippet = hit.snippet ? *hit.snippet : none;
  made.snippet = texts.Add(snippet.text);
  made.snippet_size = snippet.text.size();
  made.snippet_first_line = snippet.start_line;
  made.snippet_last_line = snippet.end_line;
  made.place = texts.Add(hit.chunk.locator ? hit.chunk.locator->text : "");
  made.metadata = texts.Add(hit.doc.meta_json.value_or(""));
  made.tag = texts.Add(hit.doc.tag.value_or(""));
  made.source = texts.Add(hit.doc.source.value_or(""));
  made.stale = static_cast<int>(hit.doc.source_state);
  return made;
}

// Returns: null without memory.
recall_hits* NewHits(const std::vector<SearchHit>& found) {
  HitTexts counted(nullptr);
  for (const SearchHit& hit : found) StructOf(hit, counted);
  const size_t structs = sizeof(recall_hits) + found.size() * sizeof(recall_hit);
  void* const memory = TakeMemory(structs + counted.size());
  if (memory == nullptr) return nullptr;
  auto* const hits = new (memory) recall_hits{found.size(), 0, nullptr};
  hits->hits = reinterpret_cast<recall_hit*>(hits + 1);
  HitTexts texts(static_cast<char*>(memory) + structs);
  for (size_t i = 0; i < found.size(); ++i) {
    new (&hits->hits[i]) recall_hit(StructOf(found[i], texts));
  }
  return hits;
}

static_assert(sizeof(recall_hits) % alignof(recall_hit) == 0);

// "doc.path IN ('a', 'b')". Names are quoted as in RQL.
std::string FilterOf(std::string_view field, const char* const* names, size_t count) {
  std::string filter(field);
  filter += " IN (";
  for (size_t i = 0; i < count; ++i) {
    filter += i == 0 ? "'" : ", '";
    for (const char* c = names[i]; *c != '\0'; ++c) filter.append(*c == '\'' ? 2 : 1, *c);
    filter += "'";
  }
  return filter + ")";
}

Status CheckNames(const char* const* names, size_t count) {
  if (names == nullptr || count == 0) {
    return Status::InvalidArgument("a set needs at least one document");
  }
  for (size_t i = 0; i < count; ++i) {
    if (names[i] == nullptr) return Status::InvalidArgument("a name of the set is NULL");
  }
  return Status::Ok();
}

}  // namespace
}  // namespace recall

using recall::Deliver;
using recall::Guarded;
using recall::Status;

int recall_set_new(enum recall_set_of of, const char* const* names, size_t count, recall_set** set,
                   recall_answer** answer) {
  if (set != nullptr) *set = nullptr;
  return Guarded(answer, [&] {
    if (set == nullptr) return Deliver(Status::InvalidArgument("set is NULL"), answer);
    if (Status status = recall::CheckNames(names, count); !status.ok()) {
      return Deliver(status, answer);
    }
    const std::string filter =
        recall::FilterOf(of == RECALL_DOCUMENTS ? "doc.id" : "doc.path", names, count);
    if (Status status = recall::CheckFilter(filter); !status.ok()) return Deliver(status, answer);
    void* const memory = recall::TakeMemory(sizeof(recall_set) + filter.size() + 1);
    if (memory == nullptr) return recall::DeliverNoMemory(answer);
    char* const text = static_cast<char*>(memory) + sizeof(recall_set);
    std::memcpy(text, filter.c_str(), filter.size() + 1);
    *set = new (memory) recall_set{text};
    return static_cast<int>(RECALL_OK);
  });
}

void recall_set_free(recall_set* set) { recall::GiveMemory(set); }

int recall_search(recall_store* store, const char* query, const char* request,
                  const recall_set* set, recall_hits** hits, recall_answer** answer) {
  if (hits != nullptr) *hits = nullptr;
  return Guarded(answer, [&] {
    if (store == nullptr) return Deliver(Status::InvalidArgument("store is NULL"), answer);
    if (query == nullptr) return Deliver(Status::InvalidArgument("query is NULL"), answer);
    if (hits == nullptr) return Deliver(Status::InvalidArgument("hits is NULL"), answer);
    recall::LibraryRequest asked{.command = "search",
                                 .body = request == nullptr ? "" : request,
                                 .texts = {{"query", query}},
                                 .flags = {"--cite"},
                                 .within = set == nullptr ? "" : set->filter};
    recall::SearchResponse found;
    asked.take_hits = [&](recall::SearchResponse taken) { found = std::move(taken); };
    const auto call = store->library->Call(asked);
    if (!call) return Deliver(call.error(), answer);
    if (call->exit != recall::ExitCode::kDone) return Deliver(*call, answer);
    *hits = recall::NewHits(found.hits);
    return *hits == nullptr ? recall::DeliverNoMemory(answer) : static_cast<int>(RECALL_OK);
  });
}

const recall_hit* recall_next(recall_hits* hits) {
  if (hits == nullptr || hits->next == hits->count) return nullptr;
  return &hits->hits[hits->next++];
}

size_t recall_count(const recall_hits* hits) { return hits == nullptr ? 0 : hits->count; }

const recall_hit* recall_hit_at(const recall_hits* hits, size_t place) {
  return place < recall_count(hits) ? &hits->hits[place] : nullptr;
}

void recall_hits_free(recall_hits* hits) { recall::GiveMemory(hits); }
