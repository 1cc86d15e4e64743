//! The functions that a host calls, and the one that it gives: see the [crate](crate).
//!
//! WebAssembly hands over numbers alone, so a message is an address and a length. Only here are they
//! believed: the host of a module may write anywhere in its memory, so it has to be trusted anyway.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::panic::{self, PanicHookInfo};
use std::time::Duration;

use yomikiri_session::{Ceilings, Place, Reply, Session};

// SAFETY: the host's function has this signature, or the module cannot be loaded at all. It reads the
// bytes it is told of and keeps no address.
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    #[link_name = "send"]
    safe fn host_send(message: *const u8, length: usize);
}

thread_local! {
    static SESSION: RefCell<Session> = {
        panic::set_hook(Box::new(confess));
        RefCell::new(Session::new(Place::Browser, Ceilings::default()))
    };
}

fn send(message: &str) {
    host_send(message.as_ptr(), message.len());
}

fn reply(reply: Reply) {
    send(&reply.to_json());
}

/// The last words of a panic, which ends the module: the host sees no more of it than that it ended.
fn confess(panic: &PanicHookInfo<'_>) {
    send(&serde_json::json!({"type": "panic", "message": panic.to_string()}).to_string());
}

/// Memory for a message of so many bytes, or 0.
// SAFETY: no other function of the module has this name; nor have the ones below.
#[unsafe(no_mangle)]
extern "C" fn alloc(length: usize) -> *mut u8 {
    let mut bytes: Vec<u8> = Vec::new();
    if bytes.try_reserve_exact(length).is_err() {
        return std::ptr::null_mut();
    }
    bytes.resize(length, 0);
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

/// Gives back what `alloc` has given.
// SAFETY: the name, as above. The host passes what it got from `alloc` for this length, once.
#[unsafe(no_mangle)]
unsafe extern "C" fn free(message: *mut u8, length: usize) {
    if !message.is_null() {
        // SAFETY: the contract of this function: a boxed slice of this length, made by `alloc`.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(message, length)) });
    }
}

/// Takes a message.
// SAFETY: the name, as above. The host passes memory from `alloc` that it has filled.
#[unsafe(no_mangle)]
unsafe extern "C" fn receive(message: *const u8, length: usize) {
    // SAFETY: the contract of this function: so many bytes, which nobody else has while it runs.
    let message = unsafe { std::slice::from_raw_parts(message, length) };
    // What is not UTF-8 is no JSON, and refused as such.
    let message = String::from_utf8_lossy(message);
    SESSION.with_borrow_mut(|session| session.receive(&message, &mut reply));
}

/// Works for about so long. Is there more to do?
// SAFETY: the name, as above.
#[unsafe(no_mangle)]
extern "C" fn step(milliseconds: f64) -> i32 {
    let time = Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default();
    SESSION.with_borrow_mut(|session| session.step(time, &mut reply)).into()
}
