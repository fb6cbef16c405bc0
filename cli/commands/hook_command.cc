// The command `hook`: what the hooks of assistants call. It reads an event, and answers with what
// the store knows of it, or not at all.
//
// Problem. A hook stands between a person and an assistant. An exit code other than 0 may stop the
// prompt or the tool, a word too much costs attention each time, and a wait is felt.
//
// Idea. Every error is an answer: no output and exit code 0 (Command::Forgives). A timer ends the
// process if the answer takes too long, whatever it waits for. Sessions are captured by a process
// of their own. An event that asks for a ranking is answered by the server of the store, if one
// runs, so the event is an argument to it (run_by_server.h).

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>

#include "cli/commands/commands.h"
#include "cli/options/flags/text_argument.h"
#include "cli/setup/hooks/background_capture.h"
#include "cli/setup/hooks/hook_event.h"
#include "cli/setup/hooks/session_facts.h"
#include "cli/show/terminal/terminal.h"

namespace recall {
namespace {

constexpr int64_t kHookLimitNanos = 2'000'000'000;
constexpr int64_t kNanosPerMicro = 1000;
constexpr int64_t kMicrosPerSecond = 1'000'000;

constexpr int64_t kBudgetOfStart = 1000;
constexpr int64_t kBudgetOfPrompt = 300;
constexpr int64_t kBudgetOfEdit = 200;
constexpr int64_t kBudgetOfFailure = 300;

extern "C" void EndSilently(int) { ::_exit(0); }

// Ends the process after this time, as if there were nothing to say. Nothing has been printed until
// then: the answer is written at the end.
void LimitHookTime(int64_t nanos) {
  struct sigaction action {};
  action.sa_handler = EndSilently;
  ::sigaction(SIGALRM, &action, nullptr);
  itimerval timer = {};
  const int64_t micros = nanos / kNanosPerMicro;
  timer.it_value.tv_sec = micros / kMicrosPerSecond;
  timer.it_value.tv_usec = micros % kMicrosPerSecond;
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

bool IsCaptured(HookEventKind kind) {
  return kind == HookEventKind::kCompact || kind == HookEventKind::kEnd;
}

class HookCommand final : public Command {
 public:
  // Sessions are written by another process.
  StoreAccess access() const override {
    return IsCaptured(event_.kind) ? StoreAccess::kPath : StoreAccess::kRead;
  }
  bool HoldsToStore() const override { return false; }

  bool Forgives(const Status& status) const override {
    if (verbose_) std::fprintf(stderr, "recall hook: %s\n", EscapeLine(status.message()).c_str());
    return true;
  }

  void Declare(FlagSet& flags, GlobalFlags& globals) override {
    flags.Words("EVENT", &events_, 0, 1, "what happens; else the event says it",
                {"session-start", "prompt", "pre-edit", "failure", "compact", "end"});
    flags.Number("--budget-tokens", &budget_tokens_, 1, INT32_MAX,
                 "maximum number of tokens of the answer (default: by event, 200 to 1000)");
    flags.Duration("--within", &limit_nanos_, "time after which there is no answer (default: 2s)");
    flags.Switch("--wait", &wait_, "compact, end: wait until the session is captured");
    flags.Text("--input", &input_, "JSON", "the event, instead of standard input");
    flags.Switch("--verbose", &verbose_, "say on standard error why there is no answer");
    globals_ = &globals;
  }

  Status Check(const GlobalFlags&) override {
    globals_->quiet = true;
    if (!input_) {
      if (const int64_t limit = limit_nanos_.value_or(kHookLimitNanos); limit > 0 && !wait_) {
        LimitHookTime(limit);
      }
      RECALL_ASSIGN(input_, ReadStandardInput("the event"));
    }
    const HookEventKind asked =
        events_.empty() ? HookEventKind::kOther : HookEventNamed(events_.front());
    RECALL_ASSIGN(event_, ReadHookEvent(*input_, asked));
    if (event_.kind != HookEventKind::kOther) return {};
    return Status::InvalidArgument("there is nothing to say to the event " + event_.name);
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const Status done = IsCaptured(event_.kind) ? Capture(context) : Answer(context);
    if (!done.ok()) Explain(context, std::string(done.message()));
    return ExitCode::kDone;
  }

 private:
  Status Capture(const CommandContext& context) const {
    if (event_.transcript.empty()) {
      return Status::InvalidArgument("the event names no transcript");
    }
    BackgroundCapture capture;
    capture.store = context.store_path;
    capture.project = event_.directory.empty() ? "." : event_.directory;
    capture.transcript = event_.transcript;
    capture.wait = wait_;
    return StartCapture(capture);
  }

  Status Answer(CommandContext& context) const {
    if (event_.form == HookAnswerForm::kNone) {
      return Status::InvalidArgument("the assistant reads no answer to " + event_.name);
    }
    if (event_.kind == HookEventKind::kFailure && event_.output.empty()) {
      return Status::InvalidArgument("no command failed");
    }
    RECALL_ASSIGN(const HintResponse hints, context.database->Hints(RequestOf()));
    if (hints.text.empty()) {
      Explain(context, hints.silence);
      return {};
    }
    context.SendObject([&](JsonWriter& json) { WriteAnswer(hints.text, json); });
    return {};
  }

  void WriteAnswer(const std::string& text, JsonWriter& json) const {
    if (event_.form == HookAnswerForm::kOfEvent) {
      return json.Object("hookSpecificOutput", [&] {
        json.Field("hookEventName", event_.name);
        json.Field("additionalContext", text);
      });
    }
    if (event_.form == HookAnswerForm::kContextOrGo) json.Field("continue", true);
    json.Field("additional_context", text);
  }

  HintRequest RequestOf() const {
    HintRequest request;
    int64_t budget = kBudgetOfPrompt;
    if (event_.kind == HookEventKind::kSessionStart) {
      request.occasion = HintOccasion::kBegin;
      request.branch = BranchOfDirectory(event_.directory);
      budget = kBudgetOfStart;
    } else if (event_.kind == HookEventKind::kPreEdit) {
      request.occasion = HintOccasion::kEdit;
      budget = kBudgetOfEdit;
    } else if (event_.kind == HookEventKind::kFailure) {
      request.occasion = HintOccasion::kFailure;
      budget = kBudgetOfFailure;
    }
    request.text = event_.kind == HookEventKind::kFailure ? event_.output : event_.prompt;
    request.file = event_.file;
    request.directory = event_.directory;
    request.session_id = event_.session_id;
    request.told = event_.told + TextOfConversation(event_.transcript);
    request.budget_tokens = budget_tokens_.value_or(budget);
    return request;
  }

  void Explain(CommandContext& context, const std::string& why) const {
    if (verbose_) context.out->WriteError("recall hook: " + EscapeLine(why) + "\n");
  }

  std::vector<std::string> events_;
  std::optional<int64_t> budget_tokens_;
  std::optional<int64_t> limit_nanos_;
  std::optional<std::string> input_;
  bool wait_ = false;
  bool verbose_ = false;
  GlobalFlags* globals_ = nullptr;
  HookEvent event_;
};

}  // namespace

const CommandInfo kHookCommand = {
    "hook",
    "[OPTIONS] [EVENT]",
    "tell an assistant what bears on what it does; its hooks call this",
    "  recall hook prompt < event.json\n"
    "  recall hook < event.json                        the event says what it is\n"
    "  recall hook end --wait --verbose < event.json   capture the session\n",
    "Reads an event of Claude Code, Codex, Cursor or Gemini CLI, JSON, on standard input, and\n"
    "prints JSON with the notes and passages that bear on it, or nothing. Any error is exit code "
    "0\n"
    "without output, so that no hook ever stops an assistant.\n",
    [] { return std::unique_ptr<Command>(new HookCommand); }};

}  // namespace recall
