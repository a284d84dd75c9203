import Monitoring

extension HookRun {
    /// What asked for the run, in words.
    var cause: String {
        if isTest { return "test" }
        return switch occasion.trigger {
        case .transition(let transition): transition.summary
        case .address(_, let new): "another address: \(new)"
        case .flapping(let isFlapping, _): isFlapping ? "flapping" : "no longer flapping"
        case .user: "armed"
        }
    }
}
