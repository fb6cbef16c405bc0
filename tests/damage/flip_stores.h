#pragma once

// The sound stores that damage trials begin with (flip_trial.h).

#include <span>
#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

struct FlipStore {
  const char* name;
  const char* what;
  // Makes the store DIRECTORY/recall.db in an empty directory. Each call makes the same bytes, but
  // for the salt of a WAL. May end the process with exit code 0 instead of returning.
  Status (*make)(const std::string& directory);
  std::vector<float> embedding = {};  // of questions (store_questions.h)
};

std::span<const FlipStore> AllFlipStores();

}  // namespace recall
