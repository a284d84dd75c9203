import Monitoring

extension Failure {
    /// The failure of a probe that was answered from another address than the probed one only.
    init(answeredFrom source: IPAddress) {
        self.init(.answerMismatch, detail: "answers from \(source)")
    }
}
