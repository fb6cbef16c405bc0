// The cost to open a static embedding model (Model2Vec) and to embed with it.
//  static_model_bench [--small] [--threads N] [--repeats N] [MODEL_DIRECTORY]
// Texts are synthetic: 200 words each, drawn by Zipf's law. Without a directory the models are
// synthetic too: 30,000 tokens of 256 dimensions, like the small published ones. Rates are per
// second of processor time, summed over all threads, so that they are valid on a busy machine; wall
// time is printed as well.

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "bench/bench_util.h"
#include "index/embed/model2vec/model2vec_embedder.h"
#include "index/embed/model2vec/model2vec_model.h"

namespace recall {
namespace {

constexpr size_t kWordsPerText = 200;
constexpr size_t kDim = 256;
constexpr size_t kTokens = 30'000;

std::string MakeWord(uint64_t number) {
  static constexpr std::string_view kSyllables[] = {"an",  "be", "ti",  "on", "re", "st",
                                                    "ing", "er", "al",  "co", "de", "is",
                                                    "mo",  "ne", "pro", "ly"};
  std::string word;
  for (uint64_t left = number + 16; left > 0; left /= 16) word += kSyllables[left % 16];
  return word;
}

std::vector<std::string> MakeTexts(size_t count) {
  std::mt19937_64 random(1);
  std::vector<std::string> texts(count);
  for (std::string& text : texts) {
    for (size_t i = 0; i < kWordsPerText; ++i) {
      const uint64_t scale = uint64_t{1} << (random() % 17);
      text += MakeWord(scale - 1 + random() % scale);
      text += i % 11 == 10 ? ". " : i % 23 == 22 ? ", " : " ";
    }
    text[0] = static_cast<char>(text[0] - ('a' - 'A'));
  }
  return texts;
}

nlohmann::json MakeTokenizer(bool unigram) {
  nlohmann::json json;
  if (!unigram) {
    nlohmann::json vocabulary = {{"[UNK]", 0}};
    for (char c = 'a'; c <= 'z'; ++c) {
      vocabulary[std::string(1, c)] = vocabulary.size();
      vocabulary["##" + std::string(1, c)] = vocabulary.size();
    }
    for (const char* mark : {".", ","}) vocabulary[mark] = vocabulary.size();
    for (uint64_t i = 0; i < 300; ++i) vocabulary["##" + MakeWord(i)] = vocabulary.size();
    for (uint64_t i = 0; vocabulary.size() < kTokens; ++i) {
      vocabulary[MakeWord(i)] = vocabulary.size();
    }
    json["normalizer"] = {{"type", "BertNormalizer"}};
    json["pre_tokenizer"] = {{"type", "BertPreTokenizer"}};
    json["model"] = {{"type", "WordPiece"}, {"unk_token", "[UNK]"}, {"vocab", vocabulary}};
    return json;
  }
  nlohmann::json tokens = nlohmann::json::array();
  const auto add = [&](const std::string& token, double score) {
    tokens.push_back(nlohmann::json::array({token, score}));
  };
  add("<unk>", 0);
  for (char c = 'a'; c <= 'z'; ++c) add(std::string(1, c), -12);
  for (const char* mark : {".", ",", "\u2581"}) add(mark, -6);
  for (uint64_t i = 0; tokens.size() < kTokens; ++i) {
    add("\u2581" + MakeWord(i), -5 - static_cast<double>(i) / 5000);
  }
  json["normalizer"] = {{"type", "Lowercase"}};
  json["pre_tokenizer"] = {{"type", "Metaspace"}};
  json["model"] = {{"type", "Unigram"}, {"unk_id", 0}, {"vocab", tokens}};
  return json;
}

void WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()))) Die("cannot write");
}

