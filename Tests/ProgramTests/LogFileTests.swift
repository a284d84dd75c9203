import Foundation
import LibC
import Testing

@testable import reach

/// The file of the log.
struct LogFileTests {
    @Test func `a line after one that was cut off begins on a new line`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID().uuidString)").path
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        // The buffer of a FIFO holds 64 KiB, so that the line is cut off as on a full disk.
        let log = try LogFile(path)
        log.append(String(repeating: "x", count: 200_000))
        #expect(read(from: reader).allSatisfy { $0 == "x" })
        log.append("one")
        log.append("two")
        #expect(read(from: reader) == "\none\ntwo\n")
    }

    /// Reads what a FIFO holds.
    private func read(from descriptor: Int32) -> String {
        var text: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = LibC.read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += bytes.prefix(count)
        }
    }
}
