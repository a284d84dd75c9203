import LibC
import ReachKit
import UnixSignals

/// Writes pictures of the dashboard.
enum PictureFile {
    /// Writes a picture to a new file, which is removed again after an error.
    ///
    /// - Returns: The error message; nil on success.
    static func create(_ path: String, with picture: String) -> String? {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return SystemError().description }
        defer { close(descriptor) }
        do throws(SystemError) {
            try writeAll(picture, to: descriptor)
            return nil
        } catch {
            unlink(path)
            return error.description
        }
    }

    /// Writes a picture to a sink. An older file is replaced when the new one is whole; a pipe without a reader blocks
    /// until a signal comes.
    ///
    /// - Returns: The exit status: 1 after a write error, 128+n after signal n.
    static func write(_ picture: String, to sink: any BodySink, signals: Signals) async -> Int32 {
        // With SIGXFSZ ignored, exceeding the file size limit is a write error and not a signal.
        signal(SIGXFSZ, SIG_IGN)
        // Opening a FIFO cannot be cancelled. After a signal, the program does not wait for the task that does it.
        let (endings, end) = AsyncStream<Int32>.makeStream()
        Task { end.yield(await write(picture, to: sink)) }
        Task { for await signal in signals.endings() { end.yield(128 + signal) } }
        let status = await endings.first { _ in true } ?? 1
        sink.discard()
        return status
    }

    private static func write(_ picture: String, to sink: any BodySink) async -> Int32 {
        do throws(Fetch.Error) {
            try await sink.begin(with: nil)
            try await sink.write(Array(picture.utf8))
            try await sink.finish()
            return 0
        } catch .brokenPipe {
            return 128 + UnixSignal.sigpipe.rawValue
        } catch {
            StandardStreams.printMessage("--svg: \(error)")
            return 1
        }
    }
}
