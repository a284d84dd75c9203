import Foundation
import TestSupport
import Testing

@testable import ReachFleet

struct QueryResultReaderTests {
    @Test func `a series with a very long label does not hide the others`() throws {
        let long = String(repeating: "x", count: 1_000_000)
        let series = [Answer.series(["a": long, "target": "A"], "1"), Answer.series(["target": "B"], "0")]
        let result = try Answer.read(Answer.vector(series[0], series[1]))
        #expect(result.series.map { $0.label("target") } == ["A", "B"] && result.series.map(\.value) == [1, 0])
        #expect(result.cutTexts == 1)
    }

    @Test func `a vector has labels, times and values`() throws {
        let text = Answer.vector(
            Answer.series(["__name__": "reach_up", "target": "NAS"], "1", at: 1_795_528_719.274),
            Answer.series(["target": "Müller \\\"A\\\"\\n\\u00fc\\ud83d\\ude00"], "0")
        )
        let result = try Answer.read(text)
        #expect(result.series.map(\.value) == [1, 0])
        #expect(result.series[0].labels == ["__name__": "reach_up", "target": "NAS"])
        #expect(result.series[0].points[0].time == 1_795_528_719.274)
        #expect(result.series[1].label("target") == "Müller \"A\"\nü😀")
        #expect(result.length == text.utf8.count)
    }

    @Test func `every division into pieces has the same result`() throws {
        let text = Array(
            Answer.vector(
                Answer.series(["a": "x\\u00fc\\\\"], "NaN"),
                Answer.series(["b": "ü"], "-1.5e-3"),
                more: #","stats":{"timings":{"execTotalTime":0.25}}"#
            ).utf8
        )
        let whole = try Answer.read(String(decoding: text, as: UTF8.self))
        for size in [1, 2, 3, 7, 64] {
            var reader = QueryResultReader(QueryResultReader.Limits(series: 10))
            for start in stride(from: 0, to: text.count, by: size) {
                reader.append(text[start..<min(text.count, start + size)])
            }
            let result = try reader.finish(httpStatus: 200)
            #expect(result.series.map(\.labels) == whole.series.map(\.labels))
            #expect(result.series[1].value == -0.0015)
            #expect(result.series[0].value.isNaN)
            #expect(result.cost == .milliseconds(250))
        }
    }

    @Test(arguments: [("+Inf", Double.infinity), ("-Inf", -Double.infinity), ("0", 0), ("1e3", 1_000)])
    func `values are as Prometheus writes them`(text: String, value: Double) throws {
        #expect(try Answer.read(Answer.vector(Answer.series([:], text))).series[0].value == value)
    }

    @Test func `a matrix has several values`() throws {
        let text = """
            {"status":"success","data":{"resultType":"matrix","result":[{"metric":{"target":"NAS"},\
            "values":[[10,"1"],[20,"NaN"],[30.5,"0"]]},{"metric":{},"values":[]}]}}
            """
        let result = try Answer.read(text)
        #expect(result.series[0].points.map(\.time) == [10, 20, 30.5])
        #expect(result.series[0].value == 0)
        #expect(result.series[1].points.isEmpty)
    }

    @Test func `a scalar is a series without labels`() throws {
        let result = try Answer.read(#"{"status":"success","data":{"resultType":"scalar","result":[5,"7"]}}"#)
        #expect(result.series == [MetricSeries(labels: [:], points: [.init(time: 5, value: 7)])])
    }

    @Test func `native histograms and unknown members are skipped`() throws {
        let text = """
            {"status":"success","infos":["x"],"data":{"resultType":"vector","result":[{"metric":{"a":"b"},\
            "histogram":[1,{"count":"2","buckets":[[0,"1","2","3"]]}]},{"metric":{"c":"d"},"value":[1,"1"],"x":{"y":[1]}}]}}
            """
        let result = try Answer.read(text)
        #expect(result.series.map(\.labels) == [["a": "b"], ["c": "d"]])
        #expect(result.series.map(\.points.count) == [0, 1])
    }

    @Test func `a list of names is read up to the limit`() throws {
        let text = #"{"status":"success","data":["up","reach_up","x"]}"#
        #expect(try Answer.read(text).texts == ["up", "reach_up", "x"])
        let limited = try Answer.read(text, limits: QueryResultReader.Limits(series: 2))
        #expect(limited.texts == ["up", "reach_up"])
    }

    @Test func `series beyond the limit are skipped`() throws {
        let text = Answer.vector(Answer.series(["a": "1"], "1"), Answer.series(["a": "2"], "1"))
        let result = try Answer.read(text, limits: QueryResultReader.Limits(series: 1))
        #expect(result.series.map { $0.label("a") } == ["1"])
    }

    // MARK: Failures

    @Test func `the words of the server are the failure, whatever the status`() {
        let text = """
            {"status":"error","errorType":"bad_data","error":"invalid parameter \\"query\\": 1:5: parse error: unclosed left \
            parenthesis"}
            """
        let failure = Answer.failure(text, status: 400)
        #expect(
            failure?.text == "invalid parameter \"query\": 1:5: parse error: unclosed left parenthesis (bad_data)"
        )
        #expect(failure?.isOfServer == false)
    }

