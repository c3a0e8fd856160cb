/* daybreak.h - the Daybreak plugin ABI, version 1.0.
 *
 * This header is the specification. A host loads libdaybreak.so with dlopen(RTLD_NOW | RTLD_LOCAL), looks up the one exported symbol,
 * `dbk_entry`, agrees on a version and receives a table of functions: ctx_create, compile, set_param, exec_ready, then for each thread
 * run_create, run_bind, run, read. The header needs nothing but <stdint.h> and compiles as C99 and as C++11.
 *
 * Reading guide: 1 conventions, 2 numbers, 3 structs, 4 the function table, 5 the entry symbol, 6 what is reserved, reports, limits, options.
 */
#ifndef DAYBREAK_H
#define DAYBREAK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if UINTPTR_MAX != 0xFFFFFFFFFFFFFFFFu
#error "the Daybreak ABI is defined for 64-bit targets only"
#endif

/* Calling convention of every function pointer in this file, the host's callbacks included. */
#if defined(_WIN32)
#define DBK_CALL __cdecl
#else
#define DBK_CALL
#endif

/* ==== 1. Conventions =================================================================================================
 *
 * Status.    Every fallible function returns a dbk_status. On failure no output but `*out_error` is written, no state is changed, and nothing
 *            but the error needs freeing; functions that cannot keep this say so. Besides the codes it names, a function may fail with
 *            FAILED_PRECONDITION (context destroyed, after fork), OUT_OF_MEMORY, UNAVAILABLE (device lost) and INTERNAL. An index argument
 *            outside its list is OUT_OF_RANGE, an index inside a graph's tables INVALID_ARGUMENT; so is a number that its set does not have:
 *            dtype, kind, origin, ownership, role, mode, type of an attribute or option.
 * Errors.    The last parameter `out_error` may be NULL. Otherwise it receives, on failure, an error that holds every cause found (error_get)
 *            and that the caller destroys; on success it receives NULL. The status is that of the first cause. There is no "last error".
 * NULL.      A NULL where a pointer is required is INVALID_ARGUMENT. Destroy functions accept NULL and do nothing.
 * In-structs  begin with dbk_hdr; `hdr.size` is the caller's sizeof. Shorter than in the version that introduced the struct, or over 65,536:
 *            INVALID_ARGUMENT. Shorter than the plugin's: the rest counts as zero, and zero always means the older behaviour. Longer: the
 *            part unknown to the plugin must be zero, else UNIMPLEMENTED. `hdr.flags`, `reserved` fields, unknown bits of any `flags` and
 *            fields that do not apply must be zero (references: DBK_NONE), else INVALID_ARGUMENT. Structs and what they point to are read
 *            only during the call, but for memory whose `ownership` says otherwise and the callbacks of dbk_host.
 * Out-structs (parameters called `inout`) begin with dbk_hdr too: the caller sets `hdr.size` and zeroes `hdr.flags` and `hdr.next`; the
 *            plugin writes at most that many bytes and stores in `hdr.size` how many it filled. The limits of size are those of in-structs.
 *            Text inside is NUL-terminated UTF-8, cut at a character.
 * Arrays     of structs carry the caller's element size as `stride`; the in-struct rules hold for every element, plain numbers included.
 * Chains.    `hdr.next` leads to optional extension structs. ABI 1.0 defines none. A link whose type has DBK_CHAIN_REQUIRED set and is
 *            unknown is refused with UNIMPLEMENTED; other unknown links are skipped; a repeated type is INVALID_ARGUMENT.
 * Names.     create / compile: the caller owns the result and destroys it. get / info: borrowed or copied, nothing to free.
 * Text.      dbk_str has a length and needs no NUL. Names and attribute strings are bytes of any content, compared and handed back as they
 *            are. What the plugin writes itself (messages, logs, reports, names of devices) is valid UTF-8: names in it have U+FFFD where
 *            they are not. Units are bytes, elements or nanoseconds and named so.
 * Versions.  Tables, structs and constants only ever grow at the end; a number is never reused; a meaning never changes. dbk_hdr, dbk_chain,
 *            dbk_str, dbk_slice and dbk_pool lie inside others and never grow. References that later versions append to structs are stored as
 *            index + 1. The plugin returns no status code, dtype, value kind, log level or table slot newer than the agreed version. All
 *            other numbers it hands out are open sets: hosts ignore unknown bits of flags and features and take an unknown kind, api or stage
 *            for "other", words in JSON too. Such texts have a `schema`, as "daybreak.plan/1": under one name no field changes its meaning;
 *            section 6 tells which stay. Option keys and their values keep their meaning as functions do, but for those it excepts.
 *
 * Threads.   Each function carries tags; one without a comment of its own shares those above it.
 *              [any]         from any thread, also concurrently on one object.
 *              [exclusive X] not concurrently with another [exclusive X] function of the same object; different objects are independent.
 *              [blocks]      may wait for device work, its own or earlier. No other function does, except while device_recover restores
 *                            the executable it is called on.
 *            A destroy function excludes every other call on its object, and every call on what was made from the object but event_wait,
 *            run_cancel and destroy functions. A call on a run uses the buffers bound to it: run_bind, run_set_dim, run and read exclude the
 *            [exclusive buffer] functions of those.
 *            Callbacks given to the plugin must not call back into it, must not throw and should return soon.
 * Lifetime.  Objects keep what they depend on alive. Destroying a context with live executables, runs, events or buffers is allowed: it waits
 *            for work in flight, stops the plugin's threads and leaves the other handles valid only for their destroy functions (any other
 *            call on them returns FAILED_PRECONDITION). The same holds for an executable with live runs. Errors and texts depend on nothing.
 *            Once a destroy function has returned, memory lent to what it destroyed or left invalid is not in use any more.
 * Process.   The plugin never prints, aborts, exits, raises or handles signals. The process-wide state it changes: oneDNN's settings, leave to
 *            use AMX, a pthread_atfork handler. Compiled kernels and measured figures it keeps in files (option cache_dir); it needs none. A
 *            context made before fork() answers FAILED_PRECONDITION in the child; a new one may be made there. (Some GPU drivers hang in the
 *            child's exit(): leave such a child with _exit.) Exit with live objects is safe. dlclose is harmless and optional.
 */

#define DBK_ABI(major, minor) (((uint32_t)(major) << 16) | (uint32_t)(minor))
#define DBK_ABI_MAJOR(abi) ((uint32_t)(abi) >> 16)
#define DBK_ABI_MINOR(abi) ((uint32_t)(abi) & 0xFFFFu)
#define DBK_ABI_1_0 DBK_ABI(1, 0)
#define DBK_ABI_NEWEST DBK_ABI_1_0 /* the version this header describes */

/* ==== 2. Numbers ===================================================================================================== */

