//! Seeing inside: counters and reports of any object.

use crate::progress::watched;
use crate::table::Table;
use crate::{Options, ProgressFn, Result, Stats};
use daybreak_sys as sys;
use std::ptr::null_mut;

/// The object asked; the others are NULL.
pub(crate) struct Subject {
    pub ctx: *mut sys::dbk_ctx,
    pub exec: *mut sys::dbk_exec,
    pub run: *mut sys::dbk_run,
}

impl Subject {
    pub(crate) fn none() -> Self {
        Self { ctx: null_mut(), exec: null_mut(), run: null_mut() }
    }

    pub(crate) fn stats(&self, table: &Table) -> Result<Stats> {
        let mut raw = Stats::empty_raw();
        // SAFETY: live objects and an out-struct with its size.
        table.call(|api, error| unsafe { (api.stats)(self.ctx, self.exec, self.run, &mut raw, error) })?;
        Ok(Stats::from_raw(&raw))
    }

    pub(crate) fn report(
        &self,
        table: &Table,
        kind: &str,
        options: Option<&Options>,
        progress: Option<ProgressFn<'_>>,
    ) -> Result<String> {
        Options::lend(options, |options| {
            watched(progress, |watch| {
                let desc = sys::dbk_report_desc {
                    hdr: sys::dbk_hdr::of::<sys::dbk_report_desc>(),
                    ctx: self.ctx,
                    exec: self.exec,
                    run: self.run,
                    kind: sys::dbk_str::borrow(kind),
                    options,
                    watch,
                };
                // SAFETY: live objects.
                table.text(|api, text, error| unsafe { (api.report)(&desc, text, error) })
            })
        })
    }
}
