#include "cli/commands/commands.h"
#include "cli/show/output/response.h"
#include "query/memory/sessions/session_view.h"

namespace recall {
namespace {

class ResumeCommandLine final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("SESSION", &targets_, 1, 1, "a path, an id, or the beginning of one");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    RECALL_ASSIGN(const GetResponse found, context.database->Get({.target = targets_.front()}));
    const SessionMeta meta = SessionMetaOf(found.doc);
    if (!IsSession(found.doc)) {
      return Fail(Status::InvalidArgument(found.doc.path + " is no session",
                                          "`recall sessions` lists the sessions of the store"));
    }
    const std::string command = ResumeCommandOf(found.doc);
    if (command.empty()) {
      return Fail(Status::NotFound(meta.agent + " has no command that goes on with a session",
                                   "`recall get " + found.doc.path + "` prints what was said"));
    }
    if (!context.json()) {
      context.out->Write(command + "\n");
      return ExitCode::kDone;
    }
    JsonResponse response;
    response.own_key = "resume";
    response.own = [&](JsonWriter& json) {
      json.Field("path", found.doc.path);
      json.Field("agent", meta.agent);
      json.Field("session_id", meta.id);
      json.FieldOrNull("cwd", meta.cwd);
      json.Field("command", command);
    };
    context.Send(std::move(response));
    return ExitCode::kDone;
  }

 private:
  std::vector<std::string> targets_;
};

}  // namespace

const CommandInfo kResumeCommand = {
    "resume",
    "[OPTIONS] SESSION",
    "print the command that goes on with a session in its agent",
    "  recall resume 0d6c5f1a\n"
    "  eval \"$(recall resume 0d6c5f1a)\"\n",
    "Nothing is run. The agent finds the session as long as it has its transcript.\n",
    [] { return std::unique_ptr<Command>(new ResumeCommandLine); }};

}  // namespace recall
