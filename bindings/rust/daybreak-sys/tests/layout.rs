//! Size, alignment and the offset of every field, as one text that must equal the golden file which C and C++ are
//! checked against too.

use daybreak_sys::*;
use std::fmt::Write;
use std::mem::{align_of, offset_of, size_of};
use std::path::PathBuf;

fn size_of_field<S, F>(_: impl FnOnce(S) -> F) -> usize {
    size_of::<F>()
}

macro_rules! layout {
    ($text:ident, $($name:ident { $($field:ident),* $(,)? })*) => {$(
        writeln!($text, "{} {} {}", stringify!($name), size_of::<$name>(), align_of::<$name>()).unwrap();
        $(writeln!(
            $text,
            "{}.{} {} {}",
            stringify!($name),
            stringify!($field).trim_start_matches("r#"),
            offset_of!($name, $field),
            size_of_field(|s: $name| s.$field)
        )
        .unwrap();)*
    )*};
}

fn small(text: &mut String) {
    layout!(text,
        dbk_chain { next, r#type, size }
        dbk_hdr { size, flags, next }
        dbk_str { ptr, len }
        dbk_kv { key, r#type, flags, v }
        dbk_options { hdr, items, count, stride }
    );
}

fn graph(text: &mut String) {
    layout!(text,
        dbk_pool { ptr, count, stride }
        dbk_slice { off, len }
        dbk_blob { ptr, len, ownership, reserved }
        dbk_value { name, dims, dtype, kind, origin, flags, alias, blob, blob_off, blob_len }
        dbk_node { domain, op, name, inputs, outputs, attrs, op_version, flags }
        dbk_attr { name, data, r#type, flags, v }
        dbk_symbol { name, min, max, multiple_of }
        dbk_block { name, nodes, inputs, outputs, flags, reserved }
        dbk_graph { hdr, values, nodes, attrs, symbols, blocks, blobs, ints, floats, refs, slices, text }
    );
}

fn info(text: &mut String) {
    layout!(text,
        dbk_tensor { hdr, dtype, rank, dims, byte_strides, data, buffer, byte_off, byte_len, ownership, reserved }
        dbk_device_info {
            hdr, kind, api, vendor_id, device_id, uuid, mem_total, mem_free, max_buffer, max_binding, features, score,
            host_ptr_align, subgroup_min, subgroup_max, name, driver, unusable,
        }
        dbk_exec_info { hdr, device, mode, flags, reserved }
        dbk_io_info { hdr, dtype, rank, dims, value, flags, kind, reserved, name, name_len }
        dbk_error_info { hdr, code, node, value, count, msg, len }
        dbk_stats {
            hdr, weight_bytes, activation_bytes, staging_bytes, pipelines_built, pipeline_cache_hits, buffers_created,
            device_objects, runs, dispatches, segments, host_islands, island_bytes, uploads, upload_bytes,
            uploads_skipped, readback_bytes, replans, host_allocations, objects,
        }
        dbk_info { hdr, id, version, build, abi_min, abi_max, sanitizer, reserved }
    );
}

fn describe(text: &mut String) {
    layout!(text,
        dbk_host { hdr, abi, log_level, name, version, user, log, get_extension }
        dbk_watch { hdr, user, progress }
        dbk_compile_desc { hdr, graph, options, watch, share, device, mode }
        dbk_submit { hdr, wait, wait_count, mode }
        dbk_copy { output, reserved, byte_off, byte_len, dst }
        dbk_buffer_desc { hdr, device, usage, byte_len, host_ptr, ownership, reserved }
        dbk_report_desc { hdr, ctx, exec, run, kind, options, watch }
    );
}

fn api(text: &mut String) {
    layout!(
        text,
        dbk_api {
            size,
            abi,
            info,
            get_extension,
            error_get,
            error_destroy,
            text_get,
            text_destroy,
            ctx_create,
            ctx_destroy,
            device_count,
            device_info,
            device_recover,
            check,
            compile,
            exec_destroy,
            exec_info,
            exec_count,
            exec_io,
            exec_find,
            set_param,
            exec_ready,
            run_create,
            run_destroy,
            run_set_dim,
            run_bind,
            run_shape,
            run,
            run_cancel,
            read,
            event_wait,
            event_cancel,
            event_destroy,
            buffer_create,
            buffer_write,
            buffer_read,
            buffer_copy,
            buffer_map,
            buffer_unmap,
            buffer_destroy,
            stats,
            report,
        }
    );
}

#[test]
fn layout_equals_the_golden_file() {
    let mut text = String::new();
    for part in [small, graph, info, describe, api] {
        part(&mut text);
    }
    println!("{text}");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/abi/layout/1.0.txt");
    let golden = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("golden layout {}: {e}", path.display()));
    for (line, (ours, theirs)) in text.lines().zip(golden.lines()).enumerate() {
        assert_eq!(ours, theirs, "line {} of the golden layout differs (left: Rust)", line + 1);
    }
    assert_eq!(text.lines().count(), golden.lines().count(), "one layout has more lines than the other (left: Rust)");
}
