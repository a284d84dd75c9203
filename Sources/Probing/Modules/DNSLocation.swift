#if Fetch
/// The data of a LOC record (RFC 1876), in the format of zone files.
struct DNSLocation {
    /// The words: `52 22 23.000 N 4 53 32.000 E -2m 0.00m 10000m 10m`.
    let words: [String]

    /// Reads a location; nil if it is too short.
    init?(from reader: inout DNSReader) {
        guard reader.readUInt8() != nil, let size = reader.readUInt8(), let horizontal = reader.readUInt8(),
            let vertical = reader.readUInt8(), let latitude = reader.readUInt32(),
            let longitude = reader.readUInt32(), let altitude = reader.readUInt32()
        else { return nil }
        words =
            Self.angle(latitude, "N", "S") + Self.angle(longitude, "E", "W")
            + [Self.altitude(altitude)] + [size, horizontal, vertical].map(Self.length)
    }

    /// An angle in thousandths of a second, of which 2³¹ is zero.
    private static func angle(_ value: UInt32, _ positive: String, _ negative: String) -> [String] {
        let zero: UInt32 = 1 << 31
        let isPositive = value > zero
        let rest = isPositive ? value - zero : zero - value
        let seconds = rest % 60_000
        return [
            padded(rest / 3_600_000, 2), padded(rest / 60_000 % 60, 2),
            "\(seconds / 1_000).\(padded(seconds % 1_000, 3))", isPositive ? positive : negative,
        ]
    }

    /// An altitude in centimetres above 100 km below the reference.
    private static func altitude(_ value: UInt32) -> String {
        let centimetres = Int(value) - 10_000_000
        let size = centimetres.magnitude
        let fraction = size % 100 == 0 ? "" : ".\(padded(UInt32(size % 100), 2))"
        return "\(centimetres < 0 ? "-" : "")\(size / 100)\(fraction)m"
    }

    /// A length: a digit of centimetres, and a power of ten.
    private static func length(_ value: UInt8) -> String {
        let (digit, power) = (UInt32(value >> 4), Int(value & 0x0F))
        guard power >= 2 else { return "0.\(padded(power == 1 ? digit * 10 : digit, 2))m" }
        return "\(digit)\(String(repeating: "0", count: power - 2))m"
    }

    private static func padded(_ number: UInt32, _ count: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
#endif
