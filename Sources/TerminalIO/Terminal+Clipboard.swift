extension Terminal {
    /// Puts text on the clipboard of whoever sits in front of the terminal, near or far, if the terminal knows OSC 52 and
    /// is allowed to; it does not say so. Controls but line ends are left out, and what is too long is cut.
    public func copy(_ text: String) {
        painter.send(Array("\u{1B}]52;c;\(Self.base64(Self.copied(text).utf8))\u{7}".utf8))
    }

    /// More than this terminals are known to drop, all of it.
    static let mostCopied = 48 * 1024

    static func copied(_ text: String) -> String {
        var result = ""
        var room = mostCopied
        for scalar in text.unicodeScalars where scalar == "\n" || !scalar.isControl {
            room -= UTF8.width(scalar)
            guard room >= 0 else { break }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    /// The bytes in RFC 4648's letters; Foundation would be a large library for this.
    static func base64(_ bytes: some Sequence<UInt8>) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        var (bits, count) = (0, 0)
        for byte in bytes {
            bits = (bits << 8 | Int(byte)) & 0xFFFF
            count += 8
            while count >= 6 {
                count -= 6
                text.append(letters[bits >> count & 0x3F])
            }
        }
        if count > 0 { text.append(letters[bits << (6 - count) & 0x3F]) }
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }
}
