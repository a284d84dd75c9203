import ReachMonitoring

/// A cache of the time zones of windows, since reading one takes a few milliseconds.
struct ZoneCache {
    private var local: ZoneOffsets?
    private var byName: [String: ZoneOffsets] = [:]

    /// Returns the zone with a name, or this machine's zone for nil; nil for an unknown name.
    mutating func zone(named name: String?) -> ZoneOffsets? {
        guard let name else {
            let zone = local ?? .local()
            local = zone
            return zone
        }
        let zone = byName[name] ?? ZoneOffsets(named: name)
        byName[name] = zone
        return zone
    }
}

/// A window with the names of its targets, which are checked when all targets are known.
struct MaintenanceDraft {
    /// The names of targets, groups or tags of one key.
    struct Names {
        let key: String
        let elements: [TableReader.Element]
    }

    let table: TableReader
    /// The window; nil if it has problems.
    let window: MaintenanceWindow?
    let names: [Names]
}

extension TableReader {
    private static let timeExample = "such as \"22:00\""
    private static let dateExample = "such as \"2026-12-01T22:00\", in local time, or \"2026-12-01T22:00Z\" in UTC"
    private static let timePattern = #"^[0-2][0-9]:[0-5][0-9](:[0-5][0-9])?$"#
    private static let datePattern = #"^20[0-9]{2}-[01][0-9]-[0-3][0-9][T ][0-2][0-9]:[0-5][0-9](:[0-5][0-9])?Z?$"#

    /// Reads a window of planned work.
    mutating func maintenance(_ zones: inout ZoneCache) -> MaintenanceDraft {
        let name = name("name")
        if let name { title = "maintenance \"\(name)\": " }
        let zoneName = text("zone")
        let zone = zones.zone(named: zoneName)
        if zone == nil, let zoneName {
            let hint = ZoneOffsets.name(near: zoneName).map { "did you mean \($0.quoted)?" }
            report(
                "unknown time zone \(zoneName.quoted)",
                hint: hint ?? "such as \"Europe/Berlin\" or \"UTC\"",
                about: "zone"
            )
        }
        let schedule = schedule(in: zone ?? ZoneOffsets(.zero))
        let names = [
            MaintenanceDraft.Names(key: "targets", elements: texts("targets", example: "names of targets") ?? []),
            MaintenanceDraft.Names(key: "groups", elements: texts("groups", example: "names of groups") ?? []),
            MaintenanceDraft.Names(
                key: "tags",
                elements: texts("tags", example: "such as [\"db\", \"prod\"]", hasVariables: false) ?? []
            ),
        ]
        for name in names where array(at: name.key)?.isEmpty == true {
            report("no names", hint: "remove it: without targets, groups and tags, it is for all", about: name.key)
        }
        reportUnknownKeys()
        let sets = names.map { Set($0.elements.map(\.text)) }
        let selection = MaintenanceWindow.Selection(targets: sets[0], groups: sets[1], tags: sets[2])
        return MaintenanceDraft(
            table: self,
            window: schedule.map { MaintenanceWindow(name: name, $0, for: selection) },
            names: names
        )
    }

    private mutating func schedule(in zone: ZoneOffsets) -> MaintenanceWindow.Schedule? {
        let from = date("from", in: zone)?.lowerBound
        let until = date("until", in: zone)?.upperBound
        let days = days("days")
        let (start, end) = (timeOfDay("start"), timeOfDay("end"))
        let isOnce = has("from")
        let longest = isOnce ? Duration.seconds(366 * 86_400) : MaintenanceWindow.longest
        let length = duration("duration", in: .seconds(1)...longest)
        schema?.requireOne(of: ["from", "start"])
        guard isOnce || has("start") else {
            report(
                "\"start\" or \"from\" is missing",
                hint:
                    "such as start = \"02:00\" and end = \"04:00\", or from = \"2026-12-01T22:00\" and duration = \"2h\""
            )
            return nil
        }
        let others = isOnce ? ["start", "end", "days"] : ["until"]
        for key in others where has(key) {
            let fix = isOnce ? "a window with from takes place once: remove it" : "write end, or from in place of start"
            report("cannot be combined with \(isOnce ? "from" : "start")", hint: fix, about: key)
            return nil
        }
        let endKey = isOnce ? "until" : "end"
        guard has(endKey) != has("duration") else {
            if has(endKey) {
                report("cannot be combined with \(endKey)", hint: "remove one of the two", about: "duration")
            } else {
                let example = isOnce ? "until = \"2026-12-02T02:00\"" : "end = \"04:00\""
                report("\"\(endKey)\" is missing", hint: "such as \(example), or duration = \"2h\"")
            }
            return nil
        }
        return isOnce ? once(from, until, length) : weekly(days, start, end, length, in: zone)
    }

    private func once(_ from: Duration?, _ until: Duration?, _ length: Duration?) -> MaintenanceWindow.Schedule? {
        guard let from, let end = until ?? length.map({ from + $0 }) else { return nil }
        guard from < end else {
            // Both are the moment at which the clock is set forward.
            let (start, last) = (local("from"), local("until"))
            let isSkipped = from == end && start != nil && last != nil && start != last
            report(
                isSkipped ? "the clock skips this time, since daylight saving time begins" : "not after from",
                hint: isSkipped ? "write a later time" : "swap the two, or correct one",
                about: "until"
            )
            return nil
        }
        return .once(from..<end)
    }

    /// The local time of a key, as if it were UTC; nil if it is in UTC, or is not a time.
    private func local(_ key: String) -> Duration? {
        var table = self
        let text = table.calendarText(key, example: Self.dateExample)
        return text.flatMap(CalendarText.time).flatMap { $0.isUTC ? nil : $0.local }
    }

