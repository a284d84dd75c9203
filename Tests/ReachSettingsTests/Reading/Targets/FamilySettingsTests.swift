import ReachMonitoring
import Testing

@testable import ReachSettings

struct FamilySettingsTests {
    @Test func `both families are two targets with one name`() throws {
        let settings = try read(
            """
            [[target]]
            name = "NAS"
            url = "tcp://nas.local:445"
            family = "both"
            fall = 5
            when_reachable = "mount"
            """
        )
        #expect(settings.targets.map(\.name) == ["NAS", "NAS"])
        #expect(settings.targets.map(\.family) == [.v4, .v6])
        #expect(settings.targets.allSatisfy { $0.probesBothFamilies && $0.thresholds.fall == 5 && $0.hooks.count == 1 })
        #expect(settings.targets.map(\.label) == ["NAS IPv4", "NAS IPv6"])
    }

    @Test(arguments: [("any", Family.any), ("4", .v4), ("6", .v6)])
    func `one family is one target`(word: String, family: Family) throws {
        let settings = try read("[[target]]\nurl = \"https://a\"\nfamily = \"\(word)\"")
        #expect(settings.targets.map(\.family) == [family])
        #expect(settings.targets.map(\.probesBothFamilies) == [false])
    }

    @Test func `a family in the defaults applies to targets with host names`() throws {
        let settings = try read(
            """
            [defaults]
            family = "both"
            [[target]]
            url = "icmp://192.0.2.1"
            [[target]]
            url = "link:any"
            [[target]]
            url = "dns://system/a"
            [[target]]
            url = "dns://b/a"
            [[target]]
            url = "route://c"
            family = "6"
            """
        )
        #expect(
            settings.targets.map(\.label) == ["192.0.2.1", "link:any", "system/a", "b/a IPv4", "b/a IPv6", "c"]
        )
        #expect(settings.targets.map(\.family) == [.any, .any, .any, .v4, .v6, .v6])
    }

    @Test func `each address applies to targets with host names, once for each family`() throws {
        let settings = try read(
            """
            [defaults]
            addresses = "each"
            [[target]]
            url = "tcp://a:1"
            [[target]]
            url = "https://b"
            family = "both"
            [[target]]
            url = "icmp://192.0.2.1"
            [[target]]
            url = "link:any"
            [[target]]
            url = "route://c"
            [[target]]
            url = "dns://system/a"
            [[target]]
            url = "icmp://d"
            addresses = "any"
            """
        )
        #expect(
            settings.targets.map(\.label) == ["a:1", "b IPv4", "b IPv6", "192.0.2.1", "link:any", "c", "system/a", "d"]
        )
        #expect(
            settings.targets.map { $0.addresses == .each } == [true, true, true, false, false, false, false, false]
        )
    }

    @Test func `the family of a numeric address may be set`() throws {
        let settings = try read("[[target]]\nurl = \"icmp://[::1]\"\nfamily = \"6\"")
        #expect(settings.targets.map(\.label) == ["::1"])
    }

    @Test func `a source in the defaults applies to the methods that support it`() throws {
        let settings = try read(
            """
            [defaults]
            source = "eth0"
            [[target]]
            url = "icmp://a"
            [[target]]
            url = "tcp://a:1"
            source = "192.0.2.7"
            [[target]]
            url = "udp://a:2"
            family = "6"
            source = "fe80::7%eth0"
            [[target]]
            url = "link:any"
            """
        )
        #expect(settings.targets.map(\.source) == ["eth0", "192.0.2.7", "fe80::7%eth0", nil])
    }

    @Test(arguments: [
        "icmp://a", "tcp://a:1", "session://a:1", "tls://a", "http://a", "https://a", "dns://a/b", "dns://system/b",
        "udp://a:1", "route://a",
    ])
    func `methods that send packets accept a source`(url: String) throws {
        let settings = try read("[[target]]\nurl = \"\(url)\"\nsource = \"eth0\"")
        #expect(settings.targets.map(\.source) == ["eth0"])
    }

    @Test(arguments: [
        ("192.0.2.1", Family.v4), ("::1", .v6), ("::ffff:192.0.2.1", .v4), ("fe80::1%eth0", .v6),
        ("::FFFF:c000:201", .v4), ("::fffe:192.0.2.1", .v6), ("::192.0.2.1", .v6),
    ])
    func `a numeric address has a family`(text: String, family: Family) {
        #expect(Family(ofAddress: text) == family)
    }

    @Test(arguments: ["", "a", "192.0.2", "192.0.2.256", "fe80::1%", "192.0.2.1%eth0", "%eth0", "dead.beef", ":"])
    func `a name has no family`(text: String) {
        #expect(Family(ofAddress: text) == nil)
    }
}
