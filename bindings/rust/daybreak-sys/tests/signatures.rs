//! The type of every function, translated from the header's text and compared with the type Rust has. A layout test
//! cannot see this: all function pointers have the same size.

use daybreak_sys::*;
use std::any::type_name;
use std::collections::BTreeMap;
use std::path::PathBuf;

fn field_type<S, F>(_: impl FnOnce(S) -> F) -> String {
    short(type_name::<F>())
}

/// `core::ffi::c_void` and `daybreak_sys::graph::dbk_graph` without their paths; c_char by its C name.
fn short(name: &str) -> String {
    let cut = |word: &str| match word.rsplit("::").next().unwrap() {
        "i8" => "char".to_string(),
        "c_void" => "void".to_string(),
        last => last.to_string(),
    };
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let (mut out, mut word) = (String::new(), String::new());
    for c in name.chars() {
        if is_path(c) {
            word.push(c);
        } else {
            out += &cut(&std::mem::take(&mut word));
            out.push(c);
        }
    }
    out + &cut(&word)
}

/// `const dbk_host* host` becomes `*const dbk_host`; the star nearest the name is the outermost pointer.
fn translate(c: &str) -> String {
    let named = |word: &&str| !matches!(*word, "const" | "struct");
    let spaced = c.replace('*', " * ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let base = words.iter().copied().find(named).unwrap();
    let base = match base {
        "uint32_t" => "u32",
        "uint64_t" => "u64",
        "int32_t" | "dbk_status" => "i32",
        "int64_t" => "i64",
        other => other,
    };
    let mut constant = words[0] == "const";
    let mut out = base.to_string();
    for (i, _) in words.iter().enumerate().filter(|(_, w)| **w == "*") {
        out = format!("*{} {out}", if constant { "const" } else { "mut" });
        constant = words.get(i + 1) == Some(&"const");
    }
    out
}

/// Every `result(DBK_CALL* name)(parameters)` of the header.
fn header_functions() -> BTreeMap<String, String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../abi/daybreak.h");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut found = BTreeMap::new();
    for part in text.split("(DBK_CALL* ").collect::<Vec<_>>().windows(2) {
        let result = part[0].rsplit(['\n', ';', '/']).next().unwrap().replace("typedef", "");
        let (name, rest) = part[1].split_once(")(").unwrap();
        let parameters = rest.split_once(')').unwrap().0;
        let parameters: Vec<String> = parameters.split(',').map(translate).collect();
        let result = match translate(&result).as_str() {
            "void" => String::new(),
            other => format!(" -> {other}"),
        };
        found.insert(name.to_string(), format!("unsafe extern \"C\" fn({}){result}", parameters.join(", ")));
    }
    found
}

macro_rules! table_types {
    ($($field:ident)*) => {[$((stringify!($field), field_type(|s: dbk_api| s.$field))),*]};
}

#[test]
fn functions_have_the_header_types() {
    let mut expected = header_functions();
    // The host's own extension hook has the name of a slot of the table; the table comes last and wins.
    let ours = table_types!(
        get_extension error_get error_destroy text_get text_destroy ctx_create ctx_destroy device_count device_info
        device_recover check compile exec_destroy exec_info exec_count exec_io exec_find set_param exec_ready run_create
        run_destroy run_set_dim run_bind run_shape run run_cancel read event_wait event_cancel event_destroy buffer_create
        buffer_write buffer_read buffer_copy buffer_map buffer_unmap buffer_destroy stats report
    );
    let hooks = [
        ("log", short(type_name::<dbk_log_fn>())),
        ("progress", short(type_name::<dbk_progress_fn>())),
        ("dbk_entry_fn", short(type_name::<dbk_entry_fn>())),
    ];
    for (name, ours) in ours.into_iter().chain(hooks) {
        assert_eq!(Some(ours), expected.remove(name), "{name} (left: Rust)");
    }
    assert!(expected.is_empty(), "functions missing in Rust: {:?}", expected.keys());
    assert_eq!(short(type_name::<dbk_host_extension_fn>()), "unsafe extern \"C\" fn(*mut void, *const char) -> *const void");
}
