import ReachMonitoring
import Testing

@Suite struct QuestionTests {
    private static let notInternational =
        "not a valid international domain name – see IDNA 2008 for its letters, directions and joiners, or write its "
        + "xn-- form"

    @Test(
        arguments: [
            ("127.0.0.1", "icmp://127.0.0.1"), ("nas.local", "icmp://nas.local"),
            ("nas.local:445", "tcp://nas.local:445"),
            ("[::1]:22", "tcp://[::1]:22"), ("::1", "icmp://[::1]"), ("[::1]", "icmp://[::1]"),
            ("fe80::1%eth0", "icmp://[fe80::1%eth0]"), ("tcp://[fe80::1%25eth0]:22", "tcp://[fe80::1%eth0]:22"),
            ("fe80::1%25", "icmp://[fe80::1%25]"), ("127.1", "icmp://127.1"), ("tcp:80", "tcp://tcp:80"),
            ("3com.example.", "icmp://3com.example."),
            ("::ffff:192.0.2.1", "icmp://[::ffff:192.0.2.1]"), ("1::", "icmp://[1::]"),
            ("icmp://192.0.2.1", "icmp://192.0.2.1"),
            ("ICMP://192.0.2.1/", "icmp://192.0.2.1"), ("icmp://[::1]", "icmp://[::1]"), ("icmp://::1", "icmp://[::1]"),
            ("tcp://nas.local:445", "tcp://nas.local:445"), ("tcp://[fe80::1%eth0]:22", "tcp://[fe80::1%eth0]:22"),
            ("session://[::1]:22/", "session://[::1]:22"), ("udp://192.0.2.1:123", "udp://192.0.2.1:123"),
            ("tls://mail:25", "tls://mail:25"), ("tls://[::1]", "tls://[::1]:443"), ("TLS://a/", "tls://a:443"),
            ("http://a", "http://a/"), ("http://a:80/x", "http://a/x"), ("http://[::1]:8080", "http://[::1]:8080/"),
            ("https://a:443/b/?c=d/e?f&g=%C3%BC", "https://a/b/?c=d/e?f&g=%C3%BC"),
            ("https://a:80?x", "https://a:80/?x"),
            ("dns://192.0.2.53/a.example", "dns://192.0.2.53/a.example?type=A"),
            ("dns://[::1]:5353/a.?TYPE=aaaa", "dns://[::1]:5353/a.?type=AAAA"),
            ("dns://system/_sip._tcp.a?type=SRV", "dns://system/_sip._tcp.a?type=SRV"),
            ("xn--mnchen-3ya.example", "icmp://xn--mnchen-3ya.example"), ("my_nas-2", "icmp://my_nas-2"),
            ("link:any", "link:any"), ("LINK:eth0.5", "link:eth0.5"),
            ("route://9.9.9.9", "route://9.9.9.9"), ("route://::1/", "route://[::1]"), ("exec:", "exec:"),
        ]
    )
    func `a URL or its short form is parsed`(text: String, url: String) throws {
        let question = try Question(text)
        #expect(question.url == url)
        #expect(try Question(url) == question)
    }

