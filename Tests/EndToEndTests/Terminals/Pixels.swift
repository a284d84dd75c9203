import Foundation

/// The pixels of a display, with their colours.
struct Pixels: Equatable {
    /// Four bytes each, row by row.
    private let bytes: Data
    private let rowLength: Int

    /// Reads the format of xwd(1): a header of numbers of four bytes, the colour map, and the rows.
    init(xwd data: Data) throws {
        let number = { (index: Int) in data[4 * index..<4 * index + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard data.count > 100, case let start = number(0) + 12 * number(19), start < data.count else {
            throw CocoaError(.fileReadCorruptFile)
        }
        bytes = data[start...]
        rowLength = number(12)
    }

    /// Describes the first pixel that differs, and the number of them; nil if none does.
    func difference(from other: Pixels) -> String? {
        guard bytes != other.bytes else { return nil }
        let pairs = zip(bytes, other.bytes).enumerated()
        let places = Set(pairs.lazy.filter { $0.element.0 != $0.element.1 }.map { $0.offset / 4 })
        guard let first = places.min() else { return "another size" }
        return "\(places.count) pixels, the first at \(first * 4 % rowLength / 4), \(first * 4 / rowLength)"
    }
}