typedef int32_t dbk_status;
#define DBK_OK 0
#define DBK_CANCELLED 1           /* a progress callback or run_cancel said stop */
#define DBK_UNKNOWN 2
#define DBK_INVALID_ARGUMENT 3    /* the call can never succeed: bad pointer, size, name, shape, dtype, graph */
#define DBK_DEADLINE_EXCEEDED 4   /* event_wait: not done yet; work itself never fails with this */
#define DBK_NOT_FOUND 5           /* no input, output, parameter, symbol or device of that name */
#define DBK_ALREADY_EXISTS 6
#define DBK_PERMISSION_DENIED 7
#define DBK_OUT_OF_MEMORY 8       /* host or device memory, or the memory budget; the message has sizes */
#define DBK_FAILED_PRECONDITION 9 /* right call, wrong moment: not ready, in flight, unbound, after fork */
#define DBK_ABORTED 10
#define DBK_OUT_OF_RANGE 11       /* an index, extent or byte range outside what exists; of a run: data that an op cannot take */
#define DBK_UNIMPLEMENTED 12      /* valid, but this plugin or device cannot do it; the message says what and why */
#define DBK_INTERNAL 13           /* a defect of the plugin */
#define DBK_UNAVAILABLE 14        /* device lost or unusable; device_recover may help */
#define DBK_DATA_LOSS 15

#define DBK_NONE 0xFFFFFFFFu                                  /* absent reference: optional input, no node, no blob ... */
#define DBK_MAX_RANK 32                                       /* of any tensor; higher ranks are UNIMPLEMENTED */
#define DBK_DIM_UNKNOWN INT64_MIN                             /* extent known only at bind or after the run */
#define DBK_DIM_SYMBOL(index) (-1 - (int64_t)(index))         /* extent given by symbol `index` */
#define DBK_WAIT_FOREVER 0xFFFFFFFFFFFFFFFFu

/* Element types: DLPack's (code, bits, lanes) in one word. Lanes is 1 throughout; 0 is "not stated, infer it". Elements of 8 bits or
 * more are stored in native byte order at their natural size; bool is one byte, 0 or 1: others are read as 1, and may be handed on by
 * ops that only move elements. Elements below 8 bits are packed densely over the whole tensor, element 0 in the lowest bits of byte
 * 0, no padding between rows: a tensor of n elements takes (n * bits + 7) / 8 bytes. Complex numbers are (real, imaginary) pairs. */
#define DBK_DTYPE(code, bits) ((uint32_t)(code) | ((uint32_t)(bits) << 8) | (1u << 16))
#define DBK_DTYPE_CODE(dtype) ((dtype) & 0xFFu)
#define DBK_DTYPE_BITS(dtype) (((dtype) >> 8) & 0xFFu)
#define DBK_DTYPE_NONE 0u
#define DBK_I2 DBK_DTYPE(0, 2)
#define DBK_I4 DBK_DTYPE(0, 4)
#define DBK_I8 DBK_DTYPE(0, 8)
#define DBK_I16 DBK_DTYPE(0, 16)
#define DBK_I32 DBK_DTYPE(0, 32)
#define DBK_I64 DBK_DTYPE(0, 64)
#define DBK_U2 DBK_DTYPE(1, 2)
#define DBK_U4 DBK_DTYPE(1, 4)
#define DBK_U8 DBK_DTYPE(1, 8)
#define DBK_U16 DBK_DTYPE(1, 16)
#define DBK_U32 DBK_DTYPE(1, 32)
#define DBK_U64 DBK_DTYPE(1, 64)
#define DBK_F16 DBK_DTYPE(2, 16)
#define DBK_F32 DBK_DTYPE(2, 32)
#define DBK_F64 DBK_DTYPE(2, 64)
#define DBK_BF16 DBK_DTYPE(4, 16)
#define DBK_C64 DBK_DTYPE(5, 64)
#define DBK_C128 DBK_DTYPE(5, 128)
#define DBK_BOOL DBK_DTYPE(6, 8)
#define DBK_F8_E4M3FN DBK_DTYPE(10, 8)
#define DBK_F8_E4M3FNUZ DBK_DTYPE(11, 8)
#define DBK_F8_E5M2 DBK_DTYPE(12, 8)
#define DBK_F8_E5M2FNUZ DBK_DTYPE(13, 8)
#define DBK_F8_E8M0FNU DBK_DTYPE(14, 8)
#define DBK_F4_E2M1FN DBK_DTYPE(17, 4)
/* Not DLPack, reserved: each element is a dbk_str, bytes of any content. Host memory only. The characters follow the ownership of the
 * elements: COPY copies both. In what the plugin writes, `ptr` leads into memory of the run, valid until its next run, bind, set_dim or
 * destroy. Sizes in bytes count 16 per element. */
#define DBK_STRING DBK_DTYPE(0x80, 128)

/* What a value of a graph is made of (dbk_value.kind). */
#define DBK_KIND_TENSOR 0u
#define DBK_KIND_SEQUENCE 1u /* reserved: of tensors of the value's dtype. 1.0 has no way to bind or read one */
#define DBK_KIND_OPTIONAL 2u /* reserved: tensor or nothing: an input not bound, a parameter without data, an output as run_shape tells */
#define DBK_KIND_OPTIONAL_SEQUENCE 3u /* reserved, as DBK_KIND_SEQUENCE */

/* Where a value comes from (dbk_value.origin). */
#define DBK_ORIGIN_COMPUTED 0u /* an input of its block, the output of one node, or only a type (DBK_ATTR_TYPE) */
#define DBK_ORIGIN_PARAM 1u    /* a parameter: data with the graph or later by set_param; replaceable between runs */
#define DBK_ORIGIN_CONST 2u    /* data with the graph, fixed for ever; may steer shapes and be folded */

#define DBK_VALUE_UNKNOWN_RANK 1u /* dbk_value.flags: `dims` says nothing */

/* Types of attributes, and the pool their `data` slice refers to. */
#define DBK_ATTR_INT 1u      /* v.i */
#define DBK_ATTR_FLOAT 2u    /* v.f */
#define DBK_ATTR_STRING 3u   /* text */
#define DBK_ATTR_INTS 4u     /* ints */
#define DBK_ATTR_FLOATS 5u   /* floats */
#define DBK_ATTR_STRINGS 6u  /* slices, each of them a range of text */
#define DBK_ATTR_TENSOR 7u   /* v.i: id of a value of origin CONST */
#define DBK_ATTR_TENSORS 8u  /* reserved; refs: ids of values of origin CONST */
#define DBK_ATTR_BLOCK 9u    /* v.i: index of a block, the body of If, Loop, Scan ... */
#define DBK_ATTR_BLOCKS 10u  /* refs: indices of blocks */
#define DBK_ATTR_TYPE 11u    /* reserved; v.i: id of a value that only declares a type (dtype, kind, dims) */

/* Types of option values (dbk_kv.type). */
#define DBK_OPTION_INT 1u
#define DBK_OPTION_FLOAT 2u
#define DBK_OPTION_STRING 3u
#define DBK_OPTION_BOOL 4u     /* v.i, 0 or 1 */
#define DBK_OPTION_OPTIONAL 1u /* dbk_kv.flags: ignore the item where its key, type or value is unknown */

