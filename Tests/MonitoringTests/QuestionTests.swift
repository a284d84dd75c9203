import Monitoring
import Testing

@Suite struct QuestionTests {
    @Test(
        arguments: [
            ("127.0.0.1", "icmp://127.0.0.1"), ("nas.local", "icmp://nas.local"),
            ("nas.local:445", "tcp://nas.local:445"),
            ("[::1]:22", "tcp://[::1]:22"), ("::1", "icmp://[::1]"), ("[::1]", "icmp://[::1]"),
            ("fe80::1%eth0", "icmp://[fe80::1%eth0]"), ("icmp://192.0.2.1", "icmp://192.0.2.1"),
            ("ICMP://192.0.2.1/", "icmp://192.0.2.1"), ("icmp://[::1]", "icmp://[::1]"), ("icmp://::1", "icmp://[::1]"),
            ("tcp://nas.local:445", "tcp://nas.local:445"), ("tcp://[fe80::1%eth0]:22", "tcp://[fe80::1%eth0]:22"),
        ]
    )
    func `a URL or its short form is read`(text: String, url: String) throws {
        #expect(try Question(text).url == url)
    }

    @Test(
        arguments: [
            ("", "the URL is empty – such as icmp://192.0.2.1"),
            ("tpc://nas:445", "unknown method \"tpc\" – did you mean \"tcp\"?"),
            ("gopher://nas", "unknown method \"gopher\" – one of icmp, tcp"),
            ("tcp://nas", "tcp needs a port – tcp://nas:443"),
            ("tcp://nas:0", "\"0\" is no port – a number from 1 to 65535"),
            ("nas:65536", "\"65536\" is no port – a number from 1 to 65535"),
            ("nas:+22", "\"+22\" is no port – a number from 1 to 65535"),
            ("icmp://nas:7", "icmp has no port – icmp://nas, or tcp://nas:7"),
            ("icmp://", "the host is missing"), (":22", "the host is missing"),
            ("[::1", "a \"[\" without its \"]\""), ("[nas]:22", "brackets are for IPv6 addresses"),
            ("tcp://nas:22/x", "tcp:// takes a host and a port, and nothing after it"),
            ("icmp://na s", "the URL has a blank or a control character in it"),
        ]
    )
    func `what is no URL is told why`(text: String, problem: String) {
        #expect(throws: URLProblem.self) { try Question(text) }
        do throws(URLProblem) { _ = try Question(text) } catch { #expect(error.description == problem) }
    }
}
