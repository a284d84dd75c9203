import Foundation

/// A terminal that a test paints on, and that says what it shows then.
protocol PaintedTerminal: AnyObject {
    /// Writes bytes as a program in it would.
    func paint(_ bytes: [UInt8]) throws
    /// What each column of each row shows: "" is the second half of what stands on its left. Blanks at the ends of rows
    /// may be missing.
    func cells() async throws -> [[String]]
}

extension PaintedTerminal {
    /// Writes bytes to the device that programs in the terminal have for it.
    func write(_ bytes: [UInt8], to path: String) throws {
        let device = try FileHandle(forWritingTo: URL(filePath: path))
        try device.write(contentsOf: Data(bytes))
        try device.close()
    }
}
