#include "index/embed/lsa/stored_model.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "index/embed/lsa/model_format.h"
#include "storage/base/bytes.h"
#include "storage/base/check.h"
#include "storage/base/checksum.h"

namespace recall {
namespace {

namespace format = model_format;

Status DamagedPart(const std::string& kind) {
  return Status::Corruption("The part \"" + kind + "\" of the store's model is missing or damaged.",
                            "run `recall doctor --fix`");
}

size_t RowBytes(const LatentModel& model) { return model.dim() / 2; }

void AppendChecksum(std::string* bytes) {
  uint8_t checksum[format::kChecksumBytes];
  StoreLittle<uint32_t>(checksum, Crc32c(AsBytes(*bytes)));
  bytes->append(reinterpret_cast<const char*>(checksum), sizeof(checksum));
}

// `size` bytes of the terms of a piece, of a section that has `bytes` for each term.
ByteSpan Slice(ByteSpan section, size_t piece, size_t bytes) {
  const size_t first = std::min(piece * format::kTermsPerPiece * bytes, section.size());
  return section.subspan(first, std::min(format::kTermsPerPiece * bytes, section.size() - first));
}

const std::string& Bytes(const std::vector<ModelSection>& sections, uint32_t id) {
  const auto found = std::ranges::find(sections, id, &ModelSection::id);
  RECALL_CHECK(found != sections.end());
  return found->bytes;
}

// For bytes of our own memory.
uint8_t* Mutable(ByteSpan bytes) { return const_cast<uint8_t*>(bytes.data()); }

}  // namespace

bool IsLatentPart(std::string_view kind) {
  return kind == kLatentPart || kind.starts_with(kLatentTermsPart) ||
         kind.starts_with(kLatentRowsPart);
}

std::vector<ModelPart> StoredLatentModel::Split(std::vector<ModelSection> sections) {
  std::string encoded = Bytes(sections, format::kLatentParameters);
  auto parameters = ByteReader(AsBytes(encoded)).Read<format::LatentParameters>();
  parameters.bucket_bits = 0;
  std::memcpy(encoded.data(), &parameters, sizeof(parameters));
  const ByteSpan hashes = AsBytes(Bytes(sections, format::kLatentHashes));
  const ByteSpan weights = AsBytes(Bytes(sections, format::kLatentTerms));
  const ByteSpan rows = AsBytes(Bytes(sections, format::kLatentRows));

  std::string firsts;
  std::vector<ModelPart> parts(1);
  uint32_t checksum = 0;
  for (size_t piece = 0; piece * format::kTermsPerPiece < parameters.terms; ++piece) {
    const ByteSpan of_piece = Slice(hashes, piece, sizeof(uint64_t));
    firsts += AsText(of_piece.first(sizeof(uint64_t)));
    std::string data(AsText(of_piece));
    data += AsText(Slice(weights, piece, sizeof(format::LatentTerm)));
    data += AsText(Slice(rows, piece, parameters.dim / 2));
    checksum = Crc32c(AsBytes(data), checksum);
    AppendChecksum(&data);
    parts.push_back({std::string(kLatentTermsPart) + std::to_string(piece), std::move(data)});
  }
  // So that the fingerprint depends on every byte of the pieces.
  std::string all(sizeof(checksum), '\0');
  StoreLittle<uint32_t>(reinterpret_cast<uint8_t*>(all.data()), checksum);
  parts[0] = {std::string(kLatentPart), EncodeModel({{format::kLatentParameters, encoded},
                                                     {format::kLatentPiecesChecksum, all},
                                                     {format::kLatentPieces, firsts}})};
  return parts;
}

Result<std::unique_ptr<StoredLatentModel>> StoredLatentModel::OfIndex(int64_t id,
                                                                      std::string index) {
  std::unique_ptr<StoredLatentModel> stored(new StoredLatentModel(id, std::move(index)));
  RECALL_ASSIGN(const ModelFile file, ModelFile::Open(AsBytes(stored->index_)));
  const bool pieces = file.Find(format::kLatentPieces).has_value();
  RECALL_TRY(pieces ? stored->OpenPieces() : stored->OpenRows());
  stored->read_.resize(stored->model_->pieces());
  return stored;
}

uint8_t* StoredLatentModel::Allocate(size_t bytes) {
  memory_.reset(static_cast<uint8_t*>(std::calloc(std::max<size_t>(bytes, 1), 1)));
  if (!memory_) throw std::bad_alloc();
  return memory_.get();
}

Status StoredLatentModel::OpenPieces() {
  RECALL_ASSIGN(LatentModel model, LatentModel::OfPieces(AsBytes(index_)));
  const size_t hashes = size_t{model.terms()} * sizeof(uint64_t);
  const size_t weights = size_t{model.terms()} * sizeof(format::LatentTerm);
  const size_t rows = size_t{model.terms()} * RowBytes(model);
  const uint8_t* memory = Allocate(hashes + weights + rows);
  terms_ = {{memory, hashes}, {memory + hashes, weights}, {memory + hashes + weights, rows}};
  model.UseTerms(terms_);
  model_ = std::make_unique<const LatentModel>(std::move(model));
  return Status::Ok();
}

Status StoredLatentModel::OpenRows() {
  RECALL_ASSIGN(LatentModel model, LatentModel::Open(AsBytes(index_), std::nullopt));
  const size_t rows = size_t{model.terms()} * RowBytes(model);
  terms_.rows = {Allocate(rows), rows};
  model.UseRows(terms_.rows);
  model_ = std::make_unique<const LatentModel>(std::move(model));
  return Status::Ok();
}

Result<std::unique_ptr<StoredLatentModel>> StoredLatentModel::Open(Connection& connection,
                                                                   int64_t model) {
  RECALL_ASSIGN(auto index, ReadModelPart(connection, model, kLatentPart));
  if (!index) return Fail(DamagedPart(std::string(kLatentPart)));
  return OfIndex(model, *std::move(index));
}

Result<std::unique_ptr<StoredLatentModel>> StoredLatentModel::OfParts(
    const std::vector<ModelPart>& parts) {
  const auto index = std::ranges::find(parts, kLatentPart, &ModelPart::kind);
  if (index == parts.end()) return Fail(DamagedPart(std::string(kLatentPart)));
  RECALL_ASSIGN(auto stored, OfIndex(0, index->data));
  for (size_t piece = 0; piece < stored->read_.size(); ++piece) {
    const auto part = std::ranges::find(parts, stored->PieceName(piece), &ModelPart::kind);
    if (part == parts.end()) return Fail(DamagedPart(stored->PieceName(piece)));
    RECALL_TRY(stored->TakePiece(piece, part->data));
  }
  return stored;
}

std::string StoredLatentModel::PieceName(size_t piece) const {
  const std::string_view kind = terms_.hashes.empty() ? kLatentRowsPart : kLatentTermsPart;
  return std::string(kind) + std::to_string(piece);
}

LatentModel::Terms StoredLatentModel::TermsOf(size_t piece) const {
  return {Slice(terms_.hashes, piece, sizeof(uint64_t)),
          Slice(terms_.weights, piece, sizeof(format::LatentTerm)),
          Slice(terms_.rows, piece, RowBytes(*model_))};
}

Status StoredLatentModel::TakePiece(size_t piece, std::string_view bytes) {
  const LatentModel::Terms terms = TermsOf(piece);
  const size_t size = terms.hashes.size() + terms.weights.size() + terms.rows.size();
  const ByteSpan data = AsBytes(bytes);
  if (data.size() != size + format::kChecksumBytes ||
      LoadLittle<uint32_t>(data.data() + size) != Crc32c(data.first(size))) {
    return DamagedPart(PieceName(piece));
  }
  const uint8_t* from = data.data();
  for (const ByteSpan to : {terms.hashes, terms.weights, terms.rows}) {
    std::copy_n(from, to.size(), Mutable(to));
    from += to.size();
  }
  if (!terms.hashes.empty() && !model_->IsPiece(piece, terms)) return DamagedPart(PieceName(piece));
  read_[piece] = true;
  return Status::Ok();
}

Status StoredLatentModel::ReadPiece(Connection& connection, size_t piece) {
  if (read_[piece]) return Status::Ok();
  RECALL_ASSIGN(const auto bytes, ReadModelPart(connection, id_, PieceName(piece)));
  if (!bytes) return DamagedPart(PieceName(piece));
  return TakePiece(piece, *bytes);
}

std::optional<size_t> StoredLatentModel::PieceOf(uint64_t stem_hash) const {
  if (!terms_.hashes.empty()) return model_->PieceOf(stem_hash);
  const std::optional<uint32_t> term = model_->Find(stem_hash);
  if (!term) return std::nullopt;
  return *term / format::kTermsPerPiece;
}

Status StoredLatentModel::ReadTerms(Connection& connection, std::span<const uint64_t> stem_hashes) {
  for (const uint64_t hash : stem_hashes) {
    if (const auto piece = PieceOf(hash)) RECALL_TRY(ReadPiece(connection, *piece));
  }
  return Status::Ok();
}

Status StoredLatentModel::ReadAllTerms(Connection& connection) {
  for (size_t piece = 0; piece < read_.size(); ++piece) RECALL_TRY(ReadPiece(connection, piece));
  return Status::Ok();
}

Status CheckLatentParts(const std::vector<ModelPart>& parts) {
  return internal::ToStatus(StoredLatentModel::OfParts(parts));
}

}  // namespace recall