    @Test(
        arguments: [
            ("", "the URL is empty – such as icmp://192.0.2.1"),
            ("tpc://nas:445", "unknown method \"tpc\" – did you mean \"tcp\"?"),
            (
                "gopher://nas",
                "unknown method \"gopher\" – "
                    + "one of icmp, tcp, session, tls, http, https, dns, udp, redis, rediss, postgres, mysql, link, "
                    + "route, exec"
            ),
            ("tcp://nas", "tcp needs a port – tcp://nas:443"),
            ("tcp://::1:80", "tcp needs a port – tcp://[::1:80]:443"),
            ("tcp://nas:0", "invalid port \"0\" – a number from 1 to 65535"),
            ("nas:65536", "invalid port \"65536\" – a number from 1 to 65535"),
            ("nas:+22", "invalid port \"+22\" – a number from 1 to 65535"),
            ("icmp://nas:7", "icmp has no port – icmp://nas, or tcp://nas:7"),
            ("icmp://", "the host is missing"), (":22", "the host is missing"),
            ("[::1", "\"[\" without \"]\""), ("[nas]:22", "brackets are for IPv6 addresses only"),
            // A mark or a prefix joins the separator to one character.
            ("icmp://nas\u{600}/", "invalid character \"\\u{0600}\" in the host"),
            ("tcp://[\u{301}::1]:22", "invalid IPv6 address \"\u{301}::1\""),
            ("tcp://nas:\u{301}22", "invalid port \"\u{301}22\" – a number from 1 to 65535"),
            ("tcp://nas:22/x", "tcp:// takes a host and a port, nothing else"),
            ("icmp://na s", "the URL has a blank or a control character in it"),
            ("shop.example/health", "a path without a method – https://shop.example/health"),
            ("192.168.1.0/24", "a network, not a host – urls = [\"192.168.1.0/24\"] in the settings"),
            ("icmp://192.0.2.0/30", "a network, not a host – urls = [\"icmp://192.0.2.0/30\"] in the settings"),
            ("tcp://192.0.2.0/30:22", "a network, not a host – urls = [\"tcp://192.0.2.0/30:22\"] in the settings"),
            ("icmp://10.0.0.{1..5}", "a range or a list, not a host – urls = [\"…10.0.0.{1..5}…\"] in the settings"),
            ("2001:db8::/32", "a network, not a host – urls = [\"2001:db8::/32\"] in the settings"),
            ("nas/24", "a path without a method – https://nas/24"),
            ("http:shop.example", "\"http:\" without \"//\" – http://shop.example"),
            ("TCP:nas", "\"tcp:\" without \"//\" – tcp://nas"),
            ("na[s", "invalid character \"[\" in the host"), ("tcp://nas%1:22", "invalid character \"%\" in the host"),
            ("icmp://nas\u{202E}sos", "invalid character \"\\u{202E}\" in the host"),
            ("http://nas/\u{301}", "a path has ASCII characters only – write the others as %C3%BC"),
            ("icmp://\u{301}nas", Self.notInternational), ("https://אa.example/", Self.notInternational),
            ("dns://9.9.9.9/אa.example", Self.notInternational),
            ("icmp://nas\u{AD}", "invalid character \"\\u{00AD}\" in the host"),
            ("tcp://a\u{200D}b.example:1", Self.notInternational),
            ("icmp://256.1.1.1", "invalid IPv4 address \"256.1.1.1\" – four numbers up to 255, such as 192.0.2.1"),
            ("1.2.3.4.5", "invalid IPv4 address \"1.2.3.4.5\" – four numbers up to 255, such as 192.0.2.1"),
            ("icmp://224.0.0.1", "multicast address 224.0.0.1 – use the address of a host"),
            ("udp://239.255.255.250:1900", "multicast address 239.255.255.250 – use the address of a host"),
            ("tcp://[ff02::1]:7", "multicast address ff02::1 – use the address of a host"),
            ("icmp://[::ffff:224.0.0.1]", "multicast address 224.0.0.1 – use the address of a host"),
            ("icmp://[::ffff:255.255.255.255]", "broadcast address 255.255.255.255 – use the address of a host"),
            ("dns://224.0.0.251:5353/nas.local", "multicast address 224.0.0.251 – use the address of a host"),
            ("255.255.255.255", "broadcast address 255.255.255.255 – use the address of a host"),
            ("8", "8 is a number, not a host – a port is HOST:8, such as 127.0.0.1:8"),
            ("tcp://80", "80 is a number, not a host – a port is HOST:80, such as 127.0.0.1:80"),
            ("https://3232235777/", "3232235777 is a number, not a host – did you mean 192.168.1.1?"),
            ("99999999999", "99999999999 is a number, not a host – such as 192.0.2.1"),
            ("0:22", "0 is a number, not a host – such as 192.0.2.1"),
            ("https://a..b/", "empty label in \"a..b\" – such as example.com"),
            ("icmp://.", "the host is missing"), ("1::2::3", "invalid IPv6 address \"1::2::3\""),
            ("[1:2:3]:22", "invalid IPv6 address \"1:2:3\""), ("::1.2.3", "invalid IPv6 address \"::1.2.3\""),
            ("x:y:z", "invalid IPv6 address \"x:y:z\""), ("icmp://::1%", "invalid IPv6 address \"::1%\""),
            ("icmp://::1%[", "invalid character \"[\" in the host"),
        ]
    )
    func `an invalid URL is reported with its problem`(text: String, problem: String) {
        expect(problem, of: text)
    }

