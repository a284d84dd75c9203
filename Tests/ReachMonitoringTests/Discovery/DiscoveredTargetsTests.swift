import Testing

@testable import ReachMonitoring

/// Targets made of lists, their names, and the difference to the targets before.
struct DiscoveredTargetsTests {
    private let kind = DiscoverySource.Kind.command(.shell("list"))

    /// A source that names each target by its label `name`.
    private func source(_ kind: DiscoverySource.Kind) -> DiscoverySource {
        DiscoverySource(kind, refresh: .seconds(60), timeout: .seconds(10)) { target throws(DiscoveryProblem) in
            guard let name = target["name"] else { throw DiscoveryProblem("no label name") }
            do {
                return [Target(name: name, question: try Question(target.address), dependsOn: [.target("off")])]
            } catch {
                throw DiscoveryProblem("\(error)")
            }
        }
    }

    private func list(_ targets: [(address: String, name: String)]) throws -> DiscoveryList {
        var list = DiscoveryList()
        for target in targets { try list.add([target.address], labels: ["name": target.name]) }
        return list
    }

    private func settings(own: [Target] = [], kinds: [DiscoverySource.Kind]) -> Settings {
        var settings = Settings(targets: own)
        settings.sources = kinds.map(source)
        settings.ownTargets = own
        settings.disabledTargets = ["off"]
        return settings
    }

    private func names(_ targets: [(address: String, name: String)], own: [Target] = []) throws -> [String] {
        var settings = settings(own: own, kinds: [kind])
        _ = settings.discover([kind: try list(targets)])
        return settings.targets.map { "\($0.name)=\($0.question.url)" }
    }

    @Test func `the targets of a list follow those of the file`() throws {
        let own = Target(name: "own", question: .icmp(host: "o"))
        #expect(try names([("a:1", "A"), ("b:1", "B")], own: [own]) == ["own=icmp://o", "A=tcp://a:1", "B=tcp://b:1"])
    }

    @Test func `targets with the same name get their addresses as names, in any order`() throws {
        let targets = [("a:1", "web"), ("b:1", "web"), ("c:1", "db")]
        let expected = ["web a:1=tcp://a:1", "web b:1=tcp://b:1", "db=tcp://c:1"]
        #expect(try names(targets) == expected)
        #expect(try Set(names(targets.reversed())) == Set(expected))
    }

    @Test func `a name that the file has stays with the file`() throws {
        let own = Target(name: "web", question: .icmp(host: "o"))
        #expect(try names([("a:1", "web")], own: [own]) == ["web=icmp://o", "web a:1=tcp://a:1"])
        // The same target is in both: once is enough.
        let same = Target(name: "web", question: .tcp(host: "a", port: 1))
        #expect(try names([("a:1", "web")], own: [same]) == ["web=tcp://a:1"])
    }

    @Test func `methods of the same host get their URLs as names`() throws {
        let targets = [("tcp://a:1", "a:1"), ("tls://a:1", "a:1"), ("tls://a:1", "a:1")]
        #expect(try names(targets) == ["a:1 tcp://a:1=tcp://a:1", "a:1 tls://a:1=tls://a:1"])
    }

    @Test func `later sources leave out what earlier ones have`() throws {
        let other = DiscoverySource.Kind.command(.shell("other"))
        var settings = settings(kinds: [kind, other])
        let lists = [kind: try list([("a:1", "A")]), other: try list([("a:1", "A"), ("b:1", "A")])]
        _ = settings.discover(lists)
        #expect(settings.targets.map(\.name) == ["A", "A b:1"])
        // Again, with the same result: the targets of the file are not lost.
        _ = settings.discover(lists)
        #expect(settings.targets.map(\.name) == ["A", "A b:1"])
        _ = settings.discover([:])
        #expect(settings.targets.isEmpty)
    }

    @Test func `targets that cannot be made are counted, and the others are used`() throws {
        var settings = settings(kinds: [kind])
        var list = try list([("a:1", "A"), ("nope://x", "B")])
        try list.add(["c:1"], labels: [:])
        let leftOut = settings.discover([kind: list])
        #expect(settings.targets.map(\.name) == ["A"])
        let summary = leftOut[settings.sources[0]]?.summary ?? ""
        #expect(
            summary.hasPrefix("2 of 3 targets left out, the first: \"nope://x\": unknown method \"nope\""),
            "\(summary)"
        )
    }

    @Test func `dependencies on targets that are not enabled are removed`() throws {
        var settings = settings(kinds: [kind])
        _ = settings.discover([kind: try list([("a:1", "A")])])
        #expect(settings.targets[0].dependsOn.isEmpty)
    }

    @Test func `a roster keeps the state of targets that stay in the list`() throws {
        var settings = settings(kinds: [kind])
        _ = settings.discover([kind: try list([("a:1", "A"), ("b:1", "B")])])
        var roster = Roster()
        _ = roster.apply(settings, at: .zero)
        let before = Dictionary(uniqueKeysWithValues: roster.states.map { ($0.target.name, $0.id) })
        let old = settings.targets
        _ = settings.discover([kind: try list([("c:1", "C"), ("b:1", "B")])])
        let consequences = roster.apply(settings, at: .seconds(1))
        #expect(roster.states.map(\.target.name) == ["C", "B"])
        #expect(roster.states[1].id == before["B"] && consequences.removed == [before["A"]])
        #expect(TargetDifference(old, settings.targets).summary == "1 added, 1 removed")
        #expect(TargetDifference(old, old).isEmpty && TargetDifference(old, old).summary == "nothing changed")
    }
}

struct LabelTemplateTests {
    private let target = DiscoveredTarget(["__address__": "a:80", "env": "prod", "empty": ""])

    @Test(arguments: [
        ("https://${label:__address__}/health", "https://a:80/health"), ("${label:env}", "prod"),
        ("${label:none:-x}", "x"), ("${label:empty:-x}", "x"), ("${label:none:-}", ""),
        ("$${label:env}", "${label:env}"),
        ("plain $x {y} $", "plain $x {y} $"), ("${OTHER}", "${OTHER}"), ("", ""),
        ("${label:none:-a:-b}", "a:-b"),
    ])
    func `labels are filled in`(text: String, expected: String) throws {
        #expect(try LabelTemplate(text).filled(from: target) == expected)
    }

    @Test func `a missing label without a fallback is an error`() throws {
        for name in ["none", "empty"] {
            let template = try LabelTemplate("x ${label:\(name)}")
            let error = #expect(throws: LabelTemplate.MissingLabel.self) { try template.filled(from: target) }
            #expect(error?.name == name)
        }
    }

    @Test func `a template knows whether it has labels`() throws {
        #expect(try LabelTemplate("${label:a}").hasLabels)
        #expect(try !LabelTemplate("$${label:a}").hasLabels)
    }

    @Test(arguments: [
        ("${label:}", "invalid label name \"\""), ("${label:a-b}", "invalid label name \"a-b\""),
        ("${label:1a}", "invalid label name \"1a\""), ("${label:a", "\"${\" without \"}\""),
    ])
    func `an invalid reference has a reason`(text: String, message: String) {
        let failure = #expect(throws: LabelTemplate.Failure.self) { try LabelTemplate(text) }
        #expect(failure?.message == message)
    }
}
