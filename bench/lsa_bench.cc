// lsa_bench [--small] [--threads N] [--repeats N] DIR...: the cost of the LSA model.
//
// Reads text below the directories and cuts it into pieces of about 200 words. For 1, 10 and 100 MB
// of text it trains a model on at most kTrainingChunks evenly chosen pieces, opens it, embeds
// pieces and embeds queries. Prints medians. --small uses synthetic text.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <thread>

#include "bench/bench_util.h"
#include "index/base/text/tokenizer.h"
#include "index/base/text/utf8.h"
#include "index/embed/lsa/lsa_embedder.h"
#include "index/embed/lsa/lsa_trainer.h"
#include "storage/base/bytes.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPieceBytes = 1'400;

// Appends pieces of `text` that end at white space.
void CutPieces(std::string_view text, std::vector<std::string>* pieces) {
  while (!text.empty()) {
    size_t end = std::min(kPieceBytes, text.size());
    if (end < text.size()) end = std::min(text.find_first_of(" \n", end), text.size());
    pieces->emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::vector<std::string> ReadPieces(const std::vector<std::string>& directories, size_t most) {
  std::vector<fs::path> paths;
  for (const std::string& directory : directories) {
    for (const auto& entry : fs::recursive_directory_iterator(directory)) {
      if (entry.is_regular_file() && !entry.is_symlink()) paths.push_back(entry.path());
    }
  }
  // Shuffled, so that any prefix is a sample of all subjects.
  std::sort(paths.begin(), paths.end());
  std::shuffle(paths.begin(), paths.end(), std::mt19937_64(1));
  std::vector<std::string> pieces;
  size_t bytes = 0;
  for (const fs::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.size() > 4'000'000 || text.find('\0') < text.size() || !IsValidUtf8(text)) continue;
    CutPieces(text, &pieces);
    bytes += text.size();
    if (bytes >= most) break;
  }
  return pieces;
}

// Synthetic text with words drawn by Zipf's law, so that a test needs no files.
std::vector<std::string> MakePieces(size_t count) {
  std::mt19937_64 random(1);
  std::vector<std::string> pieces(count);
  for (std::string& piece : pieces) {
    while (piece.size() < kPieceBytes) {
      const uint64_t rank = (uint64_t{1} << (random() % 14)) + random() % 97;
      piece += "word" + std::to_string(rank) + ' ';
    }
  }
  return pieces;
}

// Pieces embedded per second by `threads` threads, each with an embedder of its own.
double EmbedRate(const LsaModel& model, const std::vector<std::string>& pieces, bool analysed,
                 uint32_t threads) {
  const auto work = [&](size_t first) {
    LsaEmbedder embedder(model);
    std::vector<float> vector(model.dim());
    for (size_t i = first; i < pieces.size(); i += threads) {
      const std::string_view piece = pieces[i];
      if (analysed) {
        if (!embedder.EmbedStems(std::span(&piece, 1), vector).ok()) Die("embedding failed");
      } else if (!embedder.Embed(std::span(&piece, 1), vector).ok()) {
        Die("embedding failed");
      }
    }
  };
  const double start = Now();
  std::vector<std::thread> workers;
  for (uint32_t i = 0; i < threads; ++i) workers.emplace_back(work, i);
  for (std::thread& worker : workers) worker.join();
  return static_cast<double>(pieces.size()) / (Now() - start);
}

std::string Train(const std::vector<std::string>& pieces, uint32_t threads, double* analysis) {
  const double start = Now();
  LsaTrainer trainer;
  const size_t step = pieces.size() / kTrainingChunks + 1;
  for (size_t i = 0; i < pieces.size(); i += step) trainer.Add("", pieces[i]);
  *analysis = Now() - start;
  Result<std::vector<ModelSection>> sections = trainer.Train(threads, nullptr);
  if (!sections) Die(sections.error().ToString());
  return EncodeModel(std::move(sections).value());
}

void MeasureModel(const std::vector<std::string>& pieces, const BenchArgs& args,
                  const std::string& bytes) {
  std::vector<double> opens, queries, texts, stems;
  Tokenizer tokenizer;
  LexicalText lexical;
  std::vector<std::string> bodies;
  for (const std::string& piece : pieces) {
    tokenizer.Analyze("", piece, &lexical);
    bodies.push_back(lexical.body);
  }
  for (int repeat = 0; repeat < args.repeats; ++repeat) {
    double start = Now();
    const Result<LsaModel> model = LsaModel::Open(AsBytes(bytes));
    opens.push_back((Now() - start) * 1e3);
    if (!model) Die(model.error().ToString());
    texts.push_back(EmbedRate(*model, pieces, false, args.threads));
    stems.push_back(EmbedRate(*model, bodies, true, args.threads));
    LsaEmbedder embedder(*model);
    std::vector<float> vector(model->dim());
    for (size_t i = 0; i < pieces.size(); i += pieces.size() / 50 + 1) {
      const std::string_view query = std::string_view(pieces[i]).substr(0, 60);
      start = Now();
      if (!embedder.Embed(std::span(&query, 1), vector).ok()) Die("embedding failed");
      queries.push_back((Now() - start) * 1e3);
    }
  }
  std::printf("  open %.3f ms; query %.3f ms; chunks/s with %u threads: text %.0f, stems %.0f\n",
              Median(opens), Median(queries), args.threads, Median(texts), Median(stems));
}

void Run(const std::vector<std::string>& pieces, const BenchArgs& args) {
  size_t text = 0;
  for (const std::string& piece : pieces) text += piece.size();
  std::vector<double> analyses, totals;
  std::string bytes;
  for (int repeat = 0; repeat < args.repeats; ++repeat) {
    const double start = Now();
    double analysis = 0;
    bytes = Train(pieces, args.threads, &analysis);
    totals.push_back(Now() - start);
    analyses.push_back(analysis);
  }
  const Result<LsaModel> model = LsaModel::Open(AsBytes(bytes));
  if (!model) Die(model.error().ToString());
  std::printf(
      "%.1f MB, %zu chunks, %llu trained on, %u terms, dim %u: %.2f s, of it analysis %.2f s; "
      "model %.2f MB\n",
      static_cast<double>(text) / 1e6, pieces.size(),
      static_cast<unsigned long long>(model->documents()), model->terms(), model->dim(),
      Median(totals), Median(analyses), static_cast<double>(bytes.size()) / 1e6);
  MeasureModel(pieces, args, bytes);
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  using namespace recall;
  const BenchArgs args = ParseBenchArgs(argc, argv);
  if (args.small) {
    Run(MakePieces(300), args);
    return 0;
  }
  if (args.rest.empty()) Die("usage: lsa_bench [--small] [--threads N] [--repeats N] DIR...");
  const std::vector<std::string> all = ReadPieces(args.rest, 100'000'000);
  for (const size_t megabytes : {1, 10, 100}) {
    const size_t count = std::min(all.size(), megabytes * 1'000'000 / kPieceBytes);
    Run({all.begin(), all.begin() + static_cast<ptrdiff_t>(count)}, args);
  }
  return 0;
}
