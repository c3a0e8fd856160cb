//! Devices of a context.

use crate::callback::Outside;
use crate::context::ContextHandle;
use crate::progress::watched;
use crate::{Context, DeviceInfo, ProgressFn, Result};
use daybreak_sys as sys;
use std::sync::Arc;

/// A device of a context.
#[derive(Clone)]
pub struct Device {
    context: Arc<Outside<ContextHandle>>,
    index: u32,
    info: DeviceInfo,
}

impl Device {
    pub(crate) fn new(context: &Context, index: u32) -> Result<Self> {
        let context = context.handle.clone();
        // SAFETY: integers and arrays of them, for which zero is valid.
        let mut raw: sys::dbk_device_info = unsafe { std::mem::zeroed() };
        raw.hdr = sys::dbk_hdr::of::<sys::dbk_device_info>();
        // SAFETY: a live context and an out-struct with its size.
        context.table.call(|api, error| unsafe { (api.device_info)(context.raw(), index, &mut raw, error) })?;
        Ok(Self { context, index, info: DeviceInfo::from_raw(&raw) })
    }

    /// Its index in the context.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// What it is and can do; score and free memory as of the moment the device was asked for.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Makes a lost device anew and restores its executables; its runs and buffers must be created again. Without effect
    /// on a healthy device. After a failure or cancellation, executables not restored yet are not ready; another call
    /// goes on with them.
    pub fn recover(&self, progress: Option<ProgressFn<'_>>) -> Result<()> {
        // SAFETY: a live context.
        watched(progress, |watch| {
            self.context.table.call(|api, error| unsafe { (api.device_recover)(self.context.raw(), self.index, watch, error) })
        })
    }

    /// The ABI's number of an optional device, which must be of that context.
    pub(crate) fn index_in(device: Option<&Self>, context: &Context) -> Result<u32> {
        let Some(device) = device else { return Ok(sys::DBK_DEVICE_DEFAULT) };
        Context::check_same(&context.handle, &device.context, "device")?;
        Ok(device.index)
    }
}
