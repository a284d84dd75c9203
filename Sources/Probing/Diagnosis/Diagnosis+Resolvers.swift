#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension Diagnosis {
    /// The servers that `/etc/resolv.conf` names (resolv.conf(5)); empty where it says nothing.
    static var namedResolvers: [String] {
        let descriptor = open("/etc/resolv.conf", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = read(descriptor, &bytes, bytes.count)
        return resolvers(in: String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
    }

    /// The servers that the lines of a file name.
    static func resolvers(in text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count >= 2, words[0] == "nameserver" else { return nil }
            return String(words[1])
        }
    }
}
