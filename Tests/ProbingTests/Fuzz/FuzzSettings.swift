import Foundation

/// How much is asked of the fuzz tests. `Scripts/fuzz` says so in the environment; `swift test` alone has a short run of
/// the same inputs every time.
struct FuzzSettings: Sendable {
    static let ofThisRun = FuzzSettings(ProcessInfo.processInfo.environment)

    /// How many inputs each parser is given.
    let inputs: Int
    /// What the inputs follow from.
    let seed: UInt64
    /// The one parser that is to be tried; nil for all of them.
    let parser: String?
    /// The one input that is to be repeated; nil for all of them.
    let only: Int?
    /// The folder that keeps the number of the input in flight, for whoever finds the process dead.
    let records: String?
    /// Whether somebody reads how it went.
    let isByHand: Bool

    init(_ environment: [String: String]) {
        inputs = environment["FUZZ_INPUTS"].flatMap { Int($0) } ?? 20_000
        seed = environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
        parser = environment["FUZZ_PARSER"]
        only = environment["FUZZ_ONLY"].flatMap { Int($0) }
        records = environment["FUZZ_RECORDS"]
        isByHand = environment["FUZZ_INPUTS"] != nil
    }
}
