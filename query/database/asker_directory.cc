#include "query/database/asker_directory.h"

#include <utility>

#include "index/base/paths/working_directory.h"

namespace recall {

AskerDirectory::AskerDirectory(std::string directory)
    : scope_(std::make_unique<WorkingDirectoryScope>(std::move(directory))) {}

AskerDirectory::~AskerDirectory() = default;

}  // namespace recall
