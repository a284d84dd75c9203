import ReachScreen

/// The columns of the view of a path. A narrow screen has the address, the loss and the word; the rest is added in order of
/// importance.
struct PathLayout: Sendable {
    /// The columns of the numbers and of the addresses.
    let (number, address): (Range<Int>, Range<Int>)
    /// The columns of the names; nil if there is no room or no name.
    private(set) var name: Range<Int>?
    /// The columns of the figures, each with its index in ``PathTable/headings``.
    private(set) var figures: [(index: Int, columns: Range<Int>)] = []
    let word: Range<Int>
    /// The columns of the heat rows; nil if there is no room.
    private(set) var heat: Range<Int>?

    private static let gap = 2
    private static let figureWidth = 6
    private static let lossWidth = 4
    private static let leastHeat = 20
    private static let mostName = 28

    private enum Part { case figure(Int), name, heat }

    /// Creates the layout.
    ///
    /// - Parameters:
    ///   - addressWidth: the width of the longest address.
    ///   - nameWidth: the width of the longest name; zero for no column.
    ///   - wordWidth: the width of the longest word.
    init(columns: Int, addressWidth: Int, nameWidth: Int, wordWidth: Int) {
        let width = max(1, columns - 2)
        let numberWidth = 3
        let loss = Self.gap + Self.lossWidth
        let wordWidth = min(wordWidth, max(4, width / 3))
        let least = numberWidth + Self.gap + loss + Self.gap + wordWidth
        let addressWidth = max(1, min(max(7, addressWidth), width - least))
        var free = width - least - addressWidth
        let name = min(max(4, nameWidth), Self.mostName)
        var (shown, hasName, heatWidth): ([Int], Bool, Int) = ([0], false, 0)
        let order: [Part] = [.figure(1), .heat, .figure(2), .name, .figure(4), .figure(3), .figure(5)]
        for part in order {
            let needed =
                switch part {
                case .figure: Self.gap + Self.figureWidth
                case .heat: Self.gap + Self.leastHeat
                case .name: Self.gap + name
                }
            guard needed <= free else { continue }
            switch part {
            case .figure(let index): shown.append(index)
            case .heat: heatWidth = Self.leastHeat
            case .name where nameWidth > 0: hasName = true
            case .name: continue
            }
            free -= needed
        }
        if heatWidth > 0 { heatWidth += free }

        var column = 1
        func next(_ width: Int) -> Range<Int> {
            defer { column += width + Self.gap }
            return column..<column + max(0, width)
        }
        number = next(numberWidth)
        address = next(addressWidth)
        if hasName { self.name = next(name) }
        for index in shown.sorted() { figures.append((index, next(index == 0 ? Self.lossWidth : Self.figureWidth))) }
        word = next(wordWidth)
        if heatWidth > 0 { heat = next(heatWidth) }
    }
}
