// Evaluates filters to sets of chunks, on one million chunk rows of 100,000 documents without text.
// Prints the median time of CompiledFilter::Evaluate on an open transaction, and its ratio to the
// time in which SQLite reads all paths from their index, in turns.

#include <string>

#include "bench/bench_util.h"
#include "index/search/filter/filter.h"
#include "query/rql/rql.h"
#include "storage/documents/document_store.h"
#include "storage/documents/live_scan.h"

namespace recall {
namespace {

constexpr uint32_t kChunksPerDoc = 10;

template <typename T>
T Get(Result<T> result) {
  if (!result) Die(result.error().ToString());
  return std::move(*result);
}

void Check(const Status& status) {
  if (!status.ok()) Die(status.ToString());
}

DocRow MakeDoc(int i) {
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

void Fill(Store& store, int docs) {
  auto transaction = Get(store.BeginWrite());
  for (int i = 0; i < docs; ++i) {
    DocRow doc = MakeDoc(i);
    doc.first_chunk = Get(transaction->AllocateChunkRows(kChunksPerDoc));
    doc.row = Get(InsertDoc(*transaction, doc, {}));
    for (uint32_t c = 0; c < kChunksPerDoc; ++c) {
      ChunkRow chunk;
      chunk.row = doc.first_chunk + c;
      chunk.doc_row = doc.row;
      chunk.offset = c;
      chunk.tokens = (static_cast<uint32_t>(i) + c) % 256;
      Check(InsertChunk(*transaction, doc, chunk));
    }
  }
  transaction->mutable_counts().docs = docs;
  transaction->mutable_counts().chunks = int64_t{docs} * kChunksPerDoc;
  Check(transaction->Commit());
}

double TimeOfReadingPaths(const ReadTransaction& transaction) {
  const double start = Now();
  size_t bytes = 0;
  Check(ScanIndexedText(transaction, IndexedText::kPath, RowUnit::kChunks, {},
                        [&](std::string_view path, RowSpan) { bytes += path.size(); }));
  if (bytes == 0) Die("no paths");
  return Now() - start;
}

void Run(const BenchArgs& args) {
  const ScratchDir dir;
  auto store = Get(Store::Create(dir.path() + "/recall.db", {}));
  Fill(*store, args.small ? 1000 : 100'000);
  const auto transaction = Get(store->BeginRead());
  const struct {
    const char* what;
    const char* filter;
  } kFilters[] = {
      {"tag equality, 1 %", "doc.tag = 'tag7'"},
      {"path GLOB with a literal prefix, 1 %", "doc.path GLOB 'dir7/**'"},
      {"path GLOB of a directory at any depth", "doc.path GLOB '**/sub77/**'"},
      {"path LIKE of a part", "doc.path LIKE '%/sub77/%'"},
      {"path ILIKE of a part", "doc.path ILIKE '%/SUB77/%'"},
      {"arbitrary path GLOB", "doc.path GLOB '**/sub7*/*9.md'"},
      {"path GLOB without a literal", "doc.path GLOB '**/*[0-4].[mt]*'"},
      {"path REGEXP", "doc.path REGEXP 'sub[0-4][0-9]*/.*9\\\\.md$'"},
      {"path REGEXP without a literal", "doc.path REGEXP '[0-4][.][mt]'"},
      {"NOT path GLOB", "NOT doc.path GLOB '**/sub77/**'"},
      {"metadata equality, text, 0.5 %", "doc.meta.team = 't7'"},
      {"metadata equality, number, 0.1 %", "doc.meta.priority = 7"},
      {"mtime range, 10 %", "doc.mtime < '2023-11-15T02:00:00Z'"},
      {"tag AND path AND metadata",
       "doc.tag = 'tag7' AND doc.path GLOB 'dir7/**' AND doc.meta.priority = 7"},
      {"chunk.tokens < 16, every row", "chunk.tokens < 16"},
      {"chunk.tokens < 16 in 1 %", "chunk.tokens < 16 AND doc.tag = 'tag7'"},
  };
  std::printf(
      "| filter | ms, median | ratio | chunks | method |\n| --- | --- | --- | --- | --- |\n");
  for (const auto& [what, text] : kFilters) {
    const auto compiled = CompiledFilter::Compile(Get(ParseFilter(text)), 0);
    if (!compiled) Die(compiled.error().message);
    std::vector<double> seconds;
    std::vector<double> ratios;
    FilterOutcome outcome;
    for (int i = 0; i < args.repeats * 7; ++i) {
      const double by_sqlite = TimeOfReadingPaths(*transaction);
      const double start = Now();
      outcome = Get(compiled->Evaluate(*transaction, FilterDomain::kChunks));
      seconds.push_back(Now() - start);
      ratios.push_back(seconds.back() / by_sqlite);
    }
    std::printf("| %s | %.3f | %.3f | %llu | %s |\n", what, Median(seconds) * 1000, Median(ratios),
                static_cast<unsigned long long>(outcome.set.Count()),
                outcome.steps.front().method.c_str());
  }
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) { recall::Run(recall::ParseBenchArgs(argc, argv)); }
