import ReachMonitoring

/// The conversation with a database server until it accepts or refuses the client, as a state machine: bytes go in, actions
/// come out. The actions do not depend on how the bytes are split.
protocol DatabaseConversation: Sendable {
    /// The bytes to send on connecting; empty where the server sends first.
    var opening: [UInt8] { get }
    /// Handles received bytes, and returns the actions in order. After ``DatabaseAction/succeed(detail:farewell:)`` or
    /// ``DatabaseAction/fail(_:)`` there are none.
    mutating func receive(_ bytes: [UInt8]) -> [DatabaseAction]
    /// Handles the key of a ``DatabaseAction/derive(_:)``.
    mutating func receive(key: [UInt8]) -> [DatabaseAction]
}

extension DatabaseConversation {
    /// Returns no action: most conversations derive no key.
    mutating func receive(key: [UInt8]) -> [DatabaseAction] { [] }
}

/// An action of a conversation with a database server.
enum DatabaseAction: Sendable, Equatable {
    /// Send these bytes.
    case send([UInt8])
    /// Derive a key from a password, off the event loop: it takes milliseconds.
    case derive(PasswordKey)
    /// End with a reply: send the farewell and close.
    case succeed(detail: String?, farewell: [UInt8] = [])
    /// End with this failure.
    case fail(Failure)
    /// End with this fault: the server demands something that this program does not support.
    case refuse(Fault)

    /// Whether the conversation ends.
    var isLast: Bool {
        switch self {
        case .send, .derive: false
        case .succeed, .fail, .refuse: true
        }
    }
}

extension DatabaseQuestion {
    /// The maximum number of bytes received in a conversation.
    static let maxLength = 65_536

    /// Starts the conversation.
    ///
    /// - Parameter nonce: a random text for the login, of printable characters without commas.
    func conversation(nonce: @autoclosure () -> String) -> any DatabaseConversation {
        switch wireProtocol {
        case .redis: RedisConversation(self)
        case .postgres: PostgresConversation(self, nonce: nonce())
        case .mysql: MySQLConversation()
        }
    }
}

extension Failure {
    /// The failure for bytes of another protocol.
    static func notDatabase(_ name: String) -> Failure {
        Failure(.protocolError, detail: "the answer is not \(name)")
    }

    /// The failure for an answer that does not end.
    static func endless(_ name: String) -> Failure {
        Failure(.protocolError, detail: "the answer of \(name) exceeds 64 KiB")
    }

    /// The failure for an error message of a server.
    ///
    /// - Parameter code: the code of the error, if it is not part of the text.
    init(_ reason: Reason, quoting text: some Sequence<UInt8>, code: String? = nil) {
        let quotation = String(quoting: text, limit: 200)
        let suffix = code.map { quotation.isEmpty ? "error \($0)" : " (\($0))" } ?? ""
        self.init(reason, detail: quotation.isEmpty && suffix.isEmpty ? nil : quotation + suffix)
    }
}
