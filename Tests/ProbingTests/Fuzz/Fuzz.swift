import Foundation
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
