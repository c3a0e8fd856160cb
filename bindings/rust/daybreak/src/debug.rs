//! Debug output of the opaque objects: a name, so that results which hold them can be unwrapped and printed.

use crate::*;
use std::fmt;

macro_rules! opaque {
    ($($name:ident $(<$parameter:tt>)?),* $(,)?) => {$(
        impl fmt::Debug for $name $(<$parameter>)? {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}

opaque!(
    Context,
    ContextBuilder<'_>,
    Compile<'_>,
    Executable,
    Run,
    RunOptions<'_>,
    Canceller,
    Event,
    Data<'_>,
    Graph<'_>,
    GraphBuilder<'_>,
    MappedRead<'_>,
    MappedWrite<'_>,
);

impl fmt::Debug for Plugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plugin").field("info", self.info()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device").field("index", &self.index()).field("info", self.info()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffer").field("byte_len", &self.byte_len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for NodeBuilder<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NodeBuilder").finish_non_exhaustive()
    }
}

impl<T: Element> fmt::Debug for Reading<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading").finish_non_exhaustive()
    }
}
