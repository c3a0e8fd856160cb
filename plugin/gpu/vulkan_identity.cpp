#include "plugin/gpu/vulkan_identity.h"

#define VK_NO_PROTOTYPES
#include <dlfcn.h>
#include <vulkan/vulkan.h>

#include <algorithm>

#include "plugin/gpu/adapter_identity.h"

namespace dbk::gpu {

namespace {

struct Loader {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  PFN_vkGetInstanceProcAddr get = library ? reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr")) : nullptr;
  VkInstance instance = nullptr;

  ~Loader() {
    if (instance) function<PFN_vkDestroyInstance>("vkDestroyInstance")(instance, nullptr);
    if (library) dlclose(library);  // Dawn holds its own reference
  }
  template <class F>
  F function(const char* name) const {
    return reinterpret_cast<F>(get(instance, name));
  }
  VkResult open() {
    if (!get) return VK_ERROR_INITIALIZATION_FAILED;
    VkApplicationInfo app{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    app.apiVersion = VK_API_VERSION_1_1;
    VkInstanceCreateInfo create{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    create.pApplicationInfo = &app;
    const auto make = function<PFN_vkCreateInstance>("vkCreateInstance");
    return make ? make(&create, nullptr, &instance) : VK_ERROR_INITIALIZATION_FAILED;
  }
  std::vector<VkPhysicalDevice> devices() const {
    const auto enumerate = function<PFN_vkEnumeratePhysicalDevices>("vkEnumeratePhysicalDevices");
    uint32_t count = 0;
    enumerate(instance, &count, nullptr);
    std::vector<VkPhysicalDevice> list(count);
    enumerate(instance, &count, list.data());
    list.resize(count);
    return list;
  }
  bool has_budget(VkPhysicalDevice device) const {
    const auto enumerate = function<PFN_vkEnumerateDeviceExtensionProperties>("vkEnumerateDeviceExtensionProperties");
    uint32_t count = 0;
    enumerate(device, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> list(count);
    enumerate(device, nullptr, &count, list.data());
    return std::ranges::any_of(list, [](const auto& e) { return std::string_view(e.extensionName) == VK_EXT_MEMORY_BUDGET_EXTENSION_NAME; });
  }
};

void add_memory(const Loader& vk, VkPhysicalDevice device, DeviceInfo& info) {
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
  VkPhysicalDeviceMemoryProperties2 memory{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
  const bool has_budget = vk.has_budget(device);
  if (has_budget) memory.pNext = &budget;
  vk.function<PFN_vkGetPhysicalDeviceMemoryProperties2>("vkGetPhysicalDeviceMemoryProperties2")(device, &memory);
  for (uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; ++i) {
    const VkMemoryHeap& heap = memory.memoryProperties.memoryHeaps[i];
    if (!(heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)) continue;
    info.mem_total = std::max<uint64_t>(info.mem_total, heap.size);
    if (has_budget && budget.heapBudget[i] > budget.heapUsage[i])
      info.mem_free = std::max<uint64_t>(info.mem_free, budget.heapBudget[i] - budget.heapUsage[i]);
  }
}

AdapterModel model_of(const Loader& vk, VkPhysicalDevice device) {
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  vk.function<PFN_vkGetPhysicalDeviceProperties2>("vkGetPhysicalDeviceProperties2")(device, &properties);
  return {DBK_API_VULKAN, properties.properties.vendorID, properties.properties.deviceID};
}

void add_identity(const Loader& vk, VkPhysicalDevice device, DeviceInfo& info) {
  VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, &driver};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &id};
  vk.function<PFN_vkGetPhysicalDeviceProperties2>("vkGetPhysicalDeviceProperties2")(device, &properties);
  std::copy_n(id.deviceUUID, info.uuid.size(), info.uuid.begin());
  info.driver = std::format("{} {}", driver.driverName, driver.driverInfo);
  add_memory(vk, device, info);
}

}  // namespace

std::string why_no_vulkan() {
  Loader vk;
  if (!vk.library) return "no Vulkan loader (libvulkan.so.1) is installed";
  if (const VkResult result = vk.open(); result != VK_SUCCESS)
    return std::format("no Vulkan driver: the loader answers VkResult {}; see VK_DRIVER_FILES", static_cast<int>(result));
  return vk.devices().empty() ? "the Vulkan drivers list no device" : "";
}

void add_vulkan_identities(std::span<DeviceInfo* const> adapters) {
  if (std::ranges::find(adapters, uint32_t{DBK_API_VULKAN}, &DeviceInfo::api) == adapters.end()) return;
  Loader vk;
  if (vk.open() != VK_SUCCESS) return;
  const std::vector<VkPhysicalDevice> devices = vk.devices();
  std::vector<AdapterModel> listed, models;
  for (const DeviceInfo* info : adapters) listed.push_back({info->api, info->vendor_id, info->device_id});
  for (const VkPhysicalDevice device : devices) models.push_back(model_of(vk, device));
  for (size_t i = 0; i < adapters.size(); ++i)
    if (const std::optional<size_t> place = device_of_adapter(listed, i, models)) add_identity(vk, devices[*place], *adapters[i]);
}

}  // namespace dbk::gpu
