import Foundation
import ReachBasics
import ReachMonitoring
import Testing

struct DiscoveryFuzzTests {
    private static let corpus: [[UInt8]] = [
        #"[{"targets": ["a:1", "[::1]:9100"], "labels": {"job": "node", "__meta_x": "\u00fc\ud83d\ude00"}}]"#,
        #"[{"targets": ["https://example.com/a?b=c"]}, {"targets": [], "labels": null}]"#, "[]",
        #"{"status": "success", "data": {"activeTargets": [{"discoveredLabels": {"__address__": "a:1"},"#
            + #" "labels": {"job": "x"}, "scrapeUrl": "http://b/probe?target=https%3A%2F%2Fc&module=d"}]}}"#,
        #"{"status": "error", "error": "too many"}"#,
    ].map { Array($0.utf8) }

    private static let words: [[UInt8]] = [
        "{", "}", "[", "]", ":", ",", "\"", "\\u", "\\ud800", "null", "true", "1e", "\u{1B}", "\"targets\":",
        "\"labels\":",
        "\"__address__\":", "%", "&target=", "\u{202E}",
    ].map { Array($0.utf8) }

    @Test func `every list is targets within limits, or one printable problem`() async throws {
        await Fuzz(name: "discovery", corpus: Self.corpus, words: Self.words).run(often: ["targets", "problem"]) {
            input in
            var kind = "problem"
            for isPrometheus in [false, true] {
                switch Self.list(input.bytes, isPrometheus: isPrometheus) {
                case .success(let list):
                    if !list.targets.isEmpty { kind = "targets" }
                    for target in list.targets {
                        let isPlain = target["__address__"]?.unicodeScalars.allSatisfy { $0.value > 0x20 } ?? false
                        try hold(isPlain, "not printable: \(target.address.debugDescription)")
                    }
                case .failure(let problem):
                    let text = problem.description
                    let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
                    try hold(isPlain, "not printable: \(text.debugDescription)")
                    try hold(text.count < 400, "too long: \(text.debugDescription)")
                }
            }
            // What is read as JSON is JSON for Foundation, too.
            if (try? JSONTree(input.bytes)) != nil {
                let object = try? JSONSerialization.jsonObject(with: Data(input.bytes), options: .fragmentsAllowed)
                try hold(object != nil || Self.isLenient(input.bytes), "not JSON for Foundation")
            }
            return kind
        }
    }

    private static func list(_ bytes: [UInt8], isPrometheus: Bool) -> Result<DiscoveryList, DiscoveryProblem> {
        do throws(DiscoveryProblem) {
            return .success(isPrometheus ? try DiscoveryList(activeTargets: bytes) : try DiscoveryList(groups: bytes))
        } catch {
            return .failure(error)
        }
    }

    /// Whether a text may have half a surrogate pair, or a number beyond the range of a double: both are JSON, and
    /// Foundation rejects them.
    private static func isLenient(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        return text.contains("\\ud") || text.contains(#/[0-9]e/#) || text.utf8.count > 300
    }
}
