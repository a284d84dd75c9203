@testable import ReachMonitoring

/// The rules of ``CauseFinder`` without its indices: everything is counted anew whenever it is needed.
struct ReferenceFinder {
    /// A risk, or a branch of a silent position.
    enum Key: Hashable {
        case risk(Risk)
        case branch(SilentPosition, run: Int, next: String)

        var position: Key? {
            if case .branch(let position, _, _) = self { .risk(.silent(position)) } else { nil }
        }

        var kind: RiskKind {
            if case .risk(let risk) = self { risk.kind } else { .network }
        }

        var isPosition: Bool {
            if case .risk(.silent) = self { true } else { false }
        }
    }

    struct Member {
        var keys: [Key] = []
        var condition = TargetCondition.undecided
        var interval = Duration.zero
        var cause: Int?
        var onset: Moment { Moment(condition.onset ?? .zero) }
        var earliest: Moment { Moment(onset.duration - interval - CauseLimits.slack) }
    }

    struct Standing {
        let id: Int
        var key: Key
        var rows: Set<Key>
        var accused: [Risk]
        var earliest: Moment
        var latest: Moment
        var probed: [String] = []
        var isNamed: Bool
        var fades: Duration?
    }

    struct Explanation {
        var key: Key
        var rows: [Key]
        var targets: Set<Int>
        var absorbed: [Int] = []
        var absorbedOutages = 0
        var earliest: Moment
        var latest: Moment
        var up: Int
        var logChoices: Double
        var gain = 0
        var outages: Int { targets.count + absorbedOutages }
    }

    var members: [Int: Member] = [:]
    var standing: [Int: Standing] = [:]
    var serials: [Key: Int] = [:]
    var serial = 0
    var acquitted: Set<Key> = []
    var held: [Key: CauseFinder.Hold] = [:]
    var failingChanged = false
    var rejected: Set<Key> = []
    var reexamined = CauseLimits.reexamined
    var touched: Set<Key> = []
    var changed: Set<Int> = []
    var background = OutageRate()
    var time = Duration.zero
    var nextCause = 1
    let confirmsHops: Bool

    init(confirmsHops: Bool) { self.confirmsHops = confirmsHops }

    var nextDeadline: Duration? {
        (held.values.map(\.until) + standing.values.compactMap(\.fades)).min()
    }

    // MARK: Counting

    func member(_ target: Int) -> Member { members[target] ?? Member() }

    func behind(_ key: Key) -> Set<Int> {
        Set(members.filter { $0.value.keys.contains(key) || $0.value.keys.contains { $0.position == key } }.keys)
    }

    func say(_ target: Int, _ key: Key) -> Say { member(target).condition.say(about: key.kind) }

    func count(_ key: Key, _ wanted: Say) -> Int { behind(key).filter { say($0, key) == wanted }.count }

    func free(_ key: Key) -> Set<Int> { behind(key).filter { say($0, key) == .down && member($0).cause == nil } }

    func explained(_ cause: Int) -> Set<Int> { Set(members.filter { $0.value.cause == cause }.keys) }

    func up(behind standing: Standing) -> Int { standing.rows.reduce(0) { $0 + count($1, .up) } }

    func branches(of position: Key) -> Set<Key> {
        Set(members.values.flatMap(\.keys).filter { $0.position == position })
    }

    func accusedRows(_ key: Key) -> [Key] {
        guard key.isPosition else { return [key] }
        return branches(of: key).filter {
            count($0, .down) > 0 && CauseLimits.accuses(down: count($0, .down), up: count($0, .up))
        }
    }

    func standing(at key: Key) -> Standing? {
        standing.values.first { $0.key == key || $0.rows.contains(key) }
    }

    // MARK: Changes

    mutating func advance(to now: Duration) {
        guard now > time else { return }
        background.advance(by: now - time, targets: members.values.filter { $0.condition != .undecided }.count)
        time = now
    }

    mutating func keys(of risks: TargetRisks, _ target: Int) -> [Key] {
        var keys: [Key] = []
        func add(_ key: Key) { if !keys.contains(key) { keys.append(key) } }
        var (previous, number): (String?, Int) = (nil, 0)
        for (index, hop) in risks.path.enumerated() {
            if let hop {
                add(.risk(.hop(hop)))
                (previous, number) = (hop, 0)
                continue
            }
            number += 1
            let rest = risks.path[index...].prefix { $0 == nil }.count
            let next = risks.path[index...].first { $0 != nil } ?? nil
            let position = SilentPosition(after: previous, number: number)
            add(.branch(position, run: number + rest - 1, next: next ?? "target \(target)"))
        }
        for risk in risks.others { add(.risk(risk)) }
        return keys
    }

    mutating func setRisks(_ risks: TargetRisks, of target: Int, at now: Duration) -> [CauseEvent] {
        advance(to: now)
        if members[target] == nil { members[target] = Member() }
        let (condition, cause) = (member(target).condition, member(target).cause)
        setCondition(.undecided, of: target)
        let keys = keys(of: risks, target)
        members[target]?.keys = keys
        numberKeys(of: target)
        members[target]?.interval = risks.interval
        setCondition(condition, of: target, countsOutage: cause != nil)
        return conclude()
    }

    mutating func remove(_ target: Int, at now: Duration) -> [CauseEvent] {
        advance(to: now)
        guard members[target] != nil else { return [] }
        setCondition(.undecided, of: target)
        members[target] = nil
        forgetKeys()
        return conclude()
    }