    private func weekly(
        _ days: Set<Weekday>?,
        _ start: Duration?,
        _ end: Duration?,
        _ length: Duration?,
        in zone: ZoneOffsets
    ) -> MaintenanceWindow.Schedule? {
        guard let start, days != nil || !has("days") else { return nil }
        guard start < .seconds(86_400) else {
            report("\"24:00\" is the end of a day", hint: "write \"00:00\"", about: "start")
            return nil
        }
        guard end != start else {
            report("the same as start", hint: "duration = \"24h\" for a whole day", about: "end")
            return nil
        }
        guard let limit = end.map(MaintenanceWindow.End.time) ?? length.map(MaintenanceWindow.End.length) else {
            return nil
        }
        return .weekly(days ?? Set(Weekday.allCases), from: start, until: limit, in: zone)
    }

    /// Reads a date with a time of day: the first and the last time since 1970 at which the clock shows it.
    private mutating func date(_ key: String, in zone: ZoneOffsets) -> ClosedRange<Duration>? {
        describe(key, as: .text(matching: Self.datePattern))
        guard let text = calendarText(key, example: Self.dateExample) else { return nil }
        guard let time = CalendarText.time(text) else {
            report("invalid time \(text.quoted)", hint: Self.hint(forInvalidTime: text), about: key)
            return nil
        }
        return time.isUTC ? time.local...time.local : zone.times(ofLocal: time.local)
    }

    /// The fix of an invalid time.
    private static func hint(forInvalidTime text: String) -> String {
        if CalendarText.time("\(text)T00:00") != nil { return "with a time of day, such as \"\(text)T22:00\"" }
        let years = ZoneOffsets.years
        // The year 2000 has all days.
        let isTime = CalendarText.time("2000\(text.dropFirst(4))") != nil
        guard isTime, let year = Int(text.prefix(4)), !years.contains(year) else { return dateExample }
        return "a year from \(years.lowerBound) to \(years.upperBound)"
    }

    /// Reads a time of day, after midnight.
    private mutating func timeOfDay(_ key: String) -> Duration? {
        describe(key, as: .text(matching: Self.timePattern))
        guard let text = calendarText(key, example: Self.timeExample) else { return nil }
        if let time = CalendarText.timeOfDay(text[...]) { return time }
        let guess = ["0\(text)", "\(text):00", "0\(text):00"].first { CalendarText.timeOfDay(Substring($0)) != nil }
        let hint = guess.map { "did you mean \($0.quoted)?" } ?? Self.timeExample
        report("invalid time of day \(text.quoted)", hint: hint, about: key)
        return nil
    }

    /// Reads a text, or a date of TOML as its text.
    private mutating func calendarText(_ key: String, example: String) -> String? {
        switch value(key) {
        case nil: return nil
        case .string(let text): return substituted(text, for: key)
        case .date(let text): return text
        case .some(let other):
            reportType(of: key, found: other, expected: "a string", hint: example)
            return nil
        }
    }

    /// Reads days of the week.
    private mutating func days(_ key: String) -> Set<Weekday>? {
        let names = Weekday.allCases.map(\.rawValue)
        let day = TableSchema.ValueType.choice(names)
        describe(key, as: .either([day, .array(day, isEmptyAllowed: false)]))
        let example = "one or more of \(names.joined(separator: ", "))"
        guard let elements = texts(key, example: example) else { return nil }
        guard !elements.isEmpty else {
            report("no days", hint: "\(example); without days, it is each day", about: key)
            return nil
        }
        var days: Set<Weekday> = []
        for element in elements {
            guard let day = Weekday(rawValue: element.text) else {
                let short = String(element.text.lowercased().prefix(3))
                let guess = Weekday(rawValue: short)?.rawValue ?? element.text.nearest(of: names)
                report(
                    "unknown day \(element.text.quoted)",
                    hint: guess.map { "did you mean \($0.quoted)?" } ?? example,
                    about: key,
                    at: element
                )
                return nil
            }
            days.insert(day)
        }
        return days
    }
}

extension MaintenanceDraft {
    /// Reports the names that no target, group or tag has.
    ///
    /// - Parameter known: the names of targets, of their groups, and their tags, by the keys of a window.
    func check(against known: [String: Set<String>]) {
        guard !table.log.isIncomplete else { return }
        for name in names {
            let kind = String(name.key.dropLast())
            let choices = known[name.key] ?? []
            for element in name.elements where !choices.contains(element.text) {
                table.report(
                    "no target \(kind == "target" ? "is" : "has the \(kind)") \(element.text.quoted)",
                    hint: element.text.suggestion(among: choices.sorted()) ?? "the name of a \(kind), or remove it",
                    about: name.key,
                    at: element
                )
            }
        }
    }
}

extension DocumentReader {
    /// Reads the windows of planned work from all files, and compares their names with the targets.
    mutating func readMaintenance(into settings: inout Settings) {
        var zones = ZoneCache()
        var drafts: [MaintenanceDraft] = []
        for table in maintenanceTables() {
            var table = table
            drafts.append(table.maintenance(&zones))
        }
        settings.maintenance = drafts.compactMap(\.window)
        guard drafts.contains(where: { !$0.names.allSatisfy(\.elements.isEmpty) }) else { return }
        var known: [String: Set<String>] = [:]
        for target in settings.targets {
            known["targets", default: []].insert(target.name)
            if let group = target.group { known["groups", default: []].insert(group) }
            known["tags", default: []].formUnion(target.tags)
        }
        // The names of disabled targets and of empty groups are valid too.
        known["targets", default: []].formUnion(disabledTargets)
        known["groups", default: []].formUnion(groups.keys)
        for draft in drafts { draft.check(against: known) }
    }
}
