//! What a device is and can do.

use crate::table::text_of_array;
use daybreak_sys as sys;

/// What sort of device it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceKind {
    /// The CPU, through the plugin's own kernels.
    Cpu,
    /// A GPU with memory of its own.
    DiscreteGpu,
    /// A GPU that shares the CPU's memory.
    IntegratedGpu,
    /// A GPU interface executed by the CPU.
    SoftwareGpu,
    /// Anything else, with the ABI's number.
    Other(u32),
}

impl DeviceKind {
    fn from_raw(raw: u32) -> Self {
        match raw {
            sys::DBK_DEVICE_CPU => Self::Cpu,
            sys::DBK_DEVICE_DISCRETE_GPU => Self::DiscreteGpu,
            sys::DBK_DEVICE_INTEGRATED_GPU => Self::IntegratedGpu,
            sys::DBK_DEVICE_SOFTWARE_GPU => Self::SoftwareGpu,
            other => Self::Other(other),
        }
    }

    /// Is it driven through a GPU interface?
    pub fn is_gpu(self) -> bool {
        matches!(self, Self::DiscreteGpu | Self::IntegratedGpu | Self::SoftwareGpu)
    }
}

/// The graphics interface below a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GraphicsApi {
    /// No such interface.
    None,
    /// Vulkan.
    Vulkan,
    /// Direct3D 12.
    D3d12,
    /// Metal.
    Metal,
    /// Direct3D 11.
    D3d11,
    /// OpenGL.
    OpenGl,
    /// OpenGL ES.
    OpenGlEs,
    /// Anything else, with the ABI's number.
    Other(u32),
}

impl GraphicsApi {
    fn from_raw(raw: u32) -> Self {
        match raw {
            sys::DBK_API_NONE => Self::None,
            sys::DBK_API_VULKAN => Self::Vulkan,
            sys::DBK_API_D3D12 => Self::D3d12,
            sys::DBK_API_METAL => Self::Metal,
            sys::DBK_API_D3D11 => Self::D3d11,
            sys::DBK_API_OPENGL => Self::OpenGl,
            sys::DBK_API_OPENGLES => Self::OpenGlEs,
            other => Self::Other(other),
        }
    }
}

/// What a device can do: a set of bits, open for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Features(u64);

impl Features {
    /// Arithmetic in half precision.
    pub const F16: Self = Self(sys::DBK_FEATURE_F16);
    /// Subgroup operations.
    pub const SUBGROUPS: Self = Self(sys::DBK_FEATURE_SUBGROUPS);
    /// Matrix operations of subgroups.
    pub const SUBGROUP_MATRIX: Self = Self(sys::DBK_FEATURE_SUBGROUP_MATRIX);
    /// Timestamps.
    pub const TIMESTAMPS: Self = Self(sys::DBK_FEATURE_TIMESTAMPS);
    /// Device memory is mapped without a copy.
    pub const MAP_IN_PLACE: Self = Self(sys::DBK_FEATURE_MAP_IN_PLACE);
    /// Host memory is used by the device without a copy.
    pub const HOST_POINTER: Self = Self(sys::DBK_FEATURE_HOST_POINTER);
    /// [`crate::Shared`] parameters are really used in place.
    pub const BORROW: Self = Self(sys::DBK_FEATURE_BORROW);

    /// Are all of these there?
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The ABI's bits.
    pub fn bits(self) -> u64 {
        self.0
    }
}

/// What a device is and can do.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// What sort of device it is.
    pub kind: DeviceKind,
    /// The interface below it.
    pub api: GraphicsApi,
    /// PCI vendor, or zero.
    pub vendor_id: u32,
    /// PCI device, or zero.
    pub device_id: u32,
    /// Of the physical device, or zero.
    pub uuid: [u8; 16],
    /// Bytes; 0 = unknown.
    pub mem_total: u64,
    /// Bytes; 0 = unknown.
    pub mem_free: u64,
    /// Bytes of the largest buffer.
    pub max_buffer: u64,
    /// Bytes of the largest tensor that a kernel can see.
    pub max_binding: u64,
    /// What it can do.
    pub features: Features,
    /// Higher is the better default; 0 = present but unusable.
    pub score: u32,
    /// Alignment of pointer and size for borrowing; 0 = always copies.
    pub host_ptr_align: u32,
    /// Smallest and largest subgroup.
    pub subgroup: (u32, u32),
    /// Name.
    pub name: String,
    /// Driver and its version.
    pub driver: String,
    /// Why the score is 0.
    pub unusable: String,
}

impl DeviceInfo {
    pub(crate) fn from_raw(raw: &sys::dbk_device_info) -> Self {
        Self {
            kind: DeviceKind::from_raw(raw.kind),
            api: GraphicsApi::from_raw(raw.api),
            vendor_id: raw.vendor_id,
            device_id: raw.device_id,
            uuid: raw.uuid,
            mem_total: raw.mem_total,
            mem_free: raw.mem_free,
            max_buffer: raw.max_buffer,
            max_binding: raw.max_binding,
            features: Features(raw.features),
            score: raw.score,
            host_ptr_align: raw.host_ptr_align,
            subgroup: (raw.subgroup_min, raw.subgroup_max),
            name: text_of_array(&raw.name),
            driver: text_of_array(&raw.driver),
            unusable: text_of_array(&raw.unusable),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_newer_plugin_says_is_taken_for_other() {
        assert_eq!(DeviceKind::from_raw(sys::DBK_DEVICE_OTHER), DeviceKind::Other(5));
        assert_eq!(DeviceKind::from_raw(99), DeviceKind::Other(99));
        assert!(!DeviceKind::from_raw(99).is_gpu());
        assert_eq!(GraphicsApi::from_raw(sys::DBK_API_OPENGLES), GraphicsApi::OpenGlEs);
        assert_eq!(GraphicsApi::from_raw(99), GraphicsApi::Other(99));
        let features = Features(sys::DBK_FEATURE_F16 | 1 << 63);
        assert!(features.contains(Features::F16) && !features.contains(Features::BORROW));
        assert_eq!(features.bits() >> 63, 1);
    }
}
