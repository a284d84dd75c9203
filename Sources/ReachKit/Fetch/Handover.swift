import Synchronization

/// Where one who has pieces hands them, one at a time, to one who takes them: the next one waits until this one is taken.
final class Handover: Sendable {
    private enum State: Sendable {
        case empty
        /// A piece waits to be taken, and who gave it, too.
        case held([UInt8], CheckedContinuation<Void, Never>)
        /// Somebody waits for a piece.
        case wanted(CheckedContinuation<Taken, Never>)
        /// There are no more pieces; who takes next is told why, once.
        case ended(FetchError?)
    }

    /// What somebody gets who takes.
    enum Taken: Sendable {
        case piece([UInt8])
        case end(FetchError?)
    }

    private struct Table {
        var state = State.empty
        var isTouched = false
    }

    private let table = Mutex(Table())

    /// Whether a piece was taken, or is about to be.
    var isTouched: Bool { table.withLock { $0.isTouched } }

    /// Returns when the piece is taken, or nobody takes any more.
    func give(_ piece: [UInt8]) async {
        await withCheckedContinuation { (giver: CheckedContinuation<Void, Never>) in
            let next = table.withLock { table -> (taker: CheckedContinuation<Taken, Never>?, isDone: Bool) in
                table.isTouched = true
                switch table.state {
                case .empty, .held:
                    table.state = .held(piece, giver)
                    return (nil, false)
                case .wanted(let taker):
                    table.state = .empty
                    return (taker, true)
                case .ended:
                    return (nil, true)
                }
            }
            next.taker?.resume(returning: .piece(piece))
            if next.isDone { giver.resume() }
        }
    }

    /// The next piece, or the end; when the task is cancelled, that is the end.
    func take() async -> Taken {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (taker: CheckedContinuation<Taken, Never>) in
                let (taken, giver) = table.withLock { table -> (Taken?, CheckedContinuation<Void, Never>?) in
                    switch table.state {
                    case .empty, .wanted:
                        table.state = .wanted(taker)
                        return (nil, nil)
                    case .held(let piece, let giver):
                        table.state = .empty
                        return (.piece(piece), giver)
                    case .ended(let error):
                        table.state = .ended(nil)
                        return (.end(error), nil)
                    }
                }
                giver?.resume()
                if let taken { taker.resume(returning: taken) }
            }
        } onCancel: {
            end(.cancelled)
        }
    }

    /// Ends it for both; what was given and not taken is dropped. Only the first end counts.
    func end(_ error: FetchError?) {
        let before = table.withLock { table -> State in
            defer {
                switch table.state {
                case .empty, .held: table.state = .ended(error)
                case .wanted: table.state = .ended(nil)
                case .ended: break
                }
            }
            return table.state
        }
        switch before {
        case .empty, .ended: break
        case .held(_, let giver): giver.resume()
        case .wanted(let taker): taker.resume(returning: .end(error))
        }
    }
}
