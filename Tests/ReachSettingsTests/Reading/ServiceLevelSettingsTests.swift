import ReachMonitoring
import ReachSettings
import Testing

/// The key `sla` of targets, groups and defaults.
struct ServiceLevelSettingsTests {
    private func levels(_ text: String) throws -> [Double] {
        try SettingsReader(file: "x.toml", environment: [:]).settings(from: text).targets.map(\.sla.percent)
    }

    @Test func `the nearest value wins`() throws {
        let text = """
            [defaults]
            sla = 99.5
            [group.Shops]
            sla = 99.95
            [[target]]
            url = "icmp://a"
            [[target]]
            url = "icmp://b"
            group = "Shops"
            [[target]]
            url = "icmp://c"
            group = "Shops"
            sla = 98
            """
        #expect(try levels(text) == [99.5, 99.95, 98])
    }

    @Test func `without the key, it is that of reach`() throws {
        #expect(try levels("[[target]]\nurl = \"icmp://a\"") == [99.9])
    }
}
