/* Preloaded, it makes every attempt to load Vulkan's loader fail as if the file were not there. Dawn looks for it next
 * to itself by its whole path, so a search path cannot hide it, and this needs no privileges, unlike a mount namespace.
 */
#include <dlfcn.h>
#include <string.h>

void* dlopen(const char* file, int mode) {
  void* (*next)(const char*, int);
  void* symbol = dlsym(RTLD_NEXT, "dlopen");
  memcpy(&next, &symbol, sizeof next);
  return next(file != NULL && strstr(file, "libvulkan.so") != NULL ? "/nonexistent/libvulkan.so.1" : file, mode);
}
