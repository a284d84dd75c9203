#if Fetch
import NIOCore

/// The pieces of a request's body. The connection reads the next one when it can send it.
struct BodyPieces: AsyncSequence, Sendable {
    let body: Fetch.Body
    /// Is called whenever the connection reads a piece, which shows that the peer accepts data.
    let onPiece: @Sendable () -> Void

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(parts: body.parts[...], onPiece: onPiece)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var parts: ArraySlice<Fetch.Body.Part>
        let onPiece: @Sendable () -> Void
        private var offset: Int64 = 0

        init(parts: ArraySlice<Fetch.Body.Part>, onPiece: @escaping @Sendable () -> Void) {
            self.parts = parts
            self.onPiece = onPiece
        }

        mutating func next() async throws -> ByteBuffer? {
            onPiece()
            while let part = parts.first {
                let piece =
                    switch part {
                    case .bytes(let bytes): bytes.dropFirst(Int(offset)).prefix(BodyFile.pieceLength)
                    case .path(let path): throw Fetch.Error.file("cannot read \(path): not opened")
                    case .file(let file): try await file.piece(at: offset)[...]
                    }
                guard piece.isEmpty else {
                    offset += Int64(piece.count)
                    return ByteBuffer(bytes: piece)
                }
                parts.removeFirst()
                offset = 0
            }
            return nil
        }
    }
}
#endif
