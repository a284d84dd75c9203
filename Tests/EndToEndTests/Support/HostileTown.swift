import Foundation

/// Peers that do whatever a peer should not do, and the settings that ask all of them.
struct HostileTown {
    /// A new title, colours, a line that runs backwards, and a backspace: what a terminal obeys.
    static let spell = "\u{1B}]0;pwned\u{7}\u{9B}5m\u{202E}\u{1B}[31m\u{8}\u{85}"

    /// One of them.
    struct Resident {
        let name: String
        let url: String
        var options = ""
        /// The reasons that may be given; what comes first depends on how busy the machine is.
        let reasons: Set<String>
    }

    let residents: [Resident]
    private let peers: [HostilePeer]
    private let datagrams: [HostileDatagrams]

    init() throws {
        var residents: [Resident] = []
        var peers: [HostilePeer] = []
        var datagrams: [HostileDatagrams] = []
        let add = { (name: String, deed: HostilePeer.Deed, url: String, options: String, reasons: Set<String>) in
            let peer = try HostilePeer(deed)
            peers.append(peer)
            let url = url.replacing("PEER", with: "127.0.0.1:\(peer.port)")
            residents.append(Resident(name: name, url: url, options: options, reasons: reasons))
        }
        let again = { (text: String) in Array(String(repeating: text, count: 65_536 / text.utf8.count).utf8) }
        let spell = Array(Self.spell.utf8)
        let head = Array("HTTP/1.1 200 OK\r\n".utf8)
        let protest: Set = ["protocol_error", "timeout", "closed", "reset"]
        let secure = protest.union(["tls_failed"])

        try add("headers", .endless(head, again: again("X: \(Self.spell)\r\n")), "http://PEER/", "", protest)
        try add("field", .endless(head + Array("X: ".utf8), again: again("pwned")), "http://PEER/", "", protest)
        let body = head + Array("\r\n".utf8)
        let wanted = #"http = { body = "never" }"#
        try add("body", .endless(body, again: again(Self.spell)), "http://PEER/", wanted, ["http_body", "timeout"])
        try add("page", .once(body + spell), "http://PEER/", wanted, ["http_body"])
        let status = Array("HTTP/1.1 599 pwned\u{9B}5m\u{202E}\r\nContent-Length: 0\r\n\r\n".utf8)
        try add("status", .once(status), "http://PEER/", "", ["http_status", "protocol_error"])
        let redirect = Array("HTTP/1.1 302 Found\r\nLocation: //\u{202E}pwned\u{9B}\r\n\r\n".utf8)
        try add("redirect", .once(redirect), "http://PEER/", "http = { follow = 3 }", protest.union(["http_status"]))
        try add("loris", .slow(head, again: Array("X".utf8)), "http://PEER/", "", ["timeout"])
        try add("garbage", .once(Self.garbage), "http://PEER/", "", protest)

        // A handshake message that says it has 16 MiB, in records as large as can be (RFC 8446 §5.1).
        let record: [UInt8] = [22, 3, 3, 0x40, 0] + [2, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 16_380)
        let next: [UInt8] = [22, 3, 3, 0x40, 0] + [UInt8](repeating: 0, count: 16_384)
        try add("bomb", .endless(record, again: next), "tls://PEER", "", secure)
        try add("secure bomb", .endless(record, again: next), "https://PEER/", "", secure)
        // Warnings, of which nothing follows (RFC 5246 §7.2).
        try add("warnings", .endless([], again: Self.warnings), "tls://PEER", "", secure)
        try add("slow tls", .slow(record, again: next), "tls://PEER", "", ["timeout"])
        try add("no tls", .once(Self.garbage), "https://PEER/", "", secure)
        let smtp = #"tls = { starttls = "smtp" }"#
        let smtpReasons = secure.union(["answer_mismatch"])
        try add("mail", .endless([], again: again("220-\(Self.spell)\r\n")), "tls://PEER", smtp, smtpReasons)
        try add("liar", .hold(Array("500 \(Self.spell)\r\n".utf8)), "tls://PEER", smtp, smtpReasons)

        let expect = #"{ send = "hello\r\n", expect = "^never$" }"#
        let mismatch: Set = ["answer_mismatch", "timeout", "reset", "closed"]
        for method in ["tcp", "session"] {
            let options = "\(method) = \(expect)"
            try add("\(method) banner", .once(spell), "\(method)://PEER", options, mismatch)
            try add("\(method) flood", .endless([], again: again(Self.spell)), "\(method)://PEER", options, mismatch)
            try add("\(method) loris", .slow([], again: spell), "\(method)://PEER", options, mismatch)
            try add("\(method) garbage", .hold(Self.garbage), "\(method)://PEER", options, mismatch)
        }

        let answer = try HostileDatagrams { _ in [spell] + Array(repeating: Self.garbage, count: 200) }
        let loop = try HostileDatagrams { query in
            // The question again without what comes after it, then an answer whose name leads to itself (RFC 1035
            // §4.1.4).
            guard let end = query.dropFirst(12).firstIndex(of: 0), end + 5 <= query.count else { return [] }
            var message = Array(query[..<(end + 5)])
            message.replaceSubrange(2..<12, with: [0x84, 0, 0, 1, 0, 1, 0, 0, 0, 0])
            let place = UInt8(message.count)
            return Array(repeating: message + [0xC0, place, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1], count: 200)
        }
        let noise = try HostileDatagrams { _ in Array(repeating: Self.garbage, count: 200) }
        datagrams = [answer, loop, noise]
        residents += [
            Resident(
                name: "udp",
                url: "udp://127.0.0.1:\(answer.port)",
                options: "udp = \(expect)",
                reasons: ["answer_mismatch", "timeout"]
            ),
            Resident(name: "dns loop", url: "dns://127.0.0.1:\(loop.port)/pwned.test", reasons: ["protocol_error"]),
            Resident(name: "dns noise", url: "dns://127.0.0.1:\(noise.port)/pwned.test", reasons: ["timeout"]),
        ]
        (self.residents, self.peers, self.datagrams) = (residents, peers, datagrams)
    }

    /// Everybody is asked once a second, and a hook says the spell, too.
    var settings: String {
        let targets = residents.map { resident in
            """
            [[target]]
            name = "\(resident.name)"
            url = "\(resident.url)"
            \(resident.options)
            """
        }
        // In octal, as printf wants it.
        let octal = Self.spell.utf8.map { "\\" + String($0, radix: 8) }.joined()
        let hook = "[[target.hooks]]\non = \"down\"\nat_start = true\nrun = '''printf 'HOOK\(octal)\\n'; exit 1'''\n"
        return "[defaults]\ninterval = \"1s\"\nfall = 2\n" + targets.joined(separator: "\n") + "\n" + hook
    }

    /// The most that one connection took of what was pushed at it, in bytes.
    var mostPushed: Int { peers.flatMap(\.bytesPushed).max() ?? 0 }
    /// How many connections were taken and have ended.
    var connections: Int { peers.map(\.bytesPushed.count).reduce(0, +) }

    /// Bytes of every sort, the spell among them.
    private static let garbage: [UInt8] = (0...255).reversed() + Array(spell.utf8) + (0...255)
    /// Alerts that warn of something that nobody has heard of.
    private static let warnings = [[UInt8]](repeating: [21, 3, 3, 0, 2, 1, 99], count: 9_000).flatMap(\.self)
}
