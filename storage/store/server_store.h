#pragma once

#include <string>

#include "storage/base/result.h"

namespace recall {

// The name in the directory for temporary files under which a store is made that is then uploaded.
std::string PlaceForUpload();

// Makes a store on servers, whose addresses are in `address`, from the complete local one at
// `local_path`, which no one else uses, and which is changed. Errors: AlreadyExists.
Status UploadStore(const std::string& local_path, const std::string& address);

}  // namespace recall
