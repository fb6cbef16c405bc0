#include "query/measure/eval/judged_collection.h"

#include <filesystem>
#include <optional>
#include <unordered_map>
#include <utility>

#include "index/base/text/text_fault.h"
#include "query/measure/eval/eval_lines.h"
#include "storage/base/number.h"

namespace recall {
namespace {

using Places = std::unordered_map<std::string, uint32_t>;

// One line of qrels: query, document and score, separated by tabs.
struct Judgement {
  std::string query;
  std::string document;
  double score = 0;
};

std::optional<Judgement> ParseJudgement(std::string_view line) {
  const size_t first = line.find('\t');
  if (first == line.npos) return std::nullopt;
  const size_t second = line.find('\t', first + 1);
  if (second == line.npos) return std::nullopt;
  const auto score = ParseJsonNumber(line.substr(second + 1));
  if (!score) return std::nullopt;
  Judgement judgement;
  judgement.query = line.substr(0, first);
  judgement.document = line.substr(first + 1, second - first - 1);
  judgement.score = score->is_integer ? static_cast<double>(score->integer) : score->real;
  return judgement;
}

class CollectionReader final {
 public:
  CollectionReader(const std::string& directory, const std::atomic<bool>& cancel,
                   uint64_t max_bytes)
      : directory_(directory), cancel_(cancel), memory_(directory, max_bytes) {}

  Result<JudgedCollection> Read() {
    RECALL_TRY(ReadCorpus());
    RECALL_TRY(ReadQueries());
    RECALL_TRY(ReadJudgements());
    KeepJudgedQueries();
    if (collection_.queries.empty()) {
      return Fail(Status::InvalidArgument(
          "no query of " + directory_ + " has a relevant document",
          "a line of qrels.tsv is query-id, corpus-id and a score above 0, separated by tabs"));
    }
    return std::move(collection_);
  }

 private:
  Status ReadCorpus() {
    RECALL_TRY(ReadJsonLines(
        directory_ + "/corpus.jsonl", cancel_,
        [&](const auto& object, const LineRef& line) { return TakeDocument(object, line); }));
    if (!collection_.documents.empty()) return Status::Ok();
    return Status::InvalidArgument(directory_ + "/corpus.jsonl has no documents");
  }

  Status TakeDocument(const nlohmann::json& object, const LineRef& line) {
    RECALL_ASSIGN(const std::string title, TextField(object, line, "title", ""));
    RECALL_ASSIGN(const std::string text, TextField(object, line, "text"));
    RECALL_TRY(AddId(object, line, collection_.documents.size(), documents_));
    RECALL_TRY(memory_.Add(title.size() + text.size()));
    collection_.documents.push_back(title.empty() ? text : title + "\n" + text);
    return Status::Ok();
  }

  Status ReadQueries() {
    return ReadJsonLines(
        directory_ + "/queries.jsonl", cancel_,
        [&](const auto& object, const LineRef& line) { return TakeQuery(object, line); });
  }

  Status TakeQuery(const nlohmann::json& object, const LineRef& line) {
    JudgedCollection::Query query;
    RECALL_ASSIGN(query.text, TextField(object, line, "text"));
    if (query.text.find_first_not_of(" \t\r\n") == query.text.npos) {
      return LineFault(line, "\"text\" is empty");
    }
    RECALL_ASSIGN(query.id, AddId(object, line, collection_.queries.size(), queries_));
    RECALL_TRY(memory_.Add(query.text.size() + query.id.size()));
    collection_.queries.push_back(std::move(query));
    return Status::Ok();
  }

  Result<std::string> AddId(const nlohmann::json& object, const LineRef& line, size_t place,
                            Places& places) {
    RECALL_ASSIGN(std::string id, IdField(object, line));
    RECALL_TRY(memory_.Add(id.size()));
    if (places.emplace(id, static_cast<uint32_t>(place)).second) return id;
    return Fail(LineFault(line, "the id " + Quoted(id) + " occurs twice"));
  }

  Status ReadJudgements() {
    std::string path = directory_ + "/qrels.tsv";
    std::error_code ignored;
    const std::string published = directory_ + "/qrels/test.tsv";
    if (!std::filesystem::exists(path, ignored) &&
        !std::filesystem::exists(path + ".zst", ignored) &&
        std::filesystem::exists(published, ignored)) {
      path = published;
    }
    RECALL_ASSIGN(const auto lines, OpenEvalLines(path, cancel_));
    std::string text;
    for (;;) {
      RECALL_ASSIGN(const bool more, lines->Next(&text));
      if (!more) return Status::Ok();
      if (!text.empty() && text.back() == '\r') text.pop_back();
      if (text.empty()) continue;
      const auto judgement = ParseJudgement(text);
      if (judgement) {
        RECALL_TRY(Take(*judgement));
      } else if (lines->line_number() > 1) {  // the first line contains the column names
        return LineFault({lines->file().name(), lines->line_number(), text}, "invalid judgement",
                         "a line is query-id, corpus-id and a number, separated by tabs");
      }
    }
  }

  Status Take(const Judgement& judgement) {
    const auto query = queries_.find(judgement.query);
    const auto document = documents_.find(judgement.document);
    if (query == queries_.end()) {
      ++collection_.judgements_without_query;
    } else if (document == documents_.end()) {
      ++collection_.judgements_without_document;
    } else if (judgement.score > 0) {
      auto& relevant = collection_.queries[query->second].relevant;
      if (relevant.insert_or_assign(document->second, judgement.score).second) {
        return memory_.Add(0);
      }
    } else {
      collection_.queries[query->second].relevant.erase(document->second);
    }
    return Status::Ok();
  }

  void KeepJudgedQueries() {
    collection_.unjudged_queries = static_cast<int64_t>(std::erase_if(
        collection_.queries, [](const auto& query) { return query.relevant.empty(); }));
  }

  const std::string& directory_;
  const std::atomic<bool>& cancel_;
  CollectionMemory memory_;
  JudgedCollection collection_;
  Places documents_;
  Places queries_;
};

}  // namespace

Result<JudgedCollection> ReadJudgedCollection(const std::string& directory,
                                              const std::atomic<bool>& cancel, uint64_t max_bytes) {
  return CollectionReader(directory, cancel, max_bytes).Read();
}

}  // namespace recall
