#include "plugin/device_file.h"

#include "plugin/build_info.h"
#include "plugin/cache_folder.h"

namespace dbk {

DeviceFile device_file(std::string_view kind, uint32_t version, const DeviceInfo& device, std::string_view settings) {
  static const char in_this_library = 0;
  const std::string identity = std::format("daybreak {}\n{} {} {}\n{}\n", kind, device.api_name(), device.name, device.uuid_text(), settings);
  return {CacheFolder::file_of(identity), std::format("{}format {}\n{}\n{}, {}\n{}\n", identity, version, device.driver, DAYBREAK_VERSION,
                                                      DAYBREAK_BUILD, library_identity(&in_this_library))};
}

}  // namespace dbk
