extension RosterEvent {
    /// The event without targets that another shard reports; nil if no others are left.
    package func ofThisShard(in roster: Roster) -> RosterEvent? {
        func isOwn(_ id: Target.ID) -> Bool { roster[id]?.target.isOfOtherShard != true }
        switch self {
        case .transition(let id, _), .fault(let id, _), .faultCleared(let id), .addressChanged(let id, _, _),
            .session(let id, _, _), .hookSkipped(let id, _, _), .armed(let id, _), .disarmed(let id, _, _, _),
            .hooksMissing(let id), .flapping(let id, _, _, _), .acknowledged(let id, _),
            .acknowledgementEnded(let id, _, _):
            return isOwn(id) ? self : nil
        case .blocked(let ids, let blocker, let time):
            let own = ids.filter(isOwn)
            return own.isEmpty ? nil : .blocked(own, by: blocker, at: time)
        case .unblocked(let ids, let time):
            let own = ids.filter(isOwn)
            return own.isEmpty ? nil : .unblocked(own, at: time)
        case .paused(let ids, let time):
            let own = ids.filter(isOwn)
            return own.isEmpty ? nil : .paused(own, at: time)
        case .resumed(let ids, let time):
            let own = ids.filter(isOwn)
            return own.isEmpty ? nil : .resumed(own, at: time)
        case .maintenance(let ids, let name, let end, let time):
            let own = ids.filter(isOwn)
            return own.isEmpty ? nil : .maintenance(own, name: name, until: end, at: time)
        case .maintenanceEnded(let ids, let time):
            let own = ids.filter(isOwn)
            return own.isEmpty ? nil : .maintenanceEnded(own, at: time)
        case .scheduleMissed, .scheduleKept, .stalled:
            return self
        }
    }
}
