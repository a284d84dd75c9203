import Monitoring
import NIOHTTP1
import Testing

@testable import Probing

struct RedirectFuzzTests {
    /// Targets in settings, and locations of redirects.
    private static let corpus: [[UInt8]] = [
        "192.0.2.1", "nas.local:445", "::1", "[::1]:22", "fe80::1%eth0", "icmp://[fe80::1%1]", "tcp://nas:22",
        "session://nas:443", "tls://mail:25", "udp://[2001:db8::1]:53", "http://a",
        "https://a:8443/b/?c=d/e?f&g=%C3%BC",
        "http://[::1]:8080", "dns://192.0.2.53/example.com?type=AAAA", "dns://system/_sip._tcp.a?type=SRV",
        "dns://[::1]:5353/a.", "link:any", "link:eth0.5", "route://9.9.9.9", "exec:", "//b.example/c", "/x/../y/./z",
        "../..",
        "?q", "a/b", "mailto:x", "http://münchen.example/", "https://b.example:443",
    ].map { Array($0.utf8) }

    private static let words: [[UInt8]] = [
        "://", ":", "[", "]", "/", "?", "#", "@", "%", "..", ".", "::", "http://", "https://", "dns://", "?type=",
        "65536", "0",
        "\u{301}", "\u{202E}", "\u{85}", "\u{200D}", "ü", "\\", "\"", "%00",
    ].map { Array($0.utf8) }

    @Test func `a URL round-trips from settings and redirects`() async {
        let fuzz = Fuzz(name: "URL", corpus: Self.corpus, words: Self.words)
        let methods = ["icmp", "tcp", "session", "tls", "udp", "http", "https", "dns", "link", "route"]
        await fuzz.run(often: ["problem"] + methods) { input in
            let text = String(decoding: input.bytes, as: UTF8.self)
            try Self.holdRedirect(to: text)
            let question: Question
            do throws(URLProblem) {
                question = try Question(text)
            } catch {
                try hold(!error.description.isEmpty, "empty description")
                return "problem"
            }
            let again: Question?
            do { again = try Question(question.url) } catch { again = nil }
            try hold(again == question, "\(text.debugDescription) is \(question), which is written \(question.url)")
            if let host = question.host {
                try holdShort(NameQuery(host).noAddress.detail)
                try holdShort(Failure(resolverCode: 0, host: host).detail)
                _ = PeerIdentity(host)
            }
            return question.method.rawValue
        }
    }

    /// Checks that the request after a redirect can be sent.
    private static func holdRedirect(to location: String) throws {
        let options = HTTPOptions(headers: [.init(name: "Cookie", value: "secret")], follow: 2)
        let first = HTTPQuestion(isSecure: true, host: "a.example", path: "/a/b?c", options: options)
        guard let next = first.redirected(by: 302, to: location) else { return }
        let head = next.requestHead
        let isPlain = head.uri.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
        try hold(head.uri.first == "/" && isPlain, "cannot be sent: \(head.uri.debugDescription)")
        let isElsewhere = next.host != first.host || next.port != first.port || !next.isSecure
        try hold(isElsewhere || next.host == "a.example", "\(next)")
        try hold(head.headers.contains(name: "Cookie") != isElsewhere, "sends a secret to \(next.host)")
        for header in head.headers {
            try hold(header.value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "\(header)")
        }
    }
}
