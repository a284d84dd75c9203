import Foundation
import Synchronization
import TestSupport
import Testing

/// A fuzzer that runs random and mutated inputs through a parser. Each input depends only on the seed and its number.
struct Fuzz {
    /// The parser's name, a single word.
    let name: String
    /// Valid inputs.
    let corpus: [[UInt8]]
    /// Tokens of the parser's language, inserted at random places.
    var words: [[UInt8]] = []
    /// The relative cost of an input; a short run tries fewer inputs by this factor.
    var cost = 1
    var settings = FuzzSettings.ofThisRun

    private var count: Int { settings.isByHand ? settings.inputs : settings.inputs / cost }

    /// Runs `parse` on every input. It returns the kind of the result, or throws a ``FuzzFailure``.
    ///
    /// - Parameter often: the kinds of results that must occur at least once in five hundred inputs.
    func run(often: [String], _ parse: (inout FuzzInput) async throws -> String) async {
        guard settings.parser == nil || settings.parser == name else { return }
        let inFlight = InFlightInput(name, settings)
        defer { inFlight.end() }
        let start = ContinuousClock.now
        var tally: [String: Int] = [:]
        for index in settings.only.map({ $0..<$0 + 1 }) ?? 0..<count {
            // Other tests with deadlines wait for this thread.
            if index.isMultiple(of: 256) {
                inFlight.rest()
                await Task.yield()
            }
            inFlight.begin(index)
            var input = input(index)
            let bytes = input.bytes
            var place: String { "\(name): input \(index) of seed \(settings.seed)" }
            if settings.only != nil { Self.printLine("\(place): \(Self.hex(bytes))") }
            do {
                tally[try await parse(&input), default: 0] += 1
            } catch {
                Issue.record("\(error) (\(place): \(Self.hex(bytes)))")
                return
            }
        }
        if settings.isByHand {
            let parts = tally.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            Self.printLine("\(name): \(ContinuousClock.now - start), seed \(settings.seed): \(parts)")
        }
        guard settings.only == nil, count >= 1_000 else { return }
        for way in often { #expect(tally[way, default: 0] >= count / 500, "\(name): \(way) of \(tally)") }
    }

    /// The input with this number: noise, a valid input, or a mutated one.
    private func input(_ index: Int) -> FuzzInput {
        var seeds = SplitMix(seed: settings.seed)
        seeds = SplitMix(seed: seeds.next() &+ UInt64(index))
        var random = SplitMix(seed: seeds.next())
        let kind = random.next() % 16
        guard kind > 1, var bytes = corpus.randomElement(using: &random) else {
            return FuzzInput(bytes: Mutation.noise(upTo: 256, using: &random), random: random)
        }
        if kind > 2 {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let mutation = Mutation.allCases.randomElement(using: &random)
                mutation?.mutate(&bytes, corpus: corpus, words: words, by: &random)
            }
        }
        return FuzzInput(bytes: bytes, random: random)
    }

    /// Prints without buffering: a trap would lose the buffer of standard output.
    private static func printLine(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return digits.isEmpty ? "empty" : digits
    }
}

/// A property of all inputs that does not hold for this one.
struct FuzzFailure: Error, CustomStringConvertible {
    let description: String
}

/// Throws a ``FuzzFailure`` with the claim unless `isTrue`.
func hold(_ isTrue: Bool, _ claim: @autoclosure () -> String) throws {
    guard !isTrue else { return }
    throw FuzzFailure(description: claim())
}

/// Throws a ``FuzzFailure`` if a detail for the screen is too long or has terminal control characters.
func holdShort(_ detail: String, limit: Int = 80) throws {
    let isPlain = detail.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    try hold(isPlain, "not printable: \(detail.debugDescription)")
    try hold(detail.unicodeScalars.count <= limit, "too long: \(detail.debugDescription)")
}

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

/// A record of a parser's current input, to find hangs and crashes. A watchdog thread ends the process after five
/// seconds of CPU time without progress. A file with the number, if a folder is given, remains after a trap.
final class InFlightInput: Sendable {
    /// The maximum CPU time of an input, in seconds; a busy machine does not count.
    private static let maxSeconds = 5
    private static let none = -1

    private let index = Atomic(none)
    private let record: (path: String, descriptor: CInt)?

    init(_ name: String, _ settings: FuzzSettings) {
        record = settings.records.map { folder in
            let path = "\(folder)/\(name)"
            return (path, open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600))
        }
        Thread.detachNewThread { [weak self] in
            var (last, start) = (Self.none, clock())
            while let index = self?.index.load(ordering: .relaxed) {
                if index == Self.none || index != last { start = clock() }
                last = index
                if (clock() - start) / Int(CLOCKS_PER_SEC) >= Self.maxSeconds {
                    fatalError(
                        "\(name): input \(index) of seed \(settings.seed) takes longer than \(Self.maxSeconds) s"
                    )
                }
                sleep(1)
            }
        }
    }

    /// Records the current input.
    func begin(_ index: Int) {
        self.index.store(index, ordering: .relaxed)
        guard let record else { return }
        // Numbers only grow; a longer number overwrites all of an earlier one.
        var text = Array("\(index)\n".utf8)
        _ = pwrite(record.descriptor, &text, text.count, 0)
    }

    /// Records that there is no current input.
    func rest() {
        index.store(Self.none, ordering: .relaxed)
    }

    /// Stops recording after a run without a crash.
    func end() {
        rest()
        guard let record else { return }
        close(record.descriptor)
        unlink(record.path)
    }
}
