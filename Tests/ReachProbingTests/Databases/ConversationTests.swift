import ReachBasics
import ReachMonitoring
import Testing

@testable import ReachProbing

/// The conversations with database servers, without a connection.
struct ConversationTests {
    /// The actions after each message of the server, as text.
    private func actions(_ question: DatabaseQuestion, _ messages: [UInt8]...) -> [String] {
        var conversation = question.conversation(nonce: "abc")
        return messages.map { message in
            conversation.receive(message).map { action in
                switch action {
                case .send(let bytes): "send \(String(decoding: bytes.filter { 0x20..<0x7F ~= $0 }, as: UTF8.self))"
                case .derive(let key): "derive \(key.iterations)"
                case .succeed(let detail, let farewell): "up \(detail ?? "–") \(farewell.isEmpty ? "" : "farewell")"
                case .fail(let failure): "\(failure.reason.rawValue): \(failure.detail)"
                case .refuse(let fault): "fault: \(fault.detail)"
                }
            }
            .joined(separator: ", ")
        }
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    // MARK: Redis

    private func redis(password: String? = nil, user: String? = nil, database: String? = nil) -> DatabaseQuestion {
        DatabaseQuestion(.redis, host: "a", user: user, password: password, database: database)
    }

    @Test func `Redis gets its commands at once, with the lengths of all words`() {
        let opening = { (question: DatabaseQuestion) in
            String(decoding: question.conversation(nonce: "").opening, as: UTF8.self)
        }
        #expect(opening(redis()) == "*1\r\n$4\r\nPING\r\n")
        #expect(
            opening(redis(password: "ä\r\n", user: "u", database: "3"))
                == "*3\r\n$4\r\nAUTH\r\n$1\r\nu\r\n$4\r\nä\r\n\r\n*2\r\n$6\r\nSELECT\r\n$1\r\n3\r\n*1\r\n$4\r\nPING\r\n"
        )
        #expect(opening(redis(password: "p")).hasPrefix("*2\r\n$4\r\nAUTH\r\n$1\r\np\r\n"))
    }

    @Test func `Redis is up with the reply to PING`() {
        #expect(actions(redis(), bytes("+PO"), bytes("NG\r\n")) == ["", "up – "])
        #expect(actions(redis(password: "p", database: "3"), bytes("+OK\r\n+OK\r\n+PONG\r\n")) == ["up – "])
        #expect(actions(redis(), bytes("-NOAUTH Authentication required.\r\n")) == ["up password required "])
    }

    @Test(
        arguments: [
            ("LOADING Redis is loading the dataset in memory", "server_error"),
            ("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", "server_error"),
            ("DENIED Redis is running in protected mode because protected mode is enabled", "server_error"),
            ("ERR max number of clients reached", "server_error"),
            ("WRONGPASS invalid username-password pair or user is disabled.", "login_failed"),
            ("NOPERM User u has no permissions to run the 'ping' command", "server_error"),
            ("ERR AUTH <password> called without any password configured", "login_failed"),
            ("ERR invalid password", "login_failed"),
        ]
    )
    func `an error of Redis is quoted`(text: String, reason: String) throws {
        let action = try #require(actions(redis(password: "p"), bytes("-\(text)\r\n")).first)
        #expect(action.hasPrefix("\(reason): "))
        let quoted = reason == "login_failed" ? text.replacing("ERR ", with: "") : text
        #expect(action.contains(quoted.prefix(40)), "\(action)")
    }

