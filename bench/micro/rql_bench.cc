// The cost of a query before a store is read: parsing, canonical printing, and rejecting hostile
// text. Required: parsing and compiling a realistic query of 1 KB takes at most 50 us.

#include <string>

#include "bench/micro/micro.h"
#include "index/search/filter/filter.h"
#include "query/rql/rql.h"

namespace recall {
namespace {

// A query of 1 KB as an agent would write it, with every clause and the usual operators.
const std::string& RealisticQuery() {
  static const std::string query = [] {
    std::string text =
        "FROM chunk\n"
        "USING semantic(\"how are requests throttled when a client exceeds its quota\"),\n"
        "      lexical(\"\\\"rate limit\\\" 429 +retry -deprecated backoff*\")\n"
        "FILTER (doc.path GLOB '**/api/**/*.{md,rst}' OR doc.path GLOB "
        "'docs/{guide,reference}/**'\n"
        "        OR doc.path LIKE 'handbook/%') -- where answers are\n"
        "  AND NOT doc.path REGEXP '(^|/)(archive|drafts?)/'\n"
        "  AND doc.tag IN ('policy', 'security', 'howto', 'reference')\n"
        "  AND doc.mtime BETWEEN '2025-06-01T00:00:00Z' AND '-7d'\n"
        "  AND doc.meta.status != 'withdrawn' AND doc.meta.priority <= 2.5\n"
        "  AND (doc.meta.review.due >= '2026-01-01' OR doc.meta.review.due IS NULL)\n"
        "  AND doc.meta.\"audience level\" NOT IN ('intern', 'partner')\n"
        "  AND doc.size > 256 AND chunk.tokens BETWEEN 16 AND 512\n"
        "  AND (chunk.heading ILIKE '%limit%' OR chunk.text NOT LIKE '%TODO%')\n"
        "ORDER BY score DESC, doc.meta.priority ASC, doc.mtime DESC, chunk.offset ASC\n"
        "LIMIT 20 OFFSET 40\n"
        "SELECT doc.path, doc.mtime, doc.meta.status, doc.meta.\"audience level\", chunk.heading,\n"
        "       chunk.start_line, chunk.end_line, chunk.text, score;\n";
    return text;
  }();
  return query;
}

RqlQuery MustParse(const std::string& text) { return Get(ParseRql(text, nullptr)); }

void Parse(benchmark::State& state) {
  const std::string& text = RealisticQuery();
  const KernelCounts counts(state);
  for (auto _ : state) benchmark::DoNotOptimize(MustParse(text));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK(Parse)->Name("rql/parse")->Unit(benchmark::kMicrosecond);

void ParseAndCompile(benchmark::State& state) {
  const std::string& text = RealisticQuery();
  const KernelCounts counts(state);
  for (auto _ : state) {
    const RqlQuery query = MustParse(text);
    const auto compiled = CompiledFilter::Compile(*query.filter, 1'770'000'000'000'000'000);
    if (!compiled) Die(compiled.error().message);
    benchmark::DoNotOptimize(compiled);
  }
}
BENCHMARK(ParseAndCompile)->Name("rql/parse_and_compile")->Unit(benchmark::kMicrosecond);

void Print(benchmark::State& state) {
  const RqlQuery query = MustParse(RealisticQuery());
  const KernelCounts counts(state);
  for (auto _ : state) benchmark::DoNotOptimize(PrintRql(query));
}
BENCHMARK(Print)->Name("rql/print")->Unit(benchmark::kMicrosecond);

// Repeats `piece` up to `bytes`, and requires that the parser rejects the text.
void Refuse(benchmark::State& state, std::string_view head, std::string_view piece, size_t bytes) {
  std::string text(head);
  while (text.size() + piece.size() <= bytes) text += piece;
  const KernelCounts counts(state);
  for (auto _ : state) {
    const Result<RqlQuery> query = ParseRql(text, nullptr);
    Check(!query, "a hostile query was parsed");
    benchmark::DoNotOptimize(query);
  }
}

constexpr size_t kTenMegabytes = 10'000'000;
constexpr std::string_view kFilter = "FROM doc SELECT * FILTER ";

BENCHMARK_CAPTURE(Refuse, ten_megabytes, kFilter, "(", kTenMegabytes)
    ->Name("rql/refuse/ten_megabytes")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Refuse, parentheses, kFilter, "(", kMaxRqlBytes)
    ->Name("rql/refuse/parentheses")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Refuse, nots, kFilter, "NOT ", kMaxRqlBytes)
    ->Name("rql/refuse/nots")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Refuse, list, "FROM doc SELECT * FILTER doc.tag IN (1", ", 1", kMaxRqlBytes)
    ->Name("rql/refuse/list")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Refuse, predicates, "FROM doc SELECT * FILTER doc.id = 'a'", " OR doc.id = 'a'",
                  kMaxRqlBytes)
    ->Name("rql/refuse/predicates")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Refuse, fields, "FROM doc SELECT a", ",a", kMaxRqlBytes)
    ->Name("rql/refuse/fields")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Refuse, open_text, "FROM doc SELECT * FILTER doc.tag = '", "\\'", kMaxRqlBytes)
    ->Name("rql/refuse/open_text")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Refuse, one_name, "FROM doc ORDER BY a", "a", kMaxRqlBytes)
    ->Name("rql/refuse/one_name")
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace recall