void WriteModel(const std::string& directory, bool unigram, const std::string& type) {
  WriteFile(directory + "/tokenizer.json", MakeTokenizer(unigram).dump());
  const size_t width = type == "F32" ? 4 : type == "F16" ? 2 : 1;
  std::mt19937_64 random(2);
  std::string data;
  for (size_t i = 0; i < kTokens * kDim; ++i) {
    const float value = static_cast<float>(random() % 2001) / 1000 - 1;
    const auto bits = static_cast<uint16_t>(0x2c00 + random() % 0x1000 + (random() & 1) * 0x8000);
    const auto small = static_cast<int8_t>(value * 127);
    const void* from = width == 4   ? static_cast<const void*>(&value)
                       : width == 2 ? static_cast<const void*>(&bits)
                                    : static_cast<const void*>(&small);
    data.append(static_cast<const char*>(from), width);
  }
  std::string header =
      nlohmann::json{
          {"embeddings",
           {{"dtype", type}, {"shape", {kTokens, kDim}}, {"data_offsets", {0, data.size()}}}}}
          .dump();
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const uint64_t size = header.size();
  WriteFile(directory + "/model.safetensors",
            std::string(reinterpret_cast<const char*>(&size), sizeof(size)) + header + data);
}

struct Rates {
  double processor;  // texts per second of processor time, summed over the threads
  double wall;
};

Rates EmbedRate(const Model2VecModel& model, const std::vector<std::string>& texts,
                uint32_t threads) {
  const auto work = [&](size_t first) {
    Model2VecEmbedder embedder(model);
    std::vector<float> vector(model.dim());
    for (size_t i = first; i < texts.size(); i += threads) {
      const std::string_view text = texts[i];
      if (!embedder.Embed(std::span(&text, 1), vector).ok()) Die("embedding failed");
    }
  };
  const double start = Now();
  const double processor_start = ProcessorTime();
  std::vector<std::thread> workers;
  for (uint32_t i = 0; i < threads; ++i) workers.emplace_back(work, i);
  for (std::thread& worker : workers) worker.join();
  const auto count = static_cast<double>(texts.size());
  return {count / (ProcessorTime() - processor_start), count / (Now() - start)};
}

void Measure(const std::string& name, const std::string& directory,
             const std::vector<std::string>& texts, const BenchArgs& args) {
  std::vector<double> opens, wall_opens, queries, rates, wall_rates;
  size_t tokens = 0;
  for (int repeat = 0; repeat < args.repeats; ++repeat) {
    const double wall_start = Now();
    double start = ProcessorTime();
    const auto model = Model2VecModel::Open(directory);
    opens.push_back((ProcessorTime() - start) * 1e3);
    wall_opens.push_back((Now() - wall_start) * 1e3);
    if (!model) Die(model.error().ToString());
    SubwordEncoder encoder((*model)->tokenizer());
    std::vector<uint32_t> ids;
    tokens = 0;
    for (const std::string& text : texts) {
      encoder.Encode(text, &ids);
      tokens += ids.size();
    }
    const Rates rate = EmbedRate(**model, texts, args.threads);
    rates.push_back(rate.processor);
    wall_rates.push_back(rate.wall);
    std::vector<float> vector((*model)->dim());
    for (size_t i = 0; i < texts.size(); i += texts.size() / 50 + 1) {
      const std::string_view query = std::string_view(texts[i]).substr(0, 60);
      start = ProcessorTime();
      // A new embedder, with empty caches, as in a process that embeds one query.
      Model2VecEmbedder embedder(**model);
      if (!embedder.Embed(std::span(&query, 1), vector).ok()) Die("embedding failed");
      queries.push_back((ProcessorTime() - start) * 1e3);
    }
  }
  std::printf(
      "%-14s open %.2f ms, processor time %.2f; query %.3f ms; %.0f tokens a text; texts a second "
      "of processor time: "
      "%.0f, of wall time with %u threads: %.0f\n",
      name.c_str(), Median(wall_opens), Median(opens), Median(queries),
      static_cast<double>(tokens) / static_cast<double>(texts.size()), Median(rates), args.threads,
      Median(wall_rates));
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  using namespace recall;
  const BenchArgs args = ParseBenchArgs(argc, argv);
  const std::vector<std::string> texts = MakeTexts(args.small ? 200 : 40'000);
  if (!args.rest.empty()) {
    Measure("given", args.rest[0], texts, args);
    return 0;
  }
  const ScratchDir scratch;
  for (const auto& [unigram, type] :
       {std::pair(false, "F32"), {false, "F16"}, {false, "I8"}, {true, "F32"}}) {
    WriteModel(scratch.path(), unigram, type);
    Measure(std::string(unigram ? "Unigram " : "WordPiece ") + type, scratch.path(), texts, args);
  }
  return 0;
}
