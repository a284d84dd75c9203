import Testing

@testable import Dashboard

@Suite struct `Column layout` {
    private typealias Spec = ColumnLayout<String>.Spec

    private let specs = [
        Spec("glyph", minimum: 1),
        Spec("name", minimum: 4, weight: 1, maximum: 12),
        Spec("url", minimum: 6, weight: 3, dropOrder: 3),
        Spec("last", minimum: 5, ideal: 7, dropOrder: 2),
        Spec("for", minimum: 3, dropOrder: 1),
    ]

    @Test(arguments: [
        (40, "glyph 0..<1, name 2..<9, url 10..<28, last 29..<36, for 37..<40"),
        (23, "glyph 0..<1, name 2..<6, url 7..<13, last 14..<19, for 20..<23"),
        (22, "glyph 0..<1, name 2..<6, url 7..<14, last 15..<22"),
        (19, "glyph 0..<1, name 2..<6, url 7..<13, last 14..<19"),
        (18, "glyph 0..<1, name 2..<7, url 8..<18"),
        (12, "glyph 0..<1, name 2..<12"),
        (4, "glyph 0..<1, name 2..<4"),
        (2, "glyph 0..<1"),
        (0, ""),
    ])
    func `drops columns in order and gives the rest to the flexible ones`(width: Int, expected: String) {
        let layout = ColumnLayout(specs, width: width, gap: 1)
        let shown = layout.visible.map { id in "\(id) \(layout[id].map { "\($0)" } ?? "-")" }
        #expect(shown.joined(separator: ", ") == expected)
    }

    @Test(arguments: 0...300)
    func `columns stay within the width and do not touch`(width: Int) {
        let layout = ColumnLayout(specs, width: width, gap: 1)
        var end = -1
        for range in layout.visible.compactMap({ layout[$0] }) {
            #expect(range.lowerBound == end + 1)
            #expect(range.upperBound <= width)
            end = range.upperBound
        }
        if width >= 14 { #expect(end == width) }
    }

    @Test func `a column at its maximum leaves the rest to the others`() {
        let layout = ColumnLayout(specs, width: 100, gap: 1)
        #expect(layout["name"]?.count == 12)
        #expect(layout["last"]?.count == 7)
        #expect(layout["for"]?.upperBound == 100)
    }

    @Test func `of columns with equal order, the right one is dropped first`() {
        let specs = [Spec("a", minimum: 5, dropOrder: 1), Spec("b", minimum: 5, dropOrder: 1)]
        #expect(ColumnLayout(specs, width: 9, gap: 1).visible == ["a"])
    }
}
