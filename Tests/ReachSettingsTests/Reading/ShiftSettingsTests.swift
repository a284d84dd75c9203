import ReachMonitoring
import ReachSettings
import Testing

/// The key `shifts` of targets, groups and defaults.
struct ShiftSettingsTests {
    private func shifts(_ text: String) throws -> [ShiftSettings?] {
        try SettingsReader(file: "x.toml", environment: [:]).settings(from: text).targets.map(\.shifts)
    }

    @Test func `the nearest value of each key wins`() throws {
        let text = """
            [defaults]
            shifts = { at_least = "50 %" }
            [group.Quiet]
            shifts = false
            [[target]]
            url = "icmp://a"
            [[target]]
            url = "icmp://b"
            shifts = { and = "20ms" }
            [[target]]
            url = "icmp://c"
            group = "Quiet"
            [[target]]
            url = "icmp://d"
            group = "Quiet"
            shifts = true
            [[target]]
            url = "icmp://e"
            shifts = { at_least = "7.5%", and = "0s" }
            """
        let expected = [
            ShiftSettings(atLeast: 0.5), ShiftSettings(atLeast: 0.5, and: .milliseconds(20)), nil,
            ShiftSettings(atLeast: 0.5), ShiftSettings(atLeast: 0.075, and: .zero),
        ]
        #expect(try shifts(text) == expected)
    }

    @Test func `without the key, the limits are those of reach`() throws {
        #expect(try shifts("[[target]]\nurl = \"icmp://a\"") == [ShiftSettings(atLeast: 0.2, and: .milliseconds(5))])
    }

    @Test(arguments: [("20 %", 0.2), ("20%", 0.2), ("7.5  %", 0.075), ("300 %", 3)])
    func `shares are written in per cent`(text: String, share: Double) throws {
        let read = try #require(ShiftSettings.share(text: text))
        #expect(abs(read - share) < 1e-9)
    }

    @Test(arguments: ["", "%", "20", "x %", "20 % ", "nan %", "1e999 %"])
    func `other texts are none`(text: String) {
        #expect(ShiftSettings.share(text: text) == nil)
    }
}
