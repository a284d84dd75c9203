import Testing

@testable import ReachBasics

/// The values are those of libidn2 2.3 (`idn2`), which curl uses too, and of Node.js's `domainToASCII`.
struct DomainNameTests {
    @Test(arguments: [
        ("bücher.test", "xn--bcher-kva.test"), ("BÜCHER.Test", "xn--bcher-kva.test"), ("faß.de", "xn--fa-hia.de"),
        ("bu\u{308}cher.de", "xn--bcher-kva.de"), ("bücher.de.", "xn--bcher-kva.de."),
        ("_http._tcp.bücher.test", "_http._tcp.xn--bcher-kva.test"),
        ("münchen_x.de", "xn--mnchen_x-65a.de"), ("l·l.es", "xn--ll-0ea.es"),
        ("ドメイン.テスト", "xn--eckwd4c7c.xn--zckzah"), ("日本語。ＪＰ", "xn--wgv71a119e.jp"),
        ("मिलन\u{200D}.in", nil), ("क्\u{200D}ष.in", "xn--11b2ezcw70k.in"), ("מבחן.test", "xn--5dbmtg.test"),
        ("xn--bcher-kva.bücher.de", "xn--bcher-kva.xn--bcher-kva.de"), ("１２７.0.0.1", "127.0.0.1"),
        ("plain.example", "plain.example"),
    ])
    func `names become ASCII`(name: String, ascii: String?) {
        #expect(name.asciiDomainName == ascii)
    }

    @Test(arguments: [
        "אa.test", "0א.test", "a\u{200D}b.de", "bü..de", "xn--a-ü.de", "\u{301}bü.de",
        String(repeating: "ü", count: 60) + ".de", "ü/x", "ü:80", "ü@x", "ü?x", "ü#x", "[ü]", "ü%41", "ü x", "",
    ])
    func `invalid names have none`(name: String) {
        #expect(name.asciiDomainName == nil)
    }
}
