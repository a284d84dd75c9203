import Dispatch
import ReachBasics
public import ReachScreen
import ReachSystem
import Synchronization

/// The terminal while the dashboard owns it. See ``withTerminal(color:characters:_:)``.
public final class Terminal: Sendable {
    private enum State: Sendable {
        /// Raw mode and the alternate screen are on. The modes to restore, and the capture of standard error.
        case active(termios, StandardErrorCapture?)
        /// The terminal is restored, and can be set up again.
        case restored
        /// The terminal is restored for good.
        case closed
    }

    /// The keys that are pressed, for one reader. The stream ends when the terminal is restored for good or is gone.
    ///
    /// It buffers 4096 keys and drops later ones.
    public let keys: AsyncStream<Key>
    /// The backgrounds that the terminal reports, for one reader, after ``queryBackground()``. The stream ends with the keys.
    public let backgrounds: AsyncStream<Background>
    /// Shows frames.
    public let painter: Painter

    private let device: Device
    let characters: CharacterSupport
    private let stopping: WakePipe
    private let reader = DispatchQueue(label: "reach.keys", qos: .userInteractive)
    private let state = Mutex(State.restored)
    private let query: BackgroundQuery
    private let exitRequest = SignalFlag(SignalFlag.endings)
    private let continued = SignalFlag([SIGCONT])
    private let isMouseOn = Atomic(false)
    /// The title of the window; nil for its own.
    private let title = Mutex<String?>(nil)
    /// The size that ``newSize()`` has returned last, at first that at the start.
    private let knownSize: Mutex<Size>

    /// How long to wait for the rest of an escape sequence, unless something else is set.
    public static let defaultEscapeDelay = Duration.milliseconds(75)

