import ReachMonitoring
import Testing

@testable import ReachProbing

@Suite struct StartTLSTests {
    /// Returns the actions after each of the server's lines, as text.
    private func actions(_ applicationProtocol: TLSOptions.StartTLS, _ lines: String...) -> [String] {
        var negotiation = StartTLSNegotiation(applicationProtocol)
        return lines.map { line in
            negotiation.receive(Array(line.utf8)).map { action in
                switch action {
                case .wait: "…"
                case .send(let bytes): String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
                case .begin: "begin"
                case .fail(let failure): "\(failure.reason.rawValue): \(failure.detail)"
                }
            }
            .joined(separator: ", ")
        }
    }

    @Test func `every protocol reaches the handshake`() {
        let smtp = actions(
            .smtp,
            "220-mail.example\r\n",
            "220 ESMTP\r\n",
            "250-mail.example\r\n250-STARTTLS\r\n",
            "250 SIZE\r\n",
            "220 go ahead\r\n"
        )
        #expect(smtp == ["…", "EHLO localhost", "…", "STARTTLS", "begin"])
        let imap = actions(.imap, "* OK [CAPABILITY IMAP4rev1] ready\r\n", "* BYE not yet\r\n", "a OK begin\r\n")
        #expect(imap == ["a STARTTLS", "…", "begin"])
        #expect(actions(.pop3, "+OK ready\r\n", "+OK begin\r\n") == ["STLS", "begin"])
        #expect(
            actions(.ftp, "220-hello\r\n any text\r\n", "220 ready\r\n", "234 go\r\n") == ["…", "AUTH TLS", "begin"]
        )
        #expect(actions(.postgres, "S") == ["begin"])
        #expect(StartTLSNegotiation(.postgres).opening == [0, 0, 0, 8, 4, 210, 22, 47])
        #expect(StartTLSNegotiation(.smtp).opening == nil)
    }

    @Test func `bytes may arrive one by one or all at once`() {
        let answers: [TLSOptions.StartTLS: String] = [
            .smtp: "220 a\r\n250 STARTTLS\r\n220 b\r\n", .imap: "* OK\r\na OK\r\n", .pop3: "+OK\r\n+OK\r\n",
            .ftp: "220 a\n234 b\n", .postgres: "S",
        ]
        for (applicationProtocol, text) in answers {
            var slow = StartTLSNegotiation(applicationProtocol)
            let oneByOne = text.utf8.flatMap { slow.receive([$0]) }.filter { $0 != .wait }
            var quick = StartTLSNegotiation(applicationProtocol)
            #expect(oneByOne == quick.receive(Array(text.utf8)))
            #expect(oneByOne.last == .begin)
        }
    }

    @Test func `a refusal is quoted`() {
        #expect(actions(.smtp, "220 a\r\n", "250 SIZE\r\n").last == "tls_failed: the server does not offer STARTTLS")
        let later = actions(.smtp, "220 a\r\n", "250 STARTTLS\r\n", "454 not \u{1B}[31mnow\r\n").last
        #expect(later == #"tls_failed: TLS refused: "454 not [31mnow""#)
        #expect(actions(.imap, "* OK\r\n", "a BAD what\r\n").last == #"tls_failed: TLS refused: "BAD what""#)
        #expect(actions(.pop3, "+OK\r\n", "-ERR no\r\n").last == #"tls_failed: TLS refused: "-ERR no""#)
        #expect(actions(.ftp, "220 a\r\n", "534 no\r\n").last == #"tls_failed: TLS refused: "534 no""#)
        #expect(actions(.postgres, "N") == ["tls_failed: the server refuses TLS"])
        #expect(actions(.postgres, "EFATAL: no") == ["server_error: server error before TLS"])
    }

    @Test func `a busy server is an unexpected answer`() {
        #expect(actions(.smtp, "421 busy\r\n") == [#"answer_mismatch: unexpected answer "421 busy""#])
        #expect(actions(.imap, "* BYE busy\r\n") == [#"answer_mismatch: unexpected answer "* BYE busy""#])
        #expect(actions(.pop3, "-ERR busy\r\n") == [#"answer_mismatch: unexpected answer "-ERR busy""#])
    }

    @Test func `another protocol is a protocol error`() {
        #expect(actions(.smtp, "SSH-2.0-x\r\n") == [#"protocol_error: not smtp: "SSH-2.0-x""#])
        #expect(actions(.imap, "220 x\r\n") == [#"protocol_error: not imap: "220 x""#])
        #expect(actions(.pop3, "\u{0}\u{0}\n") == [#"protocol_error: not pop3: """#])
        #expect(actions(.postgres, "HTTP/1.1 400") == [#"protocol_error: not postgres: "H""#])
    }

    @Test func `bytes in clear after the agreement are rejected`() {
        #expect(
            actions(.pop3, "+OK\r\n", "+OK\r\n+OK injected\r\n").last
                == "protocol_error: the server sent more data in clear"
        )
    }

    @Test func `an endless negotiation is rejected`() {
        var negotiation = StartTLSNegotiation(.smtp)
        let endless = Failure(.protocolError, detail: "no offer of TLS within 16 KiB")
        var actions: [StartTLSNegotiation.Action] = []
        for _ in 0..<20 where actions.last != .fail(endless) {
            actions = negotiation.receive(Array(String(repeating: "220-x\r\n", count: 128).utf8))
        }
        #expect(actions == [.fail(endless)])
        var line = StartTLSNegotiation(.imap)
        #expect(line.receive(Array(repeating: 65, count: 100_000)) == [.fail(endless)])
    }
}
