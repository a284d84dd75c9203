import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// What a second changes.
@Suite struct SecondDrawingTests {
    /// Targets that are steady, noisy, lossy, probed rarely, probed often, down, never answering, flapping and paused.
    private static let targets: [Target] = [
        .make("steady", group: "Home"), .make("noisy", group: "Home", slow: .milliseconds(8)),
        .make("lossy", group: "Home", lossy: 0.05), .make("rare", group: "Home", interval: .seconds(5)),
        .make("often", group: "Away", interval: .milliseconds(200)), .make("down", group: "Away"),
        .make("silent", group: "Away"), .make("flapping", group: "Away", fall: 1), .make("paused", group: "Away"),
    ]

    /// The outcome of a target after some tenths of a second; nil if no probe ends.
    private static func outcome(of name: String, after tenths: Int) -> Outcome? {
        // Each target has its time within the second.
        let phase = name.utf8.reduce(0) { $0 + Int($1) } % 8
        let (second, isDue) = (tenths / 10, tenths % 10 == phase)
        let reply = { (milliseconds: Int) in Outcome.reply(roundTrip: .milliseconds(milliseconds)) }
        switch name {
        case "steady": return isDue ? reply(3) : nil
        case "noisy": return isDue ? reply(1 + second * 7 % 13) : nil
        case "lossy": return isDue ? second % 7 == 0 ? .timeout : reply(4) : nil
        case "rare": return isDue && second % 5 == 0 ? reply(2) : nil
        // Pauses now and then.
        case "often": return tenths % 2 == 0 && second % 9 != 8 ? reply(1) : nil
        case "down": return isDue ? second < 12 ? reply(2) : .failure(Failure(.refused)) : nil
        case "silent": return isDue && second % 2 == 0 ? .timeout : nil
        case "flapping": return isDue ? second / 2 % 2 == 0 ? reply(2) : .failure(Failure(.refused)) : nil
        default: return nil
        }
    }

    /// Runs a scene for some seconds in tenths, and draws what is due.
    ///
    /// - Parameter check: called with each frame that was drawn, and the one before.
    private func run(
        _ scene: inout Scene,
        seconds: Int,
        check: (_ frame: Frame, _ old: Frame, Scene) -> Void
    ) {
        var painted = scene.model.draw()
        scene.model.markPainted()
        var sequences: [Target.ID: Int] = [:]
        for tenths in 0..<seconds * 10 {
            scene.wait(.milliseconds(100))
            let findings = Self.targets.compactMap { target -> Finding? in
                guard let outcome = Self.outcome(of: target.name, after: tenths), let id = scene.id(target.name) else {
                    return nil
                }
                sequences[id, default: 0] += 1
                return .observation(
                    Observation(target: id, sequence: sequences[id] ?? 0, time: scene.now, outcome: outcome)
                )
            }
            if !findings.isEmpty { scene.send(.findings(findings)) }
            guard scene.model.staleness != .fresh else { continue }
            let frame = scene.model.draw(over: painted)
            check(frame, painted, scene)
            scene.model.markPainted()
            painted = frame
        }
    }

    private func scene(_ keys: [Key], size: Size) -> Scene {
        var scene = Scene(Self.targets, columns: size.columns, rows: size.rows)
        scene.select("paused")
        scene.press(.character(" "))
        for key in keys { scene.press(key) }
        scene.tick()
        return scene
    }

    @Test func `the marks of hidden rows stay on a narrow screen`() {
        for columns in stride(from: 10, through: 60, by: 3) {
            var scene = Scene((0..<30).map { .make("host-\($0)") }, columns: columns, rows: 14)
            scene.receiveTogether(Dictionary(uniqueKeysWithValues: (0..<30).map { ("host-\($0)", "rrr") }))
            for _ in 0..<15 { scene.press(.down) }
            let painted = scene.model.draw()
            scene.model.markPainted()
            let reply = Observation(
                target: Target.ID(15),
                sequence: 9,
                time: scene.now,
                outcome: .reply(roundTrip: .milliseconds(1))
            )
            scene.send(.findings([.observation(reply)]), at: scene.now)
            #expect(scene.model.staleness == .moved)
            let frame = scene.model.draw(over: painted)
            #expect(frame.changes(from: scene.model.draw()).isEmpty, "\(columns) columns:\n\(frame.text)")
        }
    }