    @Test func `too many samples are a failure of size`() {
        let text = """
            {"status":"error","errorType":"execution","error":"query processing would load too many samples into memory in \
            query execution"}
            """
        #expect(Answer.failure(text, status: 422)?.isOfSize == true)
    }

    @Test func `a page of a proxy is recognized`() {
        let page = "<!DOCTYPE html>\n<html><body>Please log in</body></html>"
        #expect(Answer.failure(page)?.text.hasPrefix("HTML instead of JSON") == true)
        #expect(Answer.failure("<html>502</html>", status: 502) == .status(502))
        #expect(Answer.failure("", status: 503) == .status(503))
        #expect(Answer.failure("Unauthorized", status: 401) == .unauthorized(status: 401))
    }

    @Test func `every truncated answer is incomplete`() throws {
        let text = Answer.vector(Answer.series(["a": "b"], "1"))
        for length in 1..<text.utf8.count {
            let failure = Answer.failure(String(decoding: text.utf8.prefix(length), as: UTF8.self))
            #expect(failure == .incomplete, "after \(length) bytes")
        }
        #expect(Answer.failure(text, isWhole: false) == .incomplete)
    }

    @Test(arguments: ["{}", "[]", "1", "\"x\"", "null", #"{"status":"fine"}"#, #"{"data":{"result":[]}}"#])
    func `JSON of another program is rejected`(text: String) {
        #expect(Answer.failure(text)?.text == "JSON, but not of Prometheus – check the URL")
    }

    @Test(
        arguments: [
            "{\"status\":01}", "{\"a\":1.}", "[1,]", "{,}", "{\"a\" 1}", "[\"\u{1}\"]", "[\"\\x\"]", "[\"\\u00g0\"]",
            "tru,",
            "[nul]", "{} {}", "]", "{]", "[}", "\u{0}",
        ]
    )
    func `mistakes are found`(text: String) {
        guard case .notJSON? = Answer.failure(text) else {
            Issue.record("\(text): \(String(describing: Answer.failure(text)))")
            return
        }
    }

    @Test func `texts, nesting and the whole answer are bounded`() throws {
        let long = Answer.vector(Answer.series(["a": String(repeating: "x", count: 70_000)], "1"))
        #expect(try Answer.read(long).series.first?.labels["a"]?.utf8.count == 65_536)
        let deep = String(repeating: "[", count: 40)
        #expect(Answer.failure(deep)?.text.contains("more than 32 levels") == true)
        var reader = QueryResultReader(QueryResultReader.Limits(series: 1, bytes: 10))
        reader.append(Array("{\"status\":\"success\"".utf8)[...])
        #expect(throws: QueryFailure.tooLong) { try reader.finish(httpStatus: 200) }
    }
}

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
        var reader = QueryResultReader(QueryResultReader.Limits(series: 4, points: 4, bytes: 4_096))
        for piece in pieces { reader.append(piece) }
        do throws(QueryFailure) {
            let result = try reader.finish(httpStatus: 200)
            if result.series.count > 4 || result.texts.count > 4
                || result.series.contains(where: { $0.points.count > 4 })
            {
                return Outcome(kind: "too long")
            }
            let listed = result.series.map { series in
                "\(series.labels.sorted { $0.key < $1.key }) \(series.points)"
            }
            return Outcome(kind: "success", text: "\(listed) \(result.texts)")
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
