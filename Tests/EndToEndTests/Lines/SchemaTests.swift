import Foundation
import ReachMonitoring
import ReachReporting
import TestSupport
import Testing

extension EndToEnd {
    /// The schemas, checked by an independent validator.
    @Suite(.serialized, .enabled(if: Machine.hasSchemaValidator, "no python3-jsonschema")) struct SchemaTests {
        private static let folder = URL(filePath: #filePath).appending(path: "../../../../Schemas").standardized.path

        @Test(arguments: ["events", "hook-input", "log", "report", "targets", "validation", "dashboard"])
        func `each schema is valid by draft 2020-12`(_ name: String) throws {
            let script = """
                import json, sys, jsonschema
                schema = json.load(open(sys.argv[1]))
                jsonschema.Draft202012Validator.check_schema(schema)
                # A dangling reference is an error only when an instance is validated.
                for type in list(schema["$defs"]) or [""]:
                    list(jsonschema.Draft202012Validator(schema).iter_errors({"type": type}))
                print("valid")
                """
            let tool = try Tool.run(
                ["/usr/bin/python3", "-c", script, "\(Self.folder)/\(name).schema.json"],
                in: "/tmp"
            )
            #expect(tool.output == "valid\n", "\(tool.errors)")
        }

        @Test(arguments: ["events", "hook-input", "targets"])
        func `each schema accepts every event, reason and outcome that exists`(_ name: String) throws {
            let lines = Self.records[name] ?? []
            for reason in Self.reasons {
                #expect(lines.contains { $0.contains("\"\(reason)\"") }, "no line of \(name) has \(reason)")
            }
            let scratch = try Scratch()
            try scratch.write(lines.joined(separator: "\n"), to: "lines")
            let script = """
                import json, sys, jsonschema
                validator = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
                for line in open(sys.argv[2]):
                    for error in validator.iter_errors(json.loads(line)):
                        print(error.json_path, error.message, line)
                """
            let words = ["/usr/bin/python3", "-c", script, "\(Self.folder)/\(name).schema.json", scratch.file("lines")]
            let tool = try Tool.run(words, in: scratch.path, within: .seconds(30))
            #expect(tool.status == 0 && tool.output == "", "\(tool.output)\(tool.errors)")
        }

        // MARK: Records of everything that exists

        private static let records = ["events": events, "hook-input": contexts, "targets": targets]
        private static let reasons = ["timeout"] + Reason.allCases.map(\.rawValue)
        private static let wall = WallTime(start: .seconds(1_795_183_339))
        private static var story: Story { Story(.make("NAS", group: "Home")) }

        /// Each outcome, with each reason and each problem.
        private static let outcomes: [Outcome] =
            Outcome.samples + Reason.allCases.map { .failure(Failure($0)) }
            + Fault.Problem.allCases.map { .fault(Fault($0, detail: "no", cures: ["sudo a"])) }

        private static let causes: [Cause] =
            Cause.samples + Reason.allCases.map { .losses(3, Failure($0)) }
            + Fault.Problem.allCases.map { .faults(3, Fault($0, detail: "no")) }

        /// A transition between each two healths, and one for each cause.
        private static let transitions: [Transition] = {
            let changes = Health.allCases.flatMap { old in
                Health.allCases.map { transition(from: old, to: $0, because: .replies(1)) }
            }
            return changes + causes.map { transition(from: .up, to: .down, because: $0) }
        }()

        private static func transition(from old: Health, to new: Health, because cause: Cause) -> Transition {
            Transition(from: old, to: new, time: .seconds(2), lasted: .seconds(60), cause: cause)
        }

        /// The lines of `watch --json --observations`.
        private static let events: [String] = {
            let roster = story.roster
            let (target, id) = (roster.states[0].target, roster.states[0].id)
            let observations = outcomes.map { outcome in
                let observation = Observation(target: id, sequence: 1, time: .seconds(2), outcome: outcome)
                return ObservationRecord(observation, of: "NAS", wall: wall).json
            }
            let causes = outcomes.filter { !$0.isReply }
            // The roster reports the states that have a line.
            let sessions = (SessionState.samples + causes.map { .failed($0) }).flatMap { state in
                var roster = roster
                return roster.record([.session(id, state, at: .seconds(3))]).events
            }
            let skips = HookDrop.samples.map { RosterEvent.Kind.hookSkipped(HookReport.firstSample.run.rule, $0) }
            let kinds =
                RosterEvent.Kind.samples + transitions.map { .transition($0) } + skips
                + Fault.Problem.allCases.map { .fault(Fault($0, detail: "no")) }
            let events = sessions + kinds.map { RosterEvent($0, of: isOfProgram($0) ? [] : [id], at: .seconds(4)) }
            let lines = events.flatMap { EventRecord.records(of: $0, in: roster, wall: wall).map(\.json) }
            let hooks = events.flatMap { HookRecord.records(ofSkip: $0, in: roster, wall: wall).map(\.json) }
            return observations + lines + hooks + Self.hooks(of: target)
        }()

        private static func isOfProgram(_ kind: RosterEvent.Kind) -> Bool {
            switch kind {
            case .scheduleMissed, .scheduleKept, .stalled: true
            default: false
            }
        }

        private static func hooks(of target: Target) -> [String] {
            let run = HookReport.firstSample.run
            let failures = Reason.allCases.map { HookResult.Status.unanswered(Failure($0)) }
            let results = (HookResult.Status.samples + failures).map { status in
                let result = HookResult(status: status, duration: .seconds(1), output: "a", droppedBytes: 7)
                return HookReport.finished(run, result)
            }
            let reports = HookReport.samples + results + HookDrop.samples.map { .dropped(run, $0) }
            return reports.compactMap { HookRecord($0, of: target, at: .seconds(9), wall: wall)?.json }
        }

        /// The inputs of hooks.
        private static let contexts: [String] = {
            let triggers = HookContext.Trigger.samples + transitions.map { .transition($0) }
            return triggers.flatMap { trigger in
                HookEvent.allCases.flatMap { event in
                    Health.allCases.map { health in
                        let context = HookContext(
                            event: event,
                            trigger: trigger,
                            at: .seconds(2),
                            name: "NAS",
                            question: .tcp(host: "nas.local", port: 445),
                            health: health,
                            since: .zero
                        )
                        return HookContextRecord(context, wall: wall).json
                    }
                }
            }
        }()

        /// The objects of `check --json`: one for each outcome, with a target of each method and each health.
        private static let targets: [String] = {
            let urls = Method.settable.map { method in
                switch method {
                case .icmp, .route: "\(method)://192.0.2.1"
                case .dns: "dns://system/example.com"
                case .link: "link:any"
                case .exec: "exec:"
                default: "\(method)://nas.local:445"
                }
            }
            let methods = TargetsRecord(Story(urls.map { .make($0, url: $0) }).roster.states).json
            return [methods]
                + outcomes.map { outcome in
                    var story = Story(.make("NAS", fall: 1), .make("Slow", slow: .milliseconds(500)))
                    story.hear(outcome, from: "NAS")
                    story.hear("sss", from: "Slow")
                    return TargetsRecord(story.roster.states).json
                }
        }()
    }
}
