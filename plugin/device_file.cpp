#include "plugin/device_file.h"

#include "plugin/build_info.h"
#include "plugin/cache_folder.h"

namespace dbk {

DeviceFile device_file(std::string_view format, const DeviceInfo& device, std::string_view settings) {
  static const char in_this_library = 0;
  const std::string identity = std::format("daybreak {}\n{} {} {}\n{}\n", format, device.api_name(), device.name, device.uuid_text(), settings);
  return {CacheFolder::file_of(identity),
          std::format("{}{}\n{}, {}\n{}\n", identity, device.driver, DAYBREAK_VERSION, DAYBREAK_BUILD, library_identity(&in_this_library))};
}

}  // namespace dbk
