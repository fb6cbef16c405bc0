#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "query/ask/uses/reference_evidence.h"

namespace recall {

// What joins a name to what is before it.
enum class NameJoint : uint8_t {
  kNone,    // Commit
  kOwn,     // this->Commit, self.Commit
  kMember,  // store.Commit, f().Commit, store->Commit
  kScope,   // Store::Commit
};

// Files of source code with their definitions, and the names that they use. Names, words,
// directories and languages are numbers, equal where they are the same. Words are those of paths
// and scopes.
struct CodeGraph {
  static constexpr uint32_t kOtherWord = UINT32_MAX;   // no path and no scope has it
  static constexpr uint32_t kNoWord = UINT32_MAX - 1;  // what is before is no word: f().Commit

  // A name that a file has outside of comments and texts.
  struct Use {
    uint32_t name = 0;
    NameJoint joint = NameJoint::kNone;
    uint32_t qualifier = kNoWord;  // the word before the joint
    uint32_t count = 0;
  };
  struct File {
    uint32_t language = 0;        // languages that can use each other's names are one
    bool needs_receiver = false;  // a name alone is no method of another file
    uint32_t directory = 0;
    uint32_t module = kNoWord;  // the word by which others import it
    uint32_t folder = kNoWord;  // the last word of its directory
    double factor = 1;          // of its rank, by its role: above 0
    double fit = 0;             // how much its path says of the question, from 0 to 1
    std::vector<Use> uses = {};
    std::vector<uint32_t> imports = {};  // words of the lines that import, ascending
  };
  enum class Kind : uint8_t { kMethod, kValue, kOther };  // values: constants and variables
  struct Definition {
    uint32_t file = 0;
    uint32_t name = 0;
    Kind kind = Kind::kOther;
    bool is_member = false;            // of a class, so a name alone seldom means it
    std::vector<uint32_t> scope = {};  // words, outermost first
    // Whether a use of the name can mean it; a constructor is not meant where its class is.
    bool is_meant = true;
    Visibility visibility = Visibility::kAnywhere;
    double fit = 0;  // how much its name says of the question, from 0 to 1
  };
  std::vector<File> files;
  std::vector<Definition> definitions;
  std::vector<double> name_weights;  // by name: NameWeight
};

// How much a name tells its definition from what else may have it, above 0, at most 1: `Commit` and
// `read_all` much, `size`, `_x` and `T` little.
double NameWeight(std::string_view name);

// The importance of each definition: the share of the references that mean it, each as important as
// the file that it is in. The scores add up to 1, unless there are no definitions. The same bits on
// every CPU.
std::vector<double> RankDefinitions(const CodeGraph& graph);

}  // namespace recall
