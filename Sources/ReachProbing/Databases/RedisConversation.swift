import ReachMonitoring

/// The conversation with a Redis server (RESP, <https://redis.io/docs/latest/develop/reference/protocol-spec/>): `AUTH` and
/// `SELECT` as far as the target has a password and a database, then `PING`. All are sent at once.
struct RedisConversation: DatabaseConversation {
    private enum Command: Sendable {
        case auth, select, ping
    }

    let opening: [UInt8]
    private let hasPassword: Bool
    /// The commands without a reply, in order.
    private var pending: [Command] = []
    private var line: [UInt8] = []
    private var count = 0
    private var isOver = false

    init(_ question: DatabaseQuestion) {
        hasPassword = question.password != nil
        var opening: [UInt8] = []
        if let password = question.password {
            pending.append(.auth)
            opening += Self.request(["AUTH"] + [question.user, password].compactMap(\.self))
        }
        if let database = question.database {
            pending.append(.select)
            opening += Self.request(["SELECT", database])
        }
        pending.append(.ping)
        self.opening = opening + Self.request(["PING"])
    }

    /// A command as an array of bulk strings.
    private static func request(_ words: [String]) -> [UInt8] {
        let strings = words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }
        return Array("*\(words.count)\r\n\(strings.joined())".utf8)
    }

    mutating func receive(_ bytes: [UInt8]) -> [DatabaseAction] {
        for byte in bytes where !isOver {
            count += 1
            var action: DatabaseAction?
            if line.isEmpty, byte != UInt8(ascii: "+"), byte != UInt8(ascii: "-") {
                action = .fail(.notDatabase("Redis"))
            } else if byte == UInt8(ascii: "\n") {
                action = handle(line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...])
                line = []
            } else if count >= DatabaseQuestion.maxLength {
                action = .fail(.endless("Redis"))
            } else {
                line.append(byte)
            }
            guard let action else { continue }
            isOver = true
            return [action]
        }
        return []
    }

    /// Handles a simple string or an error; returns the last action, or nil before it.
    private mutating func handle(_ line: ArraySlice<UInt8>) -> DatabaseAction? {
        // A server that rejects clients sends an error before any command.
        let command = pending.removeFirst()
        let text = line.dropFirst()
        guard line.first == UInt8(ascii: "+") else { return action(forError: text, of: command) }
        guard text.elementsEqual((command == .ping ? "PONG" : "OK").utf8) else {
            return .fail(
                Failure(.answerMismatch, detail: "unexpected answer \"\(String(quoting: text))\"")
            )
        }
        return command == .ping ? .succeed(detail: nil) : nil
    }

    /// Returns the action for an error, whose first word is its code.
    private func action(forError text: ArraySlice<UInt8>, of command: Command) -> DatabaseAction {
        let code = String(decoding: text.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        switch code {
        case "NOAUTH" where !hasPassword:
            return .succeed(detail: "password required")
        case "WRONGPASS", "NOAUTH":
            return .fail(Failure(.loginFailed, quoting: text))
        // Before version 6, and where no password is configured.
        case "ERR" where command == .auth && String(decoding: text, as: UTF8.self).lowercased().contains("password"):
            return .fail(Failure(.loginFailed, quoting: text.dropFirst("ERR ".utf8.count)))
        default:
            return .fail(Failure(.serverError, quoting: text))
        }
    }
}
