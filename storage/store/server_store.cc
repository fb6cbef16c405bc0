#include "storage/store/server_store.h"

#include <filesystem>
#include <system_error>

#include "storage/postgres/page_replica.h"
#include "storage/postgres/postgres_address.h"
#include "storage/schema/schema.h"

namespace recall {

std::string PlaceForUpload() {
  std::error_code failed;
  return (std::filesystem::temp_directory_path(failed) / "recall-server-store").string();
}

Status UploadStore(const std::string& local_path, const std::string& address) {
  RECALL_ASSIGN(const PostgresStore place, ParsePostgresStore(address));
  {
    RECALL_ASSIGN(const auto connection,
                  OpenStoreConnection(local_path, {.mode = ConnectionMode::kReadWrite}));
    RECALL_TRY(connection->Execute("PRAGMA journal_mode=DELETE"));
  }
  return CreatePostgresStore(place, local_path);
}

}  // namespace recall
