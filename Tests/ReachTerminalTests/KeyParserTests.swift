import ReachScreen
import TestSupport
import Testing

@testable import ReachTerminal

@Suite struct `Key parser` {
    static let table: [(String, [Key])] = [
        ("a", [.character("a")]),
        (" Z~", [.character(" "), .character("Z"), .character("~")]),
        ("é日👍", [.character("é"), .character("日"), .character("👍")]),
        ("\u{3}\u{12}\u{1A}", [.control("c"), .control("r"), .control("z")]),
        ("\0\u{1C}\u{1F}", [.control("@"), .control("\\"), .control("_")]),
        ("\r\n", [.enter, .enter]),
        ("\t\u{8}\u{7F}", [.tab, .backspace, .backspace]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
        ("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", [.up, .down, .right, .left]),
        ("\u{1B}[1;5A\u{1B}[1;2D\u{1B}O5C\u{1B}[a", [.up, .left, .right, .up]),
        ("\u{1B}[H\u{1B}OH\u{1B}[1~\u{1B}[7~\u{1B}[1;5H", [.home, .home, .home, .home, .home]),
        ("\u{1B}[F\u{1B}OF\u{1B}[4~\u{1B}[8~", [.end, .end, .end, .end]),
        ("\u{1B}[2~\u{1B}[3~\u{1B}[5~\u{1B}[6~", [.insert, .delete, .pageUp, .pageDown]),
        ("\u{1B}[5;5~\u{1B}[6^", [.pageUp, .pageDown]),
        ("\u{1B}[Z", [.backTab]),
        ("\u{1B}OP\u{1B}OQ\u{1B}OR\u{1B}OS", (1...4).map(Key.function)),
        ("\u{1B}[P\u{1B}[1;2Q\u{1B}[1;5R", (1...3).map(Key.function)),
        ("\u{1B}[[A\u{1B}[[B\u{1B}[[C\u{1B}[[D\u{1B}[[E", (1...5).map(Key.function)),
        ("\u{1B}[11~\u{1B}[12~\u{1B}[13~\u{1B}[14~\u{1B}[15~", (1...5).map(Key.function)),
        ("\u{1B}[17~\u{1B}[18~\u{1B}[19~\u{1B}[20~\u{1B}[21~", (6...10).map(Key.function)),
        ("\u{1B}[23~\u{1B}[24;2~", [.function(11), .function(12)]),
        ("\u{1B}OM", [.enter]),
        ("\u{1B}x\u{1B}é\u{1B}/", [.alt("x"), .alt("é"), .alt("/")]),
        ("\u{1B}\r\u{1B}\u{7F}\u{1B}\u{12}", [.enter, .backspace, .control("r")]),
        ("\u{1B}\u{1B}[A", [.escape, .up]),
        ("\u{1B}[1\u{1B}[A", [.up]),
        // The mouse.
        ("\u{1B}[<0;10;20M\u{1B}[<0;10;20ma", [.click(Position(column: 9, row: 19)), .character("a")]),
        ("\u{1B}[<4;1;1M\u{1B}[<64;3;3M\u{1B}[<65;3;3M", [.click(Position(column: 0, row: 0)), .wheelUp, .wheelDown]),
        ("\u{1B}[<0;300;200M", [.click(Position(column: 299, row: 199))]),
        (
            "\u{1B}[<1;1;1M\u{1B}[<2;1;1M\u{1B}[<32;1;1M\u{1B}[<35;1;1M\u{1B}[<66;1;1M\u{1B}[<128;1;1Ma",
            [.character("a")]
        ),
        ("\u{1B}[<0;0;1M\u{1B}[<0;1M\u{1B}[<0;1;1;1M\u{1B}[<M\u{1B}[<;;M\u{1B}[<0;-1;1Ma", [.character("a")]),
        ("\u{1B}[<0;99999999999;1M\u{1B}[<0;65536;1M\u{1B}[<0;1;1Aa", [.character("a")]),
        // Replies of the terminal, mouse and focus reports, and unknown sequences.
        ("\u{1B}[?1;2ca", [.character("a")]),
        ("\u{1B}[>0;276;0ca", [.character("a")]),
        ("\u{1B}[?2026;2$ya", [.character("a")]),
        ("\u{1B}[12;40Ra", [.character("a")]),
        ("\u{1B}[M !!a", [.character("a")]),
        ("\u{1B}[I\u{1B}[Oa", [.character("a")]),
        ("\u{1B}[99~\u{1B}[201~\u{1B}[~a", [.character("a")]),
        ("\u{1B}]11;rgb:0000/0000/0000\u{7}a", [.character("a")]),
        ("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\a", [.character("a")]),
        ("\u{1B}P1$r0m\u{1B}\\a", [.character("a")]),
        ("\u{1B}]0;title\u{1B}[A", [.up]),
        ("\u{1B}_Gi=1;OK\u{1B}\\a", [.character("a")]),
        ("\u{1B}[" + String(repeating: "1;", count: 5000) + "xa", [.character("a")]),
        ("\u{1B}[12\u{18}a", [.character("a")]),
        // Pastes.
        ("\u{1B}[200~ping 日\u{1B}[201~a", [.paste("ping 日"), .character("a")]),
        ("\u{1B}[200~one\r\ntwo\nthree\tfour\u{1B}[201~", [.paste("one two three four")]),
        ("\u{1B}[200~a\u{3}\u{1B}[31m\u{85}b\u{7F}\u{1B}[20\u{1B}[201~", [.paste("a[31mb[20")]),
        ("\u{1B}[200~\u{1B}\u{1B}[201~", []),
    ]

    @Test(arguments: table)
    func `parses the keys`(bytes: String, keys: [Key]) {
        var parser = KeyParser()
        #expect(parser.parse(bytes.utf8) == keys)
        #expect(parser.timeout == .none)
    }

    @Test(arguments: table.filter { $0.0.utf8.count < 1000 })
    func `the keys do not depend on how the bytes are split`(bytes: String, keys: [Key]) {
        let bytes = Array(bytes.utf8)
        for cut in 0...bytes.count {
            var parser = KeyParser()
            let parts = parser.parse(bytes[..<cut]) + parser.parse(bytes[cut...])
            #expect(parts == keys, "cut at \(cut)")
        }
    }

    @Test(arguments: [
        ("\u{1B}", KeyParser.EscapeTimeout.short, [Key.escape]),
        ("\u{1B}\u{1B}", .short, [.escape, .escape]),
        ("\u{1B}[", .short, [.alt("[")]),
        ("\u{1B}O", .short, [.alt("O")]),
        ("\u{1B}]", .short, [.alt("]")]),
        ("\u{1B}P", .short, [.alt("P")]),
        ("\u{1B}[1;", .short, []),
        ("\u{1B}]11;rgb:ff", .short, []),
        ("\u{1B}P1$r", .short, []),
        ("\u{1B}[M!", .short, []),
        ("\u{1B}[200~half", .long, [.paste("half")]),
        ("a", .none, [.character("a")]),
    ])
    func `completes an open sequence after its timeout`(bytes: String, patience: KeyParser.EscapeTimeout, keys: [Key]) {
        var parser = KeyParser()
        var all = parser.parse(bytes.utf8)
        #expect(parser.timeout == patience)
        all += parser.flush()
        #expect(all == keys)
        #expect(parser.timeout == .none)
        #expect(parser.parse("q".utf8) == [.character("q")])
    }

    @Test(arguments: [
        ("\u{1B}]11;rgb:ffff/ffff/ffff\u{7}", RGB(0xFFFFFF)),
        ("\u{1B}]11;rgb:28/2c/34\u{1B}\\", RGB(0x282C34)),
        ("\u{1B}]11;rgba:0000/8080/ffff/8000\u{7}", RGB(0x0080FF)),
        ("\u{1B}]11;#fdf6e3\u{7}", RGB(0xFDF6E3)),
        ("\u{1B}]10;rgb:ffff/ffff/ffff\u{7}", nil),
        ("\u{1B}]11;?\u{7}", nil),
        ("\u{1B}]11;\u{7}", nil),
        ("\u{1B}]11;rgb:ffff/ffff\u{7}", nil),
        ("\u{1B}P11;rgb:ffff/ffff/ffff\u{1B}\\", nil),
        ("\u{1B}]11;rgb:ffff/ffff/ffff" + String(repeating: "0", count: 5_000) + "\u{7}", nil),
    ])
    func `a background report is not a key`(bytes: String, color: RGB?) {
        let bytes = Array(bytes.utf8)
        for cut in [0, 1, 2, 5, bytes.count / 2, bytes.count - 1] {
            var parser = KeyParser()
            #expect(parser.parse(bytes[..<cut]).isEmpty)
            #expect(parser.parse(bytes[cut...]) + parser.parse("q".utf8) == [.character("q")])
            #expect(parser.takeBackground() == color, "cut at \(cut)")
            #expect(parser.takeBackground() == nil)
        }
    }

    @Test func `a reply without an end does not block the keys`() {
        var parser = KeyParser()
        #expect(parser.parse("\u{1B}]11;rgb:ffff\u{3}q".utf8) == [.control("c"), .character("q")])
        #expect(parser.parse("\u{1B}]11;rgb:ffff".utf8).isEmpty)
        #expect(parser.flush().isEmpty)
        #expect(parser.parse("q".utf8) == [.character("q")])
        #expect(parser.takeBackground() == nil)
    }

    @Test(arguments: [
        "\u{1B}]11;rgb:00", "\u{1B}]11;", "\u{1B}P1$r0", "\u{1B}_Gi", "\u{1B}[1;", "\u{1B}[<0;1", "\u{1B}[M!",
    ])
    func `keys after an unfinished reply are keys, however fast they are typed`(reply: String) {
        var parser = KeyParser()
        #expect(parser.parse(reply.utf8).isEmpty)
        #expect(parser.flush().isEmpty)
        let keys = ["a", "0", ";", "A", "\u{1B}[B"].flatMap { parser.parse($0.utf8) }
        #expect(keys == [.character("a"), .character("0"), .character(";"), .character("A"), .down])
    }

    @Test(arguments: [
        ("\u{1B}]11;rgb:ff", "ff/ffff/ffff\u{7}"), ("\u{1B}]11;rgb:ffff/ffff/ffff", "\u{7}"),
        ("\u{1B}]11;rgb:ffff/ffff/ffff", "\u{1B}\\"), ("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}", "\\"),
        ("\u{1B}]0;tit", "l é\u{7}"), ("\u{1B}P1$", "r0m\u{1B}\\"), ("\u{1B}[<35;1", "0;20M"), ("\u{1B}[?1", ";2c"),
    ])
    func `the rest of a late reply is no key`(reply: String, rest: String) {
        var parser = KeyParser()
        #expect(parser.parse(reply.utf8).isEmpty)
        #expect(parser.flush().isEmpty)
        #expect(parser.parse((rest + "q").utf8) == [.character("q")])
        if reply.hasPrefix("\u{1B}]11;") { #expect(parser.takeBackground() == RGB(0xFFFFFF)) }
    }

    @Test func `a byte that no colour has ends the report of the background`() {
        var parser = KeyParser()
        #expect(parser.parse("\u{1B}]11;rgb:00qj".utf8) == [.character("q"), .character("j")])
        #expect(parser.parse("\u{1B}]11;rgb:00q\u{1B}".utf8) == [.character("q")])
        #expect(parser.parse("[A".utf8) == [.up])
        // With an end, it is an invalid report.
        #expect(parser.parse("\u{1B}]11;no idea\u{7}c".utf8) == [.character("c")])
    }

    @Test(
        arguments: [
            [0xFF, 0x61],
            [0x80, 0x61],
            [0xC0, 0x80, 0x61],
            [0xC3, 0x61],
            [0xE6, 0x97, 0x61],
            [0xE0, 0x80, 0x80, 0x61],
            [0xED, 0xA0, 0x80, 0x61],
            [0xF4, 0x90, 0x80, 0x80, 0x61],
            [0xC2, 0x9B, 0x61],
        ] as [[UInt8]]
    )
    func `drops invalid bytes`(bytes: [UInt8]) {
        var parser = KeyParser()
        #expect(parser.parse(bytes) == [.character("a")])
    }

    @Test func `waits for the rest of a character`() {
        var parser = KeyParser()
        #expect(parser.parse([0xE6, 0x97]).isEmpty)
        #expect(parser.timeout == .long)
        #expect(parser.parse([0xA5]) == [.character("日")])
    }

    @Test func `a paste is cut at its limit`() {
        var parser = KeyParser()
        let text = String(repeating: "x", count: 3 * Paste.limit)
        let keys = parser.parse("\u{1B}[200~\(text)\u{1B}[201~q".utf8)
        #expect(keys == [.paste(String(text.prefix(Paste.limit))), .character("q")])
    }

    @Test func `survives a million random bytes`() {
        var generator = SplitMix(seed: 7)
        var parser = KeyParser()
        let likely = Array("\u{1B}\u{1B}\u{1B}[[O]P~;20013456789AMR\u{7}\\<<m]11;rgb:ff/#".utf8)
        var count = 0
        for _ in 0..<10_000 {
            let bytes = (0..<100).map { _ in
                Bool.random(using: &generator)
                    ? UInt8.random(in: 0...255, using: &generator) : likely.randomElement(using: &generator) ?? 0
            }
            count += parser.parse(bytes).count
            if generator.next() % 16 == 0 { count += parser.flush().count }
        }
        _ = parser.flush()
        #expect(count > 0)
        #expect(parser.parse("q".utf8) == [.character("q")])
    }

    @Test func `attributes of the terminal are reported, and are no keys`() {
        var parser = KeyParser()
        func attributesAfter(_ text: String, _ expected: [Key] = []) -> Bool {
            let keys = parser.parse(Array(text.utf8))
            #expect(keys == expected)
            return parser.takeAttributes()
        }
        #expect(!attributesAfter("\u{1B}[>0;276;0c\u{1B}[?12l"))
        #expect(!attributesAfter("\u{1B}[?62;"))
        #expect(attributesAfter("22ca", [.character("a")]))
        #expect(!attributesAfter("b", [.character("b")]))
    }
}

@Suite struct `Open query` {
    private let begin = ContinuousClock.now
    private var query = OpenQuery()

    private func isOpen(after milliseconds: Int) -> Bool { query.isOpen(at: begin + .milliseconds(milliseconds)) }

    @Test mutating func `is open until both answers are there`() {
        #expect(!isOpen(after: 0))
        query.send(at: begin)
        #expect(isOpen(after: 1_900))
        let received = query.receiveBackground(at: begin + .milliseconds(300))
        #expect(received)
        #expect(isOpen(after: 350))
        query.receiveAttributes()
        #expect(!isOpen(after: 350))
    }

    @Test mutating func `a terminal that does not report its background has answered with its attributes`() {
        query.send(at: begin)
        query.receiveAttributes()
        #expect(!isOpen(after: 1))
        let received = query.receiveBackground(at: begin)
        #expect(received, "a late report still counts")
    }

    @Test mutating func `attributes come soon after the background, or not at all`() {
        query.send(at: begin)
        var received = query.receiveBackground(at: begin)
        #expect(received)
        received = query.receiveBackground(at: begin)
        #expect(!received)
        #expect(isOpen(after: 99) && !isOpen(after: 100))
    }

    @Test mutating func `a silent terminal does not answer`() {
        query.send(at: begin)
        #expect(isOpen(after: 1_999) && !isOpen(after: 2_000))
    }
}
