// Evaluates filters to sets of chunks on an open transaction: ten chunks of each document, without
// text. filter/sqlite_reads_paths is what reading all paths from their index costs SQLite.

#include <string>

#include "bench/micro/micro.h"
#include "index/search/filter/filter.h"
#include "query/rql/rql.h"
#include "storage/documents/document_store.h"
#include "storage/documents/live_scan.h"

namespace recall {
namespace {

constexpr uint32_t kChunksPerDoc = 10;

DocRow MakeDoc(uint32_t i) {
  DocRow doc;
  doc.path = "dir" + std::to_string(i % 100) + "/sub" + std::to_string(i % 1000) + "/file" +
             std::to_string(i) + (i % 3 == 0 ? ".md" : ".txt");
  doc.hash = Sha256(doc.path);
  doc.id = MakeDocId(doc.path, doc.hash);
  doc.mtime = (1'700'000'000 + int64_t{i}) * 1'000'000'000;
  doc.tag = "tag" + std::to_string(i % 100);  // each tag has 1 % of the documents
  doc.meta = "{\"priority\":" + std::to_string(i % 1000) + ",\"team\":\"t" +
             std::to_string(i % 200) + "\"}";
  doc.parser = "plain";
  doc.chunk_count = kChunksPerDoc;
  return doc;
}

void Fill(Store& store, uint32_t docs) {
  auto transaction = Get(store.BeginWrite());
  for (uint32_t i = 0; i < docs; ++i) {
    DocRow doc = MakeDoc(i);
    doc.first_chunk = Get(transaction->AllocateChunkRows(kChunksPerDoc));
    doc.row = Get(InsertDoc(*transaction, doc, {}));
    for (uint32_t c = 0; c < kChunksPerDoc; ++c) {
      ChunkRow chunk;
      chunk.row = doc.first_chunk + c;
      chunk.doc_row = doc.row;
      chunk.offset = c;
      chunk.tokens = (i + c) % 256;
      Must(InsertChunk(*transaction, doc, chunk));
    }
  }
  transaction->mutable_counts().docs = docs;
  transaction->mutable_counts().chunks = int64_t{docs} * kChunksPerDoc;
  Must(transaction->Commit());
}

const ReadTransaction& FilledStore() {
  static const ScratchDir scratch;
  static const std::unique_ptr<Store> store = [] {
    auto made = Get(Store::Create(scratch.path() + "/recall.db", {}));
    Fill(*made, Options().chunks / kChunksPerDoc);
    return made;
  }();
  static const std::unique_ptr<ReadTransaction> transaction = Get(store->BeginRead());
  return *transaction;
}

void ReadPaths(benchmark::State& state) {
  const ReadTransaction& transaction = FilledStore();
  size_t bytes = 0;
  const KernelCounts counts(state);
  for (auto _ : state) {
    Must(ScanIndexedText(transaction, IndexedText::kPath, RowUnit::kChunks, {},
                         [&](std::string_view path, RowSpan) { bytes += path.size(); }));
  }
  Check(bytes > 0, "no paths");
  state.SetItemsProcessed(state.iterations() * (Options().chunks / kChunksPerDoc));
}
BENCHMARK(ReadPaths)->Name("filter/sqlite_reads_paths")->Unit(benchmark::kMicrosecond);

void EvaluateFilter(benchmark::State& state, const char* text) {
  const ReadTransaction& transaction = FilledStore();
  const auto compiled = CompiledFilter::Compile(Get(ParseFilter(text)), 0);
  if (!compiled) Die(compiled.error().message);
  FilterOutcome outcome;
  {
    const KernelCounts counts(state);
    for (auto _ : state) outcome = Get(compiled->Evaluate(transaction, FilterDomain::kChunks));
  }
  Check(outcome.set.Count() <= Options().chunks, "more chunks than there are");
  state.counters["chunks"] = static_cast<double>(outcome.set.Count());
  state.SetLabel(outcome.steps.front().method);
}

const bool filters_registered = [] {
  constexpr struct {
    const char* name;
    const char* filter;
  } kFilters[] = {
      {"tag", "doc.tag = 'tag7'"},
      {"glob_prefix", "doc.path GLOB 'dir7/**'"},
      {"glob_directory", "doc.path GLOB '**/sub77/**'"},
      {"like", "doc.path LIKE '%/sub77/%'"},
      {"ilike", "doc.path ILIKE '%/SUB77/%'"},
      {"glob", "doc.path GLOB '**/sub7*/*9.md'"},
      {"glob_without_literal", "doc.path GLOB '**/*[0-4].[mt]*'"},
      {"regexp", "doc.path REGEXP 'sub[0-4][0-9]*/.*9\\\\.md$'"},
      {"regexp_without_literal", "doc.path REGEXP '[0-4][.][mt]'"},
      {"not_glob", "NOT doc.path GLOB '**/sub77/**'"},
      {"metadata_text", "doc.meta.team = 't7'"},
      {"metadata_number", "doc.meta.priority = 7"},
      {"mtime", "doc.mtime < '2023-11-15T02:00:00Z'"},
      {"tag_and_path_and_metadata",
       "doc.tag = 'tag7' AND doc.path GLOB 'dir7/**' AND doc.meta.priority = 7"},
      {"chunk_tokens", "chunk.tokens < 16"},
      {"chunk_tokens_and_tag", "chunk.tokens < 16 AND doc.tag = 'tag7'"},
  };
  for (const auto& [name, filter] : kFilters) {
    benchmark::RegisterBenchmark(
        (std::string("filter/") + name).c_str(),
        [text = filter](benchmark::State& state) { EvaluateFilter(state, text); })
        ->Unit(benchmark::kMicrosecond);
  }
  return true;
}();

}  // namespace
}  // namespace recall
