import ReachMonitoring
import ReachSettings
import Testing

struct DependencySettingsTests {
    private func dependencies(_ text: String) throws -> [String: [Dependency]] {
        let settings = try SettingsReader(file: "dashboard.toml", environment: [:]).settings(from: text)
        return Dictionary(uniqueKeysWithValues: settings.targets.map { ($0.label, $0.dependsOn) })
    }

    @Test func `a target depends on other targets by name, and on link`() throws {
        let found = try dependencies(
            """
            [[target]]
            name = "NAS"
            url = "tcp://nas.local:445"
            depends_on = ["Router", "link"]
            [[target]]
            name = "Router"
            url = "icmp://192.0.2.1"
            depends_on = "link"
            """
        )
        #expect(found == ["NAS": [.target("Router"), .link], "Router": [.link]])
    }

    @Test func `members inherit the dependencies of their group, except themselves, and can clear them`() throws {
        let found = try dependencies(
            """
            [group.Home]
            depends_on = ["Router"]
            [[target]]
            name = "Router"
            url = "icmp://192.0.2.1"
            group = "Home"
            [[target]]
            name = "NAS"
            url = "tcp://nas.local:445"
            group = "Home"
            [[target]]
            name = "Door"
            url = "tcp://door.local:80"
            group = "Home"
            depends_on = []
            [[target]]
            name = "Shop"
            url = "https://shop.example.com"
            """
        )
        #expect(found == ["Router": [], "NAS": [.target("Router")], "Door": [], "Shop": []])
    }

    @Test func `a target with both families can be a parent as a whole or by family`() throws {
        let found = try dependencies(
            """
            [[target]]
            name = "Router"
            url = "icmp://router.local"
            family = "both"
            [[target]]
            name = "A"
            url = "tcp://a.local:1"
            depends_on = ["Router"]
            [[target]]
            name = "B"
            url = "tcp://b.local:1"
            depends_on = ["Router IPv6"]
            """
        )
        #expect(found["A"] == [.target("Router")])
        #expect(found["B"] == [.target("Router IPv6")])
    }

    @Test func `a long chain is not a cycle`() throws {
        let chain = (0..<5_000).map { number in
            "[[target]]\nname = \"\(number)\"\nurl = \"icmp://192.0.2.1\"\ndepends_on = [\"\(number + 1)\"]\n"
        }
        let end = "[[target]]\nname = \"5000\"\nurl = \"icmp://192.0.2.1\"\n"
        #expect(try dependencies(chain.joined() + end).count == 5_001)
    }
}