/* When the plugin may use memory handed to it: read what is given, write what is bound as output. While it may, the caller neither
 * writes nor frees the memory, nor reads what the plugin may write. */
#define DBK_COPY 0u          /* during the call only */
#define DBK_UNTIL_EVENT 1u   /* from each call of run until that run is done, and at no other time: between runs the memory may change, or be
                                gone if the tensor is bound anew before the next run. (What DBK_IO_SHAPE_INPUT marks is read at bind,
                                and then only) */
#define DBK_UNTIL_DESTROY 2u /* stays mapped until the owner is destroyed or the binding replaced, so that a device may be given it for
                                good. Bound to a run: it may change while no run that uses it is in flight. A parameter's in
                                host memory or a blob's: it never changes */

/* The lists of an executable (exec_count, exec_io, exec_find, run_bind, run_shape). */
#define DBK_INPUT 0u
#define DBK_OUTPUT 1u
#define DBK_PARAM 2u
#define DBK_SYMBOL 3u

#define DBK_IO_DATA_SET 1u    /* dbk_io_info.flags: a parameter that has data */
#define DBK_IO_SHAPE_INPUT 2u /* an input whose elements decide shapes: host memory, read at bind whatever its ownership */

#define DBK_EXEC_READY 1u /* dbk_exec_info.flags: exec_ready has succeeded for the present parameters */

#define DBK_DEVICE_DEFAULT 0xFFFFFFFFu /* option "device", else environment DAYBREAK_DEVICE, else as section 6 says of "calibration" */
#define DBK_DEVICE_CPU 1u              /* kinds; the CPU itself, through the plugin's own kernels */
#define DBK_DEVICE_DISCRETE_GPU 2u
#define DBK_DEVICE_INTEGRATED_GPU 3u
#define DBK_DEVICE_SOFTWARE_GPU 4u     /* a GPU API executed by the CPU */
#define DBK_DEVICE_OTHER 5u
#define DBK_API_NONE 0u                /* graphics interface below the device */
#define DBK_API_VULKAN 1u
#define DBK_API_D3D12 2u
#define DBK_API_METAL 3u
#define DBK_API_D3D11 4u
#define DBK_API_OPENGL 5u
#define DBK_API_OPENGLES 6u

/* dbk_device_info.features */
#define DBK_FEATURE_F16 (1ull << 0)             /* 16-bit float arithmetic in kernels */
#define DBK_FEATURE_SUBGROUPS (1ull << 1)
#define DBK_FEATURE_SUBGROUP_MATRIX (1ull << 2) /* configurations: report "device" */
#define DBK_FEATURE_TIMESTAMPS (1ull << 3)
#define DBK_FEATURE_MAP_IN_PLACE (1ull << 4)    /* device memory the host maps without a copy */
#define DBK_FEATURE_HOST_POINTER (1ull << 5)    /* host memory used by the device without a copy, see host_ptr_align */
#define DBK_FEATURE_BORROW (1ull << 6)          /* UNTIL_DESTROY parameters are really borrowed */

#define DBK_COMPILE_FULL 0u
#define DBK_COMPILE_PLAN_ONLY 1u /* reports and statistics, nothing allocated on the device; cannot run */

/* Stages of a long call, for dbk_watch.progress. */
#define DBK_STAGE_CHECK 1u     /* unit: passes over the graph */
#define DBK_STAGE_PLAN 2u      /* unit: passes over the graph */
#define DBK_STAGE_WEIGHTS 3u   /* unit: bytes */
#define DBK_STAGE_PIPELINES 4u /* unit: pipelines */
#define DBK_STAGE_WARM_UP 5u   /* unit: pipelines */
#define DBK_STAGE_TUNE 6u      /* unit: candidates */

/* dbk_submit.mode, bits */
#define DBK_RUN_PROFILE 1u      /* reserved: measure each step; report "profile" of the run afterwards */
#define DBK_RUN_CHECK_VALUES 2u /* reserved: look for NaN and Inf in every step's results: the run succeeds, report "values" of the run
                                   names the first step */
#define DBK_RUN_FORCE_UPLOAD 4u /* upload inputs even where they are known to be unchanged */
#define DBK_RUN_NO_READBACK 8u  /* prepare nothing for read(), which then costs a copy of its own; outputs bound to host memory are
                                   written all the same */

/* dbk_buffer_desc.usage, bits; 0 = all. Binding a buffer to a role it lacks: INVALID_ARGUMENT */
#define DBK_BUFFER_INPUT 1u /* and of parameters (reserved) */
#define DBK_BUFFER_OUTPUT 2u

#define DBK_BUFFER_ALIGN 256u /* tensors in a buffer begin at multiples of this many bytes */

#define DBK_MAP_READ 1u
#define DBK_MAP_WRITE 2u

#define DBK_LOG_ERROR 1u
#define DBK_LOG_WARNING 2u
#define DBK_LOG_INFO 3u
#define DBK_LOG_DEBUG 4u

#define DBK_SANITIZER_NONE 0u /* dbk_info.sanitizer */
#define DBK_SANITIZER_ADDRESS 1u
#define DBK_SANITIZER_THREAD 2u

#define DBK_CHAIN_REQUIRED 0x80000000u

/* ==== 3. Structs ======================================================================================================
 * Fixed-width members, no implicit padding, no pointers inside graph tables but in blobs. */

typedef struct dbk_error dbk_error;   /* why a call failed: one or more causes */
typedef struct dbk_text dbk_text;     /* UTF-8 text owned by the plugin: JSON reports */
typedef struct dbk_ctx dbk_ctx;       /* a host's session: devices, caches, threads */
typedef struct dbk_exec dbk_exec;     /* a compiled graph with its weights, immutable once ready */
typedef struct dbk_run dbk_run;       /* bindings and memory of one activation of an executable */
typedef struct dbk_event dbk_event;   /* completion of a run, read or copy */
typedef struct dbk_buffer dbk_buffer; /* memory of a device */

typedef struct dbk_chain {
  const struct dbk_chain* next;
  uint32_t type, size; /* size: of the whole link, this head included */
} dbk_chain;

typedef struct dbk_hdr {
  uint32_t size, flags;
  const dbk_chain* next;
} dbk_hdr;

typedef struct dbk_str {
  const char* ptr;
  uint64_t len;
} dbk_str;

typedef struct dbk_kv { /* one option */
  dbk_str key;
  uint32_t type, flags;
  union {
    int64_t i;
    double f;
    dbk_str s;
  } v;
} dbk_kv;

/* Typed options. An unknown key, a wrong type and a value outside the key's domain are INVALID_ARGUMENT and named, unless the item is flagged
 * optional; a repeated key always is. Section 6 lists the keys of 1.0, report "options" those of the plugin at hand. */
typedef struct dbk_options {
  dbk_hdr hdr;
  const dbk_kv* items;
  uint32_t count, stride;
} dbk_options;

