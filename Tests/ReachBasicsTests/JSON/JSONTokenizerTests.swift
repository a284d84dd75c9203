import Testing

import ReachBasics

struct JSONTokenizerTests {
    private func tokens(
        _ pieces: [ArraySlice<UInt8>],
        maxDepth: Int = 8,
        maxLength: Int = 8
    ) throws(JSONTokenizer.SyntaxError) -> [JSONTokenizer.Token] {
        var tokenizer = JSONTokenizer(maxDepth: maxDepth, maxLength: maxLength)
        var tokens: [JSONTokenizer.Token] = []
        for piece in pieces { try tokenizer.read(piece) { tokens.append($0) } }
        try tokenizer.finish { tokens.append($0) }
        return tokens
    }

    @Test func `every division into pieces has the same tokens`() throws {
        let text = Array(#" {"a\n": [1.5e-3, "\ud83d\ude00ü", true], "b": {"c": null, "d": false}, "e": [ ]} "#.utf8)
        let expected: [JSONTokenizer.Token] = [
            .beginObject, .key("a\n"), .beginArray, .number("1.5e-3"), .string("😀ü"), .boolean(true), .endArray,
            .key("b"), .beginObject, .key("c"), .null, .key("d"), .boolean(false), .endObject,
            .key("e"), .beginArray, .endArray, .endObject,
        ]
        for size in 1...text.count {
            let pieces = stride(from: 0, to: text.count, by: size).map { text[$0..<min(text.count, $0 + size)] }
            #expect(try tokens(pieces) == expected, "pieces of \(size)")
        }
    }

    @Test(arguments: ["0", "-0", "12", "-1.50", "0.1", "1e9", "2E+10", "-0.5e-7"])
    func `a number is complete at the end of the text`(text: String) throws {
        #expect(try tokens([Array(text.utf8)[...]]) == [.number(text)])
    }

    @Test(arguments: [
        ("01", 1), ("-a", 1), ("1.e", 2), ("1e,", 2), ("+1", 0), (".5", 0), ("truf", 3), ("[1}", 2), ("{]", 1),
        ("[,", 1),
        (#"{"a",1}"#, 4), (#"{"a":1,}"#, 7), ("{1:2}", 1), ("1 2", 2), ("\"\n\"", 1), (#""\u00zz""#, 5), (#""\q""#, 2),
    ])
    func `the offset of a byte that cannot be there is known`(text: String, offset: Int) {
        #expect(throws: JSONTokenizer.SyntaxError.unexpected(offset: offset)) { try tokens([Array(text.utf8)[...]]) }
    }

    @Test(arguments: ["", " ", "[", "{\"a\"", "\"a", "\"\\u12", "-", "1.", "1e", "nul"])
    func `a text that is cut off is incomplete`(text: String) {
        #expect(throws: JSONTokenizer.SyntaxError.incomplete) { try tokens([Array(text.utf8)[...]]) }
    }

    @Test func `depth and length have limits`() throws {
        let nested = { (count: Int) in
            Array((String(repeating: "[", count: count) + String(repeating: "]", count: count)).utf8)
        }
        #expect(try tokens([nested(8)[...]]).count == 16)
        #expect(throws: JSONTokenizer.SyntaxError.tooDeep(offset: 8)) { try tokens([nested(9)[...]]) }
        #expect(try tokens([Array("\"12345678\"".utf8)[...]]) == [.string("12345678")])
        #expect(throws: JSONTokenizer.SyntaxError.tooLong(offset: 8)) { try tokens([Array("123456789".utf8)[...]]) }
    }

    @Test func `a longer string is cut off and counted, and what follows is read`() throws {
        var tokenizer = JSONTokenizer(maxDepth: 8, maxLength: 8)
        var found: [JSONTokenizer.Token] = []
        let text = #"["123456789\"a\ud83d\ude00\ud800", "12345678", "1234567ü9", true]"#
        for byte in text.utf8 { try tokenizer.read([byte], { found.append($0) }) }
        try tokenizer.finish { found.append($0) }
        let strings: [JSONTokenizer.Token] = [.string("12345678"), .string("12345678"), .string("1234567\u{FFFD}")]
        #expect(found == [.beginArray] + strings + [.boolean(true), .endArray])
        #expect(tokenizer.cutStrings == 2)
    }
}
