import Foundation

/// The settings of the fuzz tests. `Scripts/fuzz` sets them in the environment; `swift test` alone makes a short run of
/// the same inputs every time.
struct FuzzSettings: Sendable {
    static let ofThisRun = FuzzSettings(ProcessInfo.processInfo.environment)

    /// The number of inputs for each parser.
    let inputs: Int
    /// The seed of the inputs.
    let seed: UInt64
    /// The single parser to test; nil for all.
    let parser: String?
    /// The single input to repeat; nil for all.
    let only: Int?
    /// The folder for the number of the current input, which remains after a crash.
    let records: String?
    /// Whether the run was started by hand, and prints a summary.
    let isByHand: Bool

    init(_ environment: [String: String]) {
        inputs = environment["FUZZ_INPUTS"].flatMap { Int($0) } ?? 10_000
        seed = environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
        parser = environment["FUZZ_PARSER"]
        only = environment["FUZZ_ONLY"].flatMap { Int($0) }
        records = environment["FUZZ_RECORDS"]
        isByHand = environment["FUZZ_INPUTS"] != nil
    }
}