/* ---- a graph ---- index-linked tables, valid only during the call they are passed to (borrowed blobs excepted). Any table may be
 * empty with a NULL pointer. Every index, range, size product and the order of nodes is checked before use. 0 is an index like any
 * other: a reference to nothing is DBK_NONE, not a zeroed field. */

typedef struct dbk_pool { /* an array; stride = the caller's sizeof(element) */
  const void* ptr;
  uint32_t count, stride;
} dbk_pool;

typedef struct dbk_slice { /* elements [off, off + len) of a pool */
  uint32_t off, len;
} dbk_slice;

/* Constant or parameter data, at any alignment, for instance a mapped file. `ownership` DBK_COPY or DBK_UNTIL_DESTROY (of the
 * executable; a borrowed blob must then not change either). */
typedef struct dbk_blob {
  const void* ptr;
  uint64_t len;
  uint32_t ownership, reserved;
} dbk_blob;

typedef struct dbk_value {
  dbk_slice name;    /* in text; may be empty except for inputs and outputs of block 0 and for parameters; those are distinct in each list */
  dbk_slice dims;    /* in ints: extent >= 0, DBK_DIM_SYMBOL(i) or DBK_DIM_UNKNOWN; parameters and constants: extents only. Of values
                        that nodes make: rank and fixed extents are checked against what is inferred (INVALID_ARGUMENT), symbols
                        promise nothing */
  uint32_t dtype;    /* DBK_DTYPE_NONE where it is to be inferred; required for inputs of block 0, parameters, constants. Of values that
                        nodes make: checked like dims */
  uint32_t kind;     /* DBK_KIND_* */
  uint32_t origin;   /* DBK_ORIGIN_* */
  uint32_t flags;    /* DBK_VALUE_* */
  uint32_t alias;    /* of an output of block 0: the input of block 0 (value id; same dtype, kind and rank) whose memory it may share, see
                        run_bind. Of all other values, and where it shares none: DBK_NONE */
  uint32_t blob;     /* data of a parameter or constant: index of a blob, or DBK_NONE */
  uint64_t blob_off; /* bytes into the blob */
  uint64_t blob_len; /* exactly the tensor's size in bytes */
} dbk_value;

typedef struct dbk_node {
  dbk_slice domain;        /* in text; empty or "ai.onnx" is ONNX's default domain */
  dbk_slice op;            /* in text, for example "MatMul" */
  dbk_slice name;          /* in text, for messages and reports; may be empty */
  dbk_slice inputs;        /* in refs: value ids; DBK_NONE for an absent optional input */
  dbk_slice outputs;       /* in refs: value ids; DBK_NONE for an output nobody wants */
  dbk_slice attrs;         /* of the attribute table */
  uint32_t op_version;     /* version of the node's domain (opset) that the node was written for; newer than known: UNIMPLEMENTED */
  uint32_t flags;
} dbk_node;

typedef struct dbk_attr {
  dbk_slice name; /* in text */
  dbk_slice data; /* in the pool its type implies; empty where v holds the value */
  uint32_t type, flags;
  union { /* 0 where data holds the value */
    int64_t i;
    double f;
  } v;
} dbk_attr;

/* A named extent. Equal symbols mean equal extents. max <= 0: no upper bound; else memory is planned for it (compile: OUT_OF_MEMORY).
 * multiple_of 0 or 1: any value. At least one extent must fit all three. A symbol that no input of block 0 carries needs no extent. */
typedef struct dbk_symbol {
  dbk_slice name; /* in text; not empty, distinct */
  int64_t min, max, multiple_of;
} dbk_symbol;

/* A sequence of nodes in executable order. Block 0 is the main graph. Others are bodies named by attributes of exactly one node;
 * a body may use values of the blocks around it by their ids, also as its outputs. One value may be several outputs; its name finds the first. */
typedef struct dbk_block {
  dbk_slice name;            /* in text */
  dbk_slice nodes;           /* of the node table; ranges of blocks do not overlap */
  dbk_slice inputs, outputs; /* in refs */
  uint32_t flags, reserved;
} dbk_block;

typedef struct dbk_graph {
  dbk_hdr hdr;
  dbk_pool values, nodes, attrs, symbols, blocks, blobs; /* the structs above */
  dbk_pool ints, floats, refs, slices, text;             /* int64_t, double, uint32_t, dbk_slice, char */
} dbk_graph;

/* ---- tensors, devices, information ---- */

/* Data in host memory (`data`) or device memory (`buffer`), one of them.
 *   dims          extents >= 0; rank 0 is one element, dims may then be NULL. DBK_DIM_SYMBOL(i), "the extent the symbol has at the run",
 *                 and for outputs DBK_DIM_UNKNOWN, "what the run makes, if it fits", are reserved.
 *   byte_strides  NULL: dense, row-major. In host memory they may be zero or negative for tensors that are read; `data` then
 *                 points at element 0 and the caller vouches for what lies before it. Those of tensors that are written are
 *                 positive, and the caller vouches that no elements overlap. Strides along extents of 0 and 1 do not matter.
 *                 In a buffer: NULL, or (reserved) those of a dense row-major tensor with larger extents, of which this one
 *                 is the first part along each dimension (a cache at its full size). Sub-byte dtypes are dense.
 *   data          any alignment; aligned to the element's size (at most 16) saves a copy. No elements: may be NULL.
 *   byte_off      into the buffer, a multiple of DBK_BUFFER_ALIGN; 0 with data.
 *   byte_len      bytes from `data`, or from byte_off in the buffer, at least those that dims and strides span. Nothing at or beyond
 *                 them is touched, except that a run may write behind an output, within its buffer, up to the next multiple of 16 bytes.
 *   ownership     of data. With a buffer it is DBK_UNTIL_DESTROY (else INVALID_ARGUMENT): the binding keeps the buffer's memory alive
 *                 (lent memory excepted, see buffer_destroy) and each run uses what it holds then. (Of a parameter: see set_param.) */
typedef struct dbk_tensor {
  dbk_hdr hdr;
  uint32_t dtype, rank;
  const int64_t* dims;
  const int64_t* byte_strides;
  void* data;
  dbk_buffer* buffer;
  uint64_t byte_off, byte_len;
  uint32_t ownership, reserved;
} dbk_tensor;

typedef struct dbk_device_info {
  dbk_hdr hdr;
  uint32_t kind, api, vendor_id, device_id;
  uint8_t uuid[16];               /* of the physical device where the driver tells, else zero */
  uint64_t mem_total, mem_free;   /* bytes; 0 = unknown. mem_free: a hint, of this moment or of ctx_create */
  uint64_t max_buffer;            /* bytes of one buffer */
  uint64_t max_binding;           /* bytes of one tensor that a kernel can see; larger weights are split or refused */
  uint64_t features;              /* DBK_FEATURE_* */
  uint32_t score;                 /* higher is the better default; 0 = present but unusable, see `unusable`. Of the moment */
  uint32_t host_ptr_align;        /* bytes that pointer and size must be multiples of for borrowing; 0 = always copies */
  uint32_t subgroup_min, subgroup_max;
  char name[128], driver[128], unusable[256];
} dbk_device_info;

