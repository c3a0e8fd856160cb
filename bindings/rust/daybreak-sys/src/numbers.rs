//! Every number of the header. The table [`NUMBERS`] lets tests compare them with the header's text.

/// Outcome of a call.
pub type dbk_status = i32;

/// Version number of the ABI.
pub const fn DBK_ABI(major: u32, minor: u32) -> u32 {
    (major << 16) | minor
}

/// Major part of a version number.
pub const fn DBK_ABI_MAJOR(abi: u32) -> u32 {
    abi >> 16
}

/// Minor part of a version number.
pub const fn DBK_ABI_MINOR(abi: u32) -> u32 {
    abi & 0xFFFF
}

/// Element type from DLPack's code and bits, one lane.
pub const fn DBK_DTYPE(code: u32, bits: u32) -> u32 {
    code | (bits << 8) | (1 << 16)
}

/// DLPack's code of an element type.
pub const fn DBK_DTYPE_CODE(dtype: u32) -> u32 {
    dtype & 0xFF
}

/// Bits of an element.
pub const fn DBK_DTYPE_BITS(dtype: u32) -> u32 {
    (dtype >> 8) & 0xFF
}

/// Extent given by symbol `index`.
pub const fn DBK_DIM_SYMBOL(index: u32) -> i64 {
    -1 - index as i64
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $value:expr;)*) => {
        $($(#[$doc])* pub const $name: $type = $value;)*

        /// Name and value of every number of the header.
        pub const NUMBERS: &[(&str, i128)] = &[$((stringify!($name), $name as i128)),*];
    };
}

numbers! {
    /// ABI 1.0.
    DBK_ABI_1_0: u32 = DBK_ABI(1, 0);
    /// The version these declarations describe.
    DBK_ABI_NEWEST: u32 = DBK_ABI_1_0;
    /// Success.
    DBK_OK: dbk_status = 0;
    /// A progress callback, event_cancel or run_cancel said stop.
    DBK_CANCELLED: dbk_status = 1;
    /// No better code fits.
    DBK_UNKNOWN: dbk_status = 2;
    /// The call can never succeed: bad pointer, size, name, shape, dtype, graph.
    DBK_INVALID_ARGUMENT: dbk_status = 3;
    /// Not done yet: `event_wait`. Work itself never fails with this.
    DBK_DEADLINE_EXCEEDED: dbk_status = 4;
    /// No input, output, parameter, symbol or device of that name.
    DBK_NOT_FOUND: dbk_status = 5;
    /// It is there already.
    DBK_ALREADY_EXISTS: dbk_status = 6;
    /// The system forbids it.
    DBK_PERMISSION_DENIED: dbk_status = 7;
    /// Host or device memory, or the memory budget; the message has sizes.
    DBK_OUT_OF_MEMORY: dbk_status = 8;
    /// Right call, wrong moment: not ready, in flight, unbound, after fork.
    DBK_FAILED_PRECONDITION: dbk_status = 9;
    /// Given up on for an outside reason.
    DBK_ABORTED: dbk_status = 10;
    /// An index, extent or byte range outside what exists; run-time index errors of ops.
    DBK_OUT_OF_RANGE: dbk_status = 11;
    /// Valid, but this plugin or device cannot do it; the message says what and why.
    DBK_UNIMPLEMENTED: dbk_status = 12;
    /// A defect of the plugin.
    DBK_INTERNAL: dbk_status = 13;
    /// Device lost or unusable; device_recover may help.
    DBK_UNAVAILABLE: dbk_status = 14;
    /// Data is damaged or gone.
    DBK_DATA_LOSS: dbk_status = 15;
    /// Absent reference: optional input, no node, no blob.
    DBK_NONE: u32 = u32::MAX;
    /// Highest rank of any tensor.
    DBK_MAX_RANK: u32 = 32;
    /// Extent known only at bind or after the run.
    DBK_DIM_UNKNOWN: i64 = i64::MIN;
    /// A timeout that never passes.
    DBK_WAIT_FOREVER: u64 = u64::MAX;
    /// Not stated, infer it.
    DBK_DTYPE_NONE: u32 = 0;
    /// Signed integer of 2 bits.
    DBK_I2: u32 = DBK_DTYPE(0, 2);
    /// Signed integer of 4 bits.
    DBK_I4: u32 = DBK_DTYPE(0, 4);
    /// Signed integer of 8 bits.
    DBK_I8: u32 = DBK_DTYPE(0, 8);
    /// Signed integer of 16 bits.
    DBK_I16: u32 = DBK_DTYPE(0, 16);
    /// Signed integer of 32 bits.
    DBK_I32: u32 = DBK_DTYPE(0, 32);
    /// Signed integer of 64 bits.
    DBK_I64: u32 = DBK_DTYPE(0, 64);
    /// Unsigned integer of 2 bits.
    DBK_U2: u32 = DBK_DTYPE(1, 2);
    /// Unsigned integer of 4 bits.
    DBK_U4: u32 = DBK_DTYPE(1, 4);
    /// Unsigned integer of 8 bits.
    DBK_U8: u32 = DBK_DTYPE(1, 8);
    /// Unsigned integer of 16 bits.
    DBK_U16: u32 = DBK_DTYPE(1, 16);
    /// Unsigned integer of 32 bits.
    DBK_U32: u32 = DBK_DTYPE(1, 32);
    /// Unsigned integer of 64 bits.
    DBK_U64: u32 = DBK_DTYPE(1, 64);
    /// IEEE float of 16 bits.
    DBK_F16: u32 = DBK_DTYPE(2, 16);
    /// IEEE float of 32 bits.
    DBK_F32: u32 = DBK_DTYPE(2, 32);
    /// IEEE float of 64 bits.
    DBK_F64: u32 = DBK_DTYPE(2, 64);
    /// Brain float of 16 bits.
    DBK_BF16: u32 = DBK_DTYPE(4, 16);
    /// Complex number of 64 bits.
    DBK_C64: u32 = DBK_DTYPE(5, 64);
    /// Complex number of 128 bits.
    DBK_C128: u32 = DBK_DTYPE(5, 128);
    /// Truth value, one byte, 0 or 1.
    DBK_BOOL: u32 = DBK_DTYPE(6, 8);
    /// Float of 8 bits, format E4M3FN.
    DBK_F8_E4M3FN: u32 = DBK_DTYPE(10, 8);
    /// Float of 8 bits, format E4M3FNUZ.
    DBK_F8_E4M3FNUZ: u32 = DBK_DTYPE(11, 8);
    /// Float of 8 bits, format E5M2.
    DBK_F8_E5M2: u32 = DBK_DTYPE(12, 8);
    /// Float of 8 bits, format E5M2FNUZ.
    DBK_F8_E5M2FNUZ: u32 = DBK_DTYPE(13, 8);
    /// Float of 8 bits, format E8M0FNU.
    DBK_F8_E8M0FNU: u32 = DBK_DTYPE(14, 8);
    /// Float of 4 bits, format E2M1FN.
    DBK_F4_E2M1FN: u32 = DBK_DTYPE(17, 4);
    /// Not DLPack: each element is a dbk_str. Host memory only.
    DBK_STRING: u32 = DBK_DTYPE(0x80, 128);
    /// A tensor.
    DBK_KIND_TENSOR: u32 = 0;
    /// Reserved: of tensors of the value's dtype.
    DBK_KIND_SEQUENCE: u32 = 1;
    /// Reserved: tensor or nothing.
    DBK_KIND_OPTIONAL: u32 = 2;
    /// Reserved: sequence or nothing.
    DBK_KIND_OPTIONAL_SEQUENCE: u32 = 3;
    /// An input of its block, the output of one node, or only a type.
    DBK_ORIGIN_COMPUTED: u32 = 0;
    /// A parameter: data with the graph or later by set_param; replaceable between runs.
    DBK_ORIGIN_PARAM: u32 = 1;
    /// Data with the graph, fixed for ever; may steer shapes and be folded.
    DBK_ORIGIN_CONST: u32 = 2;
    /// Flag of a value: its `dims` say nothing.
    DBK_VALUE_UNKNOWN_RANK: u32 = 1;
    /// One integer, in `v.i`.
    DBK_ATTR_INT: u32 = 1;
    /// One number, in `v.f`.
    DBK_ATTR_FLOAT: u32 = 2;
    /// A range of text.
    DBK_ATTR_STRING: u32 = 3;
    /// A range of ints.
    DBK_ATTR_INTS: u32 = 4;
    /// A range of floats.
    DBK_ATTR_FLOATS: u32 = 5;
    /// A range of slices, each a range of text.
    DBK_ATTR_STRINGS: u32 = 6;
    /// V.i: id of a value of origin CONST.
    DBK_ATTR_TENSOR: u32 = 7;
    /// Reserved; refs: ids of values of origin CONST.
    DBK_ATTR_TENSORS: u32 = 8;
    /// V.i: index of a block, the body of If, Loop, Scan ...
    DBK_ATTR_BLOCK: u32 = 9;
    /// Refs: indices of blocks.
    DBK_ATTR_BLOCKS: u32 = 10;
    /// Reserved; v.i: id of a value that only declares a type (dtype, kind, dims).
    DBK_ATTR_TYPE: u32 = 11;
    /// `v.i`.
    DBK_OPTION_INT: u32 = 1;
    /// `v.f`.
    DBK_OPTION_FLOAT: u32 = 2;
    /// `v.s`.
    DBK_OPTION_STRING: u32 = 3;
    /// `v.i`, 0 or 1.
    DBK_OPTION_BOOL: u32 = 4;
    /// Flag of an option: ignore it where the key is unknown.
    DBK_OPTION_OPTIONAL: u32 = 1;
    /// Memory is used during the call only.
    DBK_COPY: u32 = 0;
    /// Memory is used from each call of run until that run is done, and at no other time.
    DBK_UNTIL_EVENT: u32 = 1;
    /// Memory stays mapped until the owner is destroyed or the binding replaced.
    DBK_UNTIL_DESTROY: u32 = 2;
    /// List of inputs.
    DBK_INPUT: u32 = 0;
    /// List of outputs.
    DBK_OUTPUT: u32 = 1;
    /// List of parameters.
    DBK_PARAM: u32 = 2;
    /// List of symbols.
    DBK_SYMBOL: u32 = 3;
    /// Flag: a parameter that has data.
    DBK_IO_DATA_SET: u32 = 1;
    /// Flag: an input whose elements decide shapes: host memory, read at bind whatever its ownership.
    DBK_IO_SHAPE_INPUT: u32 = 2;
    /// Flag of an executable: exec_ready has succeeded for the present parameters.
    DBK_EXEC_READY: u32 = 1;
    /// The device of option "device", of the environment, or of the highest score.
    DBK_DEVICE_DEFAULT: u32 = u32::MAX;
    /// The CPU itself, through the plugin's own kernels.
    DBK_DEVICE_CPU: u32 = 1;
    /// A GPU with memory of its own.
    DBK_DEVICE_DISCRETE_GPU: u32 = 2;
    /// A GPU that shares the memory of the CPU.
    DBK_DEVICE_INTEGRATED_GPU: u32 = 3;
    /// A GPU API executed by the CPU.
    DBK_DEVICE_SOFTWARE_GPU: u32 = 4;
    /// Anything else.
    DBK_DEVICE_OTHER: u32 = 5;
    /// No graphics interface.
    DBK_API_NONE: u32 = 0;
    /// Vulkan.
    DBK_API_VULKAN: u32 = 1;
    /// Direct3D 12.
    DBK_API_D3D12: u32 = 2;
    /// Metal.
    DBK_API_METAL: u32 = 3;
    /// Direct3D 11.
    DBK_API_D3D11: u32 = 4;
    /// OpenGL.
    DBK_API_OPENGL: u32 = 5;
    /// OpenGL ES.
    DBK_API_OPENGLES: u32 = 6;
    /// 16-bit float arithmetic in kernels.
    DBK_FEATURE_F16: u64 = 1 << 0;
    /// Subgroup operations.
    DBK_FEATURE_SUBGROUPS: u64 = 1 << 1;
    /// Matrix operations of subgroups.
    DBK_FEATURE_SUBGROUP_MATRIX: u64 = 1 << 2;
    /// Timestamps of the device.
    DBK_FEATURE_TIMESTAMPS: u64 = 1 << 3;
    /// Device memory the host maps without a copy.
    DBK_FEATURE_MAP_IN_PLACE: u64 = 1 << 4;
    /// Host memory used by the device without a copy, see host_ptr_align.
    DBK_FEATURE_HOST_POINTER: u64 = 1 << 5;
    /// UNTIL_DESTROY parameters are really borrowed.
    DBK_FEATURE_BORROW: u64 = 1 << 6;
    /// Everything.
    DBK_COMPILE_FULL: u32 = 0;
    /// Reports and statistics, nothing allocated on the device; cannot run.
    DBK_COMPILE_PLAN_ONLY: u32 = 1;
    /// Checking the graph. Unit: passes over it.
    DBK_STAGE_CHECK: u32 = 1;
    /// Planning memory and placement. Unit: passes over the graph.
    DBK_STAGE_PLAN: u32 = 2;
    /// Unit: bytes.
    DBK_STAGE_WEIGHTS: u32 = 3;
    /// Unit: pipelines.
    DBK_STAGE_PIPELINES: u32 = 4;
    /// Unit: pipelines.
    DBK_STAGE_WARM_UP: u32 = 5;
    /// Unit: candidates.
    DBK_STAGE_TUNE: u32 = 6;
    /// Reserved: measure each step; report "profile" of the run afterwards.
    DBK_RUN_PROFILE: u32 = 1;
    /// Reserved: look for NaN and Inf in every step's results; report "values" of the run names the first step.
    DBK_RUN_CHECK_VALUES: u32 = 2;
    /// Upload inputs even where they are known to be unchanged.
    DBK_RUN_FORCE_UPLOAD: u32 = 4;
    /// Prepare nothing for read(), which then costs a copy of its own.
    DBK_RUN_NO_READBACK: u32 = 8;
    /// May be bound as input.
    DBK_BUFFER_INPUT: u32 = 1;
    /// May be bound as output.
    DBK_BUFFER_OUTPUT: u32 = 2;
    /// Tensors in a buffer begin at multiples of this many bytes.
    DBK_BUFFER_ALIGN: u32 = 256;
    /// The host reads.
    DBK_MAP_READ: u32 = 1;
    /// The host writes.
    DBK_MAP_WRITE: u32 = 2;
    /// Something failed.
    DBK_LOG_ERROR: u32 = 1;
    /// Something is not as it should be.
    DBK_LOG_WARNING: u32 = 2;
    /// Worth knowing.
    DBK_LOG_INFO: u32 = 3;
    /// For those who look inside.
    DBK_LOG_DEBUG: u32 = 4;
    /// Built without a sanitizer.
    DBK_SANITIZER_NONE: u32 = 0;
    /// Built with the address sanitizer.
    DBK_SANITIZER_ADDRESS: u32 = 1;
    /// Built with the thread sanitizer.
    DBK_SANITIZER_THREAD: u32 = 2;
    /// Bit of `dbk_chain.type`: refuse the call where the link is unknown.
    DBK_CHAIN_REQUIRED: u32 = 0x8000_0000;
}
