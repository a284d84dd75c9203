import Foundation

/// A terminal that a test writes to and whose cells it can read.
protocol PaintedTerminal: AnyObject {
    /// Writes bytes like a program in the terminal.
    func paint(_ bytes: [UInt8]) throws
    /// Returns the text of each column of each row. "" is the second column of a wide character. Trailing blanks may be
    /// missing.
    func cells() async throws -> [[String]]
}

extension PaintedTerminal {
    /// Writes bytes to the terminal's device.
    func write(_ bytes: [UInt8], to path: String) throws {
        let device = try FileHandle(forWritingTo: URL(filePath: path))
        try device.write(contentsOf: Data(bytes))
        try device.close()
    }
}
