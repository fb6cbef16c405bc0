#include "cli/commands/add_flags.h"

namespace recall {

SecretPolicy PolicyFromName(std::string_view name) {
  if (name == "redact") return SecretPolicy::kRedact;
  if (name == "skip") return SecretPolicy::kSkip;
  return name == "keep" ? SecretPolicy::kKeep : SecretPolicy::kWarn;
}

void AddFlags::DeclareDocuments(FlagSet& flags, AddRequest* request) {
  flags.TextList("--glob", &request->globs, "PATTERN",
                 "add only files that match, such as '*.md'; may be repeated");
  flags.TextList("--ignore", &request->ignores, "PATTERN",
                 "skip files and directories that match; may be repeated");
  flags.Text("--tag", &request->tag, "TEXT", "a label for the documents");
  flags.EmptyIsAbsent();
  flags.SuggestFrom(
      "recall query 'FROM doc FILTER doc.tag IS NOT NULL LIMIT 10000 SELECT doc.tag' 2>/dev/null "
      "| sort -u");
  flags.Text("--source", &request->source, "TEXT", "where the documents come from");
  flags.EmptyIsAbsent();
  flags.Text("--root", &request->root, "DIR", "name documents by their paths below DIR");
  flags.Text("--as", &request->prefix, "PREFIX", "name documents below PREFIX");
  flags.EmptyIsAbsent();
  flags.Choice("--parser", &parser_, {"auto", "plain", "markdown", "code", "note"},
               "how to cut text (default: auto)");
  flags.Setting("--code-chunker", "code_chunker", "HOW",
                "cut source code by its grammar (auto), or by its lines (plain)");
  flags.Setting("--encoding", "encoding", "NAME",
                "charset of text that is not UTF-8, such as windows-1250 (default: auto)");
  flags.Setting("--lang", "lang", "CODE",
                "language of the documents, such as de, or none (default: auto)");
  flags.Switch("--rechunk", &request->rechunk,
               "cut source code again that another grammar cut, or none");
  flags.Switch("--extract-meta", &request->extract_meta,
               "keep the front matter of Markdown as metadata");
  flags.Switch("--mtime-only", &request->mtime_only,
               "trust an unchanged modification time and do not read the file");
  flags.Setting("--threads", "threads", "N", "worker threads (default: one per core)");
  flags.Switch("--archives", &request->archives,
               "open the tar and zip archives found in directories, too");
}

void AddFlags::DeclareFiles(FlagSet& flags, AddRequest* request) {
  flags.Switch("--no-ignore-files", &no_ignore_files_,
               "do not honour .gitignore and .recallignore");
  flags.Switch("--hidden", &request->hidden, "also add hidden files found in directories");
  flags.Switch("--no-extract", &no_extract_,
               "do not extract text from PDF, HTML, office documents, mail ...");
  flags.Choice("--html", &html_, {"main", "all"},
               "what to take of web pages: the main content (default), or all text");
  flags.Switch("--retry-failed", &request->extract.retry_failed,
               "try documents again that gave no text, or took too long");
  flags.Switch("--reextract", &request->extract.reextract,
               "extract all documents again, also those that have not changed");
  flags.Text("--password-file", &password_file_, "FILE",
             "passwords to try with encrypted PDF files, one a line");
  flags.Switch("--unsafe-extract", &request->extract.unsafe,
               "extract even if this system cannot confine the extractors");
  flags.Size("--memory-limit", &request->memory_bytes,
             "approximate memory limit (default: 512MiB)");
  flags.Size("--max-file-size", &request->max_file_bytes,
             "skip larger files and lines (default: 512MiB)");
  flags.Size("--max-archive-size", &request->max_archive_bytes,
             "skip archives with more unpacked data (default: 16GiB)");
}

void AddFlags::Apply(const Config& config, const std::string& program, AddRequest* request) const {
  request->parser = *ParserFromName(parser_);
  if (config.IsSet("notes_dir")) request->notes_dir = config.notes_dir;
  request->ignore_files = !no_ignore_files_;
  request->threads = static_cast<uint32_t>(config.threads);
  request->extract.program = program;
  request->extract.documents = !no_extract_;
  request->extract.definitions = config.code_chunker != "plain";
  request->extract.all_html = html_ == "all";
  request->extract.password_file = password_file_.value_or("");
  request->encoding = config.encoding == "auto" ? "" : config.encoding;
  request->language = config.lang == "auto" ? "" : config.lang;
  request->secrets = PolicyFromName(config.secrets);
  request->secret_settings = config.secret_settings;
}

void DeclareSecrets(FlagSet& flags) {
  flags.Setting("--secrets", "secrets", "WHAT", "credentials: warn (default), redact, skip, keep");
}

}  // namespace recall