    @Test func `an error after the login is the server's, and other answers are unexpected`() {
        let question = redis(password: "p", database: "99")
        #expect(
            actions(question, bytes("+OK\r\n"), bytes("-ERR DB index is out of range\r\n"))
                == ["", "server_error: ERR DB index is out of range"]
        )
        #expect(actions(redis(), bytes("+QUEUED\r\n")) == [#"answer_mismatch: unexpected answer "QUEUED""#])
        #expect(actions(redis(), bytes("HTTP/1.1 400\r\n")) == ["protocol_error: the answer is not Redis"])
        #expect(actions(redis(), bytes("$4\r\nPONG\r\n")) == ["protocol_error: the answer is not Redis"])
        let endless = bytes("+" + String(repeating: "x", count: 70_000))
        #expect(actions(redis(), endless) == ["protocol_error: the answer of Redis exceeds 64 KiB"])
    }

    // MARK: PostgreSQL

    private func postgres(user: String? = nil, password: String? = nil) -> DatabaseQuestion {
        DatabaseQuestion(.postgres, host: "a", user: user, password: password, database: "app")
    }

    /// A message of PostgreSQL: its type, its length and its body.
    private func message(_ type: String, _ body: [UInt8]) -> [UInt8] {
        bytes(type) + withUnsafeBytes(of: UInt32(body.count + 4).bigEndian) { Array($0) } + body
    }

    private func authentication(_ code: UInt8, _ data: [UInt8] = []) -> [UInt8] {
        message("R", [0, 0, 0, code] + data)
    }

    private func error(_ code: String, _ text: String) -> [UInt8] {
        message("E", bytes("SFATAL\0VFATAL\0C\(code)\0M\(text)\0Fpostmaster.c\0\0"))
    }

    private let ready = [0x5A, 0, 0, 0, 5, 0x49] as [UInt8]

    @Test func `PostgreSQL is up when it is ready, and its version is shown`() {
        let opening = postgres(user: "u").conversation(nonce: "").opening
        #expect(opening.prefix(8) == [0, 0, 0, UInt8(opening.count), 0, 3, 0, 0])
        #expect(
            String(decoding: opening.dropFirst(8), as: UTF8.self)
                == "user\0u\0database\0app\0application_name\0reach\0\0"
        )
        let version = message("S", bytes("server_version\015.3 (Debian)\0"))
        let zone = message("S", bytes("TimeZone\0UTC\0"))
        let others = zone + message("K", [0, 0, 0, 1, 0, 0, 0, 2]) + message("N", [0])
        #expect(
            actions(postgres(user: "u"), authentication(0), version, others + ready)
                == ["", "", "up PostgreSQL 15.3 (Debian) farewell"]
        )
        #expect(actions(postgres(user: "u"), ready) == ["protocol_error: the answer is not PostgreSQL"])
    }

    @Test(arguments: [3, 5, 7, 10] as [UInt8])
    func `without a password, a server that demands one accepts clients`(code: UInt8) {
        let data = code == 10 ? bytes("SCRAM-SHA-256\0\0") : [1, 2, 3, 4]
        for question in [postgres(), postgres(user: "u")] {
            #expect(actions(question, authentication(code, data)) == ["up password required "])
        }
    }

    @Test func `errors have their text and their SQL state`() {
        let starting = error("57P03", "the database system is starting up")
        let busy = error("53300", "sorry, too many clients already")
        for question in [postgres(), postgres(user: "u"), postgres(user: "u", password: "p")] {
            #expect(
                actions(question, starting) == ["server_error: the database system is starting up (57P03)"]
            )
            #expect(actions(question, busy) == ["server_error: sorry, too many clients already (53300)"])
        }
        let refused = error("28P01", "password authentication failed for user \"u\"")
        #expect(
            actions(postgres(user: "u", password: "p"), refused)
                == ["login_failed: password authentication failed for user \"u\" (28P01)"]
        )
        let unknown = error("3D000", "database \"app\" does not exist")
        #expect(
            actions(postgres(user: "u"), authentication(0), unknown)
                == ["", "server_error: database \"app\" does not exist (3D000)"]
        )
    }

    @Test func `without a user, a refused login shows that the server works`() {
        let refused = error("28000", "no pg_hba.conf entry for host \"192.0.2.1\"")
        #expect(actions(postgres(), refused) == ["up no pg_hba.conf entry for host \"192.0.2.1\" (28000) "])
        #expect(actions(postgres(), error("3D000", "no database")) == ["up no database (3D000) "])
    }

    @Test func `a server that cannot start a process sends a text without length`() {
        let text = bytes("Ecould not fork new process for connection: Cannot allocate memory\n\0")
        #expect(
            actions(postgres(), text)
                == ["server_error: could not fork new process for connection: Cannot allocate memory"]
        )
        let endless = bytes("E" + String(repeating: "z", count: 1_000))
        #expect(actions(postgres(), endless)[0].hasPrefix("server_error: zzz"))
    }

    @Test func `passwords are sent as the server demands`() {
        let question = postgres(user: "u", password: "p")
        #expect(actions(question, authentication(3)) == ["send pp"])
        // The length of a message may be a printable byte.
        let md5 = "md5" + MD5Hasher.hexDigest(of: bytes(MD5Hasher.hexDigest(of: bytes("pu")) + "1234"))
        #expect(actions(question, authentication(5, bytes("1234"))) == ["send p(\(md5)"])
        #expect(
            actions(question, authentication(10, bytes("SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0")))
                == ["send p!SCRAM-SHA-256n,,n=,r=abc"]
        )
        #expect(
            actions(question, authentication(10, bytes("OTHER\0\0")))
                == ["login_failed: unsupported login: the server offers no SCRAM-SHA-256 – allow it in pg_hba.conf"]
        )
        #expect(
            actions(question, authentication(7)) == [
                "login_failed: unsupported login: the server demands GSSAPI – allow scram-sha-256 in pg_hba.conf"
            ]
        )
    }

    @Test func `a server must prove that it has the password`() {
        let question = postgres(user: "u", password: "p")
        let begin = authentication(10, bytes("SCRAM-SHA-256\0\0"))
        let challenge = authentication(11, bytes("r=abcd,s=QUFB,i=4096"))
        let unproved = "login_failed: the server did not prove that it has the password"
        #expect(actions(question, begin, challenge)[1] == "derive 4096")
        let many = authentication(11, bytes("r=abcd,s=QUFB,i=600000"))
        #expect(actions(question, begin, many)[1] == "derive 600000", "as OWASP recommends")
        #expect(actions(question, begin, authentication(0))[1] == unproved)
        #expect(actions(question, begin, challenge, authentication(12, bytes("v=AAAA")))[2] == unproved)
        #expect(actions(question, challenge)[0].hasPrefix("protocol_error: "))
        #expect(
            actions(question, begin, authentication(11, bytes("r=abcd,s=QUFB,i=9999999")))[1]
                == "fault: the server demands 9999999 iterations, more than 1000000"
        )
    }

    @Test func `a login by SCRAM ends with the proof of the server`() throws {
        var conversation = postgres(user: "u", password: "p").conversation(nonce: "abc")
        _ = conversation.receive(authentication(10, bytes("SCRAM-SHA-256\0\0")))
        let challenge = "r=abcd,s=QUFB,i=4096"
        guard case .derive(let key)? = conversation.receive(authentication(11, bytes(challenge))).first else {
            throw Unexpected()
        }
        let derived = key.derived()
        #expect(conversation.receive(key: derived).count == 1)
        let serverKey = HMACKey(derived).authenticate(bytes("Server Key"))
        let signature = HMACKey(serverKey).authenticate(bytes("n=,r=abc,\(challenge),c=biws,r=abcd")).base64
        #expect(conversation.receive(authentication(12, bytes("v=\(signature)"))) == [])
        let end = conversation.receive(authentication(0) + ready)
        #expect(end == [.succeed(detail: nil, farewell: [0x58, 0, 0, 0, 4])])
    }

    private struct Unexpected: Error {}

    @Test func `other bytes are not PostgreSQL`() {
        for text in ["HTTP/1.1 400 Bad Request", "SSH-2.0-x", "R\0\0\0\u{1}", "\u{0}"] {
            #expect(actions(postgres(), bytes(text))[0] == "protocol_error: the answer is not PostgreSQL", "\(text)")
        }
        let notices = [UInt8](repeating: 0, count: 10_000)
        let endless = Array(repeating: message("N", notices), count: 10).flatMap(\.self)
        #expect(actions(postgres(), endless)[0].hasSuffix("the answer of PostgreSQL exceeds 64 KiB"))
    }

    // MARK: MySQL

    private let mysql = DatabaseQuestion(.mysql, host: "a")

    private func packet(_ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [UInt8(payload.count & 0xFF), UInt8(payload.count >> 8), 0, number] + payload
    }

    private func greeting(_ version: String) -> [UInt8] {
        packet(0, [10] + bytes(version) + [0] + [UInt8](repeating: 1, count: 40))
    }

    private func error(_ number: UInt8, _ code: UInt16, _ text: String) -> [UInt8] {
        packet(number, [0xFF, UInt8(code & 0xFF), UInt8(code >> 8)] + bytes(text))
    }

    @Test func `MySQL is up after its greeting and an answer to an empty login`() {
        let denied = error(2, 1_045, "#28000Access denied for user ''@'localhost' (using password: NO)")
        #expect(
            actions(mysql, greeting("5.5.5-10.11.6-MariaDB"), denied)
                == ["send 8!mysql_native_password", "up 10.11.6-MariaDB "]
        )
        let changed = packet(2, [0xFE] + bytes("caching_sha2_password\0abc\0"))
        let end = packet(4, [0, 0, 0, 2, 0, 0, 0])
        #expect(actions(mysql, greeting("8.0.36"), changed, end)[1...] == ["send ", "up 8.0.36 farewell"])
        #expect(actions(mysql, greeting("8.0.36"), error(2, 3_159, "#HY000secure transport"))[1] == "up 8.0.36 ")
    }

    @Test func `an error of MySQL is quoted, before and after the greeting`() {
        let blocked = error(0, 1_129, "Host '192.0.2.1' is blocked because of many connection errors")
        #expect(
            actions(mysql, blocked)
                == ["server_error: Host '192.0.2.1' is blocked because of many connection errors (1129)"]
        )
        let busy = error(0, 1_040, "Too many connections")
        #expect(actions(mysql, busy) == ["server_error: Too many connections (1040)"])
        #expect(
            actions(mysql, greeting("8"), error(2, 1_203, "#42000User has too many"))[1]
                == "server_error: User has too many (1203)"
        )
    }

    @Test func `other bytes are not MySQL`() {
        let not = "protocol_error: the answer is not MySQL"
        let payloads: [[UInt8]] = [[], [9, 65, 0], [10, 56, 46], [0xFF]]
        for bytes in [bytes("HTTP/1.1 400")] + payloads.map({ packet(0, $0) }) {
            #expect(actions(mysql, bytes) == [not], "\(bytes)")
        }
        #expect(actions(mysql, greeting("8"), packet(2, [7]))[1] == not)
        let changed = packet(2, [0xFE, 65, 0])
        let endless = Array(repeating: changed, count: 20).flatMap(\.self)
        #expect(actions(mysql, greeting("8"), endless)[1].hasSuffix(not))
    }
}