    /// Sets up the terminal.
    ///
    /// - Parameters:
    ///   - device: the device, which is not used otherwise.
    ///   - color: what colours to use.
    ///   - characters: what characters to use.
    ///   - escapeDelay: how long to wait for the rest of an escape sequence.
    /// - Throws: ``TerminalProblem``; the terminal is then unchanged.
    init(
        _ device: Device,
        color: ColorSupport,
        characters: CharacterSupport = .unicode,
        escapeDelay: Duration = defaultEscapeDelay
    ) throws(TerminalProblem) {
        let stopping = try WakePipe()
        let (keys, continuation) = AsyncStream.makeStream(of: Key.self, bufferingPolicy: .bufferingOldest(4096))
        self.device = device
        self.knownSize = Mutex(device.size)
        self.characters = characters
        self.stopping = stopping
        self.keys = keys
        self.painter = Painter(color: color, characters: characters, isPaused: true) {
            device.writeWithoutBlocking($0)
        } write: {
            device.write($0)
        }
        let query = BackgroundQuery()
        let (backgrounds, backgroundContinuation) = AsyncStream.makeStream(
            of: Background.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        self.query = query
        self.backgrounds = backgrounds
        device.waitForForeground(unless: exitRequest)
        try enter()
        reader.async {
            KeyReader(device: device, stopping: stopping, escapeDelay: escapeDelay).run {
                continuation.yield($0)
            } background: { color in
                if query.receiveBackground() { backgroundContinuation.yield(Background(color)) }
            } attributes: {
                query.receiveAttributes()
            }
            continuation.finish()
            backgroundContinuation.finish()
        }
    }

    /// The size of the screen now; 80 by 24 if the terminal does not report one.
    public var size: Size {
        device.size
    }

    /// Returns the size if it has changed since the last call. A process gets SIGWINCH only from the terminal of its session,
    /// which may be another one or none.
    ///
    /// Ticks call this, so it also keeps the captured standard error small.
    public func newSize() -> Size? {
        // Inside the lock, since the file is closed when the terminal is restored.
        state.withLock { if case .active(_, let capture?) = $0 { StandardErrorCapture.trim(capture.file) } }
        return knownSize.withLock { known in
            let size = device.size
            guard size != known else { return nil }
            known = size
            return size
        }
    }

    /// Asks the terminal for its background. This does not wait for the answer, which may never come.
    public func queryBackground() {
        query.markSent()
        painter.send(Array(BackgroundQuery.code.utf8))
    }

    /// Reports clicks and the wheel as keys, or leaves them to the terminal, which is the default.
    public func setMouse(_ isOn: Bool) {
        isMouseOn.store(isOn, ordering: .relaxed)
        painter.send(Array((isOn ? ScreenCodes.mouseOn : ScreenCodes.mouseOff).utf8))
    }

    /// Records the title of the window.
    ///
    /// - Returns: The codes that give it.
    func titleCodes(to new: String?) -> String {
        title.withLock { title in
            defer { title = new }
            CrashHandler.hasTitle.store(new != nil, ordering: .sequentiallyConsistent)
            switch (title, new) {
            case (nil, nil): return ""
            case (nil, let new?): return ScreenCodes.keepTitle + ScreenCodes.title(new)
            case (_, let new?): return ScreenCodes.title(new)
            case (_, nil): return "\(ScreenCodes.restoreTitle)"
            }
        }
    }

    /// Restores the terminal and stops the process group, as ^Z does. When the process continues, this sets up the
    /// terminal again, repaints the whole screen and returns.
    ///
    /// - Returns: Whether the process was stopped. The system does not stop one that no shell could continue.
    public func suspend() -> Bool {
        guard exit(for: .restored) else { return true }
        let wasStopped = JobControl.stop(continued: continued)
        device.waitForForeground(unless: exitRequest)
        try? enter()
        return wasStopped
    }

    /// Sets up the terminal again and repaints the whole screen. For a process that was stopped by another one and continues:
    /// the screen may have changed meanwhile.
    public func resume() {
        device.waitForForeground(unless: exitRequest)
        try? enter()
    }

    /// Restores the terminal for good and prints text where the cursor was before, so that it stays in the scrollback.
    ///
    /// - Parameter text: lines of printable text, such as a frame's.
    public func leave(printing text: String) {
        guard exit(for: .closed) else { return }
        let sent = characters.sent(text)
        _ = device.write(ArraySlice((sent.hasSuffix("\n") || sent.isEmpty ? sent : sent + "\n").utf8))
    }

    /// Restores the terminal for good. Nothing is written afterwards, and the keys end.
    func close() {
        exit(for: .closed)
        stopping.wake()
        // A read of a shared file blocks if the input was dropped in the meantime.
        if !device.isShared { reader.sync {} }
    }

    private func enter() throws(TerminalProblem) {
        let isRestored = state.withLock { if case .restored = $0 { true } else { false } }
        // Outside the lock, since the file system may not answer.
        var unused = isRestored ? StandardErrorCapture() : nil
        defer { unused?.end() }
        try state.withLock { state throws(TerminalProblem) in
            let saved: termios
            let capture: StandardErrorCapture?
            // The window's own title is still kept if the terminal was not restored.
            let keepTitle: String
            switch state {
            case .closed: return
            case .restored:
                (saved, capture, keepTitle) = (try device.modes(), unused, ScreenCodes.keepTitle)
            case .active(let modes, let running):
                (saved, capture, keepTitle) = (modes, running, "")
            }
            var raw = saved
            cfmakeraw(&raw)
            CrashHandler.remove()
            CrashHandler.install(for: device.descriptor, restoring: saved, ending: capture)
            do throws(TerminalProblem) {
                try device.set(raw)
            } catch {
                if case .restored = state { CrashHandler.remove() }
                throw error
            }
            if case .restored = state { unused = nil }
            state = .active(saved, capture)
            device.limitWrites(false)
            let mouse = isMouseOn.load(ordering: .relaxed) ? ScreenCodes.mouseOn : ""
            let title = title.withLock(\.self).map { keepTitle + ScreenCodes.title($0) } ?? ""
            // The painter writes them, since the loop must not wait for a terminal that accepts no bytes.
            painter.resume(after: Array((ScreenCodes.enter + mouse + title).utf8))
        }
    }

    /// Restores the terminal.
    ///
    /// - Returns: Whether it was active.
    @discardableResult
    private func exit(for next: State) -> Bool {
        let active = state.withLock { state -> (modes: termios, capture: StandardErrorCapture?)? in
            guard case .active(let modes, let capture) = state else {
                if case .closed = next { state = next }
                return nil
            }
            state = next
            return (modes, capture)
        }
        // The rest is outside the lock, since a stuck terminal takes up to a second.
        guard let active else { return false }
        query.waitForAnswer()
        // A stuck terminal must not keep the program from exiting.
        device.limitWrites(true)
        painter.pause()
        // The modes first: they matter even if the terminal accepts no more bytes.
        try? device.set(active.modes)
        // These codes matter most, so they get a time of their own.
        device.limitWrites(true)
        _ = device.write(ScreenCodes.leave.withUTF8Buffer { ArraySlice($0) })
        if title.withLock(\.self) != nil {
            _ = device.write(ScreenCodes.restoreTitle.withUTF8Buffer { ArraySlice($0) })
        }
        // The reader may have read only a part of the last input. The rest is a fragment of a key or of an answer of the
        // terminal; the shell must not read it as a command.
        device.dropInput()
        CrashHandler.remove()
        active.capture?.end()
        return true
    }
}

/// How a terminal shows desktop notifications.
public enum NotificationSupport: Sendable, Hashable, CaseIterable {
    /// It does not.
    case none
    /// `OSC 9`, of iTerm2: one text.
    case osc9
    /// `OSC 777`, of rxvt-unicode: a title and a text.
    case osc777
    /// `OSC 99`, of kitty (https://sw.kovidgoyal.net/kitty/desktop-notifications).
    case osc99
}

extension Terminal {
    /// Rings the bell.
    public func ring() {
        painter.send([7])
    }

