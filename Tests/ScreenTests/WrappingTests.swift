import Screen
import Testing

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
