import ReachMonitoring

/// The conversation with a PostgreSQL server (<https://www.postgresql.org/docs/current/protocol-flow.html>): the startup
/// message, the login, and the messages until the server is ready for a query.
///
/// Without a user, it begins as the user `postgres`, and a server that demands a password, or refuses this user, accepts
/// clients: the same as pg_isready(1).
struct PostgresConversation: DatabaseConversation {
    private static let name = "PostgreSQL"
    /// The maximum length of a message in a login.
    private static let maxMessageLength = 16_384

    let opening: [UInt8]
    private let hasUser: Bool
    private let user: String
    private let password: String?
    private var client: SCRAMClient?
    private var message: [UInt8] = []
    /// Error text without a length, sent when the server cannot fork.
    private var plainError: [UInt8]?
    private var count = 0
    private var hasBegun = false
    private var isAuthenticated = false
    private var version: String?
    private var isOver = false

    init(_ question: DatabaseQuestion, nonce: String) {
        hasUser = question.user != nil
        user = question.user ?? "postgres"
        password = question.password
        client = question.password.map { SCRAMClient(password: $0, nonce: nonce) }
        var parameters = ["user", user]
        if let database = question.database { parameters += ["database", database] }
        parameters += ["application_name", "reach"]
        let version: [UInt8] = [0, 3, 0, 0]
        let body = version + parameters.flatMap { Array($0.utf8) + [0] } + [0]
        opening = Self.length(of: body) + body
    }

    /// The length of a message, which counts itself.
    private static func length(of body: [UInt8]) -> [UInt8] {
        UInt32(body.count + 4).inNetworkOrder
    }

    private static func encoded(_ type: Character, _ body: [UInt8]) -> [UInt8] {
        Array(String(type).utf8) + length(of: body) + body
    }

    // MARK: Messages

    mutating func receive(_ bytes: [UInt8]) -> [DatabaseAction] {
        var actions: [DatabaseAction] = []
        for byte in bytes {
            guard !isOver else { break }
            count += 1
            if let action = receive(byte) { actions.append(action) }
            if !isOver, count >= DatabaseQuestion.maxLength { actions.append(end(.fail(.endless(Self.name)))) }
        }
        return actions
    }

    private mutating func receive(_ byte: UInt8) -> DatabaseAction? {
        guard plainError == nil else { return receive(plain: byte) }
        message.append(byte)
        if message.count == 1, !Self.types.contains(byte) { return end(.fail(.notDatabase(Self.name))) }
        guard message.count >= 5 else { return nil }
        let length = message[1..<5].reduce(0) { $0 << 8 | Int($1) }
        if message.count == 5, length < 4 || length > Self.maxMessageLength {
            guard !hasBegun, message[0] == UInt8(ascii: "E") else { return end(.fail(.notDatabase(Self.name))) }
            plainError = Array(message[1...])
            return nil
        }
        guard message.count == length + 1 else { return nil }
        let (type, body) = (message[0], message[5...])
        message = []
        hasBegun = true
        return handle(type, body)
    }

    /// The first bytes of messages in a login: authentication, error, key data, notice, protocol version, parameter, ready.
    private static let types = Set("REKNvSZ".utf8)
    private static let maxPlainErrorLength = 200

    /// Handles a byte of an error without a length, whose text ends with a zero byte.
    private mutating func receive(plain byte: UInt8) -> DatabaseAction? {
        plainError?.append(byte)
        guard let text = plainError, byte == 0 || text.count >= Self.maxPlainErrorLength else { return nil }
        return end(.fail(Failure(.serverError, quoting: text.prefix { $0 != 0 })))
    }

    private mutating func end(_ action: DatabaseAction) -> DatabaseAction {
        isOver = true
        return action
    }

    private mutating func handle(_ type: UInt8, _ body: ArraySlice<UInt8>) -> DatabaseAction? {
        switch type {
        case UInt8(ascii: "R"):
            return handleAuthentication(body)
        case UInt8(ascii: "E"):
            return end(action(for: ServerError(body)))
        case UInt8(ascii: "S"):
            let texts = body.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            if texts.count == 3, texts[0].elementsEqual("server_version".utf8) {
                version = "PostgreSQL \(String(quoting: texts[1], limit: 30))"
            }
            return nil
        case UInt8(ascii: "Z"):
            guard isAuthenticated else { return end(.fail(.notDatabase(Self.name))) }
            // Terminate.
            return end(.succeed(detail: version, farewell: Self.encoded("X", [])))
        default:
            return nil
        }
    }

