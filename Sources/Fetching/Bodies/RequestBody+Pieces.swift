import NIOCore

extension RequestBody {
    /// The body, a piece at a time, as the connection takes it.
    struct Pieces: AsyncSequence, Sendable {
        let parts: [Part]
        /// Is called for each piece that was asked for: the peer takes what it is sent.
        let onPiece: @Sendable () -> Void

        func makeAsyncIterator() -> Iterator {
            Iterator(parts: parts[...], onPiece: onPiece)
        }

        struct Iterator: AsyncIteratorProtocol {
            var parts: ArraySlice<Part>
            let onPiece: @Sendable () -> Void
            private var offset: Int64 = 0

            init(parts: ArraySlice<Part>, onPiece: @escaping @Sendable () -> Void) {
                self.parts = parts
                self.onPiece = onPiece
            }

            mutating func next() async throws -> ByteBuffer? {
                onPiece()
                while let part = parts.first {
                    let piece =
                        switch part {
                        case .bytes(let bytes): bytes.dropFirst(Int(offset)).prefix(BodyFile.pieceLength)
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
}
