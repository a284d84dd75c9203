import Testing

@testable import ReachScreen

@Suite struct `Display width` {
    @Test(arguments: [
        ("", 0),
        ("reach", 5),
        ("– ● ▁ × ⣿ é", 11),
        ("\u{AD}", 1),
        ("日本", 4),
        ("ｶﾅ", 2),
        ("ＡＢ", 4),
        ("한국", 4),
        ("\u{1112}\u{1161}\u{11AB}", 2),
        ("e\u{301}", 1),
        ("a\u{300}\u{301}\u{302}", 1),
        ("ไทย", 3),
        ("น้ำ", 2),
        ("का", 2),
        ("नमस्ते", 4),
        ("👨‍👩‍👧‍👦", 2),
        ("👍🏽", 2),
        ("👩🏽‍🚀", 2),
        ("🇩🇪🇫🇷", 4),
        ("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", 2),
        ("❤", 1),
        ("❤\u{FE0F}", 2),
        ("❤\u{FE0F}‍🔥", 2),
        ("1\u{FE0F}\u{20E3}", 2),
        ("⌚", 2),
        ("𠀀", 2),
        ("\u{E0B0}", 1),
    ])
    func `counts columns like terminals`(text: String, columns: Int) {
        #expect(text.displayWidth == columns)
    }

    @Test func `a soft hyphen is replaced, since terminals disagree whether it shows`() {
        #expect(Character("\u{AD}").printable == Character.replacement)
        #expect(!Character("\u{AD}").isPlainlyNarrow)
        #expect(Character("\u{AC}").printable == "\u{AC}" && Character("\u{AE}").printable == "\u{AE}")
    }

    @Test(arguments: ["reach", "日本e\u{301}x👨‍👩‍👧‍👦", "a\u{1B}[31m\r\nb\u{202E}", "\u{301}x\u{200B}"])
    func `is what writing uses`(text: String) {
        var frame = Frame(size: Size(columns: 40, rows: 1))
        let used = frame.write(text, at: Position(column: 0, row: 0))
        #expect(used == text.displayWidth)
    }

    @Test(arguments: [
        ("router", 6, "router"),
        ("router", 5, "rout…"),
        ("router", 1, "…"),
        ("router", 0, ""),
        ("router", -3, ""),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}e\u{301}"),
        ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ])
    func `truncates to columns`(text: String, columns: Int, expected: String) {
        #expect(text.truncated(toColumns: columns) == expected)
    }

    @Test(arguments: [
        (Alignment.leading, "日    "),
        (.center, "  日  "),
        (.trailing, "    日"),
    ])
    func `pads to columns`(alignment: Alignment, expected: String) {
        #expect("日".padded(toColumns: 6, alignment) == expected)
    }

    @Test func `padding does not change wider text`() {
        #expect("router".padded(toColumns: 3) == "router")
    }
}

@Suite struct WrappingTests {
    @Test(
        arguments: [
            ("a line that fits", 20, 3, ["a line that fits"]),
            ("one two three four", 9, 3, ["one two", "three", "four"]),
            ("one two three four", 9, 2, ["one two", "three fo…"]),
            ("incomprehensible word", 8, 3, ["incompr…", "word"]),
            ("打印机 打印机", 7, 2, ["打印机", "打印机"]),
            ("", 10, 2, []), ("text", 0, 2, []),
            ("text", 10, 0, []),
        ] as [(String, Int, Int, [String])]
    )
    func `text is broken between words, and marked when it is cut`(
        text: String,
        columns: Int,
        lines: Int,
        wrapped: [String]
    ) {
        #expect(text.wrapped(toColumns: columns, lines: lines) == wrapped)
    }
}
