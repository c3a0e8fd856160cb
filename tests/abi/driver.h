/* The Vulkan driver below the device under test, where driver_layer.c stands in front of it: what tests ask of it. */
#ifndef DAYBREAK_TESTS_DRIVER_H
#define DAYBREAK_TESTS_DRIVER_H

#include <daybreak.h>

typedef struct driver {
  void (*refuse_imports)(int);
  void (*refuse_devices)(int);
  void (*hold_devices)(int);
  void (*refuse_memory)(int);
  void (*make_devices_poor)(int);
  void (*lose_devices)(int);
  int (*live_imports)(void);
  void (*gather_pipelines)(int);
  int (*most_pipelines)(void);
} driver;

/* All NULL without the layer: on the CPU, or where the tests are started by hand. */
extern driver the_driver;
void driver_find(void);
/* Ends the test that needs one where there is none. */
void driver_needed(void);
void driver_reset(void);         /* takes back all that was asked of it; for tearDown */
void driver_lose(dbk_run* run); /* the device, which the run notices */

#endif
