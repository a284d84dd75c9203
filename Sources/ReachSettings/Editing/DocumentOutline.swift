/// The tables and keys of a TOML text, with their ranges in it. Ranges count Unicode scalars.
///
/// Like ``Locator``, it follows only the structure of the text, and expects text that the parser has accepted.
struct DocumentOutline {
    /// A key and its value: `url = "icmp://192.0.2.1"  # a comment`.
    struct Entry: Hashable {
        /// The parts of the key, between its dots.
        let keys: [String]
        let keyRange: Range<Int>
        let value: Range<Int>
        /// The lines of the entry, with indentation and comment, without the last line end.
        let lines: Range<Int>
    }

    /// A header with the keys below it; the first section has no header.
    struct Section: Hashable {
        /// The parts of the name in the header.
        let keys: [String]
        /// Whether the header is that of an array of tables: `[[target]]`.
        let isElement: Bool
        /// The line of the header, without its line end.
        let header: Range<Int>
        var entries: [Entry] = []

        /// The lines from the header to the last entry.
        var lines: Range<Int> { header.lowerBound..<(entries.last?.lines.upperBound ?? header.upperBound) }

        /// The entry of an undotted key.
        subscript(key: String) -> Entry? { entries.first { $0.keys == [key] } }
    }

    /// The sections of each target that has a `[[target]]` header: its own, then those of its tables.
    private(set) var targets: [[Section]] = []
    private(set) var sections = [Section(keys: [], isElement: false, header: 0..<0)]
    let scalars: [Unicode.Scalar]
    private var cursor: TextCursor

    init(_ text: String) {
        cursor = TextCursor(text)
        scalars = cursor.scalars
        cursor.skipToContent()
        while !cursor.isAtEnd {
            let start = cursor.index
            if cursor.peek() == "[" { readHeader() } else { readEntry() }
            if cursor.index == start { cursor.next() }
            cursor.skipToContent()
        }
        for section in sections where section.keys.first == "target" {
            if section.keys.count == 1, section.isElement {
                targets.append([section])
            } else if !targets.isEmpty {
                targets[targets.count - 1].append(section)
            }
        }
    }

    /// The text of a range.
    func text(_ range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[range])
        return String(view)
    }

    /// The line end of the text: that of its first line.
    var lineEnd: String {
        guard let newline = scalars.firstIndex(of: "\n") else { return "\n" }
        return newline > 0 && scalars[newline - 1] == "\r" ? "\r\n" : "\n"
    }

    /// The line end at an index, or that of the text if there is none.
    func lineEnd(at index: Int) -> String {
        let end = text(index..<end(ofLineEnd: index))
        return end.isEmpty ? lineEnd : end
    }

    /// The blanks before the key or header at the beginning of these lines.
    func indentation(of lines: Range<Int>) -> String {
        text(lines.lowerBound..<(lines.first { !scalars[$0].isBlank } ?? lines.upperBound))
    }

    /// The string of a value, or the strings of an array, with their ranges. Nested arrays and tables are left out.
    func strings(in range: Range<Int>) -> [(text: String, range: Range<Int>)] {
        var cursor = cursor
        cursor.move(to: range.lowerBound)
        if ["\"", "'"].contains(cursor.peek()) { return [(cursor.consumeString(), range)] }
        guard cursor.consume("[") else { return [] }
        var strings: [(String, Range<Int>)] = []
        while cursor.index < range.upperBound {
            cursor.skipToContent()
            let start = cursor.index
            switch cursor.peek() {
            case "\"", "'": strings.append((cursor.consumeString(), start..<cursor.index))
            case "[", "{": cursor.skipValue()
            default: cursor.next()
            }
        }
        return strings
    }

    // MARK: Reading

    private mutating func readHeader() {
        let start = lineStart(before: cursor.index)
        cursor.next()
        let isElement = cursor.consume("[")
        let keys = cursor.consumeKeys().map(\.text)
        while cursor.consume("]") {}
        sections.append(Section(keys: keys, isElement: isElement, header: start..<endOfLine()))
    }

    private mutating func readEntry() {
        let start = cursor.index
        let keys = cursor.consumeKeys().map(\.text)
        var end = cursor.index
        while end > start, scalars[end - 1].isBlank { end -= 1 }
        guard cursor.consume("=") else { return }
        cursor.skipBlanks()
        let value = cursor.index
        cursor.skipValue()
        var valueEnd = cursor.index
        while valueEnd > value, scalars[valueEnd - 1].isBlank { valueEnd -= 1 }
        sections[sections.count - 1].entries.append(
            Entry(
                keys: keys,
                keyRange: start..<end,
                value: value..<valueEnd,
                lines: lineStart(before: start)..<endOfLine()
            )
        )
    }

    private func lineStart(before index: Int) -> Int {
        var start = index
        while start > 0, scalars[start - 1].isBlank { start -= 1 }
        return start
    }

    /// Skips the rest of the line, and returns its end.
    private mutating func endOfLine() -> Int {
        cursor.consume { $0 != "\n" }
        let end = cursor.index
        return end > 0 && scalars[end - 1] == "\r" ? end - 1 : end
    }
}

