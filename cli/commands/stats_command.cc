#include <cstdio>

#include "cli/commands/commands.h"
#include "cli/commands/scope_flags.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "query/maintenance/build_info.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

// Not read if facts of the file may not be told.
Result<std::optional<StoreSizes>> SizesOf(Database& database, const StatsReport& stats) {
  if (!stats.tells_file) return std::nullopt;
  return database.Sizes();
}

void WriteFields(const StatsReport& stats, const std::optional<StoreSizes>& sizes,
                 JsonWriter& json) {
  json.Field("path", stats.path);
  json.Field("uuid", stats.uuid);
  json.Field("schema_version", stats.schema_version);
  json.Field("embedding", stats.embedder);
  json.Field("embedding_dim", stats.dim);
  if (stats.tells_file) json.Field("model_due", stats.model_due);
  if (stats.shared_model) json.Field("shared_model", true);
  json.Field("chunk_tokens", stats.chunk_tokens);
  json.Field("overlap_tokens", stats.overlap_tokens);
  if (stats.tells_file) {
    json.Field("removed_docs", stats.removed_docs);
    json.Field("removed_chunks", stats.removed_chunks);
    json.Field("segments", stats.segments);
    json.Field("segment_vectors", stats.segment_vectors);
    json.Field("mapped_segments", stats.mapped_segments);
    json.Field("tail_vectors", stats.delta_vectors);
    json.Field("wal_bytes", stats.wal_bytes);
  }
  if (!sizes) return;
  json.Object("sizes", [&] {
    json.Field("text", sizes->text);
    json.Field("lexical", sizes->lexical);
    json.Field("vectors", sizes->vectors);
  });
}

// Sizes are exact in a pipe, and easy to read on a terminal.
std::string StatsText(const StatsReport& stats, const std::optional<StoreSizes>& sizes,
                      bool terminal, bool stable) {
  const auto number = [](int64_t value) { return std::to_string(value); };
  const auto size = [&](int64_t bytes) {
    return terminal ? FormatBytes(bytes) : number(bytes) + " bytes";
  };
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += std::string(name) + ":" + std::string(12 - name.size(), ' ') + value + "\n";
  };
  line("Store", EscapeLine(stats.path));
  line("Docs", number(stats.store.docs));
  line("Chunks", number(stats.store.chunks));
  line("Tokens", number(stats.store.tokens));
  line("Text", size(stats.store.bytes));
  if (!stable && stats.store.db_size_bytes) line("DB size", size(*stats.store.db_size_bytes));
  if (!stable && sizes) {
    line("Parts", "text " + size(sizes->text) + ", lexical index " + size(sizes->lexical) +
                      ", vectors " + size(sizes->vectors));
  }
  line("Embedding", EscapeLine(stats.embedder) + ", " + number(stats.dim) + " dimensions");
  if (stats.shared_model) line("Model", "adopted from another store");
  if (stats.model_due) line("Model", "not trained on these texts yet; `recall add` trains it");
  line("Chunking",
       number(stats.chunk_tokens) + " tokens, " + number(stats.overlap_tokens) + " overlap");
  if (stats.tells_file) {
    line("Removed", Plural(stats.removed_docs, "doc") + ", " +
                        Plural(stats.removed_chunks, "chunk") + ", until compact");
    const std::string mapped = stable ? "" : " (" + number(stats.mapped_segments) + " mapped)";
    line("Vectors", number(stats.segment_vectors) + " in " + Plural(stats.segments, "segment") +
                        mapped + ", " + number(stats.delta_vectors) + " in the delta");
  }
  const int64_t newest = BuildInformation().schema_version;
  line("Format", number(stats.schema_version) +
                     (stats.schema_version == newest
                          ? ""
                          : "; the first command that writes makes it " + number(newest)));
  line("Snapshot", stats.store.snapshot);
  return text;
}

