import ReachMonitoring

/// The conversation with a MySQL or MariaDB server
/// (<https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase.html>).
///
/// The greeting shows that the server accepts clients. The handshake is completed nevertheless, with an empty user and no
/// password: MySQL counts aborted handshakes, and blocks the host after `max_connect_errors`. A refused login is not
/// counted.
struct MySQLConversation: DatabaseConversation {
    private enum State: Sendable {
        case greeting
        /// After the reply to the greeting; the greeting had this version.
        case login(version: String)
        case over
    }

    /// The maximum length of a packet: errors have at most 512 bytes of text.
    private static let maxPacketLength = 4_096
    /// The maximum number of packets: the greeting, changes of the authentication method, data for it, and the result.
    private static let maxPackets = 8

    let opening: [UInt8] = []
    private var state = State.greeting
    private var packet: [UInt8] = []
    private var packets = 0

    mutating func receive(_ bytes: [UInt8]) -> [DatabaseAction] {
        var actions: [DatabaseAction] = []
        for byte in bytes {
            if case .over = state { break }
            packet.append(byte)
            guard let length = packetLength else { continue }
            if length > Self.maxPacketLength {
                actions.append(end(.fail(.notDatabase("MySQL"))))
            } else if packet.count == length + 4 {
                let (number, payload) = (packet[3], packet.dropFirst(4))
                packet = []
                packets += 1
                if let action = handle(payload, number: number) { actions.append(action) }
            }
        }
        return actions
    }

    /// The length of the payload, once its header is complete: three bytes, then the number of the packet.
    private var packetLength: Int? {
        guard packet.count >= 4 else { return nil }
        return Int(packet[0]) | Int(packet[1]) << 8 | Int(packet[2]) << 16
    }

    private mutating func end(_ action: DatabaseAction) -> DatabaseAction {
        state = .over
        return action
    }

    private mutating func handle(_ payload: ArraySlice<UInt8>, number: UInt8) -> DatabaseAction? {
        switch state {
        case .greeting: handleGreeting(payload)
        case .login(let version): handleLogin(payload, number: number, version: version)
        case .over: nil
        }
    }

    private mutating func handleGreeting(_ payload: ArraySlice<UInt8>) -> DatabaseAction {
        switch payload.first {
        case 0xFF:
            guard let error = ServerError(payload) else { return end(.fail(.notDatabase("MySQL"))) }
            return end(.fail(error.failure))
        case 10:
            let version = payload.dropFirst().prefix { $0 != 0 }
            // The version, its end, the thread, eight bytes of the challenge and the lower half of the capabilities.
            guard version.endIndex < payload.endIndex, payload.endIndex - version.endIndex >= 16 else {
                return end(.fail(.notDatabase("MySQL")))
            }
            // MariaDB puts this before its version, for replicas that know only MySQL.
            let prefix = Array("5.5.5-".utf8)
            let shown = version.starts(with: prefix) ? version.dropFirst(prefix.count) : version
            state = .login(version: String(quoting: shown))
            return .send(Self.emptyLogin)
        default:
            return end(.fail(.notDatabase("MySQL")))
        }
    }

    private mutating func handleLogin(
        _ payload: ArraySlice<UInt8>,
        number: UInt8,
        version: String
    ) -> DatabaseAction? {
        switch payload.first {
        case 0x00:
            // COM_QUIT.
            return end(.succeed(detail: version, farewell: [1, 0, 0, 0, 1]))
        case 0xFF:
            guard let error = ServerError(payload) else { return end(.fail(.notDatabase("MySQL"))) }
            return end(error.isRefusedLogin ? .succeed(detail: version) : .fail(error.failure))
        case 0xFE where packets < Self.maxPackets:
            // A request to change the authentication method, answered with no password.
            return .send([0, 0, 0, number &+ 1])
        case 0x01 where packets < Self.maxPackets:
            return nil
        default:
            return end(.fail(.notDatabase("MySQL")))
        }
    }

    /// HandshakeResponse41 with an empty user and no password: the capabilities LONG_PASSWORD, PROTOCOL_41,
    /// SECURE_CONNECTION and PLUGIN_AUTH, packets of up to 16 MiB, UTF-8, 23 zeros, the user, no password, the method.
    private static let emptyLogin: [UInt8] = {
        let capabilities: [UInt8] = [0x01, 0x82, 0x08, 0x00]
        let method = Array("mysql_native_password".utf8) + [0]
        let payload = capabilities + [0, 0, 0, 1, 33] + [UInt8](repeating: 0, count: 23) + [0, 0] + method
        return [UInt8(payload.count), 0, 0, 1] + payload
    }()

    /// An error packet: its code, its SQL state if it has one, and its text.
    private struct ServerError {
        let code: Int
        let state: String?
        let text: ArraySlice<UInt8>

        init?(_ payload: ArraySlice<UInt8>) {
            let content = payload.dropFirst()
            guard content.count >= 2 else { return nil }
            code = Int(content[content.startIndex]) | Int(content[content.startIndex + 1]) << 8
            let rest = content.dropFirst(2)
            // Before the greeting, errors have no SQL state.
            guard rest.first == UInt8(ascii: "#"), rest.count >= 6 else {
                (state, text) = (nil, rest)
                return
            }
            state = String(decoding: rest.dropFirst().prefix(5), as: UTF8.self)
            text = rest.dropFirst(6)
        }

        var failure: Failure { Failure(.serverError, quoting: text, code: String(code)) }

        /// Whether the server works and refuses only the login: no access, no access without a password, an unknown
        /// authentication method, an expired password, no connection in clear, a locked account.
        var isRefusedLogin: Bool {
            state == "28000" || [1_044, 1_045, 1_251, 1_698, 1_862, 3_118, 3_159, 4_151].contains(code)
        }
    }
}
