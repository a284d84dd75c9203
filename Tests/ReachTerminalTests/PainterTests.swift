import Dispatch
import ReachScreen
import Synchronization
import Testing

@testable import ReachTerminal

@Suite struct `Painting frames` {
    private func frame(_ text: String, columns: Int = 10) -> Frame {
        var frame = Frame(size: Size(columns: columns, rows: 1))
        frame.write(text, at: Position(column: 0, row: 0))
        return frame
    }

    /// Two frames that differ in their last letter.
    private func paintTwo(by painter: Painter) {
        for text in ["one", "onf"] {
            painter.paint(frame(text))
            painter.flush()
        }
    }

    @Test func `writes each frame in one piece, and only what changed`() {
        let sink = SinkDouble()
        paintTwo(by: Painter(color: .sixteen, write: sink.write))
        #expect(sink.texts == ["␛[0m␛[2J␛[1Hone", "␛[1;3Hf"])
    }

    @Test(arguments: [0, 1, 20, 1_000])
    func `after a partial write, only the rest is written`(_ room: Int) {
        let (sink, rest) = (SinkDouble(), SinkDouble())
        let painter = Painter(color: .sixteen) { bytes in
            _ = sink.write(bytes.prefix(room))
            return min(room, bytes.count)
        } write: { bytes in
            rest.write(bytes)
        }
        let whole = SinkDouble()
        for painter in [painter, Painter(color: .sixteen, write: whole.write)] { paintTwo(by: painter) }
        #expect(zip(sink.bytes, rest.bytes + [[], []]).map(+) == whole.bytes)
        #expect(sink.bytes.count == 2 && rest.bytes.count == (room == 1_000 ? 0 : 2))
    }

    @Test func `writes nothing for an equal frame`() {
        let sink = SinkDouble()
        let painter = Painter(color: .sixteen, write: sink.write)
        for _ in 0..<3 {
            painter.paint(frame("one"))
            painter.flush()
        }
        #expect(sink.texts.count == 1)
    }

    @Test func `a slow terminal gets the newest frame next, and the caller never blocks`() {
        let sink = SinkDouble(isSlow: true)
        let painter = Painter(color: .sixteen, write: sink.write)
        painter.paint(frame("0"))
        sink.waitForWrite()
        for number in 1...9 { painter.paint(frame("\(number)")) }
        sink.finishWrites()
        painter.flush()
        #expect(sink.texts == ["␛[0m␛[2J␛[1H0", "␛[1H9"])
    }

    @Test func `repaints the whole of the newest frame on demand`() {
        let sink = SinkDouble()
        let painter = Painter(color: .sixteen, write: sink.write)
        painter.repaint()
        painter.flush()
        #expect(sink.texts.isEmpty)
        painter.paint(frame("one"))
        painter.flush()
        painter.repaint()
        painter.flush()
        #expect(sink.texts == ["␛[0m␛[2J␛[1Hone", "␛[0m␛[2J␛[1Hone"])
    }

    @Test func `a repaint requested during a write follows it`() {
        let sink = SinkDouble(isSlow: true)
        let painter = Painter(color: .sixteen, write: sink.write)
        painter.paint(frame("one"))
        sink.waitForWrite()
        painter.repaint()
        sink.finishWrites()
        painter.flush()
        #expect(sink.texts == ["␛[0m␛[2J␛[1Hone", "␛[0m␛[2J␛[1Hone"])
    }

    @Test func `an incomplete frame is followed by a complete one`() {
        let sink = SinkDouble(failures: 1)
        let painter = Painter(color: .sixteen, write: sink.write)
        painter.paint(frame("one"))
        painter.flush()
        painter.paint(frame("onf"))
        painter.flush()
        #expect(sink.texts == ["␛[0m␛[2J␛[1Hone", "␛[0m␛[2J␛[1Honf"])
    }

    @Test func `writes nothing while held, and the newest frame afterwards`() {
        let sink = SinkDouble()
        let painter = Painter(color: .sixteen, write: sink.write)
        painter.paint(frame("one"))
        painter.flush()
        painter.pause()
        painter.paint(frame("two"))
        painter.paint(frame("ten"))
        painter.repaint()
        painter.send(Array("title".utf8))
        painter.flush()
        #expect(sink.texts.count == 1)
        painter.resume()
        painter.flush()
        #expect(sink.texts == ["␛[0m␛[2J␛[1Hone", "␛[0m␛[2J␛[1Hten"])
    }

    @Test func `holding waits for the write in progress`() async {
        let sink = SinkDouble(isSlow: true)
        let painter = Painter(color: .sixteen, write: sink.write)
        painter.paint(frame("one"))
        sink.waitForWrite()
        painter.paint(frame("two"))
        async let held: Void = painter.pause()
        sink.finishWrites()
        await held
        let count = sink.texts.count
        painter.flush()
        #expect(sink.texts.count == count)
        #expect((1...2).contains(count))
    }
}

/// A terminal that records what is written, at a speed that the test sets.
private final class SinkDouble: Sendable {
    private let written = Mutex<[[UInt8]]>([])
    private let failures: Mutex<Int>
    private let isSlow: Mutex<Bool>
    private let begun = DispatchSemaphore(value: 0)
    private let gate = DispatchSemaphore(value: 0)

    init(isSlow: Bool = false, failures: Int = 0) {
        self.isSlow = Mutex(isSlow)
        self.failures = Mutex(failures)
    }

    /// What each write wrote.
    var bytes: [[UInt8]] { written.withLock { $0 } }

    /// What each write wrote, without the brackets of the update, and with ␛ for the escape.
    var texts: [String] {
        bytes.map { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let inner = text.hasPrefix("\u{1B}[?2026h") ? String(text.dropFirst(8).dropLast(8)) : text
            return String(inner.map { $0 == "\u{1B}" ? "␛" : $0 })
        }
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        written.withLock { $0.append(Array(bytes)) }
        begun.signal()
        if isSlow.withLock({ $0 }) { gate.wait() }
        return failures.withLock { failures in
            failures -= 1
            return failures < 0
        }
    }

    func waitForWrite() {
        begun.wait()
    }

    func finishWrites() {
        isSlow.withLock { $0 = false }
        gate.signal()
    }
}
