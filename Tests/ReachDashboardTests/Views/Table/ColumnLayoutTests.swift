import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

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

/// The widths of the table's columns.
@Suite struct ColumnNeedsTests {
    private func widths(_ needs: ColumnNeeds, _ width: Int, of columns: [TableColumn] = TableColumn.standard)
        -> [TableColumn: Int]
    {
        let layout = needs.layout(of: columns, width: width)
        return Dictionary(uniqueKeysWithValues: layout.visible.map { ($0, layout[$0]?.count ?? 0) })
    }

    @Test func `name, URL and a health of usual length have what they need before the chart grows`() {
        let needs = ColumnNeeds(name: 20, group: 0, host: 24, url: 30, health: 27)
        let widths = widths(needs, 160)
        #expect(widths[.name].map { $0 >= 21 } == true)
        #expect(widths[.url].map { $0 >= 31 } == true)
        #expect(widths[.health].map { $0 >= 24 } == true)
        #expect(widths[.chart].map { $0 >= 41 } == true)
        #expect(widths.values.reduce(0, +) + widths.count - 1 == 160)
    }

    @Test func `in 80 columns, health has what it needs before the chart`() {
        for (health, chart) in [(17, 10), (8, 12)] {
            let needs = ColumnNeeds(name: 12, group: 0, method: 6, host: 24, url: 30, health: health)
            let widths = widths(needs, 75)
            #expect(widths[.health].map { $0 >= health } == true)
            #expect(widths[.chart].map { $0 - TableColumn.chart.indent } == chart)
            #expect(widths[.url] != nil && widths[.loss] != nil)
        }
    }

    @Test func `the room of hidden methods is for health`() {
        let widths = widths(ColumnNeeds(name: 6, group: 0, method: 5, host: 16, url: 21, health: 17), 75)
        #expect(widths[.health] == 17 && widths[.url] == 16)
        #expect(widths[.since] != nil && widths[.chart] != nil)
        // URLs with paths keep it.
        let paths = self.widths(ColumnNeeds(name: 15, group: 0, method: 8, host: 12, url: 26, health: 17), 75)
        #expect(paths[.url].map { $0 >= 17 } == true)
    }

    @Test func `a name gets its room before the URL`() {
        let needs = ColumnNeeds(name: 24, group: 0, host: 30, url: 44, health: 20)
        let widths = widths(needs, 105)
        #expect(widths[.name].map { $0 >= 20 } == true)
        #expect(widths[.url].map { (16..<30).contains($0) } == true)
    }

    @Test(arguments: 34...400)
    func `columns leave before names of usual length are cut`(width: Int) {
        for name in [8, 14, 15, 18, 20] {
            let needs = ColumnNeeds(name: name, group: 8, method: 6, host: 30, url: 44, health: 22)
            for columns in [TableColumn.standard, TableColumn.allCases] {
                let widths = widths(needs, width, of: columns)
                let isCut = widths[.name].map { $0 < name } == true
                #expect(!isCut || [.jitter, .p95, .since, .sent, .group].allSatisfy { widths[$0] == nil })
            }
        }
    }

