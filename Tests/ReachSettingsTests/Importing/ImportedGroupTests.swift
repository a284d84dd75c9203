import ReachMonitoring
import Testing

@testable import ReachSettings

/// The groups of an fping list, and of networks.
struct ImportedGroupTests {
    /// The groups of the imported targets, by name.
    private func groups(_ text: String, by prefixes: String? = nil) throws -> [String] {
        let prefixes = try prefixes.map { try #require(NetworkPrefixes($0)) }
        let imported = try SettingsImport(text, file: "list", format: .fping, groupedBy: prefixes)
        let settings = try SettingsReader(file: "dashboard.toml", environment: [:]).settings(from: imported.text)
        #expect(settings.targets.count == imported.targetCount)
        return settings.targets.map { "\($0.name) \($0.group ?? "-")" }
    }

    @Test func `a comment of an fping list directly before hosts is the name of their group`() throws {
        let list = """
            # Hosts of the company

            192.0.2.1
            # === Hall "A" ===
            192.0.2.2
            # 192.0.2.3
            #nas.example
            192.0.2.4
            #
            192.0.2.5
            # Hall B:
            # second floor
            192.0.2.6

            192.0.2.7
            # Hall C

            192.0.2.8
            """
        #expect(
            try groups(list) == [
                "192.0.2.1 -", "192.0.2.2 Hall \"A\"", "192.0.2.4 Hall \"A\"", "192.0.2.5 Hall \"A\"",
                "192.0.2.6 second floor", "192.0.2.7 -", "192.0.2.8 -",
            ]
        )
    }

    @Test func `addresses are grouped by networks of a prefix, unless they have a group`() throws {
        let list = "10.1.2.3\n10.1.2.200\n10.1.3.1\n2001:db8:1:2::5\nnas.example\n# Hall A\n10.1.2.9\n"
        #expect(
            try groups(list, by: "/24") == [
                "10.1.2.3 10.1.2.0/24", "10.1.2.200 10.1.2.0/24", "10.1.3.1 10.1.3.0/24", "2001:db8:1:2::5 -",
                "nas.example -", "10.1.2.9 Hall A",
            ]
        )
        #expect(try groups(list, by: "/22,48").prefix(4).last == "2001:db8:1:2::5 2001:db8:1::/48")
        #expect(try groups(list, by: "22,48").first == "10.1.2.3 10.1.0.0/22")
        #expect(
            try groups(list, by: "/64").prefix(4) == [
                "10.1.2.3 -", "10.1.2.200 -", "10.1.3.1 -", "2001:db8:1:2::5 2001:db8:1:2::/64",
            ]
        )
        let notes = try SettingsImport("a.example\n" + list, file: "list", groupedBy: NetworkPrefixes("/24")).notes
        let text = "list:1: --group-by: a name has no network, so its target has no group (2 times)"
        #expect(notes.map(\.description) == [text])
        for text in ["", "/", "/0", "/129", "/33,/64", "/24,", "/24,/64,/64", "x", "+24", "-1"] {
            #expect(NetworkPrefixes(text) == nil, "\(text)")
        }
    }

    @Test func `300 hosts of twelve networks have their groups`() throws {
        let hosts = (0..<300).map { "10.0.\($0 / 25).\($0 % 25 + 1)" }
        let groups = try groups(hosts.joined(separator: "\n"), by: "/24")
        #expect(groups.count == 300)
        #expect(Set(groups.map { $0.split(separator: " ")[1] }).count == 12)
    }
}
