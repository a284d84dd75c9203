import Monitoring

extension TableReader {
    /// Reads the bytes to send to a peer: text in which `\xHH` is a byte and `\\` a backslash.
    ///
    /// Variables are substituted, and escapes in their values are not interpreted.
    ///
    /// - Parameter limit: The largest number of bytes.
    mutating func payload(_ key: String, limit: Int = .max) -> Payload? {
        guard let text = string(key) else { return nil }
        substitution.mayHaveSecrets = true
        defer { substitution.mayHaveSecrets = false }
        var bytes: [UInt8] = []
        var rest = text[...]
        while true {
            let plain = rest.prefix { $0 != "\\" }
            guard let replaced = substituted(String(plain), for: key) else { return nil }
            bytes += replaced.utf8
            rest = rest[plain.endIndex...]
            guard !rest.isEmpty else { break }
            guard let (byte, length) = Self.escape(rest) else {
                let sample = String(rest.prefix(2)).quoted
                report("unknown escape \(sample)", hint: #"'\x00' is a byte, '\\' a backslash"#, about: key)
                return nil
            }
            bytes.append(byte)
            rest = rest.dropFirst(length)
        }
        guard bytes.count <= limit else {
            report("\(bytes.count) bytes are more than a datagram holds", hint: "at most \(limit)", about: key)
            return nil
        }
        return Payload(bytes: bytes)
    }

    /// Returns the byte of an escape at the beginning of a text, and the length of the escape in characters.
    private static func escape(_ text: Substring) -> (byte: UInt8, length: Int)? {
        if text.hasPrefix(#"\\"#) { return (UInt8(ascii: "\\"), 2) }
        guard text.hasPrefix(#"\x"#) else { return nil }
        let digits = text.dropFirst(2).prefix(2)
        guard digits.count == 2, digits.allSatisfy(\.isHexDigit), let byte = UInt8(digits, radix: 16) else {
            return nil
        }
        return (byte, 4)
    }
}
