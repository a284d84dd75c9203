import Foundation
import TestSupport
import Testing

/// Random and mutated inputs for a parser. Every input follows from the seed and its number alone.
struct Fuzz {
    /// The parser's name: a word.
    let name: String
    /// Inputs that are right.
    let corpus: [[UInt8]]
    /// What means something to the parser, to be put anywhere.
    var words: [[UInt8]] = []
    /// How much longer than others one input takes: so many fewer are tried in a short run.
    var cost = 1
    var settings = FuzzSettings.ofThisRun

    private var count: Int { settings.isByHand ? settings.inputs : settings.inputs / cost }

    /// Hands every input to `parse`, which says what became of it, or throws a ``FuzzFailure``.
    ///
    /// - Parameter often: what must become of one input in five hundred at least, or the inputs are no good.
    func run(often: [String], _ parse: (inout FuzzInput) async throws -> String) async {
        guard settings.parser == nil || settings.parser == name else { return }
        let inFlight = InFlightInput(name, settings)
        defer { inFlight.end() }
        let start = ContinuousClock.now
        var tally: [String: Int] = [:]
        for index in settings.only.map({ $0..<$0 + 1 }) ?? 0..<count {
            // Other tests wait for this thread, and have deadlines.
            if index.isMultiple(of: 256) {
                inFlight.rest()
                await Task.yield()
            }
            inFlight.begin(index)
            var input = input(index)
            let bytes = input.bytes
            var place: String { "\(name): input \(index) of seed \(settings.seed)" }
            if settings.only != nil { Self.say("\(place): \(Self.hex(bytes))") }
            do {
                tally[try await parse(&input), default: 0] += 1
            } catch {
                Issue.record("\(error) (\(place): \(Self.hex(bytes)))")
                return
            }
        }
        if settings.isByHand {
            let parts = tally.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            Self.say("\(name): \(ContinuousClock.now - start), seed \(settings.seed): \(parts)")
        }
        guard settings.only == nil, count >= 1_000 else { return }
        for way in often { #expect(tally[way, default: 0] >= count / 500, "\(name): \(way) of \(tally)") }
    }

    /// The input of this number: noise, one that is right, or one that was and is spoilt.
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
                mutation?.spoil(&bytes, corpus: corpus, words: words, by: &random)
            }
        }
        return FuzzInput(bytes: bytes, random: random)
    }

    /// Says it at once: what waits in the buffer of standard output would be lost with a trap.
    private static func say(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return digits.isEmpty ? "empty" : digits
    }
}
