import Dispatch
import ReachScreen
import TestSupport
import Testing

import ReachSystem
@testable import ReachTerminal

// One at a time: a process has one terminal, and its last resort guards one.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct `Terminal on a pseudoterminal` {
    private let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h\u{1B}[?7l"
    private let leave =
        "\u{1B}[?2026l\u{1B}[0m\u{1B}[H\u{1B}[J\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"

    private let question = "\u{1B}]11;?\u{7}\u{1B}[c"

    private struct Trouble: Error {}

    private func frame(_ text: String) -> Frame {
        var frame = Frame(size: Size(columns: 20, rows: 2))
        frame.write(text, at: Position(column: 0, row: 0))
        return frame
    }

    @Test func `is raw on the alternate screen inside, and restored afterwards`() async throws {
        let pty = try #require(PseudoTerminal())
        pty.setModes { $0.c_lflag ^= tcflag_t(ECHOK) }
        let before = pty.modes
        let answer = try await withTerminal(path: pty.path, color: .sixteen) { _ in
            #expect(!pty.isCooked)
            #expect(pty.read(through: enter) == enter)
            return 42
        }
        #expect(answer == 42)
        #expect(pty.modes == before)
        #expect(pty.read(through: leave) == leave)
    }

    @Test func `is restored after an error`() async throws {
        let pty = try #require(PseudoTerminal())
        let before = pty.modes
        await #expect(throws: Trouble.self) {
            try await withTerminal(path: pty.path, color: .sixteen) { _ in throw Trouble() }
        }
        #expect(pty.modes == before)
        #expect(pty.read(through: leave) == enter + leave)
    }

    @Test func `delivers keys, including a lone escape`() async throws {
        let pty = try #require(PseudoTerminal())
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            var keys = terminal.keys.makeAsyncIterator()
            pty.type("q\u{1B}[A\u{3}\u{1A}日")
            for key in [Key.character("q"), .up, .control("c"), .control("z"), .character("日")] {
                #expect(await keys.next() == key)
            }
            pty.type("\u{1B}")
            #expect(await keys.next() == .escape)
        }
    }

    @Test func `reports the background when the terminal does, and never as keys`() async throws {
        let pty = try #require(PseudoTerminal())
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            var backgrounds = terminal.backgrounds.makeAsyncIterator()
            var keys = terminal.keys.makeAsyncIterator()
            terminal.queryBackground()
            #expect(pty.read(through: question).hasSuffix(enter + question))
            pty.type("a\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\b")
            #expect(await backgrounds.next() == .light)
            // The first was not requested, and the second is invalid.
            pty.type("\u{1B}]11;rgb:0000/0000/0000\u{7}\u{1B}]11;no idea\u{7}c")
            for key in "abc" { #expect(await keys.next() == .character(key)) }
            terminal.queryBackground()
            pty.type("\u{1B}]11;rgb:0000/0000/0000\u{7}")
            #expect(await backgrounds.next() == .dark)
        }
    }

    @Test func `a late reply of the terminal does not reach the shell`() async throws {
        let pty = try #require(PseudoTerminal())
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            terminal.queryBackground()
            _ = pty.read(through: question)
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) {
                pty.type("\u{1B}]11;rgb:ffff/ffff/ffff\u{7}")
            }
        }
        #expect(pty.isCooked)
        pty.type("date\n")
        #expect(pty.readLine() == "date\n")
    }

    @Test func `a terminal that does not reply is restored`() async throws {
        let pty = try #require(PseudoTerminal())
        let begin = ContinuousClock.now
        let backgrounds = try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            terminal.queryBackground()
            return terminal.backgrounds
        }
        #expect(begin.duration(to: .now) < .seconds(1))
        for await _ in backgrounds { Issue.record("a background without a report") }
    }

    @Test func `paints and reports its size`() async throws {
        let pty = try #require(PseudoTerminal(columns: 33, rows: 7))
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            #expect(terminal.size == Size(columns: 33, rows: 7))
            _ = pty.read(through: enter)
            terminal.painter.paint(frame("up"))
            #expect(pty.read(through: "\u{1B}[?2026l").contains("\u{1B}[1Hup"))
            pty.resize(columns: 100, rows: 50)
            #expect(terminal.size == Size(columns: 100, rows: 50))
            pty.resize(columns: 0, rows: 0)
            #expect(terminal.size == Size(columns: 80, rows: 24))
            pty.resize(columns: 65_535, rows: 65_535)
            #expect(terminal.size == Size(columns: 1_000, rows: 500))
        }
    }

    @Test func `mouse reports are requested only when the mouse is on, and again after a suspension`() async throws {
        let (on, off) = ("\u{1B}[?1000h\u{1B}[?1006h", "\u{1B}[?1006l\u{1B}[?1000l")
        let pty = try #require(PseudoTerminal())
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            #expect(pty.read(through: enter) == enter)
            terminal.setMouse(true)
            #expect(pty.read(through: on) == on)
            pty.type("\u{1B}[<0;3;4M")
            var keys = terminal.keys.makeAsyncIterator()
            #expect(await keys.next() == .click(Position(column: 2, row: 3)))
            terminal.resume()
            #expect(pty.read(through: on) == enter + on)
            terminal.setMouse(false)
            #expect(pty.read(through: off) == off)
            terminal.resume()
            #expect(pty.read(through: enter) == enter)
        }
        #expect(pty.read(through: leave) == leave)
        #expect(leave.contains(off))
    }

    @Test func `the title of the window is kept, and restored with the terminal`() async throws {
        let (keep, restore) = ("\u{1B}[22;2t", "\u{1B}]2;\u{7}\u{1B}[23;2t")
        let pty = try #require(PseudoTerminal())
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            _ = pty.read(through: enter)
            terminal.setTitle("1 down – reach")
            #expect(pty.read(through: "\u{7}") == keep + "\u{1B}]2;1 down – reach\u{7}")
            terminal.setTitle("2 down\u{1B}\u{7}\u{9C}")
            #expect(pty.read(through: "\u{7}") == "\u{1B}]2;2 down\u{7}")
            // The terminal was not restored, so the title is not kept a second time.
            terminal.resume()
            #expect(pty.read(through: "\u{7}") == enter + "\u{1B}]2;2 down\u{7}")
            terminal.setTitle(nil)
            #expect(pty.read(through: restore) == restore)
            terminal.setTitle("reach")
            #expect(pty.read(through: "\u{7}") == keep + "\u{1B}]2;reach\u{7}")
        }
        #expect(pty.read(through: restore) == leave + restore)
    }

    @Test func `an ASCII terminal gets titles and notifications in ASCII`() async throws {
        let pty = try #require(PseudoTerminal())
        try await withTerminal(path: pty.path, color: .sixteen, characters: .ascii) { terminal in
            _ = pty.read(through: enter)
            terminal.setTitle("é")
            #expect(pty.read(through: "\u{7}").hasSuffix("\u{1B}]2;?\u{7}"))
            terminal.notify("日 down", by: .osc9)
            #expect(pty.read(through: "\u{7}") == "\u{1B}]9;reach: ?? down\u{7}")
        }
    }

    @Test func `the bell and notifications reach the terminal`() async throws {
        let pty = try #require(PseudoTerminal())
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            _ = pty.read(through: enter)
            terminal.ring()
            #expect(pty.read(through: "\u{7}") == "\u{7}")
            terminal.notify("NAS down", by: .osc9)
            #expect(pty.read(through: "\u{7}") == "\u{1B}]9;reach: NAS down\u{7}")
        }
        #expect(pty.read(through: leave) == leave)
    }

    @Test(
        arguments: [
            (.none, ""), (.osc9, "␛]9;reach: NAS; down␇"), (.osc777, "␛]777;notify;reach;NAS, down␇"),
            (.osc99, "␛]99;i=reach;reach: NAS; down␇"),
        ] as [(NotificationSupport, String)]
    )
    func `a notification has the form of the terminal`(support: NotificationSupport, codes: String) {
        let readable = { (text: String) in
            text.replacing("\u{1B}", with: "␛").replacing("\u{7}", with: "␇")
        }
        #expect(readable(Terminal.notification("NAS; down", by: support, isInTmux: false)) == codes)
        let inTmux = readable(Terminal.notification("NAS; down", by: support, isInTmux: true))
        #expect(inTmux == (codes.isEmpty ? "" : "␛Ptmux;␛\(codes)␛\\"))
    }

    @Test(arguments: NotificationSupport.allCases, [false, true])
    func `no text can end a notification, or be long`(support: NotificationSupport, isInTmux: Bool) {
        let hostile = "x\u{7}\u{1B}]52;c;eA==\u{7}\u{9D}0;\u{9C}\r\n\u{1B}\\\u{202E}\u{2028}y"
        let codes = Terminal.notification(hostile, by: support, isInTmux: isInTmux)
        let plain = Terminal.notification("z", by: support, isInTmux: isInTmux)
        let controls = { (text: String) in
            text.unicodeScalars.filter { $0.properties.generalCategory == .control }.map(\.value)
        }
        #expect(controls(codes) == controls(plain))
        #expect(!codes.unicodeScalars.contains("\u{202E}") && !codes.unicodeScalars.contains("\u{2028}"))
        let long = Terminal.notification(String(repeating: "日", count: 9_999), by: support, isInTmux: isInTmux)
        #expect(long.utf8.count < 700)
    }

    @Test func `copied text is bounded`() async throws {
        let pty = try #require(PseudoTerminal())
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            _ = pty.read(through: enter)
            terminal.copy("NAS\u{1B}\u{7}\r  \u{9B}up\nShop\u{7F}")
            #expect(pty.read(through: "\u{7}") == "\u{1B}]52;c;\(Array("NAS  up\nShop".utf8).base64)\u{7}")
        }
        #expect(Terminal.copied(String(repeating: "日", count: 100_000)).utf8.count == Terminal.maxCopiedBytes)
        #expect(Terminal.copied("") == "")
    }

    @Test func `leaves a text at the end, and paints nothing after it`() async throws {
        let pty = try #require(PseudoTerminal())
        let before = pty.modes
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            terminal.leave(printing: "1 up\n0 down")
            #expect(pty.modes == before)
            terminal.painter.paint(frame("late"))
            terminal.resume()
            terminal.painter.flush()
        }
        #expect(pty.modes == before)
        pty.setModes { $0.c_oflag &= ~tcflag_t(OPOST) }
        #expect(pty.read(through: "0 down\r\n") == enter + leave + "1 up\r\n0 down\r\n")
    }

    @Test func `takes the screen again after a suspension`() async throws {
        let pty = try #require(PseudoTerminal())
        let before = pty.modes
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            terminal.painter.paint(frame("up"))
            _ = pty.read(through: "\u{1B}[?2026l")
            pty.setModes { $0.c_lflag |= tcflag_t(ECHO) | tcflag_t(ICANON) | tcflag_t(ISIG) }
            terminal.resume()
            #expect(!pty.isCooked)
            #expect(pty.read(through: "up\u{1B}[?2026l").hasPrefix(enter))
        }
        #expect(pty.modes == before)
    }

    @Test func `the keys end when the terminal disappears`() async throws {
        let pty = try #require(PseudoTerminal())
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            pty.hangUp()
            for await _ in terminal.keys {}
        }
    }

    @Test func `the keys end when the terminal is restored`() async throws {
        let pty = try #require(PseudoTerminal())
        let keys = try await withTerminal(path: pty.path, color: .sixteen) { $0.keys }
        for await _ in keys {}
    }

    @Test func `a terminal that accepts no bytes does not block the exit`() async throws {
        let pty = try #require(PseudoTerminal())
        let before = pty.modes
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            // More than the buffer of a pseudoterminal, and no reader.
            for letter in "abcdefgh" {
                var frame = Frame(size: Size(columns: 500, rows: 150))
                for row in 0..<150 { frame.fill(row: row, columns: 0..<500, with: letter) }
                terminal.painter.paint(frame)
            }
        }
        #expect(pty.modes == before)
    }

    @Test func `a terminal that accepts no bytes does not block the program when it continues`() async throws {
        let pty = try #require(PseudoTerminal())
        let before = pty.modes
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            for letter in "abcdefgh" {
                var frame = Frame(size: Size(columns: 500, rows: 150))
                for row in 0..<150 { frame.fill(row: row, columns: 0..<500, with: letter) }
                terminal.painter.paint(frame)
            }
            terminal.resume()
            #expect(!pty.isCooked)
        }
        #expect(pty.modes == before)
    }

    @Test func `unread input is dropped when the terminal is restored`() async throws {
        let pty = try #require(PseudoTerminal())
        let (typed, end) = AsyncStream.makeStream(of: Void.self)
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            // A terminal that accepts no bytes blocks the restoring, between the modes and the input.
            for letter in "abcdefgh" {
                var frame = Frame(size: Size(columns: 500, rows: 150))
                for row in 0..<150 { frame.fill(row: row, columns: 0..<500, with: letter) }
                terminal.painter.paint(frame)
            }
            DispatchQueue.global().async {
                while !pty.isCooked { poll(nil, 0, 1) }
                // Without the end of its line, it is not read by the program.
                pty.type("rm -rf")
                end.finish()
            }
        }
        for await _ in typed {}
        pty.type("\n")
        #expect(pty.readLine() == "\n")
    }

    @Test func `without a terminal, the error names an alternative`() async throws {
        let problem = await #expect(throws: TerminalProblem.self) {
            try await withTerminal(path: "/dev/null/nothing", color: .sixteen) { _ in }
        }
        #expect(problem?.description.contains("reach watch") == true)
        await #expect(throws: TerminalProblem.self) {
            try await withTerminal(path: "/dev/null", color: .sixteen) { _ in }
        }
    }

    @Test func `a file that other processes share stays as it is`() async throws {
        let pty = try #require(PseudoTerminal())
        let before = pty.modes
        let shared = open(pty.path, O_RDWR | O_NOCTTY)
        try await withTerminal(on: Device(sharing: shared), color: .sixteen) { terminal in
            #expect(fcntl(shared, F_GETFL) & O_NONBLOCK == 0)
            terminal.painter.paint(frame("up"))
            #expect(pty.read(through: "up\u{1B}[?2026l").hasPrefix(enter))
            var keys = terminal.keys.makeAsyncIterator()
            pty.type("q")
            #expect(await keys.next() == .character("q"))
            // More than the buffer of a pseudoterminal, and no reader: nothing blocks.
            for letter in "abcdefgh" {
                var frame = Frame(size: Size(columns: 500, rows: 150))
                for row in 0..<150 { frame.fill(row: row, columns: 0..<500, with: letter) }
                terminal.painter.paint(frame)
            }
        }
        #expect(pty.modes == before)
    }

    @Test func `a new size is reported once`() async throws {
        let pty = try #require(PseudoTerminal(columns: 33, rows: 7))
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            #expect(terminal.newSize() == nil)
            pty.resize(columns: 40, rows: 7)
            #expect(terminal.newSize() == Size(columns: 40, rows: 7))
            #expect(terminal.newSize() == nil)
        }
    }

    @Test func `GNU screen gets what is copied in short control strings`() async throws {
        let pty = try #require(PseudoTerminal())
        try await withTerminal(path: pty.path, color: .sixteen) { terminal in
            _ = pty.read(through: enter)
            terminal.copyThroughScreen(String(repeating: "NAS up ", count: 60))
            let sent = pty.read(through: "\u{7}\u{1B}\\")
            let parts = sent.split(separator: "\u{1B}\\")
            #expect(parts.count > 2 && parts.allSatisfy { $0.hasPrefix("\u{1B}P") && $0.utf8.count < 256 })
            let joined = parts.map { $0.dropFirst(2) }.joined()
            #expect(joined == "\u{1B}]52;c;\(Array(String(repeating: "NAS up ", count: 60).utf8).base64)\u{7}")
        }
    }
}

/// Runs a dashboard on the device at a path.
private func withTerminal<Result>(
    path: String,
    color: ColorSupport,
    characters: CharacterSupport = .unicode,
    _ body: (Terminal) async throws -> Result
) async throws -> Result {
    try await withTerminal(on: Device(path: path), color: color, characters: characters, body)
}
