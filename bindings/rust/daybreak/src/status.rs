//! Outcome of a failed call.

use daybreak_sys as sys;
use std::fmt;

macro_rules! statuses {
    ($($(#[$doc:meta])* $name:ident = $raw:ident;)*) => {
        /// Why a call failed, in one word. The set is open: a newer plugin's code arrives as [`Status::Other`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Status {
            $($(#[$doc])* $name,)*
            /// A code this crate does not know.
            Other(i32),
        }

        impl Status {
            pub(crate) fn from_raw(raw: sys::dbk_status) -> Self {
                match raw {
                    $(sys::$raw => Self::$name,)*
                    other => Self::Other(other),
                }
            }

            /// The ABI's number.
            pub fn code(self) -> i32 {
                match self {
                    $(Self::$name => sys::$raw,)*
                    Self::Other(raw) => raw,
                }
            }

            fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($raw).trim_start_matches("DBK_"),)*
                    Self::Other(_) => "status",
                }
            }
        }
    };
}

statuses! {
    /// A progress closure or a [`crate::Canceller`] said stop.
    Cancelled = DBK_CANCELLED;
    /// No better word fits.
    Unknown = DBK_UNKNOWN;
    /// The call can never succeed: bad name, shape, element type, option, graph.
    InvalidArgument = DBK_INVALID_ARGUMENT;
    /// Not done within the time given; work itself never fails with this.
    DeadlineExceeded = DBK_DEADLINE_EXCEEDED;
    /// Nothing of that name.
    NotFound = DBK_NOT_FOUND;
    /// It is there already.
    AlreadyExists = DBK_ALREADY_EXISTS;
    /// The system forbids it.
    PermissionDenied = DBK_PERMISSION_DENIED;
    /// Host memory, device memory or the memory budget.
    OutOfMemory = DBK_OUT_OF_MEMORY;
    /// The right call at the wrong moment: not ready, in flight, unbound.
    FailedPrecondition = DBK_FAILED_PRECONDITION;
    /// Given up on for an outside reason.
    Aborted = DBK_ABORTED;
    /// An index, extent or byte range outside what exists; of a run: data that an op cannot take.
    OutOfRange = DBK_OUT_OF_RANGE;
    /// Valid, but this plugin or device cannot do it.
    Unimplemented = DBK_UNIMPLEMENTED;
    /// A defect of the plugin.
    Internal = DBK_INTERNAL;
    /// The device is lost or unusable; [`crate::Device::recover`] may help.
    Unavailable = DBK_UNAVAILABLE;
    /// Data is damaged or gone.
    DataLoss = DBK_DATA_LOSS;
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other(raw) => write!(f, "status {raw}"),
            _ => f.write_str(self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_go_both_ways_and_unknown_ones_are_kept() {
        for raw in [sys::DBK_CANCELLED, sys::DBK_DATA_LOSS, 77, -1] {
            assert_eq!(Status::from_raw(raw).code(), raw);
        }
        assert_eq!(Status::from_raw(77), Status::Other(77));
        assert_eq!(format!("{} {}", Status::NotFound, Status::Other(77)), "NOT_FOUND status 77");
    }
}
