import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

/// A golden screen: the keys that lead to it, and its size.
struct GoldenCase: Sendable, CustomTestStringConvertible {
    let name: String
    let size: Size
    private let isWall: Bool
    private let act: @Sendable (inout Scene) -> Void

    var testDescription: String { "\(name)-\(size.columns)x\(size.rows)" }
    var file: String { "\(testDescription).txt" }

    /// The model of the screen, in ASCII or in Unicode.
    func model(inASCII isASCII: Bool) -> Model {
        var scene = isWall ? Scene.halls(for: size) : isASCII ? .plainEvening : .evening
        scene.model.appearance.glyphs = isASCII ? .ascii : .unicode
        scene.send(.resize(size))
        act(&scene)
        return scene.model
    }

    private static let small = [Size(columns: 20, rows: 5), Size(columns: 40, rows: 10)]
    private static let low = Size(columns: 80, rows: 24)
    private static let middle = Size(columns: 120, rows: 36)
    private static let usual = [low, middle, Size(columns: 200, rows: 50)]

    /// All golden screens.
    static let all: [GoldenCase] = [
        cases("table", small + usual) { _ in },
        cases("table-sorted", [low]) { $0.press(.character("s"), .character("S"), .character("G"), .left) },
        cases("wall", small + usual, isWall: true) { scene in
            scene.press(.character("2"), .right, .character(" "), .character("n"), .character("n"))
            // The status message of the pause would hide the keys.
            scene.wait(.seconds(5))
        },
        cases("wall-evening", small + usual) { $0.press(.character("2")) },
        cases("columns", small + usual) { $0.press(.character("C"), .right, .character(" "), .down) },
        cases("graphs", small + usual) { $0.press(.character("3")) },
        cases("vantage", small + usual) { scene in
            scene.showFleet(.fleet)
            scene.press(.character("5"), .down, .down)
        },
        cases("vantage-many", [small[1]] + usual) { scene in
            scene.showFleet(.manyVantagePoints)
            scene.press(.character("5"), .right, .right, .down)
        },
        cases("vantage-none", [small[1], low]) { $0.press(.character("5")) },
        cases("vantage-detail", [low, middle]) { scene in
            scene.showFleet(.fleet)
            scene.open("Login")
        },
        cases("vantage-table", [low, middle]) { $0.showFleet(.fleet) },
        cases("graphs-frozen", [middle]) { scene in
            scene.press(.character("3"), .character("f"))
            for _ in 0..<20 { scene.press(.left) }
        },
        cases("strips", small + usual) { $0.pressWithHistory(.character("4")) },
        cases("strips-hour", [middle]) { $0.pressWithHistory(.character("4"), .character("-")) },
        cases("strips-week", [middle]) { $0.pressWithHistory(.character("4"), .character("+"), .left, .left) },
        cases("strips-month", usual) { scene in
            scene.pressWithHistory(.character("4"), .character("+"), .character("+"), .character("["))
        },
        cases("strips-quarter", [middle]) { scene in
            scene.pressWithHistory(.character("4"), .character("+"), .character("+"), .character("+"), .down, .down)
        },
        cases("strips-off", [low]) { scene in
            scene.press(.character("4"))
            scene.refuseHistory()
        },
        cases("strips-reading", [low]) { $0.press(.character("4")) },
        cases("detail", small + usual) { $0.open("Shop") },
        cases("detail-past", usual) { scene in
            scene.select("NAS")
            scene.pressWithHistory(.enter)
        },
        cases("detail-end", [low]) { scene in
            scene.open("Shop")
            scene.press(.end)
        },
        cases("detail-icmp", usual) { $0.open("Router") },
        cases("detail-down", usual) { $0.open("NAS") },
        cases("detail-frozen", [middle]) { scene in
            scene.open("Shop")
            scene.press(.character("f"))
            for _ in 0..<70 { scene.press(.left) }
        },
        cases("events", usual) { $0.press(.character("e")) },
        cases("hooks", small + usual) { $0.press(.character("h"), .down) },
        cases("hooks-elsewhere", usual) { scene in
            scene.send(.hookOwner(.process(4_711), at: scene.now))
            scene.press(.character("h"))
        },
        cases("hooks-output", [low]) { $0.press(.character("h"), .down, .down, .enter) },
        cases("help", small + usual) { $0.press(.character("?")) },
        cases("filter", usual) { scene in
            scene.press(.character("/"))
            scene.type("is:up !radio")
        },
        cases("filter-wrong", [low]) { scene in
            scene.press(.character("/"))
            scene.type("is:dwon shop")
        },
        cases("palette", small + usual) { scene in
            scene.press(.character(":"))
            scene.type("s")
            scene.press(.down)
        },
        cases("question", small + [low]) { $0.press(.character("P")) },
        cases("arming", usual) { scene in
            scene.press(.character("x"))
            scene.type("30m: rsy")
        },
        cases("frozen", usual) { scene in
            scene.press(.character("f"))
            for _ in 0..<12 { scene.press(.left) }
        },
    ].flatMap(\.self)

    private static func cases(
        _ name: String,
        _ sizes: [Size],
        isWall: Bool = false,
        _ act: @escaping @Sendable (inout Scene) -> Void
    ) -> [GoldenCase] {
        sizes.map { GoldenCase(name: name, size: $0, isWall: isWall, act: act) }
    }
}
