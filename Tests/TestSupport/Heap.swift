#if canImport(Glibc)
    import Glibc

    /// What this process has of the C library's allocator.
    public enum Heap {
        /// Has all threads share one arena from now on, so that each of them reuses what another has freed.
        public static func useOneArena() {
            typealias SetOption = @convention(c) (_ option: CInt, _ value: CInt) -> CInt
            guard let symbol = dlsym(nil, "mallopt") else { return }
            // M_ARENA_MAX of <malloc.h>, which Swift's `Glibc` leaves out.
            _ = unsafeBitCast(symbol, to: SetOption.self)(-8, 1)
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
