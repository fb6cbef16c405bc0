// Reads questions with answer spans.
//
// The files count Unicode code points, as Python does; everything here counts bytes and tokens. The
// byte offset of every code point of each document is kept, so a span is converted by two look-ups.
// Memory: the texts, and 8 bytes for each code point.

#include "query/measure/eval/span_set.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "index/base/text/text_fault.h"
#include "index/base/text/utf8.h"
#include "query/measure/eval/eval_lines.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

// The maximum size of a document, decompressed. Those of published collections have 1 MB.
constexpr uint64_t kMaxSpanDocumentBytes = uint64_t{256} << 20;

// The text, an offset for each code point, and a range for each token, of which there is at most
// one per two bytes.
constexpr uint64_t kBytesPerTextByte = 1 + sizeof(uint64_t) + sizeof(DocumentTokens::Range) / 2;

// Returns: the byte offset of each code point of a text, and the size of the text.
std::vector<uint64_t> CodePointStarts(std::string_view text) {
  std::vector<uint64_t> starts;
  for (size_t position = 0; position < text.size();) {
    starts.push_back(position);
    DecodeUtf8(text, &position);
  }
  starts.push_back(text.size());
  return starts;
}

Result<std::string> ReadWhole(const std::string& path, const std::atomic<bool>& cancel) {
  RECALL_ASSIGN(const auto file, InputFile::Open(path, &cancel));
  RECALL_ASSIGN(std::string text, ReadAll(*file, kMaxSpanDocumentBytes));
  if (IsValidUtf8(text)) return text;
  return Fail(Status::InvalidArgument(path + " is not UTF-8"));
}

class SpanSetReader final {
 public:
  SpanSetReader(const std::string& directory, const std::atomic<bool>& cancel, uint64_t max_bytes)
      : directory_(directory), cancel_(cancel), memory_(directory, max_bytes) {}

  Result<SpanSet> Read() {
    RECALL_TRY(ReadDocuments());
    RECALL_TRY(ReadJsonLines(
        directory_ + "/questions.jsonl", cancel_,
        [&](const auto& object, const LineRef& line) { return TakeQuestion(object, line); }));
    if (!set_.questions.empty()) return std::move(set_);
    return Fail(Status::InvalidArgument("no question of " + directory_ + " has a span"));
  }

 private:
  Status ReadDocuments() {
    const std::string corpora = directory_ + "/corpora";
    std::vector<std::string> files;
    std::error_code error;
    for (fs::directory_iterator i(corpora, error), end; !error && i != end; i.increment(error)) {
      const bool hidden = i->path().filename().string().starts_with('.');
      if (!hidden && !i->is_directory()) files.push_back(i->path().string());
    }
    if (error || files.empty()) {
      return Status::NotFound("there are no documents in " + corpora,
                              "`recall eval --help` lists the files of a collection");
    }
    std::ranges::sort(files);
    for (const std::string& file : files) RECALL_TRY(ReadDocument(file));
    return Status::Ok();
  }

  Status ReadDocument(const std::string& file) {
    fs::path name = fs::path(file).filename();
    if (name.extension() == ".zst") name = name.stem();
    RECALL_ASSIGN(std::string text, ReadWhole(file, cancel_));
    const auto number = static_cast<uint32_t>(set_.documents.size());
    const bool fresh = numbers_.emplace(name.string(), number).second;
    const bool plain = name.stem() == name;
    if (!fresh || (!plain && !numbers_.emplace(name.stem().string(), number).second)) {
      return Status::InvalidArgument("two documents of " + directory_ + "/corpora have the name " +
                                     Quoted(name.stem().string()));
    }
    // Counted before they are made: they are larger than the text.
    RECALL_TRY(memory_.Add(text.size() * kBytesPerTextByte));
    starts_.push_back(CodePointStarts(text));
    DocumentTokens tokens(text);
    set_.documents.push_back({name.string(), std::move(text), std::move(tokens)});
    return Status::Ok();
  }

  Status TakeQuestion(const nlohmann::json& object, const LineRef& line) {
    SpanSet::Question question;
    RECALL_ASSIGN(question.id, IdField(object, line));
    if (!ids_.insert(question.id).second) {
      return LineFault(line, "the id " + Quoted(question.id) + " occurs twice");
    }
    RECALL_ASSIGN(question.text, TextField(object, line, "text"));
    if (question.text.find_first_not_of(" \t\r\n") == question.text.npos) {
      return LineFault(line, "\"text\" is empty");
    }
    RECALL_ASSIGN(const std::string corpus, TextField(object, line, "corpus"));
    const auto document = numbers_.find(corpus);
    if (document == numbers_.end()) {
      return LineFault(line, "there is no document " + Quoted(corpus) + " in corpora");
    }
    question.document = document->second;
    RECALL_TRY(memory_.Add(question.text.size() + 2 * question.id.size()));
    const auto references = object.find("references");
    if (references == object.end() || !references->is_array()) {
      return LineFault(line, "\"references\" is not an array");
    }
    for (const nlohmann::json& reference : *references) {
      RECALL_TRY(TakeSpan(reference, line, &question));
    }
    if (question.spans.empty()) {
      ++set_.questions_without_spans;
    } else {
      set_.questions.push_back(std::move(question));
    }
    return Status::Ok();
  }

  Status TakeSpan(const nlohmann::json& reference, const LineRef& line,
                  SpanSet::Question* question) {
    const std::vector<uint64_t>& starts = starts_[question->document];
    const auto place = [&](const char* name) -> uint64_t {
      const auto field = reference.is_object() ? reference.find(name) : reference.end();
      const bool number = field != reference.end() && field->is_number_unsigned();
      return number ? std::min<uint64_t>(field->get<uint64_t>(), starts.size()) : starts.size();
    };
    const uint64_t start = place("start");
    const uint64_t end = place("end");
    if (start >= end || end >= starts.size()) {
      return LineFault(line, "a reference needs \"start\" below \"end\", both within the document",
                       "they count characters from 0; \"end\" is exclusive");
    }
    const SpanSet::Document& document = set_.documents[question->document];
    RECALL_ASSIGN(const std::string content, TextField(reference, line, "content", ""));
    const auto text =
        std::string_view(document.text).substr(starts[start], starts[end] - starts[start]);
    if (!content.empty() && content != text) {
      return LineFault(line, "the document has " + Quoted(text) + " there, not " + Quoted(content),
                       "\"start\" and \"end\" count Unicode code points, not bytes");
    }
    const auto tokens = document.tokens.Touched({starts[start], starts[end]});
    if (tokens.begin == tokens.end) return LineFault(line, "a reference contains only white space");
    question->spans.push_back(tokens);
    return memory_.Add(sizeof(tokens));
  }

  const std::string& directory_;
  const std::atomic<bool>& cancel_;
  CollectionMemory memory_;
  SpanSet set_;
  std::unordered_map<std::string, uint32_t> numbers_;  // by name with and without extension
  std::vector<std::vector<uint64_t>> starts_;          // parallel to the documents
  std::unordered_set<std::string> ids_;
};

}  // namespace

Result<SpanSet> ReadSpanSet(const std::string& directory, const std::atomic<bool>& cancel,
                            uint64_t max_bytes) {
  return SpanSetReader(directory, cancel, max_bytes).Read();
}

}  // namespace recall