    mutating func numberKeys(of target: Int) {
        for key in member(target).keys {
            for key in [key.position, key] {
                if let key, serials[key] == nil {
                    serial += 1
                    serials[key] = serial
                }
            }
        }
        forgetKeys()
    }

    mutating func forgetKeys() {
        let present = Set(members.values.flatMap { $0.keys.flatMap { [$0, $0.position].compactMap(\.self) } })
        serials = serials.filter { present.contains($0.key) }
        held = held.filter { present.contains($0.key) }
        rejected.formIntersection(present)
        acquitted = acquitted.filter { present.contains($0) }
        for id in standing.keys { standing[id]?.rows.formIntersection(present) }
    }

    mutating func update(_ changes: [(Int, TargetCondition)], at now: Duration) -> [CauseEvent] {
        advance(to: now)
        for (target, condition) in changes where members[target] != nil { setCondition(condition, of: target) }
        return conclude()
    }

    mutating func setCondition(_ new: TargetCondition, of target: Int, countsOutage: Bool? = nil) {
        let old = member(target).condition
        guard old != new else { return }
        let cause = member(target).cause
        let wasFree = cause == nil && old.onset != nil
        if let cause, standing[cause].map({ new.say(about: $0.key.kind) }) != .down {
            members[target]?.cause = nil
            changed.insert(cause)
        }
        members[target]?.condition = new
        if old == .failing { failingChanged = true }
        let rows = member(target).keys.flatMap { [$0, $0.position].compactMap(\.self) }
        for key in rows {
            if let standing = standing(at: key) { changed.insert(standing.id) }
            if !free(key).isEmpty { touched.insert(key) }
        }
        acquitted = acquitted.filter { count($0, .down) > 0 }
        guard new.onset != nil, member(target).cause == nil else { return }
        if countsOutage ?? !wasFree { background.countOutages(1) }
        join(target)
    }

    mutating func assign(_ target: Int, to cause: Int) {
        if member(target).cause == nil { background.countOutages(-1) }
        members[target]?.cause = cause
    }

    mutating func join(_ target: Int) {
        let member = member(target)
        for key in member.keys where say(target, key) == .down {
            if let found = standing.values.first(where: { $0.rows.contains(key) }) {
                assign(target, to: found.id)
                changed.insert(found.id)
                return
            }
            guard let position = key.position, let found = standing.values.first(where: { $0.key == position }),
                CauseLimits.accuses(down: count(key, .down), up: count(key, .up)), member.earliest <= found.latest,
                member.onset >= found.earliest
            else {
                continue
            }
            standing[found.id]?.rows.insert(key)
            for other in free(key) { assign(other, to: found.id) }
            changed.insert(found.id)
            return
        }
    }

    mutating func release(_ target: Int) {
        members[target]?.cause = nil
        background.countOutages(1)
    }

    mutating func conclude() -> [CauseEvent] {
        var events: [CauseEvent] = []
        let before = changed
        changed = []
        let faded = standing.filter { $0.value.fades.map { $0 <= time } ?? false && !before.contains($0.key) }.keys
        for cause in before.sorted() + faded.sorted() {
            guard let ended = standing[cause] else { continue }
            guard explained(cause).isEmpty || up(behind: ended) >= explained(cause).count else {
                standing[cause]?.fades = nil
                continue
            }
            if !explained(cause).isEmpty, ended.isNamed {
                let fades = ended.fades
                if fades == nil {
                    let interval = explained(cause).map { member($0).interval }.max() ?? .zero
                    standing[cause]?.fades = time + interval + CauseLimits.slack
                }
                guard let fades, fades <= time else { continue }
            }
            for target in explained(cause) { release(target) }
            standing[cause] = nil
            events.append(
                ended.isNamed ? .ended(CommonCause.ID(cause), mergedInto: nil) : .dropped(CommonCause.ID(cause))
            )
        }
        let named = before.filter { standing[$0]?.isNamed == true }
        let found = search()
        for id in named where !found.contains(where: { $0.reports(CommonCause.ID(id)) }) {
            events.append(.changed(CommonCause.ID(id)))
        }
        return events + found
    }

    mutating func confirm(_ id: Int, hop: String, answered: Bool, at now: Duration) -> [CauseEvent] {
        guard var suspect = standing[id], suspect.probed.contains(hop) else { return update([], at: now) }
        suspect.probed.removeAll { $0 == hop }
        if answered, let last = suspect.accused.lastIndex(where: { $0.address == hop }) {
            suspect.accused.removeSubrange(...last)
            suspect.probed.removeAll { address in !suspect.accused.contains { $0.address == address } }
            let hops = suspect.accused.filter {
                if case .hop = $0 { true } else if case .silent = $0 { true } else { false }
            }
            if hops.isEmpty { suspect.accused = [.beyond(hop)] + suspect.accused }
        } else if answered {
            let released = explained(id)
            for target in released { release(target) }
            standing[id] = nil
            acquitted.insert(suspect.key)
            for target in released {
                touched.formUnion(member(target).keys.flatMap { [$0, $0.position].compactMap(\.self) })
            }
            return [.acquitted(CommonCause.ID(id))] + update([], at: now)
        }
        var events: [CauseEvent] = []
        if suspect.probed.isEmpty {
            suspect.isNamed = true
            events.append(.named(CommonCause.ID(id)))
        }
        standing[id] = suspect
        return events + update([], at: now)
    }
}
