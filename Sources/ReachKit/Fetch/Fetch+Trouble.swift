public import Monitoring

extension Fetch {
    /// Why no whole answer came.
    public struct Trouble: Sendable, Hashable, CustomStringConvertible {
        /// What went wrong.
        public enum Cause: Sendable, Hashable {
            /// Nothing came in time.
            case silence
            /// Somebody said no, or the connection was lost.
            case failure(Failure)
            /// We could not ask: this process is out of descriptors, say.
            case fault(Fault)
        }

        /// What went wrong.
        public let cause: Cause
        /// The status code of the answer that has begun; nil where none has.
        public let status: Int?

        init(_ cause: Cause, after status: Int? = nil) {
            self.cause = cause
            self.status = status
        }

        /// The stable name by which the program's JSON and metrics know it: `timeout`, `refused`, `too_many_files`.
        public var name: String {
            switch cause {
            case .silence: "timeout"
            case .failure(let failure): failure.reason.rawValue
            case .fault(let fault): fault.problem.rawValue
            }
        }

        /// The trouble in words, as part of a sentence: `connection refused`.
        public var description: String {
            let beginning = status.map { "HTTP \($0), but " }
            return switch cause {
            case .silence: beginning.map { "\($0)the answer did not end in time" } ?? "no answer in time"
            case .failure(let failure): beginning.map { "\($0)then: \(failure.detail)" } ?? failure.detail
            case .fault(let fault): fault.summary
            }
        }

        /// Whether it may pass by itself.
        var mayPass: Bool {
            switch cause {
            case .silence: true
            case .failure(let failure): failure.reason.mayPass
            case .fault(let fault): fault.problem == .tooManyFiles || fault.problem == .noMemory
            }
        }
    }
}
