import Foundation

@testable import Screen

extension Frame {
    /// The grapheme clusters whose width differs between terminals.
    var contested: Set<Character> {
        Set(lines.joined().map(\.character).filter(\.hasContestedWidth))
    }

    /// Describes the first cell in which a terminal shows something else; nil if there is none.
    ///
    /// A cluster of contested width may look different, if it begins in its column and no other cluster is in its
    /// columns.
    func difference(from shown: [[String]]) -> String? {
        for row in 0..<size.rows {
            let line = row < shown.count ? shown[row] : []
            var expected: Character = " "
            for column in 0..<size.columns {
                let cell = self[column: column, row: row]
                let isFirst = !cell.isContinuation
                if isFirst { expected = cell.character }
                let actual = column < line.count ? line[column] : " "
                let isRight =
                    expected.hasContestedWidth
                    ? expected.isShown(by: actual, isFirst: isFirst) : actual == (isFirst ? String(expected) : "")
                if !isRight {
                    let text = text.split(separator: "\n", omittingEmptySubsequences: false)[row]
                    return "row \(row), column \(column): \"\(actual)\" for \"\(expected)\"\n\(text)\n\(line.joined())"
                }
            }
        }
        return nil
    }
}

extension Character {
    /// Whether a terminal's cell is valid for this cluster, in its first or its second column.
    fileprivate func isShown(by text: String, isFirst: Bool) -> Bool {
        let parts = Array(String(self).decomposedStringWithCanonicalMapping.unicodeScalars)
        let actual = Array(text.decomposedStringWithCanonicalMapping.unicodeScalars)
        return isFirst ? actual.first == parts.first : actual.allSatisfy { $0 == " " || parts.contains($0) }
    }
}
