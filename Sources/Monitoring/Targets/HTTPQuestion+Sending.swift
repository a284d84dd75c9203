extension HTTPQuestion {
    /// The path as a request has it: every byte that may not stand in one (RFC 3986 §2.1, RFC 9112 §3.2) is written as its
    /// number, as browsers do, whoever left it in.
    public var requestTarget: String {
        path.utf8.reduce(into: "") { text, byte in
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCII, scalar.properties.isAlphabetic || Self.plain.contains(byte) {
                text.unicodeScalars.append(scalar)
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// What may stand for itself besides letters. A fragment's `#` is not among it: fragments are never sent.
    private static let plain = Set("0123456789-._~:/?[]@!$&'()*+,;=%".utf8)
}
