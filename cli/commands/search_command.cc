#include "cli/commands/answer.h"
#include "cli/commands/commands.h"
#include "cli/commands/search_flags.h"
#include "cli/output/response.h"
#include "cli/output/text_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

class SearchCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags& globals) override {
    search_.Declare(flags);
    flags.Number("-k,--k", &k_, 1, INT32_MAX, "results (default: 8)");
    flags.Number("--offset", &offset_, 0, INT32_MAX, "results to leave out, for the next page");
    flags.Switch("--jsonl", &globals.json_lines, "one JSON object a line: meta, then results");
  }

  Status Check(const GlobalFlags& globals) override {
    if (globals.json && globals.json_lines) {
      return Status::InvalidArgument("--json and --jsonl exclude each other");
    }
    return search_.Read();
  }

  Result<ExitCode> Run(Session& session) override {
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const SearchRequest request, MakeRequest(session.config));
    RECALL_ASSIGN(const SearchResponse response, session.database->Search(request));
    Question question = Question::FromRequest(request);
    question.limit = k_;
    question.offset = offset_;
    if (session.json()) {
      RECALL_TRY(SendJson(session, question, response, SteadyMicros() - start));
    } else {
      RECALL_TRY(PrintText(session, question, response));
    }
    return ExitCode::kDone;
  }

 private:
  Result<SearchRequest> MakeRequest(const Config& config) const {
    if (k_ > config.max_limit) {
      return Fail(Status::InvalidArgument(
          "--k " + std::to_string(k_) + " is over the limit of " + std::to_string(config.max_limit),
          "page with --offset, or raise max_limit in recall.toml"));
    }
    SearchRequest request = search_.MakeRequest(config);
    request.k = static_cast<size_t>(k_);
    request.offset = static_cast<size_t>(offset_);
    return request;
  }

  Status SendJson(Session& session, const Question& question, const SearchResponse& found,
                  int64_t micros) const {
    RECALL_ASSIGN(JsonResponse response,
                  BeginAnswer(session, question, found, search_.explain(), micros));
    response.results = Json::array();
    for (const SearchHit& hit : found.hits) response.results.push_back(ToJson(hit));
    session.Send(std::move(response));
    return {};
  }

  Status PrintText(Session& session, const Question& question, const SearchResponse& found) const {
    session.PrintWarnings(found.warnings);
    const std::vector<std::string> words = QueryWords(question.text);
    bool first = true;
    for (const SearchHit& hit : found.hits) {
      session.out->Write((first ? "" : "\n") + FormatHit(hit, words, session.out_style));
      first = false;
    }
    if (search_.explain()) {
      RECALL_ASSIGN(const std::string explain, ExplainText(session, question, found));
      session.out->Write((first ? "" : "\n") + explain);
    }
    RemarkOn(session, found);
    return {};
  }

  static void RemarkOn(const Session& session, const SearchResponse& found) {
    if (found.hits.empty()) {
      session.Remark(found.store.chunks == 0 ? "the store is empty; `recall add` fills it"
                                             : "no results");
    } else if (found.next_offset) {
      session.Remark(std::to_string(found.hits.size()) + " of " + std::to_string(found.total_hits) +
                     (found.total_hits_is_lower_bound ? " or more" : "") + " results; --offset " +
                     std::to_string(*found.next_offset) + " shows more");
    }
  }

  SearchFlags search_;
  int64_t k_ = 8;
  int64_t offset_ = 0;
};

}  // namespace

const CommandInfo kSearchCommand = {
    "search",
    "[OPTIONS] QUERY...",
    "find the chunks that answer a question",
    "  recall search how are segments merged\n"
    "  recall search '\"write ahead log\" -sqlite checkpoint*'\n"
    "  recall search --json -k 20 retry policy | jq '.results[].doc.path'\n"
    "  recall search --filter \"doc.path GLOB 'docs/**'\" release process\n"
    "  git diff | recall search -           the query from stdin\n"
    "  recall search -- -Wconversion        a query that starts with '-'\n",
    "Words are OR-ed and ranked; \"a phrase\" must stand as written, +word must occur, -word must\n"
    "not, pre* is the start of a word, OR joins phrases. No text is a syntax error.\n"
    "Scores lie between 0 and 1. Without hits the exit code is 0.\n",
    [] { return std::unique_ptr<Command>(new SearchCommand); }};

}  // namespace recall