    @Test func `names that differ only at their end are whole at every usual width`() {
        let needs = ColumnNeeds(name: 15, distinctName: 15, group: 0, method: 5, host: 28, url: 40, health: 20)
        for width in 35...200 {
            #expect(widths(needs, width)[.name].map { $0 >= 15 } == true)
        }
        // The chart stays.
        for width in [75, 89, 95] { #expect(widths(needs, width)[.chart] != nil) }
    }

    @Test(arguments: 55...200)
    func `long names are not cut so that they look alike`(width: Int) {
        let needs = ColumnNeeds(name: 60, distinctName: 36, group: 0, host: 30, url: 44, health: 22)
        #expect(widths(needs, width)[.name].map { $0 >= 36 } == true)
        let alike = ColumnNeeds(name: 60, distinctName: 60, group: 0, host: 30, url: 44, health: 22)
        #expect(widths(alike, width)[.name].map { $0 >= 40 } == true)
        #expect(widths(alike, width)[.health].map { $0 >= 14 } == true)
    }

    @Test func `the width of distinct names is the least in which they differ, cut in the middle`() {
        let width = { (names: [String]) in
            TargetTexts(of: Scene(names.map { .make($0) }).model.roster).distinctNameWidth
        }
        #expect(width(["web-01", "web-02"]) == 14, "short names are never cut")
        #expect(width(["production-web-frontend-01", "production-web-frontend-02"]) == 14)
        #expect(width(["production-web-frontend-01.example", "production-web-frontend-02.example"]) == 18)
        #expect(width(["production-web-frontend", "development-web-frontend", "x"]) == 14)
        #expect(width(["2001:db8:aaaa:bbbb:cccc:dddd:eeee:1", "2001:db8:aaaa:bbbb:cccc:dddd:ffff:1"]) == 14)
    }

    @Test func `long names and URLs leave a third of a wide screen to the chart`() {
        let needs = ColumnNeeds(name: 42, group: 0, host: 26, url: 60, health: 44)
        for width in [195, 245, 295] {
            let widths = widths(needs, width)
            #expect(widths[.chart].map { $0 > width / 3 - 10 } == true)
            // Causes have short forms, so they grow last.
            #expect(widths[.health].map { $0 >= (width > 250 ? 44 : 24) } == true)
        }
        // The rest goes to the name first.
        #expect(widths(needs, 195)[.url] == 33)
        #expect(widths(needs, 245)[.name].map { $0 >= 41 } == true)
        #expect(widths(needs, 295)[.url].map { $0 >= 45 } == true)
    }

    @Test func `what the chart cannot use does not go to a single column`() {
        let needs = ColumnNeeds(name: 10, group: 0, host: 23, url: 32, health: 17)
        for width in 130...250 {
            let widths = widths(needs, width)
            #expect(widths[.health].map { (20...24).contains($0) } == true)
        }
    }

    @Test(arguments: 16...400)
    func `the table fills every width`(width: Int) {
        let needs = ColumnNeeds(name: 12, group: 8, host: 20, url: 25, health: 22)
        for columns in [TableColumn.standard, TableColumn.allCases, [.name, .health], [.health, .chart, .name]] {
            let layout = needs.layout(of: columns, width: width)
            let end = layout.visible.last.flatMap { layout[$0]?.upperBound } ?? 0
            #expect(end == width)
            #expect(layout.visible == columns.filter { layout[$0] != nil })
        }
    }

    @Test func `columns are hidden in their order`() {
        let needs = ColumnNeeds(name: 12, group: 8, host: 20, url: 25, health: 22)
        let hidden = (20...120).reversed().map { width in
            Set(TableColumn.standard).subtracting(needs.layout(of: TableColumn.standard, width: width).visible)
        }
        let order = hidden.reduce(into: [TableColumn]()) { order, columns in
            order += columns.subtracting(order)
        }
        #expect(order == [.jitter, .p95, .since, .chart, .url, .loss, .last])
    }

    @Test(arguments: 12...300)
    func `the columns of a sparkline are whole seconds, and its heading states their sum`(width: Int) {
        for columnsPerCell in [1, 2] {
            let sparkline = SparklineSpan(fitting: width, columnsPerCell: columnsPerCell)
            let axis = TimeAxis(sparkline, until: .seconds(1_000))
            #expect(axis.step.components.attoseconds == 0)
            #expect(axis.step * axis.count == sparkline.span)
            #expect(sparkline.span >= .seconds(60))
            #expect(sparkline.heading == "LAST \(sparkline.span.components.seconds) s")
            #expect(sparkline.cells <= width)
        }
        #expect(width - SparklineSpan(fitting: width).cells < 10 || width > 240)
    }
}
