import Testing

@testable import ReachMonitoring

struct DiscoveryListTests {
    private func list(_ json: String) throws -> DiscoveryList { try DiscoveryList(groups: Array(json.utf8)) }

    private func problem(_ json: String) -> String? {
        do {
            _ = try list(json)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `each target of a group has its labels and its address`() throws {
        let json = #"[{"targets": ["a:1", "b:2"], "labels": {"env": "prod", "__meta_x": "y"}}, {"targets": ["c"]}]"#
        let targets = try list(json).targets
        #expect(targets.map(\.address) == ["a:1", "b:2", "c"])
        #expect(targets.map { $0["env"] } == ["prod", "prod", nil])
        #expect(targets[0]["__address__"] == "a:1" && targets[0]["__meta_x"] == "y")
    }

    @Test func `the labels of a group do not replace the address of its targets`() throws {
        #expect(try list(#"[{"targets": ["a:1"], "labels": {"__address__": "x"}}]"#).targets.map(\.address) == ["a:1"])
    }

    @Test func `equal targets are one, and empty lists are valid`() throws {
        #expect(try list(#"[{"targets": ["a", "a"]}, {"targets": ["a"], "labels": null}]"#).targets.count == 1)
        #expect(try list("[]").targets.isEmpty)
        #expect(try list(#"[{"targets": []}]"#).targets.isEmpty)
    }

    @Test(arguments: [
        (#"{"targets": []}"#, "expected an array of target groups, found an object"),
        ("<html>", "line 1: not JSON: unexpected '<'"),
        (#"[{"targets": ["a"]}, null]"#, "group 2: expected an object, found null"),
        (#"[{"target": ["a"]}]"#, "group 1: unknown key \"target\" – a group has targets and labels"),
        ("[1]", "group 1: expected an object, found a number"),
        (#"[{"targets": "a"}]"#, "group 1: expected an array in \"targets\", found a string"),
        (#"[{"targets": [1]}]"#, "group 1: expected strings in \"targets\", found a number"),
        (#"[{"targets": ["a"], "labels": []}]"#, "group 1: expected an object in \"labels\", found an array"),
        (#"[{"targets": ["a"], "labels": {"b": 1}}]"#, "group 1: expected strings in labels, found a number in \"b\""),
        (#"[{"targets": ["a"], "labels": {"b-c": ""}}]"#, "group 1: invalid label name \"b-c\""),
    ])
    func `a malformed list has one problem`(json: String, expected: String) {
        #expect(problem(json) == expected)
    }

    @Test func `null stands for nothing, and names in any case are the same`() throws {
        for json in ["null", "[{}]", #"[{"targets": null, "labels": null}]"#] {
            #expect(try list(json).targets.isEmpty)
        }
        let targets = try list(#"[{"Targets": ["a", null], "LABELS": {"b": null, "c": "d"}}]"#).targets
        #expect(targets.map(\.address) == ["a", ""] && targets[0]["b"] == nil && targets[0]["c"] == "d")
    }

    @Test(arguments: ["", "a\nb", "a b", "a\u{202E}b"])
    func `an invalid address concerns only its target`(address: String) {
        #expect(throws: DiscoveryProblem.self) { try DiscoveredTarget(["__address__": address]).checkAddress() }
        #expect(throws: Never.self) { try DiscoveredTarget(["__address__": "a:1"]).checkAddress() }
    }

    @Test func `huge strings and lists are refused`() throws {
        let long = String(repeating: "x", count: 2_049)
        #expect(problem("[{\"targets\": [\"\(long)\"]}]") == "group 1: an address of 2049 bytes – at most 2048")
        let huge = String(repeating: "x", count: 65_537)
        let labels = "[{\"targets\": [\"a\"], \"labels\": {\"b\": \"\(huge)\"}}]"
        #expect(problem(labels) == "group 1: label b has 65537 bytes – at most 65536")
        let many = (0...DiscoveryList.targetLimit).map { "\"h\($0)\"" }.joined(separator: ",")
        #expect(
            problem("[{\"targets\": [\(many)]}]")
                == "group 1: more than 65536 targets – split the list into several sources"
        )
    }

    // MARK: Prometheus

    @Test func `the active targets of Prometheus have the labels of both kinds`() throws {
        let json = #"""
            {"status": "success", "data": {"droppedTargets": [], "activeTargets": [
              {"discoveredLabels": {"__address__": "n1:9100", "job": "old", "__scheme__": "http"},
               "labels": {"instance": "n1", "job": "node"}, "scrapeUrl": "http://n1:9100/metrics", "health": "up"},
              {"discoveredLabels": {"__address__": "https://example.com"}, "labels": {"job": "blackbox"},
               "scrapeUrl": "http://127.0.0.1:9115/probe?module=http_2xx&target=https%3A%2F%2Fexample.com%2Fa+b"}]}}
            """#
        let targets = try DiscoveryList(activeTargets: Array(json.utf8)).targets
        #expect(targets.map(\.address) == ["n1:9100", "https://example.com/a b"])
        #expect(targets[0]["job"] == "node" && targets[0]["__scheme__"] == "http" && targets[0]["instance"] == "n1")
        #expect(targets[1]["__param_target"] == "https://example.com/a b")
    }

    @Test(arguments: [
        (#"{"status": "error", "error": "too\u001b many"}"#, "Prometheus answers with an error: \"too\u{FFFD} many\""),
        ("{}", "Prometheus answers with an error, and no \"status\": \"success\""),
        (#"{"status": "success", "data": {}}"#, "no \"activeTargets\" in the answer – is it a Prometheus server?"),
        (#"{"status": "success", "data": {"activeTargets": [{}]}}"#, "target 1: a target without __address__"),
    ])
    func `an answer without targets is a problem`(json: String, expected: String) {
        let error = #expect(throws: DiscoveryProblem.self) { try DiscoveryList(activeTargets: Array(json.utf8)) }
        #expect(error?.description == expected)
    }

    // MARK: Labels

    @Test(
        arguments: [
            ("a:80", "a", "80"), ("a", "a", nil), ("[::1]:80", "[::1]", "80"), ("[::1]", "[::1]", nil),
            ("2001:db8::1", "[2001:db8::1]", nil), ("https://u:p@a.example:443/x?y=z:1", "a.example", "443"),
            ("http://a.example/x", "a.example", nil),
        ] as [(String, String, String?)]
    )
    func `host and port are labels, too`(address: String, host: String, port: String?) {
        let target = DiscoveredTarget(["__address__": address])
        #expect(target["__host__"] == host && target["__port__"] == port)
    }

    @Test func `the target of blackbox_exporter takes precedence over the exporter's address`() {
        let target = DiscoveredTarget(["__address__": "127.0.0.1:9115", "__param_target": "https://example.com"])
        #expect(target.address == "https://example.com" && target["__host__"] == "example.com")
        #expect(DiscoveredTarget(["__address__": "a", "__param_target": ""]).address == "a")
    }
}
