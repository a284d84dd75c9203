import Foundation

/// Targets whose peers violate their protocols, and settings that probe all of them.
struct HostileTargets {
    /// Control characters that a terminal obeys: a new title, colours, right-to-left text and a backspace.
    static let payload = "\u{1B}]0;pwned\u{7}\u{9B}5m\u{202E}\u{1B}[31m\u{8}\u{85}"

    /// A target and its hostile peer's address.
    struct Target {
        let name: String
        let url: String
        var options = ""
        /// The possible reasons for `down`. Which one comes first depends on the machine's load.
        let reasons: Set<String>
    }

    let targets: [Target]
    private let peers: [HostilePeer]
    private let datagrams: [HostileDatagrams]

    init() throws {
        var targets: [Target] = []
        var peers: [HostilePeer] = []
        var datagrams: [HostileDatagrams] = []
        let add = {
            (name: String, behavior: HostilePeer.Behavior, url: String, options: String, reasons: Set<String>) in
            let peer = try HostilePeer(behavior)
            peers.append(peer)
            let url = url.replacing("PEER", with: "127.0.0.1:\(peer.port)")
            targets.append(Target(name: name, url: url, options: options, reasons: reasons))
        }
        let repeated = { (text: String) in Array(String(repeating: text, count: 65_536 / text.utf8.count).utf8) }
        let payload = Array(Self.payload.utf8)
        let head = Array("HTTP/1.1 200 OK\r\n".utf8)
        let protest: Set = ["protocol_error", "timeout", "closed", "reset"]
        let secure = protest.union(["tls_failed"])

        try add("headers", .endless(head, again: repeated("X: \(Self.payload)\r\n")), "http://PEER/", "", protest)
        try add("field", .endless(head + Array("X: ".utf8), again: repeated("pwned")), "http://PEER/", "", protest)
        let body = head + Array("\r\n".utf8)
        let wanted = #"http = { body = "never" }"#
        try add(
            "body",
            .endless(body, again: repeated(Self.payload)),
            "http://PEER/",
            wanted,
            ["http_body", "timeout"]
        )
        try add("page", .once(body + payload), "http://PEER/", wanted, ["http_body"])
        let status = Array("HTTP/1.1 599 pwned\u{9B}5m\u{202E}\r\nContent-Length: 0\r\n\r\n".utf8)
        try add("status", .once(status), "http://PEER/", "", ["http_status", "protocol_error"])
        let redirect = Array("HTTP/1.1 302 Found\r\nLocation: //\u{202E}pwned\u{9B}\r\n\r\n".utf8)
        try add("redirect", .once(redirect), "http://PEER/", "http = { follow = 3 }", protest.union(["http_status"]))
        try add("loris", .slow(head, again: Array("X".utf8)), "http://PEER/", "", ["timeout"])
        try add("garbage", .once(Self.garbage), "http://PEER/", "", protest)

        // A handshake message with a declared length of 16 MiB, in records of the largest size (RFC 8446 §5.1).
        let record: [UInt8] = [22, 3, 3, 0x40, 0] + [2, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 16_380)
        let next: [UInt8] = [22, 3, 3, 0x40, 0] + [UInt8](repeating: 0, count: 16_384)
        try add("bomb", .endless(record, again: next), "tls://PEER", "", secure)
        try add("secure bomb", .endless(record, again: next), "https://PEER/", "", secure)
        // Warning alerts, which have no effect (RFC 5246 §7.2).
        try add("warnings", .endless([], again: Self.warnings), "tls://PEER", "", secure)
        try add("slow tls", .slow(record, again: next), "tls://PEER", "", ["timeout"])
        try add("no tls", .once(Self.garbage), "https://PEER/", "", secure)
        let smtp = #"tls = { starttls = "smtp" }"#
        let smtpReasons = secure.union(["answer_mismatch"])
        try add("mail", .endless([], again: repeated("220-\(Self.payload)\r\n")), "tls://PEER", smtp, smtpReasons)
        try add("liar", .hold(Array("500 \(Self.payload)\r\n".utf8)), "tls://PEER", smtp, smtpReasons)

        let expect = #"{ send = "hello\r\n", expect = "^never$" }"#
        let mismatch: Set = ["answer_mismatch", "timeout", "reset", "closed"]
        for method in ["tcp", "session"] {
            let options = "\(method) = \(expect)"
            try add("\(method) banner", .once(payload), "\(method)://PEER", options, mismatch)
            try add(
                "\(method) flood",
                .endless([], again: repeated(Self.payload)),
                "\(method)://PEER",
                options,
                mismatch
            )
            try add("\(method) loris", .slow([], again: payload), "\(method)://PEER", options, mismatch)
            try add("\(method) garbage", .hold(Self.garbage), "\(method)://PEER", options, mismatch)
        }

        let answer = try HostileDatagrams { _ in [payload] + Array(repeating: Self.garbage, count: 200) }
        let loop = try HostileDatagrams { query in
            // The question without the records after it, then an answer whose compressed name points to itself
            // (RFC 1035 §4.1.4).
            guard let end = query.dropFirst(12).firstIndex(of: 0), end + 5 <= query.count else { return [] }
            var message = Array(query[..<(end + 5)])
            message.replaceSubrange(2..<12, with: [0x84, 0, 0, 1, 0, 1, 0, 0, 0, 0])
            let offset = UInt8(message.count)
            return Array(repeating: message + [0xC0, offset, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1], count: 200)
        }
        let noise = try HostileDatagrams { _ in Array(repeating: Self.garbage, count: 200) }
        datagrams = [answer, loop, noise]
        targets += [
            Target(
                name: "udp",
                url: "udp://127.0.0.1:\(answer.port)",
                options: "udp = \(expect)",
                reasons: ["answer_mismatch", "timeout"]
            ),
            Target(name: "dns loop", url: "dns://127.0.0.1:\(loop.port)/pwned.test", reasons: ["protocol_error"]),
            Target(name: "dns noise", url: "dns://127.0.0.1:\(noise.port)/pwned.test", reasons: ["timeout"]),
        ]
        (self.targets, self.peers, self.datagrams) = (targets, peers, datagrams)
    }

    /// Settings that probe each target once a second. A hook writes the payload too.
    var settings: String {
        let tables = targets.map { target in
            """
            [[target]]
            name = "\(target.name)"
            url = "\(target.url)"
            \(target.options)
            """
        }
        // printf takes octal escapes.
        let octal = Self.payload.utf8.map { "\\" + String($0, radix: 8) }.joined()
        let hook = "[[target.hooks]]\non = \"down\"\nat_start = true\nrun = '''printf 'HOOK\(octal)\\n'; exit 1'''\n"
        return "[defaults]\ninterval = \"1s\"\nfall = 2\n" + tables.joined(separator: "\n") + "\n" + hook
    }

    /// The most bytes that one connection accepted.
    var mostBytesSent: Int { peers.flatMap(\.bytesSent).max() ?? 0 }
    /// The number of connections that were accepted and have ended.
    var connections: Int { peers.map(\.bytesSent.count).reduce(0, +) }

    /// All byte values, and the payload.
    private static let garbage: [UInt8] = (0...255).reversed() + Array(payload.utf8) + (0...255)
    /// Warning alerts with an unknown description.
    private static let warnings = [[UInt8]](repeating: [21, 3, 3, 0, 2, 1, 99], count: 9_000).flatMap(\.self)
}
