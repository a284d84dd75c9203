extension IPAddress {
    /// Reads an address of four or sixteen bytes in network order, as certificates have it.
    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        let text =
            bytes.count == 4
            ? bytes.map(String.init).joined(separator: ".")
            : stride(from: 0, to: 16, by: 2)
                .map { offset in
                    let pair = Array(bytes.dropFirst(offset).prefix(2))
                    return String(Int(pair[0]) << 8 | Int(pair[1]), radix: 16)
                }
                .joined(separator: ":")
        self.init(literal: text)
    }
}
