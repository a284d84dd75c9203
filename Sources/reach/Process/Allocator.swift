import LibC

/// How memory is had of the system, where that is the GNU C library; other libraries are left as they are.
enum Allocator {
    /// Has all threads share one arena. By default each of the first few has its own (mallopt(3)), which grows by a page and a
    /// system call at a time, and keeps what was freed in it from the others.
    static func useOneArena() {
        #if canImport(Glibc)
            typealias SetOption = @convention(c) (_ option: CInt, _ value: CInt) -> CInt
            guard let symbol = dlsym(nil, "mallopt") else { return }
            // M_ARENA_MAX of <malloc.h>, which Swift's `Glibc` leaves out.
            _ = unsafeBitCast(symbol, to: SetOption.self)(-8, 1)
        #endif
    }

    /// Gives what was freed back to the system, as after reading thousands of targets; it takes a few milliseconds.
    static func giveBack() {
        #if canImport(Glibc)
            typealias Trim = @convention(c) (_ pad: Int) -> CInt
            guard let symbol = dlsym(nil, "malloc_trim") else { return }
            _ = unsafeBitCast(symbol, to: Trim.self)(0)
        #endif
    }
}
