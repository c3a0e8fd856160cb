# Read by ctest before it runs anything: its tests inherit this. Those about the cache directory have one of their own.
set(ENV{DAYBREAK_CACHE_DIR} "")
set(ENV{DAYBREAK_CALIBRATION} off)
