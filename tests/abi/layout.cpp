// The layout as a C++ compiler sees it; see layout.c.
#include "layout.c"
