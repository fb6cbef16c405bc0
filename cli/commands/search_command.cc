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
    return search_.ReadQuery();
  }

  Result<ExitCode> Run(Session& session) override {
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const SearchRequest request, MakeRequest(session.config));
    RECALL_ASSIGN(const SearchResponse response, session.database->Search(request));
    if (session.json()) {
      RECALL_TRY(SendJson(session, request, response, SteadyMicros() - start));
    } else {
      PrintText(session, request, response);
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

  static Status SendJson(Session& session, const SearchRequest& request,
                         const SearchResponse& found, int64_t micros) {
    JsonResponse response;
    response.query = QueryJson(request, request.k, found.store.snapshot);
    response.results = Json::array();
    for (const SearchHit& hit : found.hits) response.results.push_back(ToJson(hit));
    Measured measured;
    if (request.explain) {
      RECALL_ASSIGN(const StatsReport store, session.database->Stats());
      response.explain = ExplainJson(request, found, store, session.config);
      measured = {micros / 1000, found.timings, true};
    }
    response.stats = StatsJson(found.total_hits, found.store, measured);
    response.stats["total_hits_is_lower_bound"] = found.total_hits_is_lower_bound;
    response.warnings = found.warnings;
    response.next_offset = found.next_offset;
    session.Send(std::move(response));
    return {};
  }

  static void PrintText(Session& session, const SearchRequest& request,
                        const SearchResponse& found) {
    session.PrintWarnings(found.warnings);
    const std::vector<std::string> words = QueryWords(request.text);
    bool first = true;
    for (const SearchHit& hit : found.hits) {
      session.out->Write((first ? "" : "\n") + FormatHit(hit, words, session.out_style));
      first = false;
    }
    if (request.explain) {
      session.out->Write((first ? "" : "\n") + FormatExplain(found));
    }
    if (found.hits.empty()) {
      session.Remark(found.store.chunks == 0 ? "the store is empty; `recall add` fills it"
                                             : "no results");
    } else if (found.next_offset) {
      session.Remark(std::to_string(found.hits.size()) + " of " + std::to_string(found.total_hits) +
                     " results; --offset " + std::to_string(*found.next_offset) + " shows more");
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
    "  git diff | recall search -           the query from stdin\n"
    "  recall search -- -Wconversion        a query that starts with '-'\n",
    "Words are OR-ed and ranked; \"a phrase\" must stand as written, +word must occur, -word must\n"
    "not, pre* is the start of a word, OR joins phrases. No text is a syntax error.\n"
    "Scores lie between 0 and 1. Without hits the exit code is 0.\n",
    [] { return std::unique_ptr<Command>(new SearchCommand); }};

}  // namespace recall
