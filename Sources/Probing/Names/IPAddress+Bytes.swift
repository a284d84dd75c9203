extension IPAddress {
    /// The address in network order: four bytes, or sixteen.
    var bytes: [UInt8] {
        let all = [high, low].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
        return family == .ipv4 ? Array(all.prefix(4)) : all
    }

    /// The address of so many bytes in network order; nil if they are neither four nor sixteen.
    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var words: [UInt64] = [0, 0]
        for (index, byte) in bytes.enumerated() { words[index / 8] |= UInt64(byte) << UInt64(56 - index % 8 * 8) }
        family = bytes.count == 4 ? .ipv4 : .ipv6
        high = words[0]
        low = words[1]
        scope = 0
    }
}
