#include "driver.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "harness.h"

driver the_driver;

/* The layer is in the library that the Vulkan loader loads too. */
void driver_find(void) {
  const char* path = getenv("DAYBREAK_TEST_LAYER");
  void* layer = path && on_gpu() ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!layer) return;
  *(void**)&the_driver.refuse_imports = dlsym(layer, "driver_refuse_imports");
  *(void**)&the_driver.refuse_devices = dlsym(layer, "driver_refuse_devices");
  *(void**)&the_driver.hold_devices = dlsym(layer, "driver_hold_devices");
  *(void**)&the_driver.refuse_memory = dlsym(layer, "driver_refuse_memory");
  *(void**)&the_driver.make_devices_poor = dlsym(layer, "driver_make_devices_poor");
  *(void**)&the_driver.lose_devices = dlsym(layer, "driver_lose_devices");
  *(void**)&the_driver.live_imports = dlsym(layer, "driver_live_imports");
  *(void**)&the_driver.gather_pipelines = dlsym(layer, "driver_gather_pipelines");
  *(void**)&the_driver.most_pipelines = dlsym(layer, "driver_most_pipelines");
}

void driver_needed(void) {
  if (!the_driver.live_imports) TEST_IGNORE_MESSAGE("there is no driver to ask on this device");
}

void driver_reset(void) {
  if (!the_driver.live_imports) return;
  the_driver.refuse_imports(0);
  the_driver.refuse_devices(0);
  the_driver.hold_devices(0);
  the_driver.refuse_memory(0);
  the_driver.gather_pipelines(0);
  the_driver.make_devices_poor(0);
  the_driver.lose_devices(0);
}

void driver_lose(dbk_run* run) {
  the_driver.lose_devices(1);
  FAILS(DBK_UNAVAILABLE, "lost", api->run(run, NULL, NULL, ERR));
}
