import ReachKit
import UnixSignals

/// The file of an option, such as `--svg`: it appears when it is whole, and an older one is replaced then.
struct OutputFile: Sendable {
    /// The option, for messages.
    let option: String
    private let sink: any BodySink

    /// Opens the file, a pipe or a device; `-` is standard output.
    ///
    /// - Throws: ``StartupError`` for a path that cannot be opened.
    init(_ path: String, of option: String) throws(StartupError) {
        self.option = option
        do throws(Fetch.Error) {
            sink = try Fetch.sink(to: path)
        } catch {
            throw StartupError(lines: ["\(option): \(error)"])
        }
    }

    /// Writes the text. A pipe without a reader blocks until a signal comes.
    ///
    /// - Returns: The exit status: 1 after a write error, 128+n after signal n.
    func write(_ text: String, signals: Signals) async -> Int32 {
        // Opening a FIFO cannot be cancelled. After a signal, the program does not wait for the task that does it.
        let (endings, end) = AsyncStream<Int32>.makeStream()
        Task { end.yield(await write(text)) }
        Task { for await signal in signals.endings() { end.yield(128 + signal) } }
        let status = await endings.first { _ in true } ?? 1
        sink.discard()
        return status
    }

    private func write(_ text: String) async -> Int32 {
        do throws(Fetch.Error) {
            try await sink.begin(with: nil)
            try await sink.write(Array(text.utf8))
            try await sink.finish()
            return 0
        } catch .brokenPipe {
            return 128 + UnixSignal.sigpipe.rawValue
        } catch {
            StandardStreams.printMessage("\(option): \(error)")
            return 1
        }
    }
}