    /// Shows a desktop notification. Nothing in the text can end the control sequence or begin another.
    ///
    /// - Parameters:
    ///   - text: the text; it is cut after 200 characters.
    ///   - support: the sequence that the terminal understands.
    ///   - isInTmux: whether tmux runs in the terminal. It passes the sequence on if `allow-passthrough` is set.
    public func notify(_ text: String, by support: NotificationSupport, isInTmux: Bool = false) {
        let codes = characters.sent(Self.notification(text, by: support, isInTmux: isInTmux))
        if !codes.isEmpty { painter.send(Array(codes.utf8)) }
    }

    static func notification(_ text: String, by support: NotificationSupport, isInTmux: Bool) -> String {
        let text = sent(text)
        let codes: String
        switch support {
        case .none: return ""
        // With a number at the beginning, ConEmu would read it as another command.
        case .osc9: codes = "\u{1B}]9;reach: \(text)\u{7}"
        // A semicolon separates parameters.
        case .osc777: codes = "\u{1B}]777;notify;reach;\(text.replacing(";", with: ","))\u{7}"
        // A later notification with the same identifier replaces the one before.
        case .osc99: codes = "\u{1B}]99;i=reach;reach: \(text)\u{7}"
        }
        return isInTmux ? "\u{1B}Ptmux;\(codes.replacing("\u{1B}", with: "\u{1B}\u{1B}"))\u{1B}\\" : codes
    }

    /// The text of one line without control and format characters.
    static func sent(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(200) {
            if scalar.isPrintable { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// Gives the window a title, or its own again for nil. Its own is kept on the terminal's stack of titles, and restored with
    /// the terminal.
    public func setTitle(_ title: String?) {
        let title = title.map { characters.sent(Self.sent($0)) }
        let codes = titleCodes(to: title)
        if !codes.isEmpty { painter.send(Array(codes.utf8)) }
    }
}

extension ScreenCodes {
    /// Keeps the window's title (XTWINOPS 22).
    static let keepTitle = "\u{1B}[22;2t"
    /// Restores the title that was kept (XTWINOPS 23). A terminal without a stack of titles has its default instead.
    static let restoreTitle: StaticString = "\u{1B}]2;\u{7}\u{1B}[23;2t"

    static func title(_ title: String) -> String { "\u{1B}]2;\(title)\u{7}" }
}

extension Terminal {
    /// Puts text on the clipboard of the terminal's user, local or remote, by OSC 52. A terminal that does not support it
    /// ignores it without a reply. Control characters except line ends are removed, and text over the limit is cut.
    public func copy(_ text: String) {
        painter.send(Array(Self.copying(text).utf8))
    }

    /// The same through GNU screen, which passes on device control strings of limited length.
    public func copyThroughScreen(_ text: String) {
        var rest = Self.copying(text)[...]
        var codes = ""
        while !rest.isEmpty {
            codes += "\u{1B}P\(rest.prefix(200))\u{1B}\\"
            rest = rest.dropFirst(200)
        }
        painter.send(Array(codes.utf8))
    }

    private static func copying(_ text: String) -> String {
        "\u{1B}]52;c;\(Array(copied(text).utf8).base64)\u{7}"
    }

    /// The limit in bytes: terminals drop longer text as a whole.
    static let maxCopiedBytes = 48 * 1024

    /// The part of a text that is copied.
    public static func copied(_ text: String) -> String {
        var result = ""
        var remaining = maxCopiedBytes
        for scalar in text.unicodeScalars where scalar == "\n" || !scalar.isControl {
            remaining -= UTF8.width(scalar)
            guard remaining >= 0 else { break }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}

/// Runs a dashboard on the process's terminal and restores the terminal afterwards, also after an error: the modes, the
/// screen and the cursor.
///
/// While the body runs, the terminal is in raw mode (^C and ^Z are keys), shows the alternate screen without a cursor,
/// and brackets pastes. If the program traps, the terminal is restored before the crash report.
///
/// - Parameters:
///   - color: what colours to use.
///   - characters: what characters to use.
///   - escapeDelay: how long to wait for the rest of an escape sequence. Until then, an escape is not the escape key.
///   - body: uses the terminal, which must not be used after it returns.
/// - Returns: The result of the body.
/// - Throws: ``TerminalProblem`` if there is no terminal; the errors of the body.
public func withTerminal<Result>(
    color: ColorSupport = .sixteen,
    characters: CharacterSupport = .unicode,
    escapeDelay: Duration = Terminal.defaultEscapeDelay,
    _ body: (Terminal) async throws -> Result
) async throws -> Result {
    let device = try Device(path: nil)
    return try await withTerminal(on: device, color: color, characters: characters, escapeDelay: escapeDelay, body)
}

/// The same on a device.
func withTerminal<Result>(
    on device: Device,
    color: ColorSupport,
    characters: CharacterSupport = .unicode,
    escapeDelay: Duration = Terminal.defaultEscapeDelay,
    _ body: (Terminal) async throws -> Result
) async throws -> Result {
    let terminal = try Terminal(device, color: color, characters: characters, escapeDelay: escapeDelay)
    defer { terminal.close() }
    return try await body(terminal)
}
