// given_vectors_bench STORE QUESTIONS DIM
//
// The latency of vector searches in a process that stays, in a store with user-supplied embeddings:
// `recall bench` has no query vectors for one. QUESTIONS is a file of 32-bit floats, DIM for each
// question. Asks all questions once without counting, then once more, and prints a line of JSON for
// each: the milliseconds of the whole search and of the vector search alone, and the paths found.
// bench/peers/run.py uses it.

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "bench/bench_util.h"
#include "query/database/database.h"

namespace recall {
namespace {

std::vector<float> ReadFloats(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) Die("cannot read " + path);
  std::vector<float> floats(static_cast<size_t>(file.tellg()) / sizeof(float));
  file.seekg(0);
  const auto bytes = static_cast<std::streamsize>(floats.size() * sizeof(float));
  if (!file.read(reinterpret_cast<char*>(floats.data()), bytes)) Die("cannot read " + path);
  return floats;
}

void Print(double seconds, const SearchResponse& answer) {
  double semantic = 0;
  for (const StageTiming& stage : answer.timings) {
    if (stage.name == "semantic") semantic = static_cast<double>(stage.micros) / 1e3;
  }
  std::printf("{\"ms\": %.4f, \"semantic_ms\": %.3f, \"paths\": [", seconds * 1e3, semantic);
  for (const SearchHit& hit : answer.hits) {
    std::printf("%s\"%s\"", &hit == answer.hits.data() ? "" : ", ", hit.doc.path.c_str());
  }
  std::printf("]}\n");
}

void Run(const std::string& store, const std::vector<float>& questions, size_t dim) {
  const auto database = Database::Open(store);
  if (!database) Die(database.error().ToString());
  for (const bool counts : {false, true}) {
    for (size_t begin = 0; begin + dim <= questions.size(); begin += dim) {
      SearchRequest request;
      request.text = "nothing";  // required, although only the vector ranks
      request.mode = SearchMode::kSemantic;
      request.k = 10;
      request.ranking.embedding.assign(questions.data() + begin, questions.data() + begin + dim);
      const double start = Now();
      const auto answer = (*database)->Search(request);
      const double seconds = Now() - start;
      if (!answer) Die(answer.error().ToString());
      if (counts) Print(seconds, *answer);
    }
  }
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  const int dim = argc == 4 ? std::atoi(argv[3]) : 0;
  if (dim <= 0) recall::Die("usage: given_vectors_bench STORE QUESTIONS DIM");
  recall::Run(argv[1], recall::ReadFloats(argv[2]), static_cast<size_t>(dim));
  return 0;
}
