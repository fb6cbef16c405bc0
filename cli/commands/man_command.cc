#include <filesystem>
#include <fstream>

#include "cli/commands/commands.h"
#include "cli/commands/static_text.h"
#include "cli/run/reference/man_page.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

Status WritePage(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (file) return {};
  return Status::IoError("cannot write " + path.string());
}

class ManCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("COMMAND", &command_, 0, 1, "a command (default: the program)", CommandNames());
    flags.Text("--directory", &directory_, "DIR", "write every page into this directory");
  }

  Status Check(const GlobalFlags&) override {
    if (command_.empty() || !directory_) return {};
    return Status::InvalidArgument("COMMAND and --directory cannot be combined");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const ProgramReference program = DescribeProgram();
    if (directory_) return WritePages(context, program);
    const std::string name = command_.empty() ? "" : command_[0];
    return AnswerWithText(
        context, "man", [&](JsonWriter& json) { json.Field("page", ManPageName(name)); },
        Page(program, name));
  }

 private:
  // The page of a command, or of the program for "".
  static std::string Page(const ProgramReference& program, std::string_view name) {
    for (const CommandReference& command : program.commands) {
      if (command.info->name == name) return CommandManPage(program, command);
    }
    return ProgramManPage(program);
  }

  Result<ExitCode> WritePages(CommandContext& context, const ProgramReference& program) const {
    std::vector<std::string> names = CommandNames();
    names.insert(names.begin(), "");
    std::error_code error;
    fs::create_directories(*directory_, error);
    if (error) {
      return Fail(
          Status::IoError("cannot create the directory " + *directory_ + ": " + error.message()));
    }
    std::vector<std::string> pages;
    for (const std::string& name : names) {
      RECALL_TRY(WritePage(fs::path(*directory_) / ManPageName(name), Page(program, name)));
      pages.push_back(ManPageName(name));
    }
    const std::string text =
        "Wrote " + Plural(static_cast<int64_t>(names.size()), "page") + " to " + *directory_ + "\n";
    if (!context.json()) return AnswerWithText(context, "man", {}, context.flags.quiet ? "" : text);
    JsonResponse response;
    response.own_key = "man";
    response.own = [&](JsonWriter& json) {
      json.Field("directory", *directory_);
      json.Field("pages", pages);
    };
    context.Send(std::move(response));
    return ExitCode::kDone;
  }

  std::vector<std::string> command_;
  std::optional<std::string> directory_;
};

}  // namespace

const CommandInfo kManCommand = {
    "man",
    "[OPTIONS] [COMMAND]",
    "print a manual page in roff",
    "  recall man search | man -l -            read the page of a command\n"
    "  recall man | groff -man -Tpdf           print the page of the program as PDF\n"
    "  recall man --directory man1             write all pages: recall.1, recall-add.1, ...\n",
    "Installed packages contain the pages where man(1) looks for them.\n",
    [] { return std::unique_ptr<Command>(new ManCommand); }};

}  // namespace recall
