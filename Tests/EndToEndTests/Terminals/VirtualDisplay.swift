import Foundation

/// A screen in memory for programs with windows: Xvfb. It ends with the last reference.
final class VirtualDisplay: Sendable {
    /// What programs find it by.
    let name: String
    private let server: Child

    init(in scratch: Scratch) async throws {
        let words = ["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
        let (output, errors) = (scratch.file("display"), scratch.file("display.err"))
        server = try Child(words, in: scratch.path, streams: .files(output: output, errors: errors))
        name = ":\(try await scratch.number(in: "display"))"
    }
}