std::string ShareText(int64_t part, int64_t whole) {
  if (whole == 0) return "";
  char text[32];
  std::snprintf(text, sizeof(text), " (%.0f %%)",
                100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

std::string HintUseText(const HintUseReport& use) {
  std::string text = "Hints were told in " + Plural(use.sessions, "session") +
                     ", and followed in " + std::to_string(use.sessions_followed) +
                     ShareText(use.sessions_followed, use.sessions) + "\n";
  text += "Documents offered: " + std::to_string(use.offered) +
          ", opened afterwards: " + std::to_string(use.followed) +
          ShareText(use.followed, use.offered) + "\n";
  if (use.never_followed.empty()) return text;
  text += "Never opened:\n";
  for (const UnfollowedHint& hint : use.never_followed) {
    text +=
        "  " + EscapeLine(hint.path) + "  offered in " + Plural(hint.sessions, "session") + "\n";
  }
  if (const auto shown = static_cast<int64_t>(use.never_followed.size());
      shown < use.never_followed_total) {
    text +=
        "  and " + std::to_string(use.never_followed_total - shown) + " more; --limit shows them\n";
  }
  return text;
}

void WriteFields(const HintUseReport& use, JsonWriter& json) {
  json.Object("hints", [&] {
    json.Field("sessions", use.sessions);
    json.Field("sessions_followed", use.sessions_followed);
    json.Field("offered", use.offered);
    json.Field("followed", use.followed);
    json.Key("share");
    use.offered > 0
        ? json.Double(static_cast<double>(use.followed) / static_cast<double>(use.offered))
        : json.Null();
    json.Field("never_followed_total", use.never_followed_total);
    json.Objects("never_followed", use.never_followed, [&](const UnfollowedHint& hint) {
      json.Field("path", hint.path);
      json.Field("sessions", hint.sessions);
    });
  });
}

class StatsCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Switch("--memory", &memory_, "instead: what hints offered, and what of it was opened");
    flags.Number("-n,--limit", &limit_, 0, INT32_MAX,
                 "--memory: documents that were never opened (default: 10)");
    scope_.DeclareFilter(flags);
  }

  Status Check(const GlobalFlags&) override {
    if (!memory_ && (limit_ || scope_.has_filter())) {
      return Status::InvalidArgument("--limit and --filter choose what --memory tells",
                                     "add --memory");
    }
    return scope_.Read();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    if (memory_) {
      RECALL_TRY(TellMemory(context, start));
      return ExitCode::kDone;
    }
    RECALL_ASSIGN(const StatsReport stats, context.database->Stats());
    RECALL_ASSIGN(const std::optional<StoreSizes> sizes, SizesOf(*context.database, stats));
    if (context.json()) {
      JsonResponse response;
      const Measured measured = {(SteadyMicros() - start) / 1000, {}, true};
      response.stats = StatsFields(stats.store.docs, stats.store, measured);
      response.own_key = "store";
      response.own = [&](JsonWriter& json) { WriteFields(stats, sizes, json); };
      context.Send(std::move(response));
    } else {
      context.PrintWarnings();
      context.out->Write(StatsText(stats, sizes, context.out_style.escape, context.flags.stable));
    }
    return ExitCode::kDone;
  }

 private:
  Status TellMemory(CommandContext& context, int64_t start) const {
    HintUseRequest request;
    request.scope = scope_.scope();
    request.limit = static_cast<size_t>(limit_.value_or(10));
    RECALL_ASSIGN(const HintUseReport use, context.database->HintUse(request));
    if (!context.json()) {
      context.PrintWarnings(use.warnings);
      context.out->Write(HintUseText(use));
      return {};
    }
    JsonResponse response;
    response.stats =
        StatsFields(use.store.docs, use.store, {(SteadyMicros() - start) / 1000, {}, true});
    response.warnings = use.warnings;
    response.own_key = "memory";
    response.own = [&](JsonWriter& json) { WriteFields(use, json); };
    context.Send(std::move(response));
    return {};
  }

  bool memory_ = false;
  std::optional<int64_t> limit_;
  ScopeFlags scope_;
};

}  // namespace

const CommandInfo kStatsCommand = {"stats",
                                   "[OPTIONS]",
                                   "show the contents and the size of the store",
                                   "  recall stats\n"
                                   "  recall stats --json | jq .stats.corpus\n"
                                   "  recall stats --memory\n",
                                   "",
                                   [] { return std::unique_ptr<Command>(new StatsCommand); }};

}  // namespace recall
