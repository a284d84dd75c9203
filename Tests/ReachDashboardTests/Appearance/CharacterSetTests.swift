import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// Every view on the Linux console.
@Suite struct CharacterSetTests {
    /// The characters of the IBM PC's code page 437 above ASCII, and its graphic characters below ASCII: the characters
    /// that every font of the Linux console has.
    private static let console = Set(
        """
        ☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼⌂ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬\
        ╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■
        """
    )

    /// Frames of every view, with targets in every state.
    private func frames(_ glyphs: Glyphs, theme: ThemeChoice) -> [String] {
        let targets = (0..<9).map { index in
            Target.make(
                "Target \(index)",
                url: ["icmp://192.0.2.1", "https://www.example.com/a/long/path/to/an/end", "tcp://nas.local:445"][
                    index % 3
                ],
                group: index < 5 ? "Home" : nil,
                slow: .milliseconds(index == 4 ? 500 : 900)
            )
        }
        var scene = Scene(targets, columns: 100, rows: 30, glyphs: glyphs, theme: theme)
        for step in 0..<30 {
            let outcomes: [Outcome?] = [
                .reply(roundTrip: .milliseconds(1 + step % 7)),
                step > 20 ? .failure(Failure(.refused)) : .reply(roundTrip: .milliseconds(30)),
                .timeout, nil, .reply(roundTrip: .milliseconds(600 + step)),
                .reply(roundTrip: .milliseconds(step == 9 ? 800 : 70)),
                .fault(Fault(.permission, detail: "no permission")),
                step % 2 == 0 ? .timeout : .reply(roundTrip: .microseconds(90)),
                .reply(roundTrip: .seconds(1)),
            ]
            scene.receiveAll { index, _ in outcomes[index] }
        }
        let keys: [[Key]] = [
            [], [.home, .left], [.right, .down, .character(" ")], [.character("x"), .character("d")], [.enter],
            [.character("2")],
            [.character("3")], [.end], [.character("f"), .left, .left], [.escape, .enter], [.escape, .character("e")],
            [.character("h")], [.escape, .character("?")], [.pageDown], [.escape, .character("1"), .character("s")],
            [.character("S")], [.character("/"), .character("z")], [.enter],
        ]
        return keys.map { keys in
            for key in keys { scene.send(.key(key)) }
            return scene.screen
        }
    }

    @Test(arguments: [ThemeChoice.dark, .mono])
    func `the Linux console has every character`(theme: ThemeChoice) {
        for frame in frames(.console, theme: theme) {
            let missing = Set(frame).subtracting(Self.console).filter { !$0.isASCII }
            #expect(missing.isEmpty, "\(missing) in\n\(frame)")
        }
    }
}

/// The screen in ASCII.
@Suite struct ASCIITests {
    private static let views = ["", "2", "3", "e", "h", "H", "?", "/", "x", "f", "s", "S", "m"]

    @Test(arguments: views)
    func `every view is drawn in ASCII only, at any size`(view: String) {
        for isDetail in [false, true] {
            var scene = Scene.plainEvening
            scene.model.appearance.glyphs = .ascii
            if isDetail { scene.open("NAS") }
            scene.type(view)
            if view == "h" || view == "H" { scene.press(.down) }
            for columns in [1, 20, 33, 62, 80, 120, 200] {
                for rows in [1, 5, 24, 50] {
                    scene.send(.resize(Size(columns: columns, rows: rows)))
                    let others = Set(scene.screen.filter { !$0.isASCII })
                    #expect(others.isEmpty, "\(columns)x\(rows): \(others)")
                }
            }
        }
    }

    @Test func `status messages and the final table are in ASCII only`() {
        var scene = Scene.plainEvening
        scene.model.appearance.glyphs = .ascii
        for key in "yrR tnNpp" {
            scene.type(String(key))
            #expect(scene.screen.filter { !$0.isASCII } == "")
        }
        scene.type("hgx")
        #expect(scene.screen.hasSuffix("--del~"))
        #expect(scene.screen.filter { !$0.isASCII } == "")
        #expect(scene.model.finalScreen().text.filter { !$0.isASCII } == "")
    }
}
