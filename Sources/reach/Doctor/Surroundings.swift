import Dashboard
import TerminalIO

/// What the program finds around itself: the terminal, the environment, the user.
struct Surroundings: Sendable, Hashable {
    var isTerminal: Bool
    var isRoot: Bool
    var environment: [String: String]

    /// What can be said of the terminal.
    var lines: [CheckupLine] {
        guard isTerminal else {
            let words = "standard output is none; reach watch needs none"
            return [CheckupLine(mark: .absent, subject: "Terminal", words: words)]
        }
        return [terminal, characters, colours]
    }

    /// A command that only root may run.
    func asRoot(_ command: String) -> String {
        isRoot ? command : "sudo \(command)"
    }

    private var terminal: CheckupLine {
        let name = environment["TERM"] ?? ""
        guard !name.isEmpty, name != "dumb" else {
            return CheckupLine(
                mark: .problem,
                subject: "Terminal",
                words: name.isEmpty ? "TERM is not set" : "TERM says that it is dumb",
                cures: ["export TERM=xterm-256color"]
            )
        }
        return CheckupLine(mark: .ok, subject: "Terminal", words: name)
    }

    private var characters: CheckupLine {
        let appearance = Appearance(ascii: false, noColor: false, environment: environment)
        guard appearance.glyphs == .ascii else {
            return CheckupLine(mark: .ok, subject: "Characters", words: "UTF-8")
        }
        return CheckupLine(
            mark: .absent,
            subject: "Characters",
            words: "the locale is not UTF-8, and so ASCII it is",
            cures: ["export LC_ALL=C.UTF-8"]
        )
    }

    private var colours: CheckupLine {
        let appearance = Appearance(ascii: false, noColor: false, environment: environment)
        guard appearance.color == .none else {
            let words =
                switch appearance.color {
                case .none, .sixteen: "the sixteen of the terminal's palette"
                case .indexed: "256"
                case .direct: "24 bits"
                }
            return CheckupLine(mark: .ok, subject: "Colours", words: words)
        }
        let isChosen = !(environment["NO_COLOR"] ?? "").isEmpty
        return CheckupLine(
            mark: .absent,
            subject: "Colours",
            words: isChosen ? "switched off by NO_COLOR" : "none",
            cures: isChosen ? ["unset NO_COLOR"] : []
        )
    }
}
