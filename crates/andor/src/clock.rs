//! The clock that every search reads: the standard library's, and in WebAssembly the host's.
//!
//! A module of WebAssembly outside any system (`wasm32-unknown-unknown`) has no clock: there the standard
//! library's stops the program when it is asked. So the host lends one: whoever loads such a module gives
//! it a function `now`, in the module of imports `env`, that tells milliseconds since a moment of its
//! choice and never goes back, such as `performance.now()` of a browser.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod host {
    use std::ops::Add;
    use std::time::Duration;

    // SAFETY: the host's function has this signature, or the module cannot be loaded at all. It gets nothing
    // from us and gives back a number, of which any will do.
    #[allow(unsafe_code)]
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        safe fn now() -> f64;
    }

    /// A moment, by the host's clock. Like the standard library's, as far as searches need it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment. A host that tells no number of milliseconds has a clock that stands.
        pub fn now() -> Instant {
            Instant(Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default())
        }

        /// The time since then.
        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        /// The time from an earlier moment to this one; none if that was later.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// The moment so much later, if there is one.
        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0 + time)
        }
    }
}
