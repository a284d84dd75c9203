import ReachMonitoring
import Testing

@testable import ReachProbing

struct DatabaseFuzzTests {
    private static let version: [UInt8] = Array("S\0\0\0\u{18}server_version\015.3\0".utf8)
    private static let ready: [UInt8] = [0x5A, 0, 0, 0, 5, 0x49]
    private static let authenticated: [UInt8] = [0x52, 0, 0, 0, 8, 0, 0, 0, 0]

    private static func message(_ type: String, _ body: String) -> [UInt8] {
        Array(type.utf8) + [0, 0, 0, UInt8(body.utf8.count + 4)] + Array(body.utf8)
    }

    private static func packet(_ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [UInt8(payload.count), 0, 0, number] + payload
    }

    private static let greeting = packet(
        0,
        [10] + Array("5.5.5-10.11.6-MariaDB\0".utf8) + [UInt8](repeating: 1, count: 40)
    )
    private static let denied = packet(2, [0xFF, 0x15, 0x04] + Array("#28000Access denied".utf8))

    private static let redis: [[UInt8]] = [
        "+PONG\r\n", "+OK\r\n+PONG\r\n", "+OK\r\n+OK\r\n+PONG\n", "-NOAUTH Authentication required.\r\n",
        "-LOADING Redis is loading the dataset in memory\r\n", "-WRONGPASS invalid\r\n", "-ERR invalid password\r\n",
        "+\u{1B}[2J\r\n",
    ].map { Array($0.utf8) }

    private static let postgres: [[UInt8]] = [
        authenticated + version + ready, message("R", "\0\0\0\u{3}"), message("R", "\0\0\0\u{5}abcd"),
        message("R", "\0\0\0\u{A}SCRAM-SHA-256\0\0") + message("R", "\0\0\0\u{B}r=abcd,s=QUFB,i=4096"),
        message("E", "SFATAL\0C57P03\0Mthe database system is starting up\0\0"),
        message("E", "C28000\0Mno pg_hba.conf entry\0\0"), Array("Ecould not fork\n\0".utf8),
    ]

    private static let mysql: [[UInt8]] = [
        greeting + denied, greeting + packet(2, [0xFE] + Array("a\0b".utf8)) + packet(4, [0, 0, 0, 2, 0, 0, 0]),
        packet(0, [0xFF, 0x10, 0x04] + Array("Too many connections".utf8)), packet(0, [9, 51, 0]),
    ]

    private static let words: [[UInt8]] =
        ["\r\n", "+", "-", "ERR ", "\u{1B}[", "R\0\0\0", "E\0\0\0", "Z", "#28000", "\0"].map { Array($0.utf8) }
        + [[0xFF], [0xFE], [0, 0, 0, 0]]

    private static let questions = [
        DatabaseQuestion(.redis, host: "a"),
        DatabaseQuestion(.redis, host: "a", password: "p", database: "1"),
        DatabaseQuestion(.postgres, host: "a"),
        DatabaseQuestion(.postgres, host: "a", user: "u", password: "p"),
        DatabaseQuestion(.mysql, host: "a"),
    ]

    @Test func `a conversation with a database has the same result for any fragments`() async {
        let corpus = Self.redis + Self.postgres + Self.mysql
        let fuzz = Fuzz(name: "database", corpus: corpus, words: Self.words, cost: 4)
        await fuzz.run(often: ["up", "protocol_error", "server_error", "wait"]) { input in
            let question = Self.questions[input.number(below: Self.questions.count)]
            var whole = question.conversation(nonce: "abc")
            var bytewise = question.conversation(nonce: "abc")
            var (said, wanted): ([DatabaseAction], [DatabaseAction]) = ([], [])
            for byte in input.bytes { wanted += bytewise.receive([byte]) }
            for fragment in input.fragments() { said += whole.receive(Array(fragment)) }
            // The key may arrive at any time.
            wanted += bytewise.receive(key: [1, 2, 3])
            said += whole.receive(key: [1, 2, 3])
            try hold(said == wanted, "\(said), and byte by byte \(wanted)")
            try hold(said.count { $0.isLast } <= 1, "ends twice: \(said)")
            try hold(said.last?.isLast ?? true || !said.contains { $0.isLast }, "goes on: \(said)")
            switch said.last {
            case .succeed(let detail, _):
                try holdShort(detail ?? "", limit: 220)
                return "up"
            case .fail(let failure):
                try holdShort(failure.detail, limit: 220)
                return failure.reason.rawValue
            case .refuse(let fault):
                try holdShort(fault.detail)
                return "fault"
            case .send, .derive, nil:
                return "wait"
            }
        }
    }
}
