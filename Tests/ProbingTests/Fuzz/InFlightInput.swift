import Foundation
import Synchronization

/// A record of a parser's current input, to find hangs and crashes. A watchdog thread ends the process after five
/// seconds of CPU time without progress. A file with the number, if a folder is given, remains after a trap.
final class InFlightInput: Sendable {
    /// The maximum CPU time of an input, in seconds; a busy machine does not count.
    private static let maxSeconds = 5
    private static let none = -1

    private let index = Atomic(none)
    private let record: (path: String, descriptor: CInt)?

    init(_ name: String, _ settings: FuzzSettings) {
        record = settings.records.map { folder in
            let path = "\(folder)/\(name)"
            return (path, open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600))
        }
        Thread.detachNewThread { [weak self] in
            var (last, start) = (Self.none, clock())
            while let index = self?.index.load(ordering: .relaxed) {
                if index == Self.none || index != last { start = clock() }
                last = index
                if (clock() - start) / Int(CLOCKS_PER_SEC) >= Self.maxSeconds {
                    fatalError(
                        "\(name): input \(index) of seed \(settings.seed) takes longer than \(Self.maxSeconds) s"
                    )
                }
                sleep(1)
            }
        }
    }

    /// Records the current input.
    func begin(_ index: Int) {
        self.index.store(index, ordering: .relaxed)
        guard let record else { return }
        // Numbers only grow; a longer number overwrites all of an earlier one.
        var text = Array("\(index)\n".utf8)
        _ = pwrite(record.descriptor, &text, text.count, 0)
    }

    /// Records that there is no current input.
    func rest() {
        index.store(Self.none, ordering: .relaxed)
    }

    /// Stops recording after a run without a crash.
    func end() {
        rest()
        guard let record else { return }
        close(record.descriptor)
        unlink(record.path)
    }
}
