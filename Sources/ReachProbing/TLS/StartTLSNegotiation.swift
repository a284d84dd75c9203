import ReachBasics
import ReachMonitoring

/// The negotiation of STARTTLS by a mail, FTP or PostgreSQL server.
struct StartTLSNegotiation: TLSNegotiation {
    /// The maximum number of bytes received before TLS begins.
    static let maxLength = 16_384

    private enum State {
        /// Waits for the greeting.
        case greeting
        /// Waits for the server's capabilities.
        case offer
        /// Waits for the agreement to TLS.
        case consent
        case over
    }

    private let applicationProtocol: TLSOptions.StartTLS
    private var state = State.greeting
    private var receivedCount = 0
    private var line: [UInt8] = []
    private var isOffered = false
    private var isInsideReply = false

    init(_ applicationProtocol: TLSOptions.StartTLS) {
        self.applicationProtocol = applicationProtocol
        if applicationProtocol == .postgres { state = .consent }
    }

    var opening: [UInt8]? {
        // The length of the message and the code of SSLRequest (PostgreSQL, "Message Formats").
        applicationProtocol == .postgres ? [0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F] : nil
    }

    mutating func receive(_ bytes: some Collection<UInt8>) -> [Action] {
        receivedCount += bytes.count
        var actions: [Action] = []
        for byte in bytes {
            guard state != .over else {
                // An attacker on the path could inject bytes here that would later pass as sent under TLS.
                return [.fail(Failure(.protocolError, detail: "the server sent more data in clear"))]
            }
            var action = Action.wait
            if applicationProtocol == .postgres {
                action = end(with: reply(byte))
            } else if byte == UInt8(ascii: "\n") {
                action = handle(line)
                line = []
            } else {
                line.append(byte)
            }
            if action != .wait { actions.append(action) }
            if case .fail = action { return actions }
        }
        if state != .over, receivedCount > Self.maxLength {
            return [end(with: .fail(Failure(.protocolError, detail: "no offer of TLS within 16 KiB")))]
        }
        return actions.isEmpty ? [.wait] : actions
    }

    private func reply(_ byte: UInt8) -> Action {
        switch byte {
        case UInt8(ascii: "S"): .begin
        case UInt8(ascii: "N"): .fail(Failure(.tlsFailed, detail: "the server refuses TLS"))
        // The text of an error before TLS is hidden, since it is not authenticated (CVE-2024-10977).
        case UInt8(ascii: "E"): .fail(Failure(.serverError, detail: "server error before TLS"))
        default: .fail(malformed([byte]))
        }
    }

    private mutating func handle(_ line: [UInt8]) -> Action {
        let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
        return switch applicationProtocol {
        case .smtp, .ftp: handleCode(text)
        case .imap: handleTagged(text)
        case .pop3: handleStatus(text)
        case .postgres: .wait
        }
    }

    /// Handles a reply of three digits. A hyphen after them announces further lines (RFC 5321 §4.2.1, RFC 959 §4.2).
    private mutating func handleCode(_ line: ArraySlice<UInt8>) -> Action {
        let digits = line.prefix(3)
        let isCode = digits.count == 3 && digits.allSatisfy(\.isASCIIDigit)
        // The lines between the first and the last of an FTP reply may have any text.
        guard isCode else {
            return applicationProtocol == .ftp && isInsideReply ? .wait : end(with: .fail(malformed(line)))
        }
        let rest = line.dropFirst(3)
        let isLast = rest.first != UInt8(ascii: "-")
        isInsideReply = !isLast
        let code = String(decoding: digits, as: UTF8.self)
        switch state {
        case .greeting:
            guard code == "220" else { return end(with: .fail(unexpected(line))) }
            guard isLast else { return .wait }
            state = applicationProtocol == .smtp ? .offer : .consent
            return .send(Array((applicationProtocol == .smtp ? "EHLO localhost\r\n" : "AUTH TLS\r\n").utf8))
        case .offer:
            guard code == "250" else { return end(with: .fail(unexpected(line))) }
            let keyword = String(decoding: rest.dropFirst(), as: UTF8.self).uppercased()
            if keyword == "STARTTLS" || keyword.hasPrefix("STARTTLS ") { isOffered = true }
            guard isLast else { return .wait }
            guard isOffered else {
                return end(with: .fail(Failure(.tlsFailed, detail: "the server does not offer STARTTLS")))
            }
            state = .consent
            return .send(Array("STARTTLS\r\n".utf8))
        case .consent:
            guard code == (applicationProtocol == .smtp ? "220" : "234") else { return end(with: .fail(refused(line))) }
            return isLast ? end(with: .begin) : .wait
        case .over:
            return .wait
        }
    }

    /// Handles an IMAP line. The reply repeats the tag of our command (RFC 9051 §2.2).
    private mutating func handleTagged(_ line: ArraySlice<UInt8>) -> Action {
        let text = String(decoding: line, as: UTF8.self).uppercased()
        switch state {
        case .greeting:
            guard text.hasPrefix("* ") else { return end(with: .fail(malformed(line))) }
            guard text.hasPrefix("* OK") else { return end(with: .fail(unexpected(line))) }
            state = .consent
            return .send(Array("a STARTTLS\r\n".utf8))
        default:
            if text.hasPrefix("* ") { return .wait }
            guard text.hasPrefix("A ") else { return end(with: .fail(malformed(line))) }
            return end(with: text.hasPrefix("A OK") ? .begin : .fail(refused(line.dropFirst(2))))
        }
    }

    /// Handles a POP3 line: `+OK` or `-ERR` (RFC 1939 §3).
    private mutating func handleStatus(_ line: ArraySlice<UInt8>) -> Action {
        let isRefusal = line.starts(with: "-ERR".utf8)
        guard isRefusal || line.starts(with: "+OK".utf8) else { return end(with: .fail(malformed(line))) }
        guard state == .greeting else { return end(with: isRefusal ? .fail(refused(line)) : .begin) }
        guard !isRefusal else { return end(with: .fail(unexpected(line))) }
        state = .consent
        return .send(Array("STLS\r\n".utf8))
    }

    private mutating func end(with action: Action) -> Action {
        state = .over
        return action
    }

    private func malformed(_ line: some Sequence<UInt8>) -> Failure {
        Failure(.protocolError, detail: "not \(applicationProtocol.rawValue): \"\(String(quoting: line))\"")
    }

    private func unexpected(_ line: some Sequence<UInt8>) -> Failure {
        Failure(.answerMismatch, detail: "unexpected answer \"\(String(quoting: line))\"")
    }

    private func refused(_ line: some Sequence<UInt8>) -> Failure {
        Failure(.tlsFailed, detail: "TLS refused: \"\(String(quoting: line))\"")
    }
}
