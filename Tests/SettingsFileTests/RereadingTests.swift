#if canImport(Glibc)
    import Monitoring
    import SettingsFile
    import TestSupport
    import Testing

    /// What reading leaves behind, in a process of its own.
    struct RereadingTests {
        @Test func `settings that are read again and again leave no more behind than their texts`() async {
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
                // Of each target, TOMLKit keeps a copy of two texts, of 32 bytes each, and would keep a tree of some
                // hundreds.
                #expect(grown < 10 * 1_000 * 100, "\(grown) bytes")
            }
        }
    }
#endif
