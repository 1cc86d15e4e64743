//! Yomikiri inside a browser: messages in, messages out, and work in slices between them.
//!
//! A Web Worker has one thread, and hears nothing while it computes. So a search goes on for some
//! milliseconds at a time, and the worker looks at its messages in between. What is asked and answered is
//! the business of [`yomikiri_session`]; here is only what WebAssembly needs around it, in `abi`:
//!
//! | function of the module | |
//! | --- | --- |
//! | `alloc(length) -> address` | memory for a message; 0 if there is none |
//! | `free(address, length)` | gives it back |
//! | `receive(address, length)` | takes a message, which stays the caller's |
//! | `step(milliseconds) -> 0 or 1` | works for about so long; 1 if there is more to do |
//!
//! | function that the host gives, in `env` | |
//! | --- | --- |
//! | `send(address, length)` | a message for the page, to be copied at once |
//! | `now() -> milliseconds` | the clock of `andor::clock` |
//!
//! A message is a JSON object in UTF-8. One of type `panic` is the last: the module cannot be used any more.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod abi;
