import ReachMonitoring
import Testing

struct JSONPathTests {
    private typealias Path = HTTPOptions.JSONPath

    private func problem(_ text: String) -> String? {
        do {
            _ = try Path(text)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(
        arguments: [
            ("$", []), ("$.status", [.name("status")]), ("$.a.b[0]", [.name("a"), .name("b"), .index(0)]),
            ("$[-1]", [.index(-1)]), ("$['a b']", [.name("a b")]), (#"$["it's"]"#, [.name("it's")]),
            (#"$['\'\\']"#, [.name(#"'\"#)]), ("$.größe", [.name("größe")]), ("$._1", [.name("_1")]),
            ("$['']", [.name("")]),
        ] as [(String, [HTTPOptions.JSONPath.Segment])]
    )
    func `a path is a sequence of names and indexes`(text: String, segments: [HTTPOptions.JSONPath.Segment]) throws {
        let path = try Path(text)
        #expect(path.segments == segments)
        #expect(path.description == text)
    }

    @Test(arguments: [
        ("", "a JSON path begins with $"), ("status", "a JSON path begins with $"), ("$status", "unexpected \"s\""),
        ("$.", "no name after \".\""), ("$.1", "no name after \".\""), ("$..a", "\"..\" selects several values"),
        ("$.*", "\"*\" selects several values"), ("$[*]", "\"*\" selects several values"),
        ("$[?@.a]", "\"?\" selects several values"), ("$[1:2]", "\":\" selects several values"),
        ("$['a','b']", "\",\" selects several values"), ("$[]", "no index after \"[\""),
        ("$[01]", "no index after \"[\""), ("$[-0]", "no index after \"[\""), ("$[1", "\"[\" without \"]\""),
        ("$[99999999999999999999]", "no index after \"[\""), ("$['a", "a quotation mark is missing"),
        ("$['\\n']", "unknown escape in a name"), ("$.my-key", "unexpected \"-\""),
    ])
    func `another text is a problem`(text: String, message: String) {
        #expect(problem(text) == message)
    }

    @Test func `a name with a hyphen is written in brackets`() {
        let problem = #expect(throws: URLProblem.self) { try Path("$.my-own-key[0]") }
        #expect(problem?.hint == "write ['my-own-key'] in place of .my-own-key")
    }

    @Test(
        arguments: [
            ("200", [200]), ("200-202,301", [200, 201, 202, 301]), (" 204 , 200", [204, 200]), ("599", [599]),
            ("200,200-201", [200, 201]),
        ] as [(String, [Int])]
    )
    func `status codes are listed`(text: String, codes: [Int]) {
        #expect(HTTPOptions.statusCodes(in: text) == codes)
    }

    @Test func `a class has a hundred status codes`() {
        #expect(HTTPOptions.statusCodes(in: "2xx") == Array(200...299))
        #expect(HTTPOptions.statusCodes(in: "4XX,200") == Array(400...499) + [200])
    }

    @Test(arguments: [
        "", ",", "20", "099", "600", "0xx", "6xx", "2x", "2xxx", "200-", "-200", "300-200", "1-2-3", "٢٠٠",
    ])
    func `another text has no status codes`(text: String) {
        #expect(HTTPOptions.statusCodes(in: text) == nil)
    }
}