typedef struct dbk_exec_info {
  dbk_hdr hdr;
  uint32_t device; /* index that compile chose */
  uint32_t mode;   /* DBK_COMPILE_* */
  uint32_t flags;  /* DBK_EXEC_* */
  uint32_t reserved;
} dbk_exec_info;

typedef struct dbk_io_info {
  dbk_hdr hdr;
  uint32_t dtype;             /* DBK_DTYPE_NONE where only bind decides it */
  uint32_t rank;              /* DBK_NONE where unknown; of a symbol: 3 */
  int64_t dims[DBK_MAX_RANK]; /* extents, DBK_DIM_SYMBOL(i) (declared) or DBK_DIM_UNKNOWN; of a symbol: min, max (-1: no bound), multiple_of */
  uint32_t value;             /* id in the graph's value table; of a symbol: its index */
  uint32_t flags;             /* DBK_IO_* */
  uint32_t kind, reserved;    /* DBK_KIND_* */
  const char* name;           /* as in the graph, NUL-terminated, borrowed until exec_destroy */
  uint64_t name_len;          /* bytes */
} dbk_io_info;

typedef struct dbk_error_info {
  dbk_hdr hdr;
  dbk_status code;
  uint32_t node, value; /* indices into the graph's tables, or DBK_NONE */
  uint32_t count;       /* causes in this error */
  const char* msg;      /* NUL-terminated UTF-8, borrowed until error_destroy */
  uint64_t len;
} dbk_error_info;

/* Counters since the object was made. A context's add up its executables and buffers, an executable's its runs; what is shared counts once. */
typedef struct dbk_stats {
  dbk_hdr hdr;
  uint64_t weight_bytes, activation_bytes, staging_bytes; /* live bytes; in PLAN_ONLY what would be allocated */
  uint64_t pipelines_built, pipeline_cache_hits;
  uint64_t buffers_created, device_objects; /* device_objects: all GPU API objects, buffers included; 0 where not counted */
  uint64_t runs, dispatches, segments;      /* segments: submitted command buffers or host parts */
  uint64_t host_islands, island_bytes;      /* parts that ran on the host for a device, bytes copied for them */
  uint64_t uploads, upload_bytes, uploads_skipped;
  uint64_t readback_bytes;
  uint64_t replans;          /* memory plans made after compile, for new extents */
  uint64_t host_allocations; /* by the plugin's own code, process-wide, where the build counts them; else 0 */
  uint64_t objects;          /* live handles of this object's children */
} dbk_stats;

typedef struct dbk_info { /* static; hdr.size tells which fields it has */
  dbk_hdr hdr;
  const char* id;      /* "daybreak" */
  const char* version; /* semantic version */
  const char* build;   /* commit, compiler, Dawn and oneDNN versions */
  uint32_t abi_min, abi_max, sanitizer, reserved;
} dbk_info;

/* The host's side, given per context: two hosts may share one loaded plugin. */
typedef struct dbk_host {
  dbk_hdr hdr;
  uint32_t abi, log_level; /* abi: the agreed version. log_level: the most talkative DBK_LOG_* wanted, 0 = warnings */
  const char* name;        /* NUL-terminated, may be NULL */
  const char* version;
  void* user;
  /* May be NULL. Called from any thread, from several at once, also from inside the host's own calls, until ctx_destroy returns and never
   * after. msg is UTF-8 of len bytes, valid during the call. */
  void(DBK_CALL* log)(void* user, uint32_t level, const char* msg, uint64_t len);
  /* May be NULL. A service of the host by name, NULL for every id it does not know; 1.0 has none. Asked in ctx_create only, on its thread. */
  const void*(DBK_CALL* get_extension)(void* user, const char* id); /* what it answers stays valid until ctx_destroy returns */
} dbk_host;

/* Progress of a long call, on the caller's thread, at least every 100 ms where possible. Nonzero cancels: the call returns CANCELLED
 * as if it had not been made. total 0: unknown. progress may be NULL. */
typedef struct dbk_watch {
  dbk_hdr hdr;
  void* user;
  int32_t(DBK_CALL* progress)(void* user, uint32_t stage, uint64_t done, uint64_t total);
} dbk_watch;

typedef struct dbk_compile_desc {
  dbk_hdr hdr;
  const dbk_graph* graph;
  const dbk_options* options; /* may be NULL */
  const dbk_watch* watch;     /* may be NULL */
  dbk_exec* share;            /* may be NULL. An executable of the same context (else INVALID_ARGUMENT), on any device: parameters without data
                                 take its data where name, dtype and dims are equal. Later set_param calls on one do not reach the
                                 other. Memory lent to it is then in use until both are destroyed or have it replaced */
  uint32_t device;            /* index, 0 being the first device, or DBK_DEVICE_DEFAULT */
  uint32_t mode;              /* DBK_COMPILE_* */
} dbk_compile_desc;

typedef struct dbk_submit {
  dbk_hdr hdr;
  dbk_event* const* wait; /* events of the same context (else INVALID_ARGUMENT) that must be done first; their failure fails this run
                             with the same status */
  uint32_t wait_count;
  uint32_t mode;          /* DBK_RUN_* */
} dbk_submit;

typedef struct dbk_copy { /* bytes [byte_off, byte_off + byte_len) of an output, dense and row-major, to dst */
  uint32_t output, reserved;
  uint64_t byte_off, byte_len;
  void* dst;
} dbk_copy;

typedef struct dbk_buffer_desc {
  dbk_hdr hdr;
  uint32_t device, usage;       /* device: of the runs it serves (exec_info tells; DBK_DEVICE_DEFAULT need not be it). usage: DBK_BUFFER_* */
  uint64_t byte_len;            /* may be 0 */
  void* host_ptr;               /* NULL: memory of the plugin, zeroed */
  uint32_t ownership, reserved; /* of host_ptr. COPY: its content initialises the buffer. UNTIL_DESTROY: it is the buffer; address and
                                   byte_len are multiples of host_ptr_align (else INVALID_ARGUMENT; host_ptr_align 0: UNIMPLEMENTED) */
} dbk_buffer_desc;

typedef struct dbk_report_desc { /* asks the narrowest object given: run, else exec, else ctx; wider ones are not looked at */
  dbk_hdr hdr;
  dbk_ctx* ctx;
  dbk_exec* exec;
  dbk_run* run;
  dbk_str kind;               /* "device", "calibration" (measures all devices), "options", "ops" of a ctx; "plan", "placement", "schedule",
                                 "cost" of an exec or run; "stats" of all; more to come. "plan/1" is revision 1, and so is "plan": section 6 */
  const dbk_options* options; /* may be NULL; ABI 1.0 defines no key */
  const dbk_watch* watch;     /* may be NULL */
} dbk_report_desc;

/* ==== 4. The function table ===========================================================================================
 * Slots are never removed, moved or retyped, and none is NULL. The table is exactly that of the agreed version: it ends, as `size`
 * tells, with the last slot that version has. */

