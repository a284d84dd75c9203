import Foundation
import Synchronization

/// Which input a parser is at, for whoever finds it stuck or dead: a thread that looks on ends the process after five seconds
/// of computing without progress, and a file, where a folder for it is given, outlives a trap.
final class InFlightInput: Sendable {
    /// How many seconds of this process's computing one input may take: a busy machine is no reason to give up.
    private static let patience = 5
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
                if (clock() - start) / Int(CLOCKS_PER_SEC) >= Self.patience {
                    fatalError("\(name): input \(index) of seed \(settings.seed) takes longer than \(Self.patience) s")
                }
                sleep(1)
            }
        }
    }

    /// Says that this input is at work.
    func begin(_ index: Int) {
        self.index.store(index, ordering: .relaxed)
        guard let record else { return }
        // Numbers only grow, and so nothing of an earlier one is left behind.
        var text = Array("\(index)\n".utf8)
        _ = pwrite(record.descriptor, &text, text.count, 0)
    }

    /// Says that none is.
    func rest() {
        index.store(Self.none, ordering: .relaxed)
    }

    /// Says that all is well.
    func end() {
        rest()
        guard let record else { return }
        close(record.descriptor)
        unlink(record.path)
    }
}
