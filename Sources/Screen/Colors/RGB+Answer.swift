extension RGB {
    /// Reads a colour as terminals tell it (XParseColor's `rgb:RRRR/GGGG/BBBB`, one to four hexadecimal digits a part, also
    /// `rgba:` with a fourth part, and `#RRGGBB`); nil for anything else.
    public init?(answer: String) {
        if answer.hasPrefix("#") {
            guard answer.utf8.count == 7, answer.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
            guard let value = UInt32(answer.dropFirst(), radix: 16) else { return nil }
            self.init(value)
            return
        }
        let halves = answer.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let count = ["rgb": 3, "rgba": 4][halves[0]] else { return nil }
        let words = halves[1].split(separator: "/", omittingEmptySubsequences: false)
        let parts = words.compactMap(Self.part)
        guard words.count == count, parts.count == count else { return nil }
        self.init(red: parts[0], green: parts[1], blue: parts[2])
    }

    /// One part, of whatever number of digits: `f`, `ff`, `fff` and `ffff` are all there is of it.
    private static func part(_ digits: Substring) -> UInt8? {
        guard (1...4).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit) else { return nil }
        guard let value = Int(digits, radix: 16) else { return nil }
        let most = 1 << (4 * digits.utf8.count) - 1
        return UInt8((value * 255 + most / 2) / most)
    }
}