typedef struct dbk_api {
  uint32_t size; /* bytes of this table */
  uint32_t abi;  /* the agreed version */
  const dbk_info* info;

  /* [any] An extension table by name and revision ("dbk.name/1"), or NULL. 1.0 has none. */
  const void*(DBK_CALL* get_extension)(const char* id);

  /* [any] Cause `index` of an error; out of range: OUT_OF_RANGE. */
  dbk_status(DBK_CALL* error_get)(const dbk_error* error, uint32_t index, dbk_error_info* inout);
  void(DBK_CALL* error_destroy)(dbk_error* error);

  /* [any] The text, NUL-terminated (not counted in len), borrowed until text_destroy. */
  dbk_status(DBK_CALL* text_get)(const dbk_text* text, const char** out_ptr, uint64_t* out_len);
  void(DBK_CALL* text_destroy)(dbk_text* text);

  /* ---- context ---- */

  /* [any] [blocks] Finds devices; takes some tens of milliseconds where a GPU driver is loaded. Missing or broken GPU drivers are not
   * an error: the CPU device is always there. `options` may be NULL. Fails: INVALID_ARGUMENT (host, abi, option). */
  dbk_status(DBK_CALL* ctx_create)(const dbk_host* host, const dbk_options* options, dbk_ctx** out_ctx, dbk_error** out_error);
  /* [exclusive ctx] [blocks] Waits for work in flight, joins every thread of the context. */
  void(DBK_CALL* ctx_destroy)(dbk_ctx* ctx);
  /* [any] At least 1; the CPU is last. Indices mean the same device for the life of the context. */
  dbk_status(DBK_CALL* device_count)(dbk_ctx* ctx, uint32_t* out_count, dbk_error** out_error);
  dbk_status(DBK_CALL* device_info)(dbk_ctx* ctx, uint32_t device, dbk_device_info* inout, dbk_error** out_error);
  /* [any] [blocks] Makes a lost device anew and restores its executables. Its runs and buffers must be created again: all functions of the
   * old ones but destroy are FAILED_PRECONDITION. A healthy device: OK, no effect. `watch` may be NULL. After failure (with all causes) or
   * cancellation executables not restored are not ready; another call may recover them. Nor is one being restored: calls say so, or wait. */
  dbk_status(DBK_CALL* device_recover)(dbk_ctx* ctx, uint32_t device, const dbk_watch* watch, dbk_error** out_error);

  /* [any] [blocks] Would compile succeed with this description (mode and share apart), and what would run where? A JSON text, schema
   * "daybreak.check/1" for ever: "runs", whether compile succeeds; "undecided", why a bind may be refused nevertheless; one verdict per node
   * ("device", "host", "view": nothing to do, "open": bind tells, "no"; take one you do not know for "host") with the reason where it is
   * not on the device. A valid graph with unsupported nodes is OK; an invalid graph or description fails as in compile. */
  dbk_status(DBK_CALL* check)(dbk_ctx* ctx, const dbk_compile_desc* desc, dbk_text** out_verdicts, dbk_error** out_error);

  /* ---- executable ---- */

  /* [any] [blocks] Checks, infers, places, plans. Everything that does not need parameter values happens here. Fails: INVALID_ARGUMENT
   * (graph or options; the error lists every culprit found), UNIMPLEMENTED (ops, dtypes, policy require_gpu), OUT_OF_MEMORY
   * (budget, device), OUT_OF_RANGE (no device of that index), NOT_FOUND (none as option "device" says), UNAVAILABLE (device), CANCELLED. */
  dbk_status(DBK_CALL* compile)(dbk_ctx* ctx, const dbk_compile_desc* desc, dbk_exec** out_exec, dbk_error** out_error);
  /* [exclusive exec] [blocks] Waits for its runs in flight. */
  void(DBK_CALL* exec_destroy)(dbk_exec* exec);
  /* [any] */
  dbk_status(DBK_CALL* exec_info)(dbk_exec* exec, dbk_exec_info* inout, dbk_error** out_error);
  /* [any] Length of list `role`: DBK_INPUT, DBK_OUTPUT (order of block 0), DBK_PARAM (order of the value table), DBK_SYMBOL. */
  dbk_status(DBK_CALL* exec_count)(dbk_exec* exec, uint32_t role, uint32_t* out_count, dbk_error** out_error);
  dbk_status(DBK_CALL* exec_io)(dbk_exec* exec, uint32_t role, uint32_t index, dbk_io_info* inout, dbk_error** out_error);
  /* [any] Index by name; NOT_FOUND names the nearest. */
  dbk_status(DBK_CALL* exec_find)(dbk_exec* exec, uint32_t role, const dbk_str* name, uint32_t* out_index, dbk_error** out_error);
  /* [exclusive exec] Gives or replaces the value of a parameter; dtype and dims must equal the declared ones. ownership: COPY or
   * UNTIL_DESTROY (of the executable, or until replaced and ready again); a buffer (reserved) is read by exec_ready, then let go. NULL takes
   * the value away: an optional parameter is absent, another has no data. A run in flight: FAILED_PRECONDITION. A change makes the executable
   * not ready until exec_ready succeeds: runs keep bindings and results, but cannot bind, set_dim, run or read (FAILED_PRECONDITION). */
  dbk_status(DBK_CALL* set_param)(dbk_exec* exec, uint32_t index, const dbk_tensor* tensor, dbk_error** out_error);
  /* [exclusive exec] [blocks] Transforms and uploads parameters, builds and warms every kernel, so that the first run costs what later
   * ones cost. Idempotent; after a replacement only what it touches is done. A parameter without data: FAILED_PRECONDITION,
   * every one named but optional ones. Data of parameters that an op cannot take: OUT_OF_RANGE. `watch` may be NULL. */
  dbk_status(DBK_CALL* exec_ready)(dbk_exec* exec, const dbk_watch* watch, dbk_error** out_error);

  /* ---- run ---- */

  /* [any] [blocks] Needs a ready executable. Memory for static shapes is allocated here. `options` may be NULL; ABI 1.0 defines no key. */
  dbk_status(DBK_CALL* run_create)(dbk_exec* exec, const dbk_options* options, dbk_run** out_run, dbk_error** out_error);
  /* [exclusive run] [blocks] Waits while in flight. */
  void(DBK_CALL* run_destroy)(dbk_run* run);
  /* [exclusive run] [blocks] Fixes the extent of a symbol, within its min, max and multiple (else OUT_OF_RANGE); DBK_DIM_UNKNOWN lets it
   * go, and the next bind of an input that has it sets it. Binding an input sets the symbols of its dims too, unless they are fixed: then
   * a contradiction is INVALID_ARGUMENT. Extents that only change together: let go of all but one first. Tensors bound with older extents
   * stay bound but make run refuse, naming them, until rebound. A new extent, or other buffer, forgets the last results. OUT_OF_MEMORY
   * and UNAVAILABLE leave the run without memory: run refuses until a bind or set_dim succeeds. In flight: FAILED_PRECONDITION. */
  dbk_status(DBK_CALL* run_set_dim)(dbk_run* run, uint32_t symbol, int64_t extent, dbk_error** out_error);
  /* [exclusive run] [blocks] role DBK_INPUT: every input but optional ones is bound before run. COPY: read now. UNTIL_EVENT and
   * UNTIL_DESTROY: read at every run until rebound. role DBK_OUTPUT: optional; the output is written there by each run (UNTIL_DESTROY or
   * UNTIL_EVENT; not COPY). dtype and dims are those of run_shape where exact (else INVALID_ARGUMENT; FAILED_PRECONDITION from run where
   * they changed since); an output whose shape only the run decides cannot be bound in 1.0 (UNIMPLEMENTED). An output that is not bound
   * stays with the run: see read. tensor NULL unbinds: an input is then missing, or absent if optional; symbols keep the extents it
   * brought. To bind or unbind an output forgets its last result, to bind another buffer, or none any more, all of them. Memory of an
   * output overlaps no other memory bound to the run, and its buffer is no input's buffer (several outputs may lie apart in one buffer;
   * its alias is excepted, see section 6): INVALID_ARGUMENT from run, but where one of two host tensors has gaps, the caller vouches.
   * One buffer may be output of one run and input of the next. Flight and failures as in run_set_dim; the old binding then stands. */
  dbk_status(DBK_CALL* run_bind)(dbk_run* run, uint32_t role, uint32_t index, const dbk_tensor* tensor, dbk_error** out_error);
  /* [exclusive run] Dims of an input or output. After a completed run: those of that run, exact. Before it, while it is in
   * flight, or once a bind or set_dim has changed something: from symbols and bindings; *out_exact 1, or 0 where they are
   * upper bounds or unknown (DBK_DIM_UNKNOWN each). *out_rank is DBK_NONE while the rank is unknown, or, with *out_exact 1,
   * where an optional one is absent. out_dims NULL and cap 0: rank and exactness alone; otherwise cap < rank: OUT_OF_RANGE. */
  dbk_status(DBK_CALL* run_shape)(dbk_run* run, uint32_t role, uint32_t index, int64_t* out_dims, uint32_t cap, uint32_t* out_rank,
                                  uint32_t* out_exact, dbk_error** out_error);
  /* [exclusive run] Starts the run. out_done NULL: [blocks] until done. Else returns after submission (the first time after exec_ready it
   * may wait for the device once) and *out_done completes later, carrying the run's failure. Work of one device takes effect in the order of
   * the calls: a run, read or buffer call sees what earlier ones wrote to the memory it uses; runs that share nothing may overlap or finish in
   * another order. `submit` may be NULL. Unbound inputs, unknown extents, already in flight: FAILED_PRECONDITION. Data that an op cannot take
   * (an index, a divisor of 0, a shape): OUT_OF_RANGE. Results before it are forgotten; after a failed or cancelled run bound outputs hold
   * anything. The plugin's own code allocates nothing (dbk_stats.host_allocations; drivers may) once as many events and waits have been in
   * use before, but for values whose shapes only the run tells. */
  dbk_status(DBK_CALL* run)(dbk_run* run, const dbk_submit* submit, dbk_event** out_done, dbk_error** out_error);
  /* [any] Asks a run in flight to stop at the next possibility; its event then completes with CANCELLED, or as if nothing had been asked
   * where it was too late. Reads are not stopped. Not in flight: OK. */
  dbk_status(DBK_CALL* run_cancel)(dbk_run* run, dbk_error** out_error);
  /* [exclusive run] Copies (parts of) outputs of the last run, if completed: done without failure. Of one bound to a buffer, what the buffer
   * holds by then. out_done NULL: [blocks]; else dst is left alone until done. In flight (a read that is not done counts), no completed run,
   * output bound to host memory, result forgotten: FAILED_PRECONDITION. Range outside the output: OUT_OF_RANGE. Absent: NOT_FOUND. */
  dbk_status(DBK_CALL* read)(dbk_run* run, const dbk_copy* copies, uint32_t count, uint32_t stride, dbk_event** out_done,
                             dbk_error** out_error);

  /* ---- events ---- whoever receives one destroys it */

  /* [any] [blocks] OK when done, the failure of the work when it failed, DEADLINE_EXCEEDED when not done within timeout_ns (0 = poll,
   * DBK_WAIT_FOREVER); any other: it is over and uses no memory any more. May be asked again. Polling with out_error NULL allocates nothing. */
  dbk_status(DBK_CALL* event_wait)(dbk_event* event, uint64_t timeout_ns, dbk_error** out_error);
  /* [any] Does not wait and does not cancel. */
  void(DBK_CALL* event_destroy)(dbk_event* event);

  /* ---- device memory ---- any byte offset and length within the buffer, else OUT_OF_RANGE */

  /* [any] [blocks] OUT_OF_MEMORY with sizes; larger than max_buffer: OUT_OF_RANGE. */
  dbk_status(DBK_CALL* buffer_create)(dbk_ctx* ctx, const dbk_buffer_desc* desc, dbk_buffer** out_buffer, dbk_error** out_error);
  /* [exclusive buffer] [blocks] Copies host memory in, in order with the work of the device. out_done NULL: returns when done. Else it
   * may return before (this version does not), and src is left alone until done. Mapped: FAILED_PRECONDITION. */
  dbk_status(DBK_CALL* buffer_write)(dbk_buffer* buffer, uint64_t byte_off, const void* src, uint64_t byte_len, dbk_event** out_done,
                                     dbk_error** out_error);
  /* [exclusive buffer] [blocks] Copies out to host memory; otherwise as buffer_write. */
  dbk_status(DBK_CALL* buffer_read)(dbk_buffer* buffer, uint64_t byte_off, void* dst, uint64_t byte_len, dbk_event** out_done,
                                    dbk_error** out_error);
  /* [exclusive both] [blocks] Copies between buffers of one context (else INVALID_ARGUMENT); not overlapping in one buffer. Otherwise as
   * buffer_write. */
  dbk_status(DBK_CALL* buffer_copy)(dbk_buffer* dst, uint64_t dst_off, dbk_buffer* src, uint64_t src_off, uint64_t byte_len,
                                    dbk_event** out_done, dbk_error** out_error);
  /* [exclusive buffer] [blocks] Host access to a range, one mapping at a time; the pointer, never NULL, is valid until unmap. The range's
   * content is there in every mode; unmap writes it back where DBK_MAP_WRITE was asked. A mapped buffer in a run:
   * FAILED_PRECONDITION. */
  dbk_status(DBK_CALL* buffer_map)(dbk_buffer* buffer, uint32_t mode, uint64_t byte_off, uint64_t byte_len, void** out_ptr,
                                   dbk_error** out_error);
  dbk_status(DBK_CALL* buffer_unmap)(dbk_buffer* buffer, dbk_error** out_error);
  /* [exclusive buffer] [blocks] Waits for runs in flight. Unmaps; what was written to the mapping may be lost. A run it is bound to keeps its
   * memory until rebound or destroyed; lent memory (host_ptr) is not kept: run, and read of that output, then are FAILED_PRECONDITION. */
  void(DBK_CALL* buffer_destroy)(dbk_buffer* buffer);

  /* ---- seeing inside ---- */

  /* [any] Counters of the narrowest object given; wider ones are not looked at. */
  dbk_status(DBK_CALL* stats)(dbk_ctx* ctx, dbk_exec* exec, dbk_run* run, dbk_stats* inout, dbk_error** out_error);
  /* [any; exclusive run where one is given] [blocks] A JSON text with a "schema" field. Unknown kind: NOT_FOUND, listing the known ones. */
  dbk_status(DBK_CALL* report)(const dbk_report_desc* desc, dbk_text** out_text, dbk_error** out_error);
} dbk_api;

