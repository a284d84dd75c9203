import Foundation
import TestSupport
import Testing

@testable import Fleet

/// Mutated and random answers. `FUZZ_INPUTS` and `FUZZ_SEED` set how many, and which.
struct QueryResultFuzzTests {
    private static let corpus: [[UInt8]] = [
        Answer.vector(
            Answer.series(["__name__": "reach_up", "target": "a\\u00fc\\ud83d\\ude00\\n", "vantage": "fra"], "1"),
            Answer.series(["target": "b"], "NaN"),
            more: #","stats":{"timings":{"execTotalTime":0.5}}"#
        ),
        #"{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"1"],[2.5,"-Inf"]]}]}}"#,
        #"{"status":"error","errorType":"bad_data","error":"parse error: \"x\"","warnings":["a","b"]}"#,
        #"{"status":"success","data":["up","reach_up"]}"#,
        #"{"status":"success","data":{"resultType":"scalar","result":[1,"2"]}}"#,
    ].map { Array($0.utf8) }

    private static let words: [[UInt8]] = [
        "{", "}", "[", "]", ":", ",", "\"", "\\", "\\ud800", "null", "true", "1e999", "-", "0", "\u{1B}", "\"data\":",
        "\"result\":", "\"metric\":", "\"value\":", "\"values\":", "\"status\":\"success\"", "<html>",
    ].map { Array($0.utf8) }

    @Test func `every answer has a result or a short failure, in any pieces`() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["FUZZ_INPUTS"].flatMap { Int($0) } ?? 8_000
        let seed = environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
        var kinds: [String: Int] = [:]
        for index in 0..<count {
            var random = SplitMix(seed: seed &+ UInt64(index) &* 0x9E37_79B9)
            let bytes = Self.input(&random)
            let whole = Self.outcome(of: [bytes[...]])
            let cut = bytes.isEmpty ? 0 : Int.random(in: 0...bytes.count, using: &random)
            let divided = Self.outcome(of: [bytes[..<cut], bytes[cut...]])
            #expect(whole == divided, "input \(index) of seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
            guard whole == divided else { return }
            kinds[whole.kind, default: 0] += 1
            if whole.kind == "success" {
                // What is accepted is JSON for Foundation too, except for what it cannot represent.
                let isJSON = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
                let text = String(decoding: bytes, as: UTF8.self)
                let isLenient =
                    text.contains("\u{FFFD}") || text.lowercased().contains("\\ud") || text.contains(/[0-9]e/)
                #expect(isJSON || isLenient, "input \(index) of seed \(seed): \(text)")
            }
        }
        for kind in ["success", "rejected", "incomplete", "not JSON"] {
            #expect(kinds[kind, default: 0] >= count / 200, "\(kind) of \(kinds)")
        }
    }

    private struct Outcome: Equatable {
        var kind: String
        var text = ""
    }

    private static func outcome(of pieces: [ArraySlice<UInt8>]) -> Outcome {
        var reader = QueryResultReader(QueryResultReader.Limits(samples: 4, points: 4, bytes: 4_096))
        for piece in pieces { reader.append(piece) }
        do throws(QueryFailure) {
            let result = try reader.finish(httpStatus: 200)
            if result.samples.count > 4 || result.texts.count > 4
                || result.samples.contains(where: { $0.points.count > 4 })
            {
                return Outcome(kind: "too long")
            }
            let samples = result.samples.map { sample in
                "\(sample.labels.sorted { $0.key < $1.key }) \(sample.points)"
            }
            return Outcome(kind: "success", text: "\(samples) \(result.texts) \(result.warnings) \(result.isCutOff)")
        } catch {
            let kind =
                switch error {
                case .rejected: "rejected"
                case .incomplete: "incomplete"
                case .notJSON: "not JSON"
                case .tooLong: "long"
                default: "other"
                }
            return Outcome(kind: kind, text: error.text)
        }
    }

    private static func input(_ random: inout SplitMix) -> [UInt8] {
        guard random.next() % 16 > 0, var bytes = corpus.randomElement(using: &random) else {
            return (0..<Int.random(in: 0...64, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 1...12, using: &random))
            switch random.next() % 5 {
            case 0: if place < end { bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random) }
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: words.randomElement(using: &random) ?? [], at: place)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            default: if random.next() % 4 == 0 { bytes.removeSubrange(place...) }
            }
        }
        return bytes
    }
}
