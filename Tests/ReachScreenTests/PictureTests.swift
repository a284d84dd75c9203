import Foundation
import ReachScreen
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite struct Pictures {
    /// The elements of a document in order; nil unless it is well-formed.
    private func read(_ document: String) -> [Element]? {
        let reader = Reader()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = reader
        return parser.parse() ? reader.elements : nil
    }

    private func picture(_ draw: (inout Frame) -> Void) -> String {
        var frame = Frame(size: Size(columns: 20, rows: 3))
        draw(&frame)
        return frame.svg(title: "a <title> & \"more\"\u{7}", palette: .dark)
    }

    @Test func `text has the position and the width of its cells`() throws {
        let svg = picture { frame in
            frame.write("● NAS", at: Position(column: 2, row: 1), style: Style(.orange, .bold))
            frame.write("日本x", at: Position(column: 10, row: 2))
        }
        let elements = try #require(read(svg))
        let texts = elements.filter { $0.name == "text" }
        #expect(texts.map(\.text) == ["● NAS", "日本", "x"])
        #expect(texts.map { $0.attributes["x"] } == ["18", "90", "126"])
        #expect(texts.map { $0.attributes["textLength"] } == ["45", "36", "9"])
        #expect(texts.map { $0.attributes["y"] } == ["33", "52", "52"])
        #expect(texts.map { $0.attributes["fill"] } == ["#ff8c1a", nil, nil])
        #expect(texts.map { $0.attributes["font-weight"] } == ["bold", nil, nil])
        #expect(elements.first?.attributes["viewBox"] == "0 0 200 77")
    }

    @Test func `a reversed cell is painted, blanks too`() throws {
        let svg = picture { frame in
            frame.write("a b ", at: Position(column: 0, row: 0), style: Style(.red, .reversed))
        }
        let elements = try #require(read(svg))
        let box = try #require(elements.last { $0.name == "rect" })
        #expect(box.attributes["width"] == "36" && box.attributes["fill"] == Palette.dark[.red].hex)
        #expect(elements.last { $0.name == "text" }?.attributes["fill"] == Palette.dark.background.hex)
    }

    @Test func `braille is drawn as dots`() throws {
        let svg = picture { $0.write("a⠉ ⡀b", at: Position(column: 1, row: 1), style: Style(.orange)) }
        let elements = try #require(read(svg))
        let path = try #require(elements.first { $0.name == "path" })
        #expect(path.attributes["d"] == "M20 22h0M24 22h0M38 34h0")
        #expect(path.attributes["stroke"] == "#ff8c1a")
        #expect(elements.filter { $0.name == "text" }.map(\.text) == ["a", "b"])
        #expect(elements.filter { $0.name == "text" }.map { $0.attributes["x"] } == ["9", "45"])
    }

    @Test func `columns are aligned with a proportional font`() throws {
        let svg = picture { $0.write("a b   c", at: Position(column: 1, row: 0)) }
        let texts = try #require(read(svg)).filter { $0.name == "text" }
        #expect(texts.map(\.text) == ["a b", "c"])
        #expect(texts.map { $0.attributes["x"] } == ["9", "63"])
        #expect(texts.map { $0.attributes["textLength"] } == ["27", "9"])
    }

    @Test func `text from others is escaped`() throws {
        let svg = picture { frame in
            frame.write("</text><script>\"&'", at: Position(column: 0, row: 0))
            frame.write("\u{1B}]]>\u{202E}\u{FFFF}&amp;", at: Position(column: 0, row: 1))
        }
        let elements = try #require(read(svg))
        #expect(Set(elements.map(\.name)) == ["svg", "title", "rect", "g", "text"])
        #expect(elements.first { $0.name == "text" }?.text == "</text><script>\"&'")
        #expect(elements.first { $0.name == "title" }?.text == "a <title> & \"more\"")
        #expect(elements.last?.text.hasSuffix("&amp;") == true)
    }

    @Test func `every character of a frame gives a well-formed document`() {
        var frame = Frame(size: Size(columns: 512, rows: 136))
        for value in UInt32(0)...0x10FFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let position = Position(column: Int(value % 512), row: Int(value / 512))
            frame.write(String(Character(scalar)), at: position)
        }
        #expect(read(frame.svg(title: "", palette: .light)) != nil)
    }
}

private struct Element {
    let name: String
    let attributes: [String: String]
    var text = ""
}

private final class Reader: NSObject, XMLParserDelegate {
    var elements: [Element] = []

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.append(Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard !elements.isEmpty, string != "\n" else { return }
        elements[elements.count - 1].text += string
    }
}
