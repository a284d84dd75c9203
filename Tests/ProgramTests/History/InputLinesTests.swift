import Foundation
import ReachSystem
import Testing

@testable import reach

/// The lines of standard input.
struct InputLinesTests {
    /// The lines of a text that a pipe has.
    private func lines(_ text: String) throws -> [String] {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        try writeAll(text, to: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        var input = InputLines(descriptor: ends[0])
        var lines: [String] = []
        while let line = try input.next() { lines.append(line) }
        return lines
    }

    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\n\nb", ["a", "", "b"]), ("\n\n", ["", ""]),
    ])
    func `lines end with a line feed or the end of the input`(text: String, expected: [String]) throws {
        #expect(try lines(text) == expected)
    }

    @Test func `a line without an end is refused when it is too long`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        // The pipe stays open: the end of the input is not waited for.
        let writer = Thread { [end = ends[1]] in
            try? writeAll("a\n" + String(repeating: "x", count: InputLines.longest + 1), to: end)
        }
        writer.start()
        var input = InputLines(descriptor: ends[0])
        #expect(try input.next() == "a")
        let error = #expect(throws: StartupError.self) { try input.next() }
        #expect(error?.lines.first?.hasPrefix("standard input:2: a line longer than 1 MiB") == true)
        // Lets the thread end, also if the input was not read to its end.
        while !writer.isFinished { _ = try? input.next() }
        close(ends[1])
    }

    @Test func `a folder cannot be read`() throws {
        let folder = open("/", O_RDONLY | O_CLOEXEC)
        try #require(folder >= 0)
        defer { close(folder) }
        var input = InputLines(descriptor: folder)
        #expect(throws: StartupError.self) { try input.next() }
    }
}
