import Foundation
import ReachSystem
import Testing

struct ReadingAndWritingTests {
    /// The two ends of a new pipe.
    private func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(ReachSystem.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test func `a nonblocking pipe that is full is waited for`() throws {
        let (readEnd, writeEnd) = try pipe()
        _ = fcntl(writeEnd, F_SETFL, fcntl(writeEnd, F_GETFL) | O_NONBLOCK)
        // More than the pipe holds.
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let writer = Thread {
            try? writeAll(bytes[...], to: writeEnd)
            close(writeEnd)
        }
        writer.start()
        #expect(try readAll(from: readEnd, limit: 400_000) == bytes)
        close(readEnd)
    }

    @Test func `what the system has accepted is counted`() throws {
        let (readEnd, writeEnd) = try pipe()
        var count = 0
        try writeAll(Array("abc".utf8)[...], to: writeEnd) { count += $0 }
        close(writeEnd)
        #expect(count == 3)
        #expect(try readAll(from: readEnd, limit: 10) == Array("abc".utf8))
        close(readEnd)
    }

    @Test func `reading stops at the limit and leaves the rest`() throws {
        let (readEnd, writeEnd) = try pipe()
        try writeAll("abcdef", to: writeEnd)
        close(writeEnd)
        #expect(try readAll(from: readEnd, limit: 4) == Array("abcd".utf8))
        #expect(try readPiece(from: readEnd) == Array("ef".utf8))
        #expect(try readPiece(from: readEnd) == [])
        close(readEnd)
    }

    @Test func `errors have the text of the C library`() {
        let reading = #expect(throws: SystemError.self) { try readAll(from: -1, limit: 1) }
        let writing = #expect(throws: SystemError.self) { try writeAll("a", to: -1) }
        #expect(reading == SystemError(EBADF) && writing == SystemError(EBADF))
        #expect("\(SystemError(EBADF))" == "Bad file descriptor")
    }

    #if os(Linux)
    @Test func `a full disk ends the writing`() throws {
        let device = open("/dev/full", O_WRONLY)
        try #require(device >= 0)
        defer { close(device) }
        #expect(throws: SystemError(ENOSPC)) { try writeAll("a", to: device) }
    }
    #endif
}
