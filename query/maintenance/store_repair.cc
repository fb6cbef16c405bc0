// Repairs a store, from the most basic structures on, because each repair relies on those before
// it.
//
//   RepairFile    what SQLite needs to open the store: tables, indexes, counters   one commit
//   RepairStore   rows, then what is derived from them: models, postings, words,
//                 metadata, notes, vectors                                         one commit
//   Run           then what every ingest brings up to date
//
// Invariants: a repair never changes primary data (doctor.cc). The documents are checked again
// under the write lock, because the store may have changed since the examination. Cost: that of
// analysing all texts, if the full-text index or the vectors are rebuilt.

#include "query/maintenance/store_repair.h"

#include <limits>
#include <optional>
#include <vector>

#include "index/embed/factory/builtin_embedders.h"
#include "index/embed/factory/embedding_space.h"
#include "index/source/chunk/parser.h"
#include "index/write/check/index_check.h"
#include "index/write/check/index_repair.h"
#include "index/write/check/note_set_check.h"
#include "index/write/check/trained_model_check.h"
#include "index/write/derived/derived_data.h"
#include "query/types/open_types.h"
#include "storage/check/file_check.h"
#include "storage/check/label_check.h"
#include "storage/check/note_check.h"
#include "storage/documents/document_store.h"
#include "storage/history/commit_log.h"
#include "storage/overflow/file_mapping.h"
#include "storage/postgres/file_of_store.h"
#include "storage/replica/page_source.h"
#include "storage/schema/schema.h"
#include "storage/sqlite/page_vfs.h"
#include "storage/sqlite/writer_queue.h"
#include "storage/tables/content_sizes.h"
#include "storage/tables/forward_table.h"
#include "storage/tables/posting_table.h"
#include "storage/tables/text_grams.h"

