import ReachMonitoring
import Testing

@testable import ReachProbing

struct StartTLSFuzzTests {
    private static let corpus: [[UInt8]] = [
        "220-mail.example\r\n220 ESMTP\r\n250-mail.example\r\n250-STARTTLS\r\n250 SIZE\r\n220 go ahead\r\n",
        "220 a\r\n250 STARTTLS now\r\n454 not now\r\n", "220 a\r\n250 SIZE\r\n", "421 busy\r\n",
        "* OK [CAPABILITY IMAP4rev1] ready\r\n* BYE not yet\r\na OK begin\r\n", "* OK\r\na BAD what\r\n", "* BYE\r\n",
        "+OK ready\r\n+OK begin\r\n", "+OK\r\n-ERR no\r\n", "-ERR busy\r\n",
        "220-hello\r\n any text\r\n220 ready\r\n234 go\r\n", "220 a\n534 no\n", "S", "N", "EFATAL: no\u{0}",
    ].map { Array($0.utf8) }

    private static let words: [[UInt8]] = [
        "\r\n", "\n", "\r", "220 ", "250-", "234", "STARTTLS", "* ", "a ", "OK", "\u{1B}[",
    ]
    .map { Array($0.utf8) }

    @Test func `a STARTTLS negotiation has the same result for any fragments`() async {
        let fuzz = Fuzz(name: "STARTTLS", corpus: Self.corpus, words: Self.words, cost: 5)
        await fuzz.run(often: ["begin", "wait", "not", "refused", "unexpected", "in clear"]) { input in
            let all = TLSOptions.StartTLS.allCases
            let language = all[input.number(below: all.count)]
            var (negotiation, bytewise) = (StartTLSNegotiation(language), StartTLSNegotiation(language))
            var (said, wanted): ([StartTLSNegotiation.Action], [StartTLSNegotiation.Action]) = ([], [])
            for byte in input.bytes {
                wanted += bytewise.receive([byte]).filter { $0 != .wait }
                if wanted.last?.isLast == true { break }
            }
            for fragment in input.fragments() {
                let steps = negotiation.receive(fragment)
                try hold(!steps.isEmpty, "says nothing")
                said += steps.filter { $0 != .wait }
                if said.last?.isLast == true { break }
            }
            try hold(said.filter { $0.isLast }.count <= 1 && said.count <= 3, "goes on: \(said)")
            for case .fail(let failure) in said { try holdShort(failure.detail) }
            if wanted.last == .begin {
                let consents: [TLSOptions.StartTLS: String] = [
                    .smtp: "220", .ftp: "234", .pop3: "+OK", .imap: "OK", .postgres: "S",
                ]
                let heard = input.bytes.map { (97...122).contains($0) ? $0 - 32 : $0 }
                try hold(heard.contains((consents[language] ?? "").utf8), "the server did not consent")
                // Bytes after the server's consent are not taken for TLS.
                if said != wanted, case .fail(let failure) = said.last, failure.detail.hasSuffix("in clear") {
                    return "in clear"
                }
            }
            try hold(said == wanted, "\(said), and byte by byte \(wanted)")
            switch said.last {
            case .begin: return "begin"
            case .fail(let failure):
                let ways = ["not", "refused", "unexpected"]
                return ways.first { failure.detail.contains($0) } ?? "other"
            case .send, .wait, nil: return "wait"
            }
        }
    }
}

extension TLSNegotiationAction {
    /// Whether nothing is said in clear from here on.
    fileprivate var isLast: Bool {
        switch self {
        case .begin, .fail: true
        case .wait, .send: false
        }
    }
}
