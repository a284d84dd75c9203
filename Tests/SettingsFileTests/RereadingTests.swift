#if canImport(Glibc)
import Monitoring
import SettingsFile
import TestSupport
import Testing

/// The memory that repeated reading leaks, measured in a separate process.
struct RereadingTests {
    @Test func `rereading settings leaks little memory`() async {
        await #expect(processExitsWith: .success) {
            let targets = (1...1_000).map { "[[target]]\nname = \"target-\($0)\"\nurl = \"icmp://192.0.2.1\"\n" }
            let reader = SettingsReader(file: "dashboard.toml", environment: [:])
            func read() throws {
                #expect(try reader.settings(from: targets.joined()).targets.count == 1_000)
            }
            for _ in 1...3 { try read() }
            let before = try #require(Heap.used)
            for _ in 1...10 { try read() }
            let grown = try #require(Heap.used) - before
            // TOMLKit leaks two strings of 32 bytes for each target. Without clearing its tables, it would leak a
            // tree of several hundred bytes.
            #expect(grown < 10 * 1_000 * 100, "\(grown) bytes")
        }
    }
}
#endif