    // MARK: Login

    private mutating func handleAuthentication(_ body: ArraySlice<UInt8>) -> DatabaseAction? {
        guard body.count >= 4 else { return end(.fail(.notDatabase(Self.name))) }
        let code = body.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let data = body.dropFirst(4)
        if code == 0 {
            guard client?.hasBegun != true || client?.isVerified == true else {
                return end(.fail(Failure(.loginFailed, detail: "the server did not prove that it has the password")))
            }
            isAuthenticated = true
            return nil
        }
        guard let password else { return end(.succeed(detail: "password required")) }
        switch code {
        case 3:
            return .send(Self.encoded("p", Array(password.utf8) + [0]))
        case 5:
            guard data.count == 4 else { return end(.fail(.notDatabase(Self.name))) }
            let inner = MD5Hasher.hexDigest(of: Array((password + user).utf8))
            let outer = MD5Hasher.hexDigest(of: Array(inner.utf8) + data)
            return .send(Self.encoded("p", Array("md5\(outer)".utf8) + [0]))
        case 10:
            let mechanisms = data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            guard mechanisms.contains(SCRAMClient.mechanism), client?.hasBegun == false else {
                let detail = "unsupported login: the server offers no SCRAM-SHA-256 – allow it in pg_hba.conf"
                return end(.fail(Failure(.loginFailed, detail: detail)))
            }
            return send(client?.begin())
        case 11:
            do throws(Failure) {
                guard let key = try client?.receive(serverFirst: Array(data)) else {
                    return end(.fail(.notDatabase(Self.name)))
                }
                guard key.iterations <= SCRAMClient.maxIterations else {
                    let most = SCRAMClient.maxIterations
                    let detail = "the server demands \(key.iterations) iterations, more than \(most)"
                    return end(.refuse(Fault(.internal, detail: detail)))
                }
                return .derive(key)
            } catch {
                return end(.fail(error))
            }
        case 12:
            guard client?.receive(serverFinal: Array(data)) == true else {
                return end(.fail(Failure(.loginFailed, detail: "the server did not prove that it has the password")))
            }
            return nil
        default:
            let method = Self.methods[code] ?? "method \(code)"
            let detail = "unsupported login: the server demands \(method) – allow scram-sha-256 in pg_hba.conf"
            return end(.fail(Failure(.loginFailed, detail: detail)))
        }
    }

    /// The methods of authentication that this program does not have.
    private static let methods = [
        2: "Kerberos", 4: "crypt", 6: "SCM credentials", 7: "GSSAPI", 8: "GSSAPI", 9: "SSPI",
    ]

    /// The first message of SCRAM, with the name of the mechanism and the length of the message.
    private mutating func send(_ first: String?) -> DatabaseAction {
        guard let first else { return end(.fail(.notDatabase(Self.name))) }
        let length = UInt32(first.utf8.count).inNetworkOrder
        return .send(Self.encoded("p", Array(SCRAMClient.mechanism.utf8) + [0] + length + Array(first.utf8)))
    }

    mutating func receive(key: [UInt8]) -> [DatabaseAction] {
        guard !isOver, let final = client?.finalMessage(with: key) else { return [] }
        return [.send(Self.encoded("p", Array(final.utf8)))]
    }

    /// An error message: its SQL state and its text.
    private struct ServerError {
        var code = ""
        var text: ArraySlice<UInt8> = []

        init(_ body: ArraySlice<UInt8>) {
            for field in body.split(separator: 0) {
                switch field.first {
                case UInt8(ascii: "C"): code = String(quoting: field.dropFirst(), limit: 5)
                case UInt8(ascii: "M"): text = field.dropFirst()
                default: break
                }
            }
        }
    }

    private func action(for error: ServerError) -> DatabaseAction {
        let code = error.code.isEmpty ? nil : error.code
        // Class 28 is an invalid authorization; 3D000, an unknown database.
        let refusesLogin = error.code.hasPrefix("28") || error.code == "3D000"
        guard refusesLogin else { return .fail(Failure(.serverError, quoting: error.text, code: code)) }
        let failure = Failure(error.code == "3D000" ? .serverError : .loginFailed, quoting: error.text, code: code)
        return hasUser ? .fail(failure) : .succeed(detail: failure.detail)
    }
}
