@testable import Probing

extension Expectation {
    /// Hears bytes and searches them at once: nil while the answer may yet match, otherwise whether it does.
    mutating func judge(_ bytes: some Collection<UInt8>) throws -> Bool? {
        hear(bytes)
        guard let search = nextSearch() else { return nil }
        return conclude(try search.run().get())
    }
}
