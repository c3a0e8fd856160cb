/* What driver_layer.c lets others do to the driver. The loader loads the layer as a library, driver.c finds these
 * functions in the same one; without it (no GPU, no layer) they are absent. */
#ifndef DAYBREAK_TESTS_DRIVER_LAYER_H
#define DAYBREAK_TESTS_DRIVER_LAYER_H

#define DRIVER_API __attribute__((visibility("default")))
DRIVER_API void driver_refuse_imports(int yes); /* of host memory, from now on */
DRIVER_API void driver_refuse_devices(int yes); /* to make any, from now on */
DRIVER_API void driver_hold_devices(int yes);   /* whoever makes one waits, from now on */
DRIVER_API void driver_refuse_memory(int above); /* of more than so many bytes at once; 0: of none */
DRIVER_API void driver_refuse_pipelines(int yes); /* to make any, from now on */
DRIVER_API void driver_make_devices_poor(int yes); /* those made from now on get no memory */
DRIVER_API void driver_lose_devices(int times);  /* one at each of the next submissions */
DRIVER_API int driver_live_imports(void);       /* imports of host memory that are not freed */
DRIVER_API void driver_gather_pipelines(int count); /* whoever makes one waits until so many are in the making, or for some seconds; 0: nobody waits */
DRIVER_API int driver_most_pipelines(void);     /* that were in the making at once since then */

#endif
