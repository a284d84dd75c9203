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
