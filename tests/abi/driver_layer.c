/* A Vulkan layer between Dawn and the driver, for what no driver does on demand: it refuses to import host memory
 * or to make devices or pipelines or to give much memory, or some devices any, lets devices wait, loses them, and counts imports
 * that are not freed yet and pipelines that are made at once. driver_layer.h is its other side. */
#include "driver_layer.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

enum { MOST_DEVICES = 64, MOST_IMPORTS = 256 };

typedef struct next_of_device {
  VkDevice device;
  PFN_vkGetDeviceProcAddr get;
  PFN_vkAllocateMemory allocate;
  PFN_vkFreeMemory free;
  PFN_vkCreateComputePipelines create_pipelines;
  int poor; /* gets no memory */
} next_of_device;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static PFN_vkGetInstanceProcAddr next_instance; /* the same for every instance: there is one loader */
static PFN_vkQueueSubmit next_submit;           /* of the newest device; tests have one driver */
static next_of_device devices[MOST_DEVICES];
static VkDeviceMemory imports[MOST_IMPORTS];
static int live, refuse, refuse_all, refuse_above, refuse_kernels, poor, hold, lose;
static int gather, making, most; /* pipelines */

static void set(int* flag, int value) {
  pthread_mutex_lock(&lock);
  *flag = value;
  pthread_mutex_unlock(&lock);
}

static int get(const int* flag) {
  pthread_mutex_lock(&lock);
  int value = *flag;
  pthread_mutex_unlock(&lock);
  return value;
}

void driver_refuse_imports(int yes) { set(&refuse, yes); }
void driver_refuse_devices(int yes) { set(&refuse_all, yes); }
void driver_hold_devices(int yes) { set(&hold, yes); }
void driver_refuse_memory(int above) { set(&refuse_above, above); }
void driver_refuse_pipelines(int yes) { set(&refuse_kernels, yes); }
void driver_make_devices_poor(int yes) { set(&poor, yes); }
void driver_lose_devices(int times) { set(&lose, times); }
int driver_live_imports(void) { return get(&live); }
int driver_most_pipelines(void) { return get(&most); }

void driver_gather_pipelines(int count) {
  set(&most, 0);
  set(&gather, count);
}

static next_of_device next_of(VkDevice device) {
  next_of_device found = {0};
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MOST_DEVICES; i++)
    if (devices[i].device == device) found = devices[i];
  pthread_mutex_unlock(&lock);
  return found;
}

static int imports_host_memory(const VkMemoryAllocateInfo* info) {
  for (const VkBaseInStructure* s = info->pNext; s != NULL; s = s->pNext)
    if (s->sType == VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT) return 1;
  return 0;
}

static VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkMemoryAllocateInfo* info,
                                               const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
  const int import = imports_host_memory(info);
  const int above = get(&refuse_above);
  if (import && get(&refuse)) return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  const next_of_device next = next_of(device);
  if (next.poor || (above && info->allocationSize > (VkDeviceSize)above)) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  const VkResult result = next.allocate(device, info, callbacks, memory);
  if (!import || result != VK_SUCCESS) return result;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MOST_IMPORTS; i++)
    if (imports[i] == VK_NULL_HANDLE) {
      imports[i] = *memory;
      live++;
      break;
    }
  pthread_mutex_unlock(&lock);
  return result;
}

static VKAPI_ATTR void VKAPI_CALL free_memory(VkDevice device, VkDeviceMemory memory,
                                              const VkAllocationCallbacks* callbacks) {
  next_of(device).free(device, memory, callbacks);
  if (memory == VK_NULL_HANDLE) return;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MOST_IMPORTS; i++)
    if (imports[i] == memory) {
      imports[i] = VK_NULL_HANDLE;
      live--;
    }
  pthread_mutex_unlock(&lock);
}

