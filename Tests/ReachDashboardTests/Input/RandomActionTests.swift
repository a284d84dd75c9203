import Foundation
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachDashboard
@testable import ReachScreen

/// Hundreds of random actions on one dashboard. It never traps, and the incrementally painted screen always equals a
/// fresh drawing of the model.
@Suite struct RandomActionTests {
    /// A simulated terminal, which has only the changes that were painted.
    private struct SimulatedTerminal {
        var frame = Frame(size: Size(columns: 0, rows: 0))

        mutating func paint(_ new: Frame) {
            if frame.size != new.size { frame = Frame(size: new.size) }
            let changes = new.changes(from: frame)
            for move in changes.moves { frame.lines[move.row] = frame.lines[move.row].applying([move]) }
            for run in changes.runs { frame.write(run.text, at: run.position, style: run.style) }
        }
    }

    private static let names = ["Router", "NAS", "打印机", "Shop", "Staging 🚧", "Camera 4", "Gateway"]

    private static func settings(using random: inout SplitMix) -> Settings {
        let targets = names.filter { _ in Int.random(in: 0..<6, using: &random) > 0 }.map { name in
            var target = Target.make(
                name,
                group: ["Home", "Cloud", nil].randomElement(using: &random) ?? nil,
                hooks: Bool.random(using: &random) ? [.make(on: [.up, .down], "true")] : []
            )
            if name != "Router", Int.random(in: 0..<4, using: &random) == 0 { target.dependsOn = [.target("Router")] }
            return target
        }
        let known = Set(targets.map(\.name))
        return Settings(
            targets: targets.map { target in
                var target = target
                if !known.contains("Router") { target.dependsOn = [] }
                return target
            }
        )
    }

    /// A position on the screen; a third are in the header, and a third in the footer.
    private static func position(on scene: Scene, using random: inout SplitMix) -> Position {
        let size = scene.model.size
        let (column, last) = (Int.random(in: 0..<size.columns, using: &random), size.rows - 1)
        let rows = [0, .random(in: 0...last, using: &random), last]
        return Position(column: column, row: rows.randomElement(using: &random) ?? 0)
    }

    /// Performs a random action.
    private func performAction(on editing: inout EditingScene, using random: inout SplitMix) {
        switch Int.random(in: 0..<23, using: &random) {
        case 0..<8:
            guard let key = KeyTable.bindings.randomElement(using: &random)?.keys.randomElement(using: &random) else {
                return
            }
            editing.scene.press(key)
        case 8..<11:
            let keys: [Key] = [
                .enter, .escape, .tab, .up, .down, .left, .right, .backspace, .character("a"), .character("5"),
                .character("m"), .character(":"), .character(" "), .paste("echo 名\n"), .control("w"), .home, .end,
                .character("y"), .character("n"), .paste("is:down !p95>1ms "), .paste("group:\"Home\""), .wheelDown,
                .wheelUp, .click(Self.position(on: editing.scene, using: &random)),
            ]
            if let key = keys.randomElement(using: &random) { editing.scene.press(key) }
        case 11..<16:
            let letters = ["r", "r", "r", "x", "t", "s", "f"].randomElement(using: &random) ?? "r"
            editing.scene.receive(letters, from: Self.names.randomElement(using: &random) ?? "")
        case 16:
            editing.scene.send(
                .resize(Size(columns: .random(in: 1...140, using: &random), rows: .random(in: 1...45, using: &random)))
            )
        case 17:
            editing.replaceFile(with: Self.settings(using: &random).targets)
        case 18:
            let gap = Duration.seconds(.random(in: 1...90, using: &random))
            editing.scene.send(
                .findings([
                    .stalled(gap: gap, at: editing.scene.now),
                    .link(isUp: .random(using: &random), at: editing.scene.now),
                ])
            )
        case 19:
            editing.scene.send(.resumed)
        case 20:
            edit(&editing, using: &random)
        case 21:
            editing.press(.character(["u", "W"].randomElement(using: &random) ?? "u"))
        default:
            editing.store.failure = Bool.random(using: &random) ? "the disk is full" : nil
        }
    }