    @Test(arguments: [[], [.character("3")]] as [[Key]])
    func `a chart advances with its probes if they end in time, and else with the clock`(keys: [Key]) {
        let size = Size(columns: 120, rows: 50)
        var (scene, advances) = (scene(keys, size: size), [Bool: [String: Int]]())
        run(&scene, seconds: 32) { frame, old, scene in
            guard scene.now > .seconds(20) else { return }
            let isSecond = frame.text.prefix { $0 != "\n" } != old.text.prefix { $0 != "\n" }
            for name in ["steady", "rare"] {
                let charts = [frame, old].map { chart(of: name, in: $0) }
                advances[isSecond, default: [:]][name, default: 0] += charts[0] == charts[1] ? 0 : 1
            }
        }
        #expect(advances[true]?["steady"] == 0)
        #expect(advances[true]?["rare"] ?? 0 > 2)
    }

    /// Returns the dots and bars in the lines from a target's name on.
    private func chart(of name: String, in frame: Frame) -> String {
        let lines = frame.text.split(separator: "\n")
        guard let first = lines.firstIndex(where: { $0.contains("● \(name)") }) else { return "" }
        let start = lines[first].firstRange(of: "● \(name)")?.lowerBound ?? lines[first].startIndex
        let column = lines[first].distance(from: lines[first].startIndex, to: start)
        // A graph has several lines, and others beside it.
        let isGraph = !lines[first].contains("tcp")
        return lines[first..<min(lines.count, first + (isGraph ? 8 : 1))].map { line in
            let part = line.dropFirst(column).prefix(isGraph ? 50 : 200)
            return String(part.filter { ("▁"..."█").contains($0) || ("⠀"..."⣿").contains($0) })
        }.joined(separator: "\n")
    }
}

/// What is drawn with a reply, over the frame before.
@Suite struct ReplyDrawingTests {
    private func scene(_ count: Int, _ keys: Key...) -> Scene {
        var scene = Scene((0..<count).map { .make("host-\($0)", group: "Home") }, columns: 200, rows: 50)
        scene.receiveTogether(Dictionary(uniqueKeysWithValues: (0..<count).map { ("host-\($0)", "rrrrrr") }))
        for key in keys { scene.press(key) }
        scene.tick()
        return scene
    }

    /// Receives a reply within the second, and returns the frames before and after it.
    private func frames(of scene: inout Scene, target: Int = 0) -> (before: Frame, after: Frame) {
        let before = scene.model.draw()
        scene.model.markPainted()
        let reply = Observation(
            target: Target.ID(target),
            sequence: 90,
            time: scene.now,
            outcome: .reply(roundTrip: .milliseconds(7))
        )
        scene.send(.findings([.observation(reply)]))
        #expect(scene.model.staleness == .moved)
        return (before, scene.model.draw(over: before))
    }

    @Test func `the last round trip and the sparkline follow a reply, the slow figures the second`() {
        var scene = scene(2)
        let figures = { (frame: Frame) in
            let line = frame.text.split(separator: "\n").first { $0.contains("host-0") } ?? ""
            return Array(line.split(separator: " ").drop { $0 != "up" }.dropFirst().prefix(5).map(String.init))
        }
        let (before, after) = frames(of: &scene)
        let (old, new) = (figures(before), figures(after))
        #expect(old.prefix(4) == ["1.0ms", "1.0ms", "0%", "0ms"])
        #expect(new.prefix(4) == ["7.0ms", "1.0ms", "0%", "0ms"])
        #expect(old.last != new.last)
        scene.model.markPainted()
        scene.wait(.seconds(1))
        let next = scene.model.draw(over: after)
        #expect(next == scene.model.draw())
        #expect(figures(next).prefix(4) == ["7.0ms", "7.0ms", "0%", "1.0ms"])
    }

