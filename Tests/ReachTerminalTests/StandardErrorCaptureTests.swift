import ReachSystem
import Testing

@testable import ReachTerminal

/// The file that captures standard error.
@Suite struct StandardErrorCaptureTests {
    /// Opens an unlinked temporary file as the capture does; nil if it cannot be created.
    private func temporaryFile() -> Int32? {
        var path = Array("/tmp/reach-test-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { return nil }
        unlink(path)
        _ = fcntl(file, F_SETFL, O_APPEND)
        return file
    }

    private func append(_ lines: Range<Int>, to file: Int32) {
        let bytes = Array(lines.map { "message \($0)\n" }.joined().utf8)
        #expect(write(file, bytes, bytes.count) == bytes.count)
    }

    /// Returns what is printed when the capture ends.
    private func printed(from file: Int32) throws -> String {
        let (output, original) = (try #require(temporaryFile()), dup(STDERR_FILENO))
        defer { for descriptor in [output, original] { close(descriptor) } }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        buffer.withUnsafeMutableBytes {
            StandardErrorCapture.end(from: file, to: original, printingOn: output, through: $0)
        }
        var bytes = [UInt8](repeating: 0, count: 2 * StandardErrorCapture.limit)
        let count = pread(output, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test func `stays small however much is written, and keeps the newest messages`() throws {
        let file = try #require(temporaryFile())
        defer { close(file) }
        for start in stride(from: 0, to: 1_000_000, by: 50_000) {
            append(start..<start + 50_000, to: file)
            StandardErrorCapture.trim(file)
            #expect(lseek(file, 0, SEEK_END) <= StandardErrorCapture.maximumSize)
        }
        append(1_000_000..<1_000_001, to: file)
        let text = try printed(from: file)
        #expect(text.hasPrefix("reach: earlier messages on standard error were dropped\n"))
        #expect(text.hasSuffix("message 999999\nmessage 1000000\n"))
        #expect(text.utf8.count < StandardErrorCapture.limit + 100)
    }

    @Test func `a few messages are printed whole`() throws {
        let file = try #require(temporaryFile())
        defer { close(file) }
        append(0..<10, to: file)
        StandardErrorCapture.trim(file)
        #expect(try printed(from: file) == (0..<10).map { "message \($0)\n" }.joined())
    }
}