    /// Adds, changes or removes a target by its keys.
    private func edit(_ editing: inout EditingScene, using random: inout SplitMix) {
        let number = Int.random(in: 0..<9, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            editing.press(.character("a"), .paste("192.0.2.\(number)"), .enter)
        case 1:
            editing.press(.character("E"), .end, .paste("\(number)"), .tab, .enter)
        default:
            editing.press(.character("D"), .character("y"))
        }
    }

    /// Reports the results of requested hook runs.
    private func report(_ runs: [HookRun], to scene: inout Scene, using random: inout SplitMix) {
        for run in runs {
            scene.send(.hook(.started(run)))
            let status: HookResult.Status = Bool.random(using: &random) ? .exited(0) : .timedOut
            let result = HookResult(status: status, duration: .milliseconds(30), output: "one\ntwo 名\n")
            scene.send(.hook(.finished(run, result)))
        }
    }

    /// Answers requests to the history: at a moment, some of the targets were watched, and some of these were up.
    private func answer(_ requests: [HistoryRequest], to scene: inout Scene, using random: inout SplitMix) {
        for request in requests {
            guard case .moment(let time, let assignments) = request else {
                scene.send(.history(SimulatedHistory.answer(request), Scene.wall.zone))
                continue
            }
            var moment = StoredMoment(at: time)
            moment.start = Scene.wall.start - .seconds(.random(in: 60...7_200, using: &random))
            for assignment in assignments where Int.random(in: 0..<3, using: &random) > 0 {
                let health = [Health.up, .down, .degraded].randomElement(using: &random) ?? .up
                let start = time - .seconds(.random(in: 1...900, using: &random))
                let event = HistoryEvent(.transition, at: start, from: .unknown, to: health, reason: "timeout")
                moment.targets[assignment.id] = .init()
                moment.targets[assignment.id]?.events = [event]
                moment.events.append(TargetEvent(assignment.id, event))
            }
            moment.events.sort { $0.event.time < $1.event.time }
            scene.send(.history(.moment(moment), Scene.wall.zone))
        }
    }

    /// The number of actions: `REACH_ACTIONS`, or 800.
    private static let actions = ProcessInfo.processInfo.environment["REACH_ACTIONS"].flatMap { Int($0) } ?? 800

    @Test func `after hundreds of actions, the screen equals a fresh drawing`() {
        var random = SplitMix(seed: 20_261_121)
        var editing = EditingScene(Self.settings(using: &random).targets)
        var terminal = SimulatedTerminal()
        var painted = Frame(size: Size(columns: 0, rows: 0))
        var handledEffects = 0
        for step in 0..<Self.actions {
            performAction(on: &editing, using: &random)
            editing.settle()
            editing.scene.tick()
            let effects = editing.scene.effects.dropFirst(handledEffects)
            let runs = effects.flatMap(\.runs)
            let requests = effects.compactMap { if case .readHistory(let request) = $0 { request } else { nil } }
            handledEffects = editing.scene.effects.count
            // Some answers come late.
            if Bool.random(using: &random) { answer(requests, to: &editing.scene, using: &random) }
            report(runs, to: &editing.scene, using: &random)
            let isFresh = editing.scene.model.staleness == .fresh
            // A sample of fresh pictures is checked too: nothing may have changed that was not painted.
            guard !isFresh || step.isMultiple(of: 8) else { continue }
            let frame = editing.scene.model.draw()
            if !isFresh {
                painted = editing.scene.model.draw(over: painted)
                terminal.paint(painted)
            }
            editing.scene.model.markPainted()
            let isSame = terminal.frame.text == frame.text && frame.changes(from: terminal.frame).isEmpty
            guard !isSame else { continue }
            Issue.record("after action \(step) the screen is\n\(terminal.frame.text)\nexpected\n\(frame.text)")
            return
        }
        let edits = editing.scene.effects.count { if case .edit(.make) = $0 { true } else { false } }
        #expect(edits >= Self.actions / 100)
    }
}
