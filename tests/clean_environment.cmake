# Read by ctest before it runs anything: its tests inherit this. Settings of whoever runs the tests must not reach the plugin, but for those
# that are meant for tests; and tests neither fill nor read the cache directory of their user: those about it have one of their own.
execute_process(COMMAND env OUTPUT_VARIABLE settings)
string(REGEX MATCHALL "(^|\n)DAYBREAK_[A-Z0-9_]+=" settings "${settings}")
foreach(setting ${settings})
  string(REGEX REPLACE "[\n=]" "" setting "${setting}")
  if(NOT setting MATCHES "^DAYBREAK_(TEST_.*|REQUIRE_GPU|REGENERATE|ENV|MIRROR)$")
    unset(ENV{${setting}})
  endif()
endforeach()
set(ENV{DAYBREAK_CACHE_DIR} "")
set(ENV{DAYBREAK_CALIBRATION} off)
