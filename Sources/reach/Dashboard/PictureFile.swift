import LibC
import ReachKit
import UnixSignals

/// Where a picture is kept.
enum PictureFile {
    /// Writes a picture into a new file.
    ///
    /// - Returns: Why it could not, and there is no such file then; nil when it did.
    static func create(_ path: String, with picture: String) -> String? {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        let isWritten = writeAll(picture, to: descriptor)
        let code = errno
        close(descriptor)
        guard !isWritten else { return nil }
        unlink(path)
        return String(cString: strerror(code))
    }

    /// Writes a picture to a sink. An older file is replaced when the new one is whole; a pipe without a reader blocks
    /// until a signal comes.
    ///
    /// - Returns: The exit status: 1 when it cannot be written, 128+n after signal n.
    static func write(_ picture: String, to sink: any BodySink, signals: Signals) async -> Int32 {
        // A file that grows over the user's limit is an error of the write, and no signal.
        signal(SIGXFSZ, SIG_IGN)
        // Opening a pipe cannot be cancelled: the program does not wait for the task that does.
        let (endings, end) = AsyncStream<Int32>.makeStream()
        Task { end.yield(await write(picture, to: sink)) }
        Task {
            for await signal in signals.sequence where signal.isEnding { end.yield(128 + signal.rawValue) }
        }
        let status = await endings.first { _ in true } ?? 1
        sink.discard()
        return status
    }

    private static func write(_ picture: String, to sink: any BodySink) async -> Int32 {
        do throws(Fetch.Error) {
            try await sink.begin(length: nil)
            try await sink.write(Array(picture.utf8))
            try await sink.finish()
            return 0
        } catch .brokenPipe {
            return 128 + UnixSignal.sigpipe.rawValue
        } catch {
            StandardStreams.complain("the picture: \(error)")
            return 1
        }
    }
}
