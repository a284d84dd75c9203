import ReachMonitoring
import Testing

@testable import ReachProbing

/// The parts of module probers that need no sockets.
struct BlackboxPartsTests {
    @Test(
        arguments: [
            ("$1-${2}", "ab-cd"), ("${name}!", "cd!"), ("$name_x|$9|${1x}", "||"), ("$$1 $", "$1 $"), ("$0", "ab.cd"),
            ("${", "${"), ("no groups", "no groups"),
        ]
    )
    func `templates are expanded like those of Go`(template: String, expected: String) {
        let groups = PatternGroups(of: BlackboxPattern(go: "(\\w+)\\.(?P<name>\\w+)(?:(x))?"), in: "ab.cd")
        #expect(groups.expanded(template) == expected)
        #expect(PatternGroups().expanded("<$1>") == "<>")
    }

    @Test(
        arguments: [
            ("host/ok#f", "http://host/ok", nil), ("HTTPS://host#f", "HTTPS://host", nil),
            ("http://u:p@host/", "http://host/", "Basic dTpw"), ("u%40x@host?a@b", "http://host?a@b", "Basic dUB4Og=="),
            ("http://u:%zz@host/", "http://u:%zz@host/", nil),
            ("http://u:%+5@host/", "http://u:%+5@host/", nil),
            ("host/ok?q=a b", "http://host/ok?q=a%20b", nil),
            ("host/ü%20?q=ü€", "http://host/%C3%BC%20?q=%C3%BC%E2%82%AC", nil),
            ("host/a\nb", "http://host/a\nb", nil), ("https://[::1]:8443/x", "https://[::1]:8443/x", nil),
        ] as [(String, String, String?)]
    )
    func `targets of HTTP probes as blackbox_exporter accepts them`(text: String, url: String, authorization: String?) {
        let target = BlackboxHTTPTarget(text)
        #expect(target.url == url && target.authorization == authorization)
    }

    @Test func `targets with and without a port`() {
        let valid: [(String, String, UInt16?)] = [
            ("a:1", "a", 1), ("[::1]:53", "::1", 53), ("[::1]", "::1", nil), ("::1", "::1", nil), ("a", "a", nil),
            (":80", "", 80),
        ]
        for (text, host, port) in valid {
            let parsed = HostPort.parse(text)
            #expect(parsed?.host == host && parsed?.port == port, "\(text)")
        }
        for text in ["a:http", "a:", "a:65536", "[::1", "[::1]x", "a:b:c"] {
            #expect(HostPort.parse(text).map { $0.port == nil } ?? true, "\(text)")
        }
        #expect(HostPort.parse("a:http") == nil && HostPort.parse("a:65536") == nil)
    }

    @Test func `the checks of records are those of the blackbox exporter`() {
        func isMet(_ matches: [[Bool]], count: Int, _ change: (inout BlackboxDNSModule.Validation) -> Void) -> Bool {
            var validation = BlackboxDNSModule.Validation()
            change(&validation)
            return validation.isMet(by: matches, Array(repeating: "x", count: count)) { _, _, _ in }
        }
        let pattern = BlackboxPattern("x")
        #expect(isMet([], count: 0) { _ in })
        #expect(isMet([[false]], count: 1) { $0.failsIfMatches = [pattern] })
        #expect(!isMet([[false, true]], count: 2) { $0.failsIfMatches = [pattern] })
        // The name says another thing: records pass only if all of them match.
        #expect(isMet([[true, true]], count: 2) { $0.failsIfAllMatch = [pattern] })
        #expect(!isMet([[true, false]], count: 2) { $0.failsIfAllMatch = [pattern] })
        #expect(isMet([[]], count: 0) { $0.failsIfAllMatch = [pattern] })
        #expect(!isMet([[true, false]], count: 2) { $0.failsIfNotMatches = [pattern] })
        #expect(!isMet([[]], count: 0) { $0.failsIfNotMatches = [pattern] })
        #expect(isMet([[false, true]], count: 2) { $0.failsIfNoneMatches = [pattern] })
        #expect(!isMet([[false]], count: 1) { $0.failsIfNoneMatches = [pattern] })
        #expect(!isMet([[]], count: 0) { $0.failsIfNoneMatches = [pattern] })
    }

    @Test func `records of all sections are counted and written as in zone files`() throws {
        let name = try #require(DNSName("example.com"))
        let message = DNSQuery(id: 7, name: name, type: .soa, hasOptions: false).message
        let record: [UInt8] = [0xC0, 0x0C, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1]
        let other: [UInt8] = [0xC0, 0x0C, 0xFA, 0, 0, 1, 0, 0, 0, 60, 0, 2, 1, 0xFF]
        var bytes: [UInt8] = [0, 7, 0x81, 0x83, 0, 1, 0, 1, 0, 1, 0, 0]
        bytes += message.dropFirst(12)
        bytes += record
        bytes += other
        let answer = try #require(BlackboxDNSMessage(bytes))
        #expect(answer.id == 7 && answer.code == 3 && answer.isResponse && answer.isComplete && !answer.isTruncated)
        #expect(answer.answers == ["example.com.\t60\tIN\tA\t192.0.2.1"])
        #expect(answer.authorities == ["example.com.\t60\tCLASS1\tTYPE64000\t\\# 2 01ff"])
        #expect(answer.additions.isEmpty)
        bytes.removeLast()
        #expect(BlackboxDNSMessage(bytes)?.isComplete == false && BlackboxDNSMessage([1, 2, 3]) == nil)
    }
}
