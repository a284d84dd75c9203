#if canImport(Glibc)
import Glibc

/// The state of the C library's allocator in this process.
public enum Heap {
    /// Stops the recording of errors that are thrown from now on. Swift Testing keeps a backtrace of each until a
    /// test ends, which would count as a leak.
    public static func stopRecordingErrors() {
        // The runtime's hooks before a throw (Errors.h).
        for name in ["_swift_willThrow", "_swift_willThrowTypedImpl"] {
            dlsym(nil, name)?.storeBytes(of: nil, as: UnsafeRawPointer?.self)
        }
    }

    /// The bytes in use: allocated and not freed, plus what each thread caches of freed memory, seven pieces of
    /// each size up to a KiB. Nil if the library does not report it (malloc_info(3)).
    public static var used: Int? {
        typealias WriteInfo = @convention(c) (_ options: CInt, _ file: UnsafeMutablePointer<FILE>) -> CInt
        guard let symbol = dlsym(nil, "malloc_info") else { return nil }
        var (text, size) = (nil as UnsafeMutablePointer<CChar>?, 0)
        guard let file = open_memstream(&text, &size) else { return nil }
        _ = unsafeBitCast(symbol, to: WriteInfo.self)(0, file)
        fclose(file)
        defer { free(text) }
        guard let text else { return nil }
        // The last lines are the totals of all arenas.
        var figures: [Substring: Int] = [:]
        for line in String(cString: text).split(separator: "\n").suffix(8) {
            let words = line.split { " <>/=\"".contains($0) }
            guard let index = words.firstIndex(of: "size"), words.count > index + 1, words[1] == "type" else {
                continue
            }
            figures[words[0] == "total" ? words[2] : "\(words[0]) \(words[2])"] = Int(words[index + 1])
        }
        guard let system = figures["system current"], let mapped = figures["mmap"], let rest = figures["rest"],
            let fast = figures["fast"]
        else { return nil }
        return system + mapped - rest - fast
    }

    /// The bytes that ten repetitions leave in use after the first three. What each thread caches of freed memory makes
    /// it vary by some thousands. Zero if the library does not report them.
    public static func growth(of repeated: () throws -> Void) rethrows -> Int {
        for _ in 1...3 { try repeated() }
        let before = used
        for _ in 1...10 { try repeated() }
        guard let before, let after = used else { return 0 }
        return after - before
    }
}
#endif
