import Foundation
import ReachMonitoring
import ReachSettings
import Testing

/// The keys `path` of targets, groups and defaults, and the table `[path]`.
struct PathSettingsTests {
    private func paths(_ text: String) throws -> [PathSettings?] {
        try SettingsReader(file: "x.toml", environment: [:]).settings(from: text).targets.map(\.path)
    }

    private func settings(every interval: Duration = .seconds(600), _ method: PathMethod? = nil, hops: Int = 30)
        -> PathSettings
    {
        var settings = PathSettings()
        (settings.interval, settings.method, settings.maxHops) = (interval, method, hops)
        return settings
    }

    @Test func `the nearest value of each key wins`() throws {
        let text = """
            [defaults]
            path = { every = "30m", method = "udp" }
            [group.Quiet]
            path = false
            [[target]]
            url = "icmp://a"
            [[target]]
            url = "icmp://b"
            path = { max_hops = 5 }
            [[target]]
            url = "icmp://c"
            group = "Quiet"
            [[target]]
            url = "icmp://d"
            group = "Quiet"
            path = "1m"
            [[target]]
            url = "icmp://e"
            group = "Quiet"
            path = true
            """
        let expected = [
            settings(every: .seconds(1_800), .udp), settings(every: .seconds(1_800), .udp, hops: 5), nil,
            settings(every: .seconds(60), .udp), settings(every: .seconds(1_800), .udp),
        ]
        #expect(try paths(text) == expected)
    }

    @Test func `what has no path is not traced, whatever the defaults say`() throws {
        let urls = ["icmp://127.0.0.1", "tcp://[::1]:22", "http://localhost", "link:any", "route://192.0.2.1"]
        let targets = urls.map { "[[target]]\nurl = \"\($0)\"\n" }.joined()
        let proxied = "[[target]]\nurl = \"http://a\"\nhttp = { proxy = \"http://192.0.2.1:3128\" }\n"
        let sourced = "[[target]]\nurl = \"icmp://b\"\nsource = \"eth0\"\n"
        let text = "[defaults]\npath = \"30m\"\n" + targets + proxied + sourced
        #expect(try paths(text) == Array(repeating: nil, count: 7))
    }

    @Test func `the program has a rate and a file of autonomous systems`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "as-\(UUID()).tsv")
        try Data("192.0.2.0\t192.0.2.255\t64500\tZZ\tEXAMPLE\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let text = "[path]\nrate = 25\nasn = \"\(file.path)\"\n[[target]]\nurl = \"icmp://a\""
        let settings = try SettingsReader(file: "x.toml", environment: [:]).settings(from: text)
        #expect(settings.paths.rate == 25)
        #expect(settings.paths.systems?.system(of: "192.0.2.7")?.number == 64_500)
    }
}