/* Where too few come, the first that waits in vain lets all others go at once. */
static void wait_for_others(void) {
  enum { PATIENCE = 5000 }; /* milliseconds */
  for (int i = 0; get(&most) < get(&gather); i++) {
    if (i == PATIENCE) set(&gather, 0);
    usleep(1000);
  }
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                       const VkComputePipelineCreateInfo* infos,
                                                       const VkAllocationCallbacks* callbacks, VkPipeline* pipelines) {
  if (get(&refuse_kernels)) return VK_ERROR_UNKNOWN;
  pthread_mutex_lock(&lock);
  making++;
  if (making > most) most = making;
  pthread_mutex_unlock(&lock);
  wait_for_others();
  const VkResult result = next_of(device).create_pipelines(device, cache, count, infos, callbacks, pipelines);
  pthread_mutex_lock(&lock);
  making--;
  pthread_mutex_unlock(&lock);
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos, VkFence fence) {
  pthread_mutex_lock(&lock);
  const int lost = lose > 0 ? lose-- : 0;
  pthread_mutex_unlock(&lock);
  if (lost) return VK_ERROR_DEVICE_LOST;
  return next_submit(queue, count, infos, fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                                    const VkAllocationCallbacks* callbacks, VkDevice* device) {
  VkLayerDeviceCreateInfo* chain = (VkLayerDeviceCreateInfo*)info->pNext;
  while (get(&hold)) usleep(1000);
  if (get(&refuse_all)) return VK_ERROR_INITIALIZATION_FAILED;
  while (chain->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO || chain->function != VK_LAYER_LINK_INFO)
    chain = (VkLayerDeviceCreateInfo*)chain->pNext;
  const PFN_vkGetInstanceProcAddr instance = chain->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const PFN_vkGetDeviceProcAddr next = chain->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  chain->u.pLayerInfo = chain->u.pLayerInfo->pNext;
  const PFN_vkCreateDevice create = (PFN_vkCreateDevice)instance(VK_NULL_HANDLE, "vkCreateDevice");
  const VkResult result = create(physical, info, callbacks, device);
  if (result != VK_SUCCESS) return result;
  pthread_mutex_lock(&lock);
  int slot = 0; /* of this handle before, or free */
  while (slot < MOST_DEVICES - 1 && devices[slot].device != VK_NULL_HANDLE && devices[slot].device != *device) slot++;
  devices[slot] = (next_of_device){*device, next, (PFN_vkAllocateMemory)next(*device, "vkAllocateMemory"),
                                   (PFN_vkFreeMemory)next(*device, "vkFreeMemory"),
                                   (PFN_vkCreateComputePipelines)next(*device, "vkCreateComputePipelines"), poor};
  next_submit = (PFN_vkQueueSubmit)next(*device, "vkQueueSubmit");
  pthread_mutex_unlock(&lock);
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                                      const VkAllocationCallbacks* callbacks, VkInstance* instance) {
  VkLayerInstanceCreateInfo* chain = (VkLayerInstanceCreateInfo*)info->pNext;
  while (chain->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO || chain->function != VK_LAYER_LINK_INFO)
    chain = (VkLayerInstanceCreateInfo*)chain->pNext;
  next_instance = chain->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  chain->u.pLayerInfo = chain->u.pLayerInfo->pNext;
  const PFN_vkCreateInstance create = (PFN_vkCreateInstance)next_instance(VK_NULL_HANDLE, "vkCreateInstance");
  return create(info, callbacks, instance);
}

static PFN_vkVoidFunction ours_of_device(const char* name) {
  if (strcmp(name, "vkAllocateMemory") == 0) return (PFN_vkVoidFunction)allocate;
  if (strcmp(name, "vkFreeMemory") == 0) return (PFN_vkVoidFunction)free_memory;
  if (strcmp(name, "vkCreateComputePipelines") == 0) return (PFN_vkVoidFunction)create_pipelines;
  if (strcmp(name, "vkQueueSubmit") == 0) return (PFN_vkVoidFunction)submit;
  return NULL;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_of_device(VkDevice device, const char* name) {
  if (strcmp(name, "vkGetDeviceProcAddr") == 0) return (PFN_vkVoidFunction)get_of_device;
  const PFN_vkVoidFunction ours = ours_of_device(name);
  return ours != NULL ? ours : next_of(device).get(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_of_instance(VkInstance instance, const char* name) {
  if (strcmp(name, "vkGetInstanceProcAddr") == 0) return (PFN_vkVoidFunction)get_of_instance;
  if (strcmp(name, "vkCreateInstance") == 0) return (PFN_vkVoidFunction)create_instance;
  if (strcmp(name, "vkCreateDevice") == 0) return (PFN_vkVoidFunction)create_device;
  if (strcmp(name, "vkGetDeviceProcAddr") == 0) return (PFN_vkVoidFunction)get_of_device;
  const PFN_vkVoidFunction ours = ours_of_device(name);
  return ours != NULL ? ours : next_instance(instance, name);
}

__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* inout) {
  if (inout->loaderLayerInterfaceVersion < 2) return VK_ERROR_INITIALIZATION_FAILED;
  inout->loaderLayerInterfaceVersion = 2;
  inout->pfnGetInstanceProcAddr = get_of_instance;
  inout->pfnGetDeviceProcAddr = get_of_device;
  inout->pfnGetPhysicalDeviceProcAddr = NULL;
  return VK_SUCCESS;
}
