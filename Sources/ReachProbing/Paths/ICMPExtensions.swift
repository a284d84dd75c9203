import ReachMonitoring

/// The extensions of an ICMP error message, after the quoted packet (RFC 4884): a header, and objects of which only MPLS
/// label stacks are read (RFC 4950).
struct ICMPExtensions: Sendable, Hashable {
    /// The size of the quoted packet in messages that have extensions but not the length of the quoted packet (RFC 4884
    /// §5.5).
    static let legacyQuotation = 128

    /// The labels, outermost first.
    let labels: [MPLSLabel]

    /// Reads the extensions; nil for other bytes, such as a longer quotation.
    ///
    /// - Parameter needsChecksum: whether a message without a checksum is rejected.
    init?(reading bytes: ArraySlice<UInt8>, needsChecksum: Bool = false) {
        guard bytes.count >= 4, bytes[bytes.startIndex] >> 4 == 2 else { return nil }
        let hasChecksum = bytes[bytes.startIndex + 2] != 0 || bytes[bytes.startIndex + 3] != 0
        guard hasChecksum ? bytes.withUnsafeBytes(InternetChecksum.of) == 0 : !needsChecksum else { return nil }
        var labels: [MPLSLabel] = []
        var rest = bytes.dropFirst(4)
        while !rest.isEmpty {
            guard rest.count >= 4 else { return nil }
            let start = rest.startIndex
            let length = Int(rest[start]) << 8 | Int(rest[start + 1])
            guard length >= 4, length <= rest.count else { return nil }
            // Class 1, type 1: the label stack with which the packet arrived.
            if rest[start + 2] == 1, rest[start + 3] == 1 {
                guard length.isMultiple(of: 4) else { return nil }
                labels += stride(from: start + 4, to: start + length, by: 4).map { MPLSLabel(rest[$0..<$0 + 4]) }
            }
            rest = rest.dropFirst(length)
        }
        self.labels = labels
    }
}

extension MPLSLabel {
    /// Reads an entry of a label stack: 20 bits of label, 3 of traffic class, 1 for the bottom, 8 of time to live.
    fileprivate init(_ bytes: ArraySlice<UInt8>) {
        let word = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        self.init(
            label: Int(word >> 12),
            trafficClass: Int(word >> 9 & 0x7),
            timeToLive: Int(word & 0xFF)
        )
    }
}
