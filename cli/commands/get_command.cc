#include <cstdio>

#include "cli/commands/commands.h"
#include "cli/output/response.h"

namespace recall {
namespace {

// The name of the outcome in JSON; nothing if no verification was requested.
std::optional<std::string_view> OutcomeName(VerifyOutcome outcome) {
  switch (outcome) {
    case VerifyOutcome::kNotAsked:
      return std::nullopt;
    case VerifyOutcome::kSame:
      return "same";
    case VerifyOutcome::kChanged:
      return "changed";
    case VerifyOutcome::kMissing:
      return "missing";
  }
  return std::nullopt;
}

std::optional<Failure> FailureOf(const GetResponse& found) {
  const std::string& path = found.doc.path;
  if (found.verify == VerifyOutcome::kChanged) {
    return Failure{.code = ErrorCode::kVerifyFailed,
                   .message = "'" + path + "' has changed since it was added",
                   .hint = "`recall add` brings the store up to date"};
  }
  if (found.verify == VerifyOutcome::kMissing) {
    return Failure{.code = ErrorCode::kVerifyFailed,
                   .message = "the source file '" + path + "' is missing",
                   .hint = "`recall rm` removes it from the store"};
  }
  return std::nullopt;
}

class GetCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("TARGET", &target_, 1, 1,
                "an id or a unique prefix of one, a path, or path:from:count in lines");
    flags.Switch("--verify", &verify_, "compare with the source file; exit 1 if they differ");
  }

  Result<ExitCode> Run(Session& session) override {
    RECALL_ASSIGN(const GetResponse found,
                  session.database->Get({.target = target_[0], .verify = verify_}));
    const std::optional<Failure> failure = FailureOf(found);
    if (session.json()) {
      SendJson(session, found, failure);
    } else {
      PrintText(session, found);
      if (failure) PrintFailure(*failure, OutputMode::kText, session.error_style, {}, session.out);
    }
    return failure ? failure->exit() : ExitCode::kDone;
  }

 private:
  static void SendJson(Session& session, const GetResponse& found,
                       const std::optional<Failure>& failure) {
    JsonResponse response;
    response.own_key = "get";
    response.own = [&](JsonWriter& json) {
      json.Object("doc", [&] { WriteFields(found.doc, json); });
      json.Object("chunk", [&] { WriteFields(found.chunk, json); });
      json.Field("whole_doc", found.whole_doc);
      json.Field("verify", OutcomeName(found.verify));
    };
    response.failure = failure;
    session.Send(std::move(response));
  }

  // Prints the exact bytes, so that `recall get a.md > a.md` restores a file.
  static void PrintText(Session& session, const GetResponse& found) {
    session.PrintWarnings();
    const std::string& text = found.chunk.text;
    if (!session.out_style.escape) {
      session.out->Write(text);
      return;
    }
    session.out->Write(EscapeControls(text));
    if (!text.empty() && !text.ends_with('\n')) session.out->Write("\n");
  }

  std::vector<std::string> target_;
  bool verify_ = false;
};

}  // namespace

const CommandInfo kGetCommand = {
    "get",
    "[OPTIONS] TARGET",
    "print a document, a chunk or a range of lines from the store",
    "  recall get docs/guide.md             the whole document, byte for byte\n"
    "  recall get docs/guide.md:120:20      20 lines from line 120\n"
    "  recall get 3fa9c1d2                  a document or chunk by the start of its id\n"
    "  recall get --verify docs/guide.md    is the source file still the same?\n",
    "Chunks and documents are read from the store, even if the source file no longer exists.\n"
    "With --verify the exit code is 1 if the file has changed or no longer exists.\n",
    [] { return std::unique_ptr<Command>(new GetCommand); }};

}  // namespace recall
