// daybreak.hpp - C++20 on top of daybreak.h and the standard library alone; header-only.
//
//   auto plugin = daybreak::Plugin::load("./libdaybreak.so");
//   daybreak::Context ctx(plugin);
//   daybreak::GraphBuilder g;
//   auto x = g.input<float>("x", {2, 3});
//   g.output(g.node("Relu", {x}), "y");
//   auto exec = ctx.compile(g);
//   exec.ready();
//   daybreak::Run run(exec);
//   run.bind_input("x", daybreak::view_of(data, daybreak::Dims{2, 3}));
//   run.run();
//   std::vector<float> y = run.read<float>("y");
//
// Every failure is a daybreak::Error. Objects own what they stand for, move and do not copy, and leak nothing on any
// path. Threads and lifetimes are as daybreak.h says. Link with the library of dlopen where it is not in libc.
#ifndef DAYBREAK_HPP
#define DAYBREAK_HPP

#include "daybreak.h"            // IWYU pragma: export
#include "daybreak_buffer.hpp"   // IWYU pragma: export
#include "daybreak_context.hpp"  // IWYU pragma: export
#include "daybreak_dims.hpp"     // IWYU pragma: export
#include "daybreak_dtype.hpp"    // IWYU pragma: export
#include "daybreak_error.hpp"    // IWYU pragma: export
#include "daybreak_exec.hpp"     // IWYU pragma: export
#include "daybreak_graph.hpp"    // IWYU pragma: export
#include "daybreak_options.hpp"  // IWYU pragma: export
#include "daybreak_plugin.hpp"   // IWYU pragma: export
#include "daybreak_run.hpp"      // IWYU pragma: export
#include "daybreak_view.hpp"     // IWYU pragma: export

#endif
