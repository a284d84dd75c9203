import Monitoring

/// What is said in clear before a connection changes to TLS. Bytes go in; what to do comes out.
struct StartTLSDialogue {
    /// The most that a peer may say before TLS begins, in bytes.
    static let limit = 16_384

    /// What to do next.
    enum Step: Equatable {
        /// Wait for more.
        case wait
        /// Say this.
        case send([UInt8])
        /// Begin the handshake.
        case begin
        /// It will not come to a handshake.
        case fail(Failure)
    }

    private enum State {
        case greeting
        case offer
        case consent
        case over
    }

    private let language: TLSOptions.StartTLS
    private var state = State.greeting
    private var heard = 0
    private var line: [UInt8] = []
    private var isOffered = false
    private var isInsideReply = false

    init(_ language: TLSOptions.StartTLS) {
        self.language = language
        if language == .postgres { state = .consent }
    }

    /// What is said as soon as the connection stands; nil where the server speaks first.
    var opening: [UInt8]? {
        // The length of the message, and the number that stands for SSLRequest (PostgreSQL, "Message Formats").
        language == .postgres ? [0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F] : nil
    }

    /// Takes in what the server said, and says what to do, in order.
    mutating func hear(_ bytes: some Collection<UInt8>) -> [Step] {
        heard += bytes.count
        var steps: [Step] = []
        for byte in bytes {
            guard state != .over else {
                // Whoever sits between could have put them there, for us to take them as said under TLS.
                return [.fail(Failure(.protocolError, detail: "the server spoke on in clear"))]
            }
            var step = Step.wait
            if language == .postgres {
                step = end(with: answer(byte))
            } else if byte == UInt8(ascii: "\n") {
                step = take(line)
                line = []
            } else {
                line.append(byte)
            }
            if step != .wait { steps.append(step) }
            if case .fail = step { return steps }
        }
        if state != .over, heard > Self.limit {
            return [end(with: .fail(Failure(.protocolError, detail: "the server talks, and never offers TLS")))]
        }
        return steps.isEmpty ? [.wait] : steps
    }

    private func answer(_ byte: UInt8) -> Step {
        switch byte {
        case UInt8(ascii: "S"): .begin
        case UInt8(ascii: "N"), UInt8(ascii: "E"): .fail(Failure(.tlsFailed, detail: "the server refuses TLS"))
        default: .fail(malformed([byte]))
        }
    }

    private mutating func take(_ line: [UInt8]) -> Step {
        let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
        return switch language {
        case .smtp, .ftp: takeCode(text)
        case .imap: takeTagged(text)
        case .pop3: takeMark(text)
        case .postgres: .wait
        }
    }

    /// A reply of three digits; a hyphen after them says that more lines follow (RFC 5321 §4.2.1, RFC 959 §4.2).
    private mutating func takeCode(_ line: ArraySlice<UInt8>) -> Step {
        let digits = line.prefix(3)
        let isCode = digits.count == 3 && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        // The lines between the first and the last of an FTP reply may be anything.
        guard isCode else { return language == .ftp && isInsideReply ? .wait : end(with: .fail(malformed(line))) }
        let rest = line.dropFirst(3)
        let isLast = rest.first != UInt8(ascii: "-")
        isInsideReply = !isLast
        let code = String(decoding: digits, as: UTF8.self)
        switch state {
        case .greeting:
            guard code == "220" else { return end(with: .fail(unexpected(line))) }
            guard isLast else { return .wait }
            state = language == .smtp ? .offer : .consent
            return .send(Array((language == .smtp ? "EHLO localhost\r\n" : "AUTH TLS\r\n").utf8))
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
            guard code == (language == .smtp ? "220" : "234") else { return end(with: .fail(refused(line))) }
            return isLast ? end(with: .begin) : .wait
        case .over:
            return .wait
        }
    }

    /// IMAP: our command bears a tag, which its reply repeats (RFC 9051 §2.2).
    private mutating func takeTagged(_ line: ArraySlice<UInt8>) -> Step {
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

    /// POP3: `+OK` or `-ERR` (RFC 1939 §3).
    private mutating func takeMark(_ line: ArraySlice<UInt8>) -> Step {
        let isRefusal = line.starts(with: "-ERR".utf8)
        guard isRefusal || line.starts(with: "+OK".utf8) else { return end(with: .fail(malformed(line))) }
        guard state == .greeting else { return end(with: isRefusal ? .fail(refused(line)) : .begin) }
        guard !isRefusal else { return end(with: .fail(unexpected(line))) }
        state = .consent
        return .send(Array("STLS\r\n".utf8))
    }

    private mutating func end(with step: Step) -> Step {
        state = .over
        return step
    }

    private func malformed(_ line: some Sequence<UInt8>) -> Failure {
        Failure(.protocolError, detail: "not \(language.rawValue): \"\(String(quoting: line))\"")
    }

    private func unexpected(_ line: some Sequence<UInt8>) -> Failure {
        Failure(.answerMismatch, detail: "unexpected answer \"\(String(quoting: line))\"")
    }

    private func refused(_ line: some Sequence<UInt8>) -> Failure {
        Failure(.tlsFailed, detail: "TLS refused: \"\(String(quoting: line))\"")
    }
}
