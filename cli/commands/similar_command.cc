#include "cli/commands/commands.h"
#include "cli/commands/hits_output.h"
#include "cli/commands/search_flags.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

// Writes the target as given, and the document or chunk that it denotes.
void WriteFields(const std::string& target, const SimilarResponse& found, JsonWriter& json) {
  const ChunkView& chunk = found.chunk;
  json.Field("target", target);
  json.Field("doc_id", found.doc.id);
  json.Field("path", found.doc.path);
  json.FieldOrNull("chunk_id", chunk.id);
  json.Field("whole_doc", found.whole_doc);
  json.Field("start_byte", chunk.start_byte);
  json.Field("end_byte", chunk.end_byte);
  json.Field("start_line", chunk.start_line);
  json.Field("end_line", chunk.end_line);
}

class SimilarCommand final : public Command {
 public:
  StoreAccess access() const override { return sources_.access(); }

  void Declare(FlagSet& flags, GlobalFlags& globals) override {
    flags.Words("TARGET", &target_, 1, 1,
                "as for get: a path, path:9-17 in lines, a citation, or an id");
    ranking_.DeclareFilter(flags);
    ranking_.DeclareRetrievers(flags);
    ranking_.DeclareHops(flags);
    ranking_.DeclareRest(flags);
    sources_.Declare(flags);
    page_.Declare(flags, globals);
  }

  Status Check(const GlobalFlags& globals) override {
    RECALL_TRY(page_.Check(globals, ranking_.explain()));
    RECALL_TRY(ranking_.Read());
    return sources_.Check(ranking_.scope().snapshot);
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const AskedView asked, ranking_.Ask(context.config));
    SimilarRequest request{target_[0], ranking_.MakeRequest(asked)};
    request.search.check = sources_.CheckFor(context);
    RECALL_TRY(page_.Apply(asked, context.lean(), &request.search));
    RECALL_TRY(sources_.Refresh(context));
    RECALL_ASSIGN(const SimilarResponse found, context.database->Similar(request));
    request.search.text = found.words;
    request.search.lexical_mode = LexicalMode::kLiteral;
    Question question = Question::OfPage(request.search);
    question.view = asked.view;
    const HitsForm form{ranking_.explain(), page_.fields(), page_.fzf(),
                        page_.PayloadOf(asked.view)};
    if (context.json()) {
      RECALL_TRY(SendHits(context, question, found, form, SteadyMicros() - start, "similar",
                          [&](JsonWriter& json) { WriteFields(target_[0], found, json); }));
    } else {
      RECALL_TRY(PrintHits(context, question, found, form));
    }
    return ExitCode::kDone;
  }

 private:
  std::vector<std::string> target_;
  RankingFlags ranking_;
  SourceFlags sources_;
  PageFlags page_;
};

}  // namespace

const CommandInfo kSimilarCommand = {
    "similar",
    "[OPTIONS] TARGET",
    "find chunks or documents similar to a given one",
    "  recall similar docs/guide.md          the documents nearest to this one\n"
    "  recall similar id:3fa9                the chunks nearest to a chunk, by the start of its "
    "id\n"
    "  recall similar docs/guide.md:20-39    chunks near these lines\n"
    "  recall similar --filter \"doc.path GLOB 'notes/**'\" docs/guide.md\n",
    "The query is made from the salient terms of the text and its vector. The target itself is "
    "not\n"
    "in the results. Documents are ranked by their most similar chunk, which is shown. Scores are\n"
    "between 0 and 1; an equal text has the score 1. Without results the exit code is 0.\n",
    [] { return std::unique_ptr<Command>(new SimilarCommand); }};

}  // namespace recall
