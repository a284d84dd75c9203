import Foundation

@testable import Screen

extension Frame {
    /// Its clusters about whose columns terminals disagree.
    var contested: Set<Character> {
        Set(cells.map(\.character).filter(\.hasContestedWidth))
    }

    /// Where a terminal shows something else, in words; nil where it does not.
    ///
    /// What a cluster of contested width looks like is the terminal's business, as long as it begins where it should, and
    /// nothing else stands in its columns.
    func difference(from shown: [[String]]) -> String? {
        for row in 0..<size.rows {
            let line = row < shown.count ? shown[row] : []
            var meant: Character = " "
            for column in 0..<size.columns {
                let cell = self[column: column, row: row]
                let isFirst = !cell.isContinuation
                if isFirst { meant = cell.character }
                let actual = column < line.count ? line[column] : " "
                let isRight =
                    meant.hasContestedWidth
                    ? meant.isShown(by: actual, isFirst: isFirst) : actual == (isFirst ? String(meant) : "")
                if !isRight {
                    let text = text.split(separator: "\n", omittingEmptySubsequences: false)[row]
                    return "row \(row), column \(column): \"\(actual)\" for \"\(meant)\"\n\(text)\n\(line.joined())"
                }
            }
        }
        return nil
    }
}

extension Character {
    /// Whether a column of a terminal may be the first of this cluster, or the other one.
    fileprivate func isShown(by text: String, isFirst: Bool) -> Bool {
        let parts = Array(String(self).decomposedStringWithCanonicalMapping.unicodeScalars)
        let actual = Array(text.decomposedStringWithCanonicalMapping.unicodeScalars)
        return isFirst ? actual.first == parts.first : actual.allSatisfy { $0 == " " || parts.contains($0) }
    }
}
