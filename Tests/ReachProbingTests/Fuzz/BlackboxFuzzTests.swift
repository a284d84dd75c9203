import ReachMonitoring
import ReachSettings
import Testing

@testable import ReachProbing

/// The parsers of modules: settings of the blackbox exporter, and DNS messages with all sections.
struct BlackboxFuzzTests {
    private static let files = [
        """
        modules:
          http_2xx: &http
            prober: http
            timeout: 5s
            http:
              valid_status_codes: [200, 204]
              headers: { Host: example.com }
              fail_if_body_not_matches_regexp: ["^a.b[[:digit:]]$", "\\\\pL\\\\Qx\\\\E"]
              fail_if_header_matches: [{ header: A, regexp: b, allow_missing: true }]
              basic_auth: { username: a, password: b }
              body_size_limit: 10MB
              tls_config: { ca_file: /ca, insecure_skip_verify: true }
          other: { <<: *http, timeout: 1m }
        """,
        """
        modules:
          tcp: { prober: tcp, tcp: { query_response: [{ expect: "(x)", send: "${1}" }, { starttls: true }], tls: false } }
          dns: { prober: dns, dns: { query_name: a, query_type: MX, valid_rcodes: [NOERROR],
            validate_answer_rrs: { fail_if_not_matches_regexp: [a] } } }
          icmp: { prober: icmp, icmp: { ttl: 3, payload_size: 64, dont_fragment: true } }
        """,
    ]

    @Test func `settings of the blackbox exporter are read safely, and problems have positions`() async {
        let fuzz = Fuzz(
            name: "blackbox",
            corpus: Self.files.map { Array($0.utf8) },
            words: ["prober", "http", "- ", ": ", "{", "}", "[", "]", "&a", "*a", "<<", "[[", "\\", "(?s)", "null"]
                .map { Array($0.utf8) },
            cost: 20
        )
        await fuzz.run(often: ["modules", "problems"]) { input in
            guard let text = String(validating: input.bytes, as: UTF8.self) else { return "not a text" }
            do {
                let content = try BlackboxFile.content(of: text, file: "b.yml")
                try hold(!content.modules.isEmpty || !content.warnings.isEmpty, "no modules")
                return "modules"
            } catch let failure as SettingsFailure {
                try hold(failure.lines.allSatisfy { $0.hasPrefix("b.yml:") && !$0.contains("\n") }, "\(failure)")
                return "problems"
            }
        }
    }

    @Test func `DNS messages are parsed safely, and complete ones have the declared records`() async {
        let name = DNSName(wire: wire("www.example.com"))
        let query = DNSQuery(id: 0xBEEF, name: name, type: .a, hasOptions: false).message
        let records: [[UInt8]] = [
            [0xC0, 0x0C, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1],
            [0xC0, 0x0C, 0, 6, 0, 1, 0, 0, 0, 60, 0, 24, 0xC0, 0x0C, 0xC0, 0x0C] + Array(repeating: 1, count: 20),
            [0xC0, 0x0C, 0, 16, 0, 1, 0, 0, 0, 60, 0, 4, 3, 97, 0xC3, 34],
        ]
        let head: [UInt8] = [0xBE, 0xEF, 0x81, 0x80, 0, 1, 0, 1, 0, 1, 0, 1]
        let question = Array(query.dropFirst(12))
        let corpus: [[UInt8]] = (0..<3).map { index in
            var message = head
            message += question
            for offset in 0..<3 { message += records[(index + offset) % 3] }
            return message
        }
        let fuzz = Fuzz(name: "DNS-sections", corpus: corpus, words: [[0xC0, 0x0C], [0xFF, 0xFF], [0]])
        await fuzz.run(often: ["complete", "incomplete"]) { input in
            guard let message = BlackboxDNSMessage(input.bytes) else { return "no header" }
            let counts = [6, 8, 10].map { (offset: Int) -> Int in
                Int(input.bytes[offset]) * 256 + Int(input.bytes[offset + 1])
            }
            let found = [message.answers.count, message.authorities.count, message.additions.count]
            try hold(zip(found, counts).allSatisfy { $0 <= $1 }, "too many records")
            try hold(!message.isComplete || found == counts || input.bytes.count == 12, "records are missing")
            return message.isComplete ? "complete" : "incomplete"
        }
    }
}
