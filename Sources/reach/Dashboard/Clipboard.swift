import Hooks
import Monitoring
import TerminalIO

/// Copies text to the clipboard of the terminal's user, beside the loop.
final class Clipboard: Sendable {
    /// What has become of a text, for the footer, where more is known than that the terminal may allow it. The stream has one
    /// consumer.
    let reports: AsyncStream<String>
    private let report: AsyncStream<String>.Continuation
    private let terminal: Terminal
    private let multiplexer: TerminalCapabilities.Multiplexer?

    init(_ terminal: Terminal, _ multiplexer: TerminalCapabilities.Multiplexer?) {
        (self.terminal, self.multiplexer) = (terminal, multiplexer)
        (reports, report) = AsyncStream.makeStream()
    }

    /// Copies text. By default, tmux ignores what programs copy, but not its own command.
    func copy(_ text: String) {
        switch multiplexer {
        case nil:
            terminal.copy(text)
        case .tmux:
            Task { await copyInTmux(Terminal.copied(text)) }
        case .remoteTmux:
            terminal.copy(text)
            report.yield("copied, if tmux has `set -g set-clipboard on`")
        case .screen, .remoteScreen:
            terminal.copy(text)
            terminal.copyThroughScreen(text)
        }
    }

    private func copyInTmux(_ text: String) async {
        // Before tmux 3.2, there is no `-w`: only the buffer of tmux gets the text.
        for options in [["-w"], []] {
            let command = HookCommand.program("tmux", arguments: ["load-buffer"] + options + ["-"])
            let output = await command.output(input: text, limit: 4_096, timeout: .seconds(5))
            guard output.status != .exited(0) else {
                let clipboard = options.isEmpty ? "" : ", and to the clipboard if the terminal allows it"
                report.yield("copied to the buffer of tmux\(clipboard)")
                return
            }
        }
        terminal.copy(text)
        report.yield("copied, if tmux has `set -g set-clipboard on`")
    }
}