namespace recall {
namespace {

// Computes the trigrams of all source code again. Of a text that cannot be read there are none: a
// search for a pattern reads it.
Status RepairTextGrams(WriteTransaction& transaction) {
  Connection& connection = transaction.connection();
  RECALL_TRY(connection.Execute("DELETE FROM text_grams"));
  std::vector<int64_t> rows;
  {
    RECALL_ASSIGN(Statement select, connection.Prepare("SELECT id FROM doc WHERE parser = ?1"));
    select.BindText(1, ParserName(Parser::kCode));
    for (;;) {
      RECALL_ASSIGN(const bool found, select.Step());
      if (!found) break;
      rows.push_back(select.ColumnInt(0));
    }
  }
  for (const int64_t row : rows) {
    RECALL_ASSIGN(const DocRow doc, ReadDoc(transaction, row));
    const auto text = ReadText(transaction, doc, 0, static_cast<uint64_t>(doc.size));
    if (text) RECALL_TRY(InsertTextGrams(connection, row, MakeTextGrams(*text)));
  }
  return Status::Ok();
}

}  // namespace

FileWriter::FileWriter(const std::string& file)
    : queue_(FileMapping::DescriptorOf(file), FindPageSource(file)) {}

Result<std::unique_ptr<FileWriter>> FileWriter::Begin(const DoctorCall& call) {
  ConnectionOptions options;
  options.mode = ConnectionMode::kReadWrite;
  options.busy_timeout_ms = call.request.busy_timeout_ms;
  options.on_long_wait = call.request.on_long_wait;
  options.verify_pages = PageVerification::kNever;
  RECALL_ASSIGN(const std::string file, FileOfStore(call.request.path, ReplicaUse::kWrite));
  std::unique_ptr<FileWriter> writer(new FileWriter(file));
  RECALL_ASSIGN(writer->connection_, OpenStoreConnection(file, options));
  writer->queue_.Enter();
  RECALL_TRY(writer->connection_->WaitUntil([&] { return writer->queue_.IsOurTurn(); }));
  RECALL_TRY(writer->connection_->BeginImmediate());
  return writer;
}

Status StoreRepair::Run() {
  call_.Begin(DoctorStage::kRepair);
  RECALL_TRY(RepairFile());
  StoreOptions options;
  options.busy_timeout_ms = call_.request.busy_timeout_ms;
  options.on_long_wait = call_.request.on_long_wait;
  options.enable_mapping = false;
  options.verify_pages = PageVerification::kNever;
  RECALL_ASSIGN(const auto store, Store::Open(call_.request.path, options));
  RECALL_ASSIGN(const int64_t trained, LastTraining(*store));
  RECALL_TRY(RepairStore(*store));
  const std::atomic<bool> never = false;
  const std::atomic<bool>& cancel = call_.cancel ? *call_.cancel : never;
  RECALL_TRY(
      UpdateDerivedData(*store, cancel, {.threads = static_cast<uint32_t>(call_.threads())}));
  RECALL_ASSIGN(const int64_t last, LastTraining(*store));
  retrained_ = last != trained;
  return Status::Ok();
}

Status StoreRepair::RepairStore(Store& store) {
  RECALL_ASSIGN(const auto transaction, store.BeginWrite());
  KeepDamagedPages(transaction->connection());
  RECALL_TRY(ForgetContentSizes(transaction->connection()));
  RECALL_TRY(RepairRows(store, *transaction));
  // Answers about older commits have changed as well, so older commits can no longer be read.
  RECALL_TRY(RaiseHorizon(transaction->connection(), transaction->counts().commit_sequence + 1));
  return transaction->Commit();
}

Status StoreRepair::RepairFile() {
  RECALL_ASSIGN(const auto writer, FileWriter::Begin(call_));
  Connection* const connection = &writer->connection();
  KeepDamagedPages(*connection);
  if (Wants(Repair::kSchema)) {
    RECALL_TRY(RepairTables(*connection, found_.file().format_version));
  }
  if (Wants(Repair::kIndexes)) RECALL_TRY(RepairSqliteIndexes(*connection));
  if (Wants(Repair::kCounters)) RECALL_TRY(RepairCounters(*connection));
  const bool no_history = Wants(Repair::kHistory) || Wants(Repair::kSchema);
  if (no_history && found_.file().format_version >= 3) RECALL_TRY(RepairHistory(*connection));
  return connection->Execute("COMMIT");
}

Status StoreRepair::RepairRows(Store& store, WriteTransaction& transaction) {
  Connection& connection = transaction.connection();
  // A recreated table is empty. It stays empty while the row of a document is damaged.
  const bool remade = Wants(Repair::kSchema) && found_.documents().all_read;
  if (Wants(Repair::kKeys)) RECALL_TRY(RepairKeys(connection));
  if (Wants(Repair::kModel)) RECALL_TRY(DropModels(connection));
  if (Wants(Repair::kPostings)) RECALL_TRY(DeletePostingSets(connection));
  // Records contain the words of headings, and refer to the dictionary, which may be remade.
  if (Wants(Repair::kForwardIndex) || Wants(Repair::kHeadings) || Wants(Repair::kSchema)) {
    RECALL_TRY(DeleteForwardIndex(connection));
  }
  // The only copy of metadata that a damaged row has lost may be in the index.
  const bool meta_decided = found_.findings().WhyNot(Repair::kMetadataIndex).empty();
  if (Wants(Repair::kMetadataIndex) || (remade && meta_decided)) {
    RECALL_TRY(RepairMetadataIndex(connection));
  }
  // A card is made of metadata.
  if (Wants(Repair::kNotes) || Wants(Repair::kMetadataIndex) || remade) {
    RECALL_TRY(RepairNotes(connection));
    RECALL_TRY(RepairNoteSet(connection));
  }
  if (Wants(Repair::kTextGrams)) RECALL_TRY(RepairTextGrams(transaction));
  IndexRepair repair;
  repair.tombstones = Wants(Repair::kTombstones) || remade;
  repair.headings = Wants(Repair::kHeadings);
  repair.token_counts = Wants(Repair::kTokenCounts);
  repair.lexicon = Wants(Repair::kLexicon) || remade;
  RECALL_ASSIGN(const VectorOrigin vectors, FindOrigin(connection));
  // Vectors that depend on a model are deleted with it. Vectors of an external embedder are
  // always kept, because they cannot be computed here.
  repair.vectors = Wants(Repair::kVectors) || remade ||
                   (Wants(Repair::kModel) && vectors != VectorOrigin::kTexts);
  if (vectors == VectorOrigin::kUser) repair.vectors = false;
  if (repair.any()) RECALL_TRY(RepairDerived(store, transaction, repair));
  if (!Wants(Repair::kCounters) && !repair.token_counts) return Status::Ok();
  RECALL_TRY(RepairCounters(connection));
  RECALL_ASSIGN(const StoreCounters counters, ReadCounters(connection));
  transaction.mutable_counts() = counters.counts;
  return Status::Ok();
}

Status StoreRepair::DropModels(Connection& connection) {
  RECALL_TRY(connection.Execute("DELETE FROM model; DELETE FROM model_part"));
  RECALL_ASSIGN(const VectorOrigin vectors, FindOrigin(connection));
  if (vectors == VectorOrigin::kModel) return Status::Ok();  // all vectors are computed again
  RECALL_ASSIGN(const std::vector<SpaceRow> spaces, ListSpaces(connection));
  for (const SpaceRow& row : spaces) {
    if (row.model == 0) continue;
    const bool trained = row.embedder == kLsaEmbedder;
    RECALL_TRY(trained ? DeleteSpace(connection, row.id) : ClearSpaceModel(connection, row.id));
  }
  return Status::Ok();
}

Result<StoreRepair::VectorOrigin> StoreRepair::FindOrigin(Connection& connection) {
  const auto row = FindSpaceAt(connection, std::numeric_limits<int64_t>::max());
  // If the store does not record its space, the vectors are computed again in any case.
  if (!row || !*row) return VectorOrigin::kModel;
  const auto space = EmbeddingSpace::OfRow(**row, 0);
  if (space && (*space)->is_configured() && (*row)->since > 0) return VectorOrigin::kUser;
  return (*row)->embedder == kLsaEmbedder ? VectorOrigin::kModel : VectorOrigin::kTexts;
}

Status StoreRepair::RepairDerived(const Store& store, WriteTransaction& transaction,
                                  IndexRepair repair) {
  CheckRun run(&transaction.connection(), call_.cancel);
  RECALL_ASSIGN(const int64_t version, transaction.connection().QueryInt("PRAGMA user_version"));
  FileFacts file;
  file.format_version = version;
  RECALL_TRY(CheckTables(run, file));
  RECALL_ASSIGN(const DocumentFacts documents, CheckDocuments(run));
  if (!documents.all_read) {
    return Status::Corruption(store.path() + ": the row of a document is damaged",
                              "run `recall doctor` again");
  }
  const StoreSettings& settings = store.settings();
  repair.vectors = repair.vectors && IsKnownTokenizer(settings.tokenizer_version) &&
                   CheckEmbedder(settings.embedder, settings.dim).ok();
  std::optional<IndexRecipe> recipe(std::in_place, transaction.connection(), settings);
  if (repair.vectors) {
    RECALL_ASSIGN(const bool complete, HasSpaceOfEachVector(transaction.connection()));
    const bool keeps_model = complete && found_.HasSoundSpace() && recipe->space() != nullptr;
    RECALL_TRY(keeps_model ? EmptySpaces(transaction, recipe->present()->id)
                           : ResetSpaces(transaction));
    recipe.emplace(transaction.connection(), settings);
  }
  repair.lexicon = repair.lexicon && recipe->knows_tokens();
  return RepairIndexes(transaction, documents, *recipe, repair, call_.threads(), call_.cancel,
                       call_.Counting(DoctorStage::kRebuild));
}

void StoreRepair::KeepDamagedPages(Connection& connection) const {
  if (PageFile* const pages = connection.page_file()) pages->KeepDamaged(found_.damaged_pages());
}

}  // namespace recall
