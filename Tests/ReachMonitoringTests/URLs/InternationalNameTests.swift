import Testing

@testable import ReachMonitoring

/// International domain names in URLs are converted where they are read.
struct InternationalNameTests {
    @Test(arguments: [
        ("icmp://bücher.test", "icmp://xn--bcher-kva.test"), ("Bücher.test", "icmp://xn--bcher-kva.test"),
        ("bücher.test:22", "tcp://xn--bcher-kva.test:22"), ("tls://faß.test", "tls://xn--fa-hia.test:443"),
        ("https://bücher.test:8443/a?b", "https://xn--bcher-kva.test:8443/a?b"),
        ("session://bücher.test:1", "session://xn--bcher-kva.test:1"),
        ("udp://bücher.test:1", "udp://xn--bcher-kva.test:1"),
        ("route://bücher.test", "route://xn--bcher-kva.test"),
        ("dns://bücher.test/müller.test?type=MX", "dns://xn--bcher-kva.test/xn--mller-kva.test?type=MX"),
        ("dns://system/_sip._tcp.bücher.test?type=SRV", "dns://system/_sip._tcp.xn--bcher-kva.test?type=SRV"),
        ("redis://:pässwort@bücher.test/0", "redis://xn--bcher-kva.test/0"),
        ("postgres://me@bücher.test/db", "postgres://xn--bcher-kva.test/db"),
        ("mysql://bücher.test", "mysql://xn--bcher-kva.test"),
        ("http://１２７.0.0.1/", "http://127.0.0.1/"),
    ])
    func `the host and the name of a query become ASCII`(text: String, url: String) throws {
        #expect(try Question(text).url == url)
    }

    @Test(arguments: [
        ("icmp://Bücher.test", "Bücher.test"), ("https://bücher.test/a?b", "bücher.test/a?b"),
        ("dns://bücher.test/müller.test?type=MX", "bücher.test/müller.test MX"), ("nas.test:22", "nas.test:22"),
        ("redis://:xn--a@bücher.test/0", "bücher.test/0"),
    ])
    func `the default name of a target has the names as they are typed`(url: String, title: String) {
        #expect(Question.title(of: url) == title)
    }

    @Test func `an IPv4 address in other digits is checked like any address`() {
        #expect(throws: URLProblem.self) { try Question("icmp://２２４.0.0.1") }
        #expect(throws: URLProblem.self) { try Question("icmp://３００.0.0.1") }
    }

    @Test(arguments: [
        ("https://bücher.test/x", "https://xn--bcher-kva.test/x"), ("//faß.test/", "https://xn--fa-hia.test/"),
        ("//אa.test/", nil),
    ])
    func `a redirect to an international name is followed`(location: String, url: String?) throws {
        guard case .http(var question) = try Question("https://shop.example/") else { return }
        question.options.follow = 1
        #expect(question.redirected(by: 302, to: location).map { Question.http($0).url } == url)
    }

    @Test func `proxies and the hosts without one may have international names`() throws {
        guard case .http(let question) = try Question("http://www.bücher.test/") else { return }
        #expect(try Proxies("http://prüfung.test:3128").proxy(for: question)?.host == "xn--prfung-4ya.test")
        for exception in ["bücher.test", ".BÜCHER.test", "a, bücher.test"] {
            let environment = ["http_proxy": "http://p:1", "no_proxy": exception]
            #expect(try Proxies(environment: environment).proxy(for: question) == nil, "\(exception)")
        }
        #expect(
            try Proxies(environment: ["http_proxy": "http://p:1", "no_proxy": "ücher.test"]).proxy(for: question) != nil
        )
    }
}
