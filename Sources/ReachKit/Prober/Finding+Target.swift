import Monitoring

extension Finding {
    /// Whom it is about; nil where it concerns all.
    var target: Target.ID? {
        switch self {
        case .observation(let observation): observation.target
        case .late(let id), .duplicate(let id), .addressChanged(let id, _, _, _), .addresses(let id, _, _),
            .session(let id, _, _, _):
            id
        case .link, .stalled: nil
        }
    }
}
