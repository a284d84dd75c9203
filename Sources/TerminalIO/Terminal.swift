import Dispatch
import LibC
public import Screen
import Synchronization

/// The terminal while it is the dashboard's. See ``withTerminal(color:characters:_:)``.
public final class Terminal: Sendable {
    private enum Presence: Sendable {
        /// The screen and the modes are ours; these modes are to be given back, and standard error is kept off.
        case inside(termios, ErrorDetour?)
        /// The terminal is as we found it.
        case outside
        /// It is, and stays so.
        case closed
    }

    /// What is pressed, for one reader. It ends when the terminal is given back for good or goes away.
    ///
    /// It holds 4096 keys that nobody has read, and drops what comes after those.
    public let keys: AsyncStream<Key>
    /// What the terminal tells of its background, for one reader, after ``askBackground()``. It ends with the keys.
    public let backgrounds: AsyncStream<Background>
    /// Shows frames.
    public let painter: Painter

    private let device: Device
    private let characters: CharacterSupport
    private let stopping: WakePipe
    private let reader = DispatchQueue(label: "reach.keys", qos: .userInteractive)
    private let presence = Mutex(Presence.outside)
    private let question: BackgroundQuestion
    private let isMouseOn = Atomic(false)

    /// Takes the terminal.
    ///
    /// - Parameters:
    ///   - path: the device; the process's own terminal if nil.
    ///   - color: what colours to use.
    ///   - characters: what characters to use.
    /// - Throws: ``TerminalProblem``; then the terminal is as it was.
    init(path: String? = nil, color: ColorSupport, characters: CharacterSupport = .unicode) throws(TerminalProblem) {
        let device = try Device(path: path)
        let stopping = try WakePipe()
        let (keys, continuation) = AsyncStream.makeStream(of: Key.self, bufferingPolicy: .bufferingOldest(4096))
        self.device = device
        self.characters = characters
        self.stopping = stopping
        self.keys = keys
        self.painter = Painter(color: color, characters: characters, isHeld: true) {
            device.writeAtOnce($0)
        } sink: {
            device.write($0)
        }
        let question = BackgroundQuestion()
        let (backgrounds, told) = AsyncStream.makeStream(of: Background.self, bufferingPolicy: .bufferingNewest(1))
        self.question = question
        self.backgrounds = backgrounds
        try enter()
        reader.async {
            KeyReader(device: device, stopping: stopping).run {
                continuation.yield($0)
            } background: { color in
                if question.takeAnswer() { told.yield(Background(color)) }
            }
            continuation.finish()
            told.finish()
        }
    }

    /// The extent of the screen now; 80 by 24 if the terminal does not say.
    public var size: Size {
        device.size
    }

    /// Asks the terminal for its background. Nothing waits for the answer, which may never come.
    public func askBackground() {
        question.ask()
        painter.send(Array(BackgroundQuestion.code.utf8))
    }

    /// Has clicks and the wheel told as keys, or leaves them to the terminal, as at first.
    public func setMouse(_ isOn: Bool) {
        isMouseOn.store(isOn, ordering: .relaxed)
        painter.send(Array((isOn ? ScreenCodes.mouseOn : ScreenCodes.mouseOff).utf8))
    }

    /// Gives the terminal back and stops the process with its group, as ^Z does. It returns when the process goes on,
    /// with the screen taken again and painted whole.
    public func suspend() {
        guard exit(for: .outside) else { return }
        kill(0, SIGSTOP)
        // The stop may reach another thread first; these milliseconds are for this one to stop in.
        poll(nil, 0, 10)
        try? enter()
    }

    /// Takes the screen again and paints it whole, after something else may have had it: the process was stopped from
    /// outside and goes on.
    public func resume() {
        try? enter()
    }

    /// Gives the terminal back for good and prints text where the cursor was before, so that it stays in the scrollback.
    ///
    /// - Parameter text: lines of printable text, such as a frame's.
    public func leave(printing text: String) {
        guard exit(for: .closed) else { return }
        let sent = characters.sent(text)
        _ = device.write(ArraySlice((sent.hasSuffix("\n") || sent.isEmpty ? sent : sent + "\n").utf8))
    }

    /// Gives the terminal back for good. Afterwards nothing is written, and the keys come to their end.
    func close() {
        exit(for: .closed)
        stopping.wake()
        reader.sync {}
    }

    private func enter() throws(TerminalProblem) {
        try presence.withLock { presence throws(TerminalProblem) in
            let saved: termios
            let detour: ErrorDetour?
            switch presence {
            case .closed: return
            case .outside: (saved, detour) = (try device.modes(), ErrorDetour())
            case .inside(let modes, let running): (saved, detour) = (modes, running)
            }
            var raw = saved
            cfmakeraw(&raw)
            LastResort.remove()
            LastResort.install(for: device.descriptor, restoring: saved, ending: detour)
            do throws(TerminalProblem) {
                try device.set(raw)
            } catch {
                LastResort.remove()
                detour?.end()
                throw error
            }
            presence = .inside(saved, detour)
            device.hurry(false)
            painter.hold()
            let mouse = isMouseOn.load(ordering: .relaxed) ? ScreenCodes.mouseOn : ""
            _ = device.write(ArraySlice((ScreenCodes.enter + mouse).utf8))
            painter.release()
        }
    }

    /// Gives the terminal back.
    ///
    /// - Returns: Whether it was ours.
    @discardableResult
    private func exit(for next: Presence) -> Bool {
        presence.withLock { presence in
            guard case .inside(let saved, let detour) = presence else {
                if case .closed = next { presence = next }
                return false
            }
            question.settle()
            // A stuck terminal shall not keep the program from ending.
            device.hurry(true)
            painter.hold()
            // The modes first: they matter even if the terminal takes no more bytes.
            try? device.set(saved)
            _ = device.write(ScreenCodes.leave.withUTF8Buffer { ArraySlice($0) })
            // The reader took an unknown part of what was typed last. The rest is a fragment, or half of an answer of the
            // terminal, and must not become a command of the shell.
            device.dropInput()
            LastResort.remove()
            detour?.end()
            presence = next
            return true
        }
    }
}
