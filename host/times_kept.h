// Whether times that the plugin measured are kept in its cache directory.
#pragma once

namespace host {

// Throws daybreak::Error naming the place where nothing can be written.
void require_times_kept();

}  // namespace host
