#if canImport(Glibc)
    import Glibc

    /// What this process has of the C library's allocator.
    public enum Heap {
        /// Has nothing noted of errors that are thrown from now on. Swift Testing keeps a backtrace of each until a test is over,
        /// which would count as a leak of who throws.
        public static func noteNoErrors() {
            // What the runtime calls before it throws, where somebody wants it to (Errors.h).
            for name in ["_swift_willThrow", "_swift_willThrowTypedImpl"] {
                dlsym(nil, name)?.storeBytes(of: nil, as: UnsafeRawPointer?.self)
            }
        }

        /// How many bytes are in use: what was asked for and not freed, with what a thread keeps of the freed for itself, seven
        /// pieces of each size up to a KiB; nil where the library does not tell (malloc_info(3)).
        public static var used: Int? {
            typealias Tell = @convention(c) (_ options: CInt, _ file: UnsafeMutablePointer<FILE>) -> CInt
            guard let symbol = dlsym(nil, "malloc_info") else { return nil }
            var (text, size) = (nil as UnsafeMutablePointer<CChar>?, 0)
            guard let file = open_memstream(&text, &size) else { return nil }
            _ = unsafeBitCast(symbol, to: Tell.self)(0, file)
            fclose(file)
            defer { free(text) }
            guard let text else { return nil }
            // The totals of all arenas stand last.
            var figures: [Substring: Int] = [:]
            for line in String(cString: text).split(separator: "\n").suffix(8) {
                let words = line.split { " <>/=\"".contains($0) }
                guard let place = words.firstIndex(of: "size"), words.count > place + 1, words[1] == "type" else {
                    continue
                }
                figures[words[0] == "total" ? words[2] : "\(words[0]) \(words[2])"] = Int(words[place + 1])
            }
            guard let system = figures["system current"], let mapped = figures["mmap"], let rest = figures["rest"],
                let fast = figures["fast"]
            else { return nil }
            return system + mapped - rest - fast
        }
    }
#endif