    @Test func `a reply is not drawn over the form of a target`() {
        var editing = EditingScene((0..<60).map { .make("host-\($0)") }, columns: 120)
        editing.scene.receiveTogether(Dictionary(uniqueKeysWithValues: (0..<60).map { ("host-\($0)", "rrr") }))
        editing.press(.character("E"))
        var scene = editing.scene
        for target in [0, 20] {
            let (before, after) = frames(of: &scene, target: target)
            #expect(before.text.contains("edit host-0"))
            #expect(after == scene.model.draw())
        }
    }

    @Test(arguments: [5, 20, 120, 600])
    func `a reply on the wall is drawn as on a fresh screen`(count: Int) {
        for target in [0, count - 1] {
            var scene = scene(count, .character("2"))
            let (before, after) = frames(of: &scene, target: target)
            #expect(after == scene.model.draw())
            #expect(count > 200 || after != before)
        }
    }
}

/// What is drawn when the selection of the table moves, over the frame before.
@Suite struct SelectionDrawingTests {
    /// Targets of two groups and without one, with wide and long names.
    private func scene(_ size: Size, count: Int = 9) -> Scene {
        let targets = (0..<count).map { number in
            let names = [2: "名前", 3: "a name that is longer than its column can ever be"]
            let group = number < 3 ? "Home" : number < 6 ? "Cloud" : nil
            return Target.make(names[number] ?? "host-\(number)", group: group)
        }
        var scene = Scene(targets, columns: size.columns, rows: size.rows)
        scene.receiveTogether(Dictionary(uniqueKeysWithValues: targets.map { ($0.name, "rrrrrr") }))
        scene.tick()
        return scene
    }

    private static let sizes = [
        Size(columns: 200, rows: 50), Size(columns: 80, rows: 24), Size(columns: 60, rows: 12),
        Size(columns: 20, rows: 6), Size(columns: 3, rows: 3), Size(columns: 1, rows: 1),
    ]

    @Test(arguments: sizes) func `the screen is as if it was drawn anew`(size: Size) {
        var scene = scene(size)
        let keys: [Key] = [.down, .down, .end, .up, .up, .home, .pageDown, .pageUp]
        var random = SplitMix(seed: 17)
        var painted = scene.model.draw()
        scene.model.markPainted()
        for step in 0..<60 {
            let key = step < keys.count ? keys[step] : keys.randomElement(using: &random) ?? .up
            scene.press(key)
            #expect(scene.model.staleness == .selected)
            let next = scene.model.draw(over: painted)
            #expect(next == scene.model.draw(), "step \(step), \(key)")
            painted = next
            scene.model.markPainted()
        }
    }

    @Test func `replies since the last frame are drawn with it, in their columns`() {
        var scene = scene(Size(columns: 200, rows: 50))
        let painted = scene.model.draw()
        scene.model.markPainted()
        let reply = Observation(
            target: Target.ID(4),
            sequence: 90,
            time: scene.now,
            outcome: .reply(roundTrip: .milliseconds(7))
        )
        scene.send(.findings([.observation(reply)]))
        scene.press(.down)
        #expect(scene.model.staleness == .selected && scene.model.isFrameDue)
        let next = scene.model.draw(over: painted)
        #expect(next.text.contains("7.0ms"))
        // The two selected rows, and the one with the reply.
        let list = scene.model.areas.list
        let rows = next.changes(from: painted).runs.map(\.position.row).filter(
            (list.row..<list.row + list.rows).contains
        )
        #expect(Set(rows).count == 3)
    }

    @Test func `after anything else, the whole screen is drawn`() {
        var scene = scene(Size(columns: 80, rows: 24))
        for keys in [[Key.down, .character("s")], [.character("s"), .down], [.character("?"), .down], [.escape]] {
            scene.model.markPainted()
            for key in keys { scene.press(key) }
            #expect(scene.model.staleness == .urgent, "\(keys)")
        }
        scene.model.markPainted()
        scene.wait(.seconds(1))
        #expect(scene.model.staleness == .stale)
        scene.press(.down)
        #expect(scene.model.staleness == .urgent, "ages and the clock are not drawn yet")
    }
}
