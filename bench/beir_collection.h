#pragma once

// A BEIR-layout directory: corpus.jsonl, queries.jsonl (each may end in .zst), qrels.tsv.

#include <zstd.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "bench/bench_util.h"

namespace recall {

struct BeirCollection {
  struct Query {
    std::string text;
    std::map<uint32_t, double> relevant;  // document -> gain, only gains > 0
  };
  std::vector<std::string> documents;  // title, line break, text
  std::vector<Query> queries;          // only those with a relevant document
};

inline std::string ReadWholeFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) Die("cannot read " + path);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return std::move(bytes).str();
}

inline std::string Decompress(const std::string& frames, const std::string& path) {
  ZSTD_DStream* const stream = ZSTD_createDStream();
  ZSTD_inBuffer in{frames.data(), frames.size(), 0};
  std::string text;
  std::vector<char> piece(ZSTD_DStreamOutSize());
  while (in.pos < in.size) {
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    if (ZSTD_isError(ZSTD_decompressStream(stream, &out, &in))) Die("damaged " + path);
    text.append(piece.data(), out.pos);
    // A full buffer may leave bytes inside the decoder.
    while (out.pos == out.size) {
      out = {piece.data(), piece.size(), 0};
      if (ZSTD_isError(ZSTD_decompressStream(stream, &out, &in))) Die("damaged " + path);
      text.append(piece.data(), out.pos);
    }
  }
  ZSTD_freeDStream(stream);
  return text;
}

// The objects of `path` or `path`.zst, one a line.
inline std::vector<nlohmann::json> ReadJsonLines(const std::string& path) {
  const bool plain = std::filesystem::exists(path);
  const std::string found = plain ? path : path + ".zst";
  std::istringstream lines(plain ? ReadWholeFile(found) : Decompress(ReadWholeFile(found), found));
  std::vector<nlohmann::json> objects;
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \r") == std::string::npos) continue;
    objects.push_back(nlohmann::json::parse(line, nullptr, false));
    if (!objects.back().is_object()) Die("not a JSON object a line: " + found);
  }
  return objects;
}

inline BeirCollection ReadBeirCollection(const std::string& directory) {
  BeirCollection collection;
  std::unordered_map<std::string, uint32_t> documents;
  for (const auto& object : ReadJsonLines(directory + "/corpus.jsonl")) {
    documents.emplace(object.value("_id", ""), collection.documents.size());
    const std::string title = object.value("title", "");
    collection.documents.push_back((title.empty() ? "" : title + "\n") + object.value("text", ""));
  }
  std::unordered_map<std::string, BeirCollection::Query> queries;
  std::vector<std::string> order;
  for (const auto& object : ReadJsonLines(directory + "/queries.jsonl")) {
    order.push_back(object.value("_id", ""));
    queries[order.back()].text = object.value("text", "");
  }
  std::istringstream judgements(ReadWholeFile(directory + "/qrels.tsv"));
  std::string line;
  std::getline(judgements, line);  // the header
  while (std::getline(judgements, line)) {
    std::istringstream fields(line);
    std::string query, document;
    double gain = 0;
    std::getline(fields, query, '\t');
    std::getline(fields, document, '\t');
    fields >> gain;
    const auto found = documents.find(document);
    if (gain > 0 && found != documents.end() && queries.contains(query)) {
      queries[query].relevant[found->second] = gain;
    }
  }
  for (const std::string& id : order) {
    if (!queries[id].relevant.empty()) collection.queries.push_back(queries[id]);
  }
  return collection;
}

}  // namespace recall
