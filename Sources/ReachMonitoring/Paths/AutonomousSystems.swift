/// The autonomous systems of the Internet (RFC 1930) by address, from a file of iptoasn.com: a line for each range of
/// addresses, with its first and last address, the number, the country and the name of the system, separated by tabs.
public struct AutonomousSystems: Sendable, Hashable {
    /// A network under one administration.
    public struct System: Sendable, Hashable {
        /// The number: 64500.
        public var number: UInt32
        /// The name in the file; empty without one.
        public var name: String

        /// Creates a system.
        public init(number: UInt32, name: String) {
            self.number = number
            self.name = name
        }
    }

    /// Why a file cannot be used.
    public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// The number of the line; nil if it is the file as a whole.
        public var line: Int?
        /// The problem and the fix.
        public var description: String
    }

    /// The ranges of one address family.
    private struct Ranges<Address: FixedWidthInteger & Sendable>: Sendable, Hashable {
        private struct Entry: Sendable, Hashable {
            var first: Address
            var last: Address
            var number: UInt32
        }

        private var entries: [Entry] = []
        private var isSorted = true

        var count: Int { entries.count }

        /// Adds a range; false if it ends before it begins.
        mutating func append(_ first: Address, _ last: Address, _ number: UInt32) -> Bool {
            guard first <= last else { return false }
            if let previous = entries.last, previous.first > first { isSorted = false }
            entries.append(Entry(first: first, last: last, number: number))
            return true
        }

        mutating func sort() {
            if !isSorted { entries.sort { $0.first < $1.first } }
            isSorted = true
        }

        /// The number of the range with this address.
        func number(of address: Address) -> UInt32? {
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].first <= address { low = middle + 1 } else { high = middle }
            }
            guard low > 0, entries[low - 1].last >= address else { return nil }
            return entries[low - 1].number
        }
    }

    private var ipv4 = Ranges<UInt32>()
    private var ipv6 = Ranges<UInt128>()
    private var names: [UInt32: String] = [:]

    /// The number of ranges.
    public var count: Int { ipv4.count + ipv6.count }

    /// Returns the system of a numeric address; nil for one that no system announces, and for a text that is no address.
    public func system(of address: String) -> System? {
        guard let bytes = IPAddressText.bytes(withoutZone: address) else { return nil }
        let number = bytes.count == 4 ? ipv4.number(of: Self.integer(bytes)) : ipv6.number(of: Self.integer(bytes))
        return number.map { System(number: $0, name: names[$0] ?? "") }
    }

    /// Reads the content of a file.
    ///
    /// - Throws: ``Problem`` for the first line that is not in the format, and for a file without ranges.
    public init(reading content: [UInt8]) throws(Problem) {
        var line = 0
        for text in content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            line += 1
            let text = text.last == UInt8(ascii: "\r") ? text.dropLast() : text
            guard !text.isEmpty else { continue }
            guard append(text.split(separator: UInt8(ascii: "\t"), maxSplits: 4, omittingEmptySubsequences: false))
            else {
                throw Problem(
                    line: line,
                    description: "not FIRST, LAST, NUMBER, COUNTRY and NAME with tabs – \(Self.source)"
                )
            }
        }
        guard count > 0 else { throw Problem(line: nil, description: "no ranges of addresses – \(Self.source)") }
        ipv4.sort()
        ipv6.sort()
    }

    private static let source = "use the unpacked ip2asn-combined.tsv of iptoasn.com"

    /// Adds the range of a line; false if the line is invalid.
    private mutating func append(_ fields: [ArraySlice<UInt8>]) -> Bool {
        guard fields.count >= 3, let number = Self.number(fields[2], below: 1 << 32).map(UInt32.init) else {
            return false
        }
        // The ranges that no system announces.
        guard number > 0 else { return true }
        if fields.count > 4, names[number] == nil { names[number] = String(decoding: fields[4], as: UTF8.self) }
        if let first = Self.ipv4(fields[0]), let last = Self.ipv4(fields[1]) { return ipv4.append(first, last, number) }
        guard let first = Self.ipv6(fields[0]), let last = Self.ipv6(fields[1]) else { return false }
        return ipv6.append(first, last, number)
    }

    private static func ipv6(_ text: ArraySlice<UInt8>) -> UInt128? {
        let bytes = IPAddressText.bytes(of: String(decoding: text, as: UTF8.self))
        return bytes?.count == 16 ? bytes.map(integer) : nil
    }

    /// Reads four decimal numbers without a text or an array for each of hundreds of thousands of lines.
    private static func ipv4(_ text: ArraySlice<UInt8>) -> UInt32? {
        var (address, part, digits, dots) = (UInt32(0), UInt32(0), 0, 0)
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9") where digits < 3:
                part = part * 10 + UInt32(byte - UInt8(ascii: "0"))
                digits += 1
            case UInt8(ascii: ".") where digits > 0 && part < 256:
                address = address << 8 | part
                (part, digits, dots) = (0, 0, dots + 1)
            default: return nil
            }
        }
        return dots == 3 && digits > 0 && part < 256 ? address << 8 | part : nil
    }

    /// Reads a decimal number; nil for other characters, none, or a number that is too large.
    private static func number(_ text: ArraySlice<UInt8>, below limit: Int) -> Int? {
        guard (1...10).contains(text.count) else { return nil }
        var value = 0
        for byte in text {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value < limit ? value : nil
    }

    private static func integer<Integer: FixedWidthInteger>(_ bytes: [UInt8]) -> Integer {
        bytes.reduce(0) { $0 << 8 | Integer($1) }
    }
}
