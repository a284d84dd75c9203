#if canImport(Glibc)
import ReachMonitoring
@testable import ReachSettings
import TestSupport
import Testing

/// The memory that repeated reading leaks, measured in a separate process.
struct RereadingTests {
    @Test func `rereading settings leaks no memory`() async {
        await #expect(processExitsWith: .success) {
            let targets = (1...1_000).map {
                "[[target]]\nname = \"target-\($0)\"\nurl = \"icmp://192.0.2.1\"\nfall = 2\ntags = [\"a\"]\n"
            }
            let reader = SettingsReader(file: "dashboard.toml", environment: [:])
            let growth = try Heap.growth {
                let settings = try reader.settings(from: targets.joined())
                #expect(settings.targets.count == 1_000)
            }
            // A string of each target would be 320,000 bytes.
            try #require(growth < 20_000, "\(growth) bytes")
        }
    }

    @Test func `reading a value of each type leaks no memory`() async {
        await #expect(processExitsWith: .success) {
            let values = """
                { s = "text", i = 1, f = 0.5, b = true, a = [[1], []], t = { a.b = {} }, d = 2026-12-01, h = 22:00:00, \
                l = 2026-12-01T22:00:00, z = 2026-12-01T22:00:00Z },

                """
            let text = "values = [\n" + String(repeating: values, count: 200) + "]"
            let growth = try Heap.growth { _ = try TOMLValue.document(text) }
            // A value of each table would be 64,000 bytes.
            try #require(growth < 20_000, "\(growth) bytes")
        }
    }

    @Test(arguments: [
        "target = [", "name = unquoted", "a = 1\na = 2",
        // Too deeply nested, and still parsed.
        (1...40).map { "a\($0)." }.joined() + "a = 1",
        "a = " + String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
    ])
    func `rereading an invalid text leaks no memory`(_ text: String) async {
        await #expect(processExitsWith: .success) { [text] in
            Heap.stopRecordingErrors()
            let growth = Heap.growth { for _ in 1...200 { _ = try? TOMLValue.document(text) } }
            // An object of each text would be 64,000 bytes.
            try #require(growth < 20_000, "\(growth) bytes")
        }
    }
}
#endif
