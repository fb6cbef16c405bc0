#include "query/maintenance/store_parts.h"

#include "query/types/maintenance_types.h"

namespace recall {
namespace {

static_assert(kPageOwners.size() == static_cast<size_t>(PageOwner::kFree) + 1);

// Tables and indexes by what their names begin with. The first that fits decides.
struct NamePrefix {
  std::string_view begins;
  PageOwner owner;
};
constexpr NamePrefix kPrefixes[] = {
    {"text_block", PageOwner::kTexts},       {"chunk_words", PageOwner::kForwardIndex},
    {"given_vector", PageOwner::kVectors},   {"word_dictionary", PageOwner::kForwardIndex},
    {"lexicon_", PageOwner::kFullTextIndex}, {"posting_", PageOwner::kFullTextIndex},
    {"doc_past", PageOwner::kHistory},       {"doc_removed", PageOwner::kHistory},
    {"doc", PageOwner::kDocuments},          {"chunk", PageOwner::kDocuments},
    {"vec_", PageOwner::kVectors},           {"space", PageOwner::kVectors},
    {"model", PageOwner::kModels},           {"commit_log", PageOwner::kHistory},
    {"tombstone", PageOwner::kHistory},      {"name", PageOwner::kDocuments},
    {"card", PageOwner::kDocuments},         {"link", PageOwner::kDocuments},
    {"use_log", PageOwner::kDocuments},      {"review_log", PageOwner::kDocuments},
    {"activity", PageOwner::kDocuments},     {"note_set", PageOwner::kDocuments},
    {"symbol", PageOwner::kDocuments},       {"code_grammar", PageOwner::kDocuments},
    {"extraction", PageOwner::kDocuments},   {"text_grams", PageOwner::kDocuments},
};

}  // namespace

PageOwner OwnerOf(std::string_view tree) {
  if (tree.empty()) return PageOwner::kFree;
  for (const NamePrefix& prefix : kPrefixes) {
    if (tree.starts_with(prefix.begins)) return prefix.owner;
  }
  return PageOwner::kOther;
}

}  // namespace recall