extension TextCursor {
    /// Skips a value: to its closing quote or bracket, or to the end of a number, date or Boolean with the blanks after
    /// it.
    fileprivate mutating func skipValue() {
        var depth = 0
        while let scalar = peek() {
            switch scalar {
            case "\"", "'":
                _ = consumeString()
            case "[", "{":
                depth += 1
                next()
            case "]", "}":
                depth -= 1
                next()
            case "#" where depth > 0:
                consume { $0 != "\n" }
            case "#", "\n", "\r", ",":
                guard depth > 0 else { return }
                next()
                continue
            default:
                next()
                continue
            }
            if depth <= 0 { return }
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a space or a tab.
    var isBlank: Bool { self == " " || self == "\t" }
}

/// The lines that belong to a table.
extension DocumentOutline {
    /// The end of the lines of a table with the comments directly below its last key, below which another table is
    /// added. Comments that a key or header follows belong to that.
    func end(ofBlock lines: Range<Int>) -> Int {
        var end = lines.upperBound
        var next = end
        while let line = line(after: next), let first = scalars[line].first(where: { !$0.isBlank }) {
            guard first == "#" else { return lines.upperBound }
            next = line.upperBound
            end = next
        }
        return end
    }

    /// The line ranges of a target to remove: its adjacent sections together, each with a line end and with one of the two
    /// runs of blank lines around it.
    func blocks(of target: [Section]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for section in target {
            if let last = runs.last,
                let previous = sections.last(where: { $0.header.lowerBound < section.header.lowerBound }),
                previous.lines.upperBound == last.upperBound
            {
                runs[runs.count - 1] = last.lowerBound..<section.lines.upperBound
            } else {
                runs.append(section.lines)
            }
        }
        return runs.map(withBlankLines)
    }

    private func withBlankLines(_ run: Range<Int>) -> Range<Int> {
        var after = run.upperBound
        while let line = line(after: after), scalars[line].allSatisfy(\.isBlank) { after = line.upperBound }
        let isLast = line(after: after) == nil
        var before = run.lowerBound
        while before > 0 {
            let start = start(ofLineEndingAt: self.end(ofLineBefore: before))
            guard scalars[start..<self.end(ofLineBefore: before)].allSatisfy(\.isBlank) else { break }
            before = start
        }
        // The line before becomes the last one, and keeps its line end also where the removed one has none.
        if isLast { return before..<self.end(ofLineEnd: run.upperBound) }
        let hasBlankBefore = before < run.lowerBound || before == 0
        let lineEnd = self.end(ofLineEnd: hasBlankBefore ? after : run.upperBound)
        return run.lowerBound..<lineEnd
    }

    /// The line after the line that ends at an index; nil for the last one. Line ends are not part of lines. The empty text
    /// after the last line end is no line.
    private func line(after end: Int) -> Range<Int>? {
        let start = self.end(ofLineEnd: end)
        guard start < scalars.count, start > end else { return nil }
        var index = start
        while index < scalars.count, scalars[index] != "\n" { index += 1 }
        if index > start, index < scalars.count, scalars[index - 1] == "\r" { index -= 1 }
        return start..<index
    }

    /// The index after the line end at an index; the index itself at the end of the text.
    func end(ofLineEnd index: Int) -> Int {
        var index = index
        if index < scalars.count, scalars[index] == "\r" { index += 1 }
        if index < scalars.count, scalars[index] == "\n" { index += 1 }
        return index
    }

    /// The end of the line before the one that starts at an index; zero for the first line.
    func end(ofLineBefore start: Int) -> Int {
        guard start > 0 else { return 0 }
        var end = start
        if scalars[end - 1] == "\n" { end -= 1 }
        if end > 0, end < start, scalars[end - 1] == "\r" { end -= 1 }
        return end
    }

    private func start(ofLineEndingAt end: Int) -> Int {
        var start = end
        while start > 0, scalars[start - 1] != "\n" { start -= 1 }
        return start
    }
}
