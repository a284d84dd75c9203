import Monitoring
import Testing

@testable import Probing

@Suite struct StartTLSTests {
    /// What is answered to each of the server's lines, in words.
    private func steps(_ language: TLSOptions.StartTLS, _ lines: String...) -> [String] {
        var dialogue = StartTLSDialogue(language)
        return lines.map { line in
            dialogue.hear(Array(line.utf8)).map { step in
                switch step {
                case .wait: "…"
                case .send(let bytes): String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
                case .begin: "begin"
                case .fail(let failure): "\(failure.reason.rawValue): \(failure.detail)"
                }
            }
            .joined(separator: ", ")
        }
    }

    @Test func `every protocol comes to a handshake`() {
        let smtp = steps(
            .smtp,
            "220-mail.example\r\n",
            "220 ESMTP\r\n",
            "250-mail.example\r\n250-STARTTLS\r\n",
            "250 SIZE\r\n",
            "220 go ahead\r\n"
        )
        #expect(smtp == ["…", "EHLO localhost", "…", "STARTTLS", "begin"])
        let imap = steps(.imap, "* OK [CAPABILITY IMAP4rev1] ready\r\n", "* BYE not yet\r\n", "a OK begin\r\n")
        #expect(imap == ["a STARTTLS", "…", "begin"])
        #expect(steps(.pop3, "+OK ready\r\n", "+OK begin\r\n") == ["STLS", "begin"])
        #expect(steps(.ftp, "220-hello\r\n any text\r\n", "220 ready\r\n", "234 go\r\n") == ["…", "AUTH TLS", "begin"])
        #expect(steps(.postgres, "S") == ["begin"])
        #expect(StartTLSDialogue(.postgres).opening == [0, 0, 0, 8, 4, 210, 22, 47])
        #expect(StartTLSDialogue(.smtp).opening == nil)
    }

    @Test func `bytes may come one by one, and all at once`() {
        let answers: [TLSOptions.StartTLS: String] = [
            .smtp: "220 a\r\n250 STARTTLS\r\n220 b\r\n", .imap: "* OK\r\na OK\r\n", .pop3: "+OK\r\n+OK\r\n",
            .ftp: "220 a\n234 b\n", .postgres: "S",
        ]
        for (language, text) in answers {
            var slow = StartTLSDialogue(language)
            let oneByOne = text.utf8.flatMap { slow.hear([$0]) }.filter { $0 != .wait }
            var quick = StartTLSDialogue(language)
            #expect(oneByOne == quick.hear(Array(text.utf8)))
            #expect(oneByOne.last == .begin)
        }
    }

    @Test func `a server that refuses is quoted`() {
        #expect(steps(.smtp, "220 a\r\n", "250 SIZE\r\n").last == "tls_failed: the server does not offer STARTTLS")
        let later = steps(.smtp, "220 a\r\n", "250 STARTTLS\r\n", "454 not \u{1B}[31mnow\r\n").last
        #expect(later == #"tls_failed: TLS refused: "454 not [31mnow""#)
        #expect(steps(.imap, "* OK\r\n", "a BAD what\r\n").last == #"tls_failed: TLS refused: "BAD what""#)
        #expect(steps(.pop3, "+OK\r\n", "-ERR no\r\n").last == #"tls_failed: TLS refused: "-ERR no""#)
        #expect(steps(.ftp, "220 a\r\n", "534 no\r\n").last == #"tls_failed: TLS refused: "534 no""#)
        #expect(steps(.postgres, "N") == ["tls_failed: the server refuses TLS"])
        #expect(steps(.postgres, "EFATAL: no") == ["tls_failed: the server refuses TLS"])
    }

    @Test func `a server that is busy gives an unexpected answer`() {
        #expect(steps(.smtp, "421 busy\r\n") == [#"answer_mismatch: unexpected answer "421 busy""#])
        #expect(steps(.imap, "* BYE busy\r\n") == [#"answer_mismatch: unexpected answer "* BYE busy""#])
        #expect(steps(.pop3, "-ERR busy\r\n") == [#"answer_mismatch: unexpected answer "-ERR busy""#])
    }

    @Test func `what is not the protocol is an error of it`() {
        #expect(steps(.smtp, "SSH-2.0-x\r\n") == [#"protocol_error: not smtp: "SSH-2.0-x""#])
        #expect(steps(.imap, "220 x\r\n") == [#"protocol_error: not imap: "220 x""#])
        #expect(steps(.pop3, "\u{0}\u{0}\n") == [#"protocol_error: not pop3: """#])
        #expect(steps(.postgres, "HTTP/1.1 400") == [#"protocol_error: not postgres: "H""#])
    }

    @Test func `what is said in clear after the consent is never taken for TLS`() {
        #expect(
            steps(.pop3, "+OK\r\n", "+OK\r\n+OK injected\r\n").last == "protocol_error: the server spoke on in clear"
        )
    }

    @Test func `a server that talks without end is stopped`() {
        var dialogue = StartTLSDialogue(.smtp)
        let endless = Failure(.protocolError, detail: "the server talks, and never offers TLS")
        var steps: [StartTLSDialogue.Step] = []
        for _ in 0..<20 where steps.last != .fail(endless) {
            steps = dialogue.hear(Array(String(repeating: "220-x\r\n", count: 128).utf8))
        }
        #expect(steps == [.fail(endless)])
        var line = StartTLSDialogue(.imap)
        #expect(line.hear(Array(repeating: 65, count: 100_000)) == [.fail(endless)])
    }
}
