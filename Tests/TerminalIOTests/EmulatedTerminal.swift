import Screen

/// A terminal that performs the codes of the encoder, in the sixteen colours of the palette. A character has one column.
struct EmulatedTerminal {
    private var cells: [[Spot]]
    private var cursor = Position(column: 0, row: 0)
    private var style = Style.plain
    private let size: Size
    /// The sequences that it does not know.
    private(set) var unknown: [String] = []

    private struct Spot: Equatable {
        var character: Character = " "
        var style = Style.plain
    }

    init(size: Size) {
        self.size = size
        cells = Array(repeating: Array(repeating: Spot(), count: size.columns), count: size.rows)
    }

    /// The first position at which it does not show the frame; nil if there is none.
    func difference(from frame: Frame) -> Position? {
        for row in 0..<size.rows {
            for column in 0..<size.columns {
                let (cell, spot) = (frame[column: column, row: row], cells[row][column])
                let shown = Spot(character: cell.character, style: cell.style)
                let isBlank = cell.character == " " && cell.style.attributes.isDisjoint(with: [.underline, .reversed])
                let isSame = isBlank ? spot.character == " " : spot == shown
                if !isSame { return Position(column: column, row: row) }
            }
        }
        return nil
    }

    mutating func receive(_ bytes: [UInt8]) {
        var rest = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1B}":
                rest.removeFirst()
                let parameters = rest.prefix { !("@"..."z").contains($0) }
                rest.removeFirst(parameters.count)
                perform(rest.removeFirst(), String(parameters))
            case "\n": cursor.row += 1
            case "\r": cursor.column = 0
            case "\u{8}": cursor.column -= 1
            case "\0": break
            default:
                cells[cursor.row][cursor.column] = Spot(character: Character(scalar), style: style)
                cursor.column = min(cursor.column + 1, size.columns - 1)
            }
        }
    }

    private mutating func perform(_ final: Unicode.Scalar, _ parameters: String) {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let count = max(1, numbers.first ?? 1)
        switch final {
        case "H": cursor = Position(column: numbers.count > 1 ? numbers[1] - 1 : 0, row: count - 1)
        case "G": cursor.column = count - 1
        case "A": cursor.row -= count
        case "B": cursor.row += count
        case "C": cursor.column += count
        case "D": cursor.column -= count
        case "P":
            cells[cursor.row].removeSubrange(cursor.column..<cursor.column + count)
            cells[cursor.row] += Array(repeating: Spot(), count: count)
        case "@":
            cells[cursor.row].insert(contentsOf: Array(repeating: Spot(), count: count), at: cursor.column)
            cells[cursor.row].removeLast(count)
        case "J": cells = cells.map { $0.map { _ in Spot() } }
        case "m": numbers.isEmpty ? select(0) : numbers.forEach { select($0) }
        case "h", "l": break
        default: unknown.append("\(parameters)\(final)")
        }
    }

    private mutating func select(_ code: Int) {
        switch code {
        case 0: style = .plain
        case 1: style.attributes.insert(.bold)
        case 2: style.attributes.insert(.faint)
        case 4: style.attributes.insert(.underline)
        case 7: style.attributes.insert(.reversed)
        case 22: style.attributes.subtract([.bold, .faint])
        case 30...37: style.foreground = Color(index: UInt8(code - 30))
        case 39: style.foreground = nil
        case 90...97: style.foreground = Color(index: UInt8(code - 82))
        default: unknown.append("\(code)m")
        }
    }
}
