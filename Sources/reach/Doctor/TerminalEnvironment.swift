import ReachDashboard
import ReachTerminal

/// The environment of the program: terminal, user and environment variables.
struct TerminalEnvironment: Sendable, Hashable {
    var isTerminal: Bool
    var isRoot: Bool
    /// The environment variables.
    var variables: [String: String]

    private var capabilities: TerminalCapabilities {
        TerminalCapabilities(ascii: false, noColor: false, environment: variables)
    }

    /// The checks of the terminal.
    var checks: [DoctorCheck] {
        guard isTerminal else {
            let detail = "standard output is not a terminal; reach watch needs none"
            return [DoctorCheck(status: .absent, subject: "Terminal", detail: detail)]
        }
        return [terminal, characters, colours]
    }

    /// Returns the command with `sudo`, unless the user is root.
    func asRoot(_ command: String) -> String {
        isRoot || command.hasPrefix("sudo ") ? command : "sudo \(command)"
    }

    private var terminal: DoctorCheck {
        let name = variables["TERM"] ?? ""
        guard capabilities.hasCursorMovements else {
            return DoctorCheck(
                status: .problem,
                subject: "Terminal",
                detail: name.isEmpty ? "TERM is not set" : "TERM is \(name)",
                fixes: ["export TERM=xterm-256color"]
            )
        }
        return DoctorCheck(status: .ok, subject: "Terminal", detail: name)
    }

    private var characters: DoctorCheck {
        guard capabilities.glyphs == .ascii else {
            return DoctorCheck(status: .ok, subject: "Characters", detail: "UTF-8")
        }
        return DoctorCheck(
            status: .absent,
            subject: "Characters",
            detail: "ASCII only, since the locale is not UTF-8",
            fixes: ["export LC_ALL=C.UTF-8"]
        )
    }

    private var colours: DoctorCheck {
        guard capabilities.color == .none else {
            let detail =
                switch capabilities.color {
                case .none, .sixteen: "16"
                case .indexed: "256"
                case .direct: "24-bit"
                }
            return DoctorCheck(status: .ok, subject: "Colours", detail: detail)
        }
        let isChosen = !(variables["NO_COLOR"] ?? "").isEmpty
        return DoctorCheck(
            status: .absent,
            subject: "Colours",
            detail: isChosen ? "off, since NO_COLOR is set" : "none",
            fixes: isChosen ? ["unset NO_COLOR"] : []
        )
    }
}
