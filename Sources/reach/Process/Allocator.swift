import LibC

/// Settings of the memory allocator of the GNU C library. With other C libraries, nothing is changed.
enum Allocator {
    /// Makes all threads share one arena. By default, each of the first few has its own (mallopt(3)), which grows by one page
    /// per system call and does not share its freed memory.
    static func useOneArena() {
        #if canImport(Glibc)
        typealias SetOption = @convention(c) (_ option: CInt, _ value: CInt) -> CInt
        guard let symbol = dlsym(nil, "mallopt") else { return }
        // M_ARENA_MAX of <malloc.h>, which Swift's `Glibc` leaves out.
        _ = unsafeBitCast(symbol, to: SetOption.self)(-8, 1)
        #endif
    }

    /// Returns freed memory to the system, for example after reading thousands of targets. It takes a few milliseconds.
    static func releaseFreeMemory() {
        #if canImport(Glibc)
        typealias Trim = @convention(c) (_ pad: Int) -> CInt
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
        #endif
    }
}