    @Test(
        arguments: [
            ("session://nas", "session needs a port – session://nas:443"),
            ("udp://nas", "udp needs a port – udp://nas:53"),
            ("tls://nas/x", "tls:// takes a host and a port, nothing else"),
            ("tls://", "the host is missing"),
            ("route://nas:80", "route has no port – route://nas, or tcp://nas:80"),
            ("route://nas/x", "route:// takes a host, nothing else"),
            ("http://", "the host is missing"), ("https:///x", "the host is missing"),
            ("https://nas:x/", "invalid port \"x\" – a number from 1 to 65535"),
            ("https://a/#b", "a fragment (\"#\") is never sent – leave it out"),
            ("https://me:it@a/", "no password in a URL – http = { headers = { Authorization = \"…\" } }"),
            ("https://a/ü", "a path has ASCII characters only – write the others as %C3%BC"),
            ("dns://9.9.9.9", "dns needs a name to query – dns://192.0.2.53/example.com?type=A"),
            ("dns://9.9.9.9/?type=A", "dns needs a name to query – dns://192.0.2.53/example.com?type=A"),
            ("dns:///a", "the host is missing"),
            ("dns://9.9.9.9/a?AAAA", "invalid query – ?type=AAAA"),
            (
                "dns://system/a?type=ANY",
                "unknown record type \"ANY\" – A, NS, CNAME, SOA, PTR, MX, TXT, AAAA, SRV"
            ),
            ("link://eth0", "link takes no slashes – link:eth0"), ("link://", "link takes no slashes – link:any"),
            ("link:", "invalid interface \"\" – link:any, or such as link:eth0"),
            ("link:an-interface-of-17", "invalid interface \"an-interface-of-17\" – link:any, or such as link:eth0"),
            ("exec://df", "exec takes no slashes – exec: with exec = { run = [\"program\"] }"),
            ("exec:df", "exec: takes no command in the URL – exec: with exec = { run = [\"program\"] }"),
        ]
    )
    func `a URL that does not fit its method is reported with its problem`(text: String, problem: String) {
        expect(problem, of: text)
    }

    @Test(
        arguments: [
            ("icmp://127.0.0.08", "127.0.0.8"), ("127.0.0.010", "127.0.0.10"), ("tcp://010.0.00.1:22", "10.0.0.1"),
            ("https://192.0.2.01/", "192.0.2.1"), ("dns://127.0.0.053/a", "127.0.0.53"), ("127.01", "127.1"),
            ("redis://127.0.0.001", "127.0.0.1"),
        ]
    )
    func `a leading zero in an IPv4 address is ambiguous`(text: String, fix: String) {
        expect("ambiguous address: leading zero – write \(fix)", of: text)
    }

    @Test func `a zero alone, or in a name, is no leading zero`() throws {
        #expect(try Question("icmp://10.0.0.0").url == "icmp://10.0.0.0")
        #expect(try Question("icmp://web01.007.example").url == "icmp://web01.007.example")
        expect("invalid IPv6 address \"::ffff:127.0.0.01\"", of: "icmp://[::ffff:127.0.0.01]")
    }

    @Test(
        arguments: [
            ("nas.local:445", "nas.local:445"), ("https://a/", "a"), ("dns://9.9.9.9/a?type=MX", "9.9.9.9/a MX"),
            ("link:any", "link:any"), ("link:eth0", "link:eth0"), ("exec:", nil),
        ] as [(String, String?)]
    )
    func `a target without a name is named by its question`(text: String, title: String?) throws {
        #expect(try Question(text).title == title)
    }

    @Test(arguments: [
        "dns://u:s3cret@h/x", "dns://u:s3cret/x@h/x", "dns://h/x?token=s3cret", "dns://h/x?type=A&token=s3cret",
        "dns://h:53?token=s3cret/x", "postgres://h/db?user=a&password=s3cret", "redis://h/?password=s3cret",
        "postgres://h/db?sslmode=require&password=s3cret", "u:s3cret@127.0.0.1:1", "u:s3cret@h/x", "h/x?token=s3cret",
        "h:53?token=s3cret", "http:u:s3cret@h", "http:h?token=s3cret", "postgres:u:s3cret@h", "http://u:s3cret/x@h/",
        "u:s3cret@h://x", "[::1]s3cret@h", "link://u:s3cret@h", "tcp://u:s3cret@h:1", "icmp://u:s3cret@h",
    ])
    func `a problem never quotes a user, a password or a query`(text: String) {
        let problem = #expect(throws: URLProblem.self) { try Question(text) }
        #expect(problem?.description.lowercased().contains("s3cret") == false)
        #expect(!text.withoutSecretsOfInvalidURL.contains("s3cret"))
    }

    @Test func `a path of HTTP may have an at sign`() throws {
        #expect(try Question("https://h.example/@user?a@b").url == "https://h.example/@user?a@b")
    }

    private func expect(_ problem: String, of text: String) {
        #expect(throws: URLProblem.self) { try Question(text) }
        do throws(URLProblem) { _ = try Question(text) } catch { #expect(error.description == problem) }
    }
}