/* ==== 5. The entry symbol =============================================================================================
 * The only exported symbol. The host passes the range of versions it speaks of one major version (who speaks two asks twice); the plugin gives
 * the table of the highest that both speak (out_api->abi) or refuses: UNIMPLEMENTED where the ranges do not meet, INVALID_ARGUMENT for another
 * range or a NULL out_api. `why` (may be NULL) receives on failure up to why_cap bytes of text and NUL. No GPU work, no thread. [any] */
#if defined(_WIN32) && defined(DBK_BUILDING_PLUGIN)
#define DBK_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define DBK_EXPORT __attribute__((visibility("default")))
#else
#define DBK_EXPORT
#endif
typedef dbk_status(DBK_CALL* dbk_entry_fn)(uint32_t host_abi_min, uint32_t host_abi_max, const dbk_api** out_api, char* why,
                                           uint32_t why_cap);
DBK_EXPORT dbk_status DBK_CALL dbk_entry(uint32_t host_abi_min, uint32_t host_abi_max, const dbk_api** out_api, char* why,
                                         uint32_t why_cap);

#ifdef __cplusplus
}
#endif

/* ==== 6. What is reserved, reports, limits, options ===================================================================
 * Reserved is what this header defines but this version of the plugin refuses with UNIMPLEMENTED: a later one may do it without another ABI
 * version. So is an alias in place: an output and its alias (dbk_value.alias) at one byte_off of one buffer with equal strides. Before the
 * run the memory holds the input, after it the output; memory outside the output's elements is kept, also where the input had some.
 *
 * Of reports, revision 1, these fields stay for ever besides "schema"; a word among them that a host does not know is "other":
 *   device   "default" with its "index" (or null); "devices", of each "index", "name", "kind", "api", "driver", "uuid", "score", "usable",
 *            "reason", "mem_total", "mem_free", "features"
 *   options  "options", of each "scope", "key", "type", "domain", "default", "meaning"
 *   ops      "ops", of each "domain", "name", "versions", "gpu", "cpu"
 *   stats    the members of dbk_stats; "compile_stats" with "graph_nanoseconds" (compile), "ready_nanoseconds" (exec_ready); of that, and of
 *            binds that meet new kernels, "shader_nanoseconds" (front end), "pipeline_nanoseconds" (driver), "warm_up_nanoseconds",
 *            "blob_cache_hits", "blob_cache_misses" (of what an earlier process has kept): since the object was made, 0 where there is none
 *   check    what the function check says
 * All other fields, and all of the other kinds, are for people who look into the plugin: a release may add and drop them, and take a kind or
 * a revision away, which is NOT_FOUND then like an unknown one.
 *
 * Limits, INVALID_ARGUMENT beyond: 64 links of a chain, 65,536 bytes of a struct, 1 MiB of a dbk_str that is an argument or an
 * option, 64 bodies within bodies. The option keys of 1.0, the default first or in []:
 *
 *   ctx_create  gpu            bool [1]: look for GPUs
 *               device         string [none]: the default device: "cpu", "gpu", the index of a device; what is none of these is an api such
 *                              as "vulkan", a uuid in 32 hexadecimal digits or a part of the name, in any case; of several the one with the
 *                              highest score
 *               validation     bool [0]: validate every GPU call and the bounds of kernels, which is slower
 *               threads        int [0] to 1024: of the CPU device; 0 = one per core
 *               cache_dir      string ["auto"]: where files are kept: a directory; "" = nowhere; "auto" = daybreak in $XDG_CACHE_HOME or in
 *                              $HOME/.cache. Only files that no other user may write are believed
 *               calibration    string "cached": what was measured earlier ranks the devices; "auto": where a default device is to be chosen,
 *                              or report "device" is asked for, those of which nothing is known are measured; "off": nothing is. Where nothing
 *                              else names a device, compile and check take the one that by what was measured should run the graph fastest;
 *                              where that does not tell, and for all else, DBK_DEVICE_DEFAULT is the one with the highest score. What is
 *                              measured anew may change that: who wants the same device every time names it
 *               precision      string: the most that kernels may round f32 products on GPUs: "f32": nothing but what f32 rounds; "f16_f32acc":
 *                              operands to f16, sums in f32; "f16": sums to f16 as well; "auto": f16_f32acc, where rules or times expect it to be
 *                              faster. Devices without such kernels round less, so do products with weights that would lose too much, or that
 *                              other kernels take for their shape; report "placement" says what became of each. Keys that force kernels
 *                              (below) may round more than it allows
 *               autotune       string "cached": what earlier processes have measured of kernels, and left in cache_dir, comes before rules;
 *                              "off": rules alone. With this, calibration "off" and a named device, processes on one machine that have the
 *                              same plugin, driver and options compute the same bits, unless a GPU fails while exec_ready tries what it
 *                              can do, which the log tells. Other words let a process measure, and may change
 *   compile     device         as above, for DBK_DEVICE_DEFAULT; not given: the context's
 *               policy         string "prefer_gpu": what a GPU cannot run is run on the host; "require_gpu": it is refused, and where nothing
 *                              names a device it is a GPU; "cpu_only": the CPU device, whatever was asked for
 *               precision      as above; not given: the context's
 *               fusion         string "on", "off": each node as it is given
 *               memory_budget  int [0] = no limit, to 2^63 - 1: bytes that weights and one run may take together
 *               host_ops       string [none]: operators, separated by commas, that a GPU leaves to the host, with what is fused with them
 *
 * Environment variables replace the defaults of ctx_create: DAYBREAK_ and the key in capitals, DAYBREAK_GPU for gpu, in decimal where they
 * are numbers; outside the domain: INVALID_ARGUMENT. Programs that run with more rights than their user have none. Options that contradict
 * each other, of a context or of a compile and its context, may be refused, with INVALID_ARGUMENT that names both, and the variable where one
 * has set them.
 *
 * Nothing is promised of keys that choose or tune kernels or the ways of memory (so far kernels, matmul_family, matmul_variant, coop,
 * coop_columns, tune_budget_ms, shared_memory, max_binding, precision_threshold, oscillation_gate, qkv), nor of internal_ops:
 * they are for tests and experiments, and any release may change them, their values or what they do, or take them away. Report "options"
 * explains them; who gives one flags it DBK_OPTION_OPTIONAL. */

#endif
