import Foundation
import ReachHistory
import ReachMonitoring
import ReachReporting
import ReachSystem

/// A file about an incident: its records in a temporary history, which is removed with the last reference.
final class IncidentFile: Sendable {
    /// The name of the file.
    let name: String
    /// The time of the incident and the period of the file, since 1970.
    let time: Duration
    let range: ClosedRange<Duration>
    let zone: ZoneOffsets
    /// The targets in the order of the settings. They are not probed.
    let targets: [Target]
    private let folder: String
    /// The path of the temporary history.
    var history: String { "\(folder)/history.sqlite" }

    /// The largest file, and the most records. A file that reach writes has at most a few thousand.
    private static let (maxBytes, maxRecords, maxTargets) = (64 << 20, 250_000, 10_000)
    /// The longest line, the first one of a file with as many targets.
    private static let longestLine = 16 << 20

    /// Reads a file.
    init(path: String) throws(StartupError) {
        let shown = path.printable
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw StartupError("\(shown): \(SystemError().description)") }
        defer { close(descriptor) }
        guard let status = stat(of: descriptor), status.isRegular else {
            throw StartupError("\(shown): not a file – use one of reach incident")
        }
        guard status.st_size <= Self.maxBytes else {
            throw StartupError("\(shown): larger than \(Self.maxBytes >> 20) MiB – use a file of reach incident")
        }
        // The first line has all targets.
        let hint = "use a file of reach incident"
        var lines = InputLines(descriptor: descriptor, name: shown, hint: hint, longest: Self.longestLine)
        let header = try Self.header(of: try lines.next() ?? "", shown)
        guard let times = header.times, header.targets.count <= Self.maxTargets else {
            throw StartupError(
                "\(shown):1: invalid times, or more than \(Self.maxTargets) targets – use a file of reach incident"
            )
        }
        (name, time, range, zone) = (
            URL(filePath: path).lastPathComponent.printable, times.time, times.range, header.offsets
        )
        var made: [String: Target] = [:]
        var names: Set<String> = []
        var targets: [Target] = []
        for item in header.targets where names.insert(item.target).inserted {
            let target = Target(item)
            made["\(item.target)\n\(item.url)"] = target
            targets.append(target)
        }
        self.targets = targets
        folder = FileManager.default.temporaryDirectory.appending(path: "reach-\(UUID().uuidString)").path
        guard mkdir(folder, 0o700) == 0 else { throw StartupError("\(folder): \(SystemError().description)") }
        try fill(from: &lines, header.records, made, shown)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func header(of line: String, _ shown: String) throws(StartupError) -> IncidentHeader {
        if let header = IncidentHeader(json: line), header.version == IncidentHeader.currentVersion { return header }
        if let version = IncidentHeader.version(ofLine: line), version != IncidentHeader.currentVersion {
            let known = IncidentHeader.currentVersion
            throw StartupError(
                "\(shown): format \(version), and this reach reads format \(known) – use the reach that wrote it"
            )
        }
        throw StartupError("\(shown): not a file about an incident – use one of reach incident")
    }

    /// Adds the records to the temporary history.
    private func fill(
        from lines: inout InputLines,
        _ expected: Int,
        _ made: [String: Target],
        _ shown: String
    ) throws(StartupError) {
        var count = 0
        var orphans = 0
        do {
            let database = try HistoryDatabase(path: history, for: .write)
            var input = lines
            (_, orphans) = try database.add { () throws -> StoredRecord? in
                while let line = try input.next() {
                    guard !line.isEmpty else { continue }
                    count += 1
                    guard count <= Self.maxRecords else {
                        throw StartupError(
                            "\(shown): more than \(Self.maxRecords) records – use a file of reach incident"
                        )
                    }
                    return try Self.record(line, number: input.number, made, shown)
                }
                return nil
            }
            lines = input
        } catch let error as StartupError {
            throw error
        } catch let failure as HistoryFailure {
            throw StartupError("\(shown): \(failure.description)")
        } catch {
            throw StartupError("\(shown): \(error)")
        }
        guard count == expected, orphans == 0 else {
            let problem =
                count < expected
                ? "truncated: \(count) of \(expected) records" : "damaged: records are missing, or out of order"
            throw StartupError("\(shown): \(problem) – copy the file again")
        }
    }

    /// The record of a line. Its target has the name and the URL by which the screen finds it.
    private static func record(
        _ line: String,
        number: Int,
        _ made: [String: Target],
        _ shown: String
    ) throws(StartupError) -> StoredRecord {
        let record = HistoryRecord(json: line)
        if let problem = record?.problem {
            throw StartupError("\(shown):\(number): \(problem) – use a file of reach incident")
        }
        guard let stored = record?.stored else {
            throw StartupError("\(shown):\(number): not a record – the file is truncated or damaged")
        }
        guard case .target(let id, let name, let url, let group) = stored, let target = made["\(name)\n\(url)"] else {
            return stored
        }
        let own = StoredTarget(target, redaction: Redaction())
        return .target(id: id, name: own.name, url: own.url, group: group)
    }

    /// The wall time of a program that starts after the period of the file.
    var wall: WallTime { WallTime(start: range.upperBound + .seconds(1), zone: zone) }

    /// Reads for a request, as of that program.
    func answer(_ request: HistoryRequest) -> HistoryAnswer {
        let clock = HistoryWriter.Time(start: { [wall] in wall.start }, now: { .zero })
        return HistoryReader.read(request, path: history, time: clock, redaction: Redaction())
    }
}

extension Target {
    /// Creates a target of a file. One whose URL is no longer one, since a secret was left out, has its name and no address.
    fileprivate init(_ item: IncidentHeader.IncidentTarget) {
        let name = item.target.printable
        if let target = try? Target(url: item.url, name: name) {
            self = target
        } else {
            self.init(name: name, question: .tcp(host: item.url.printable, port: 1))
        }
        path = path ?? PathSettings()
        group = item.group?.printable
        let limits = 0.001...86_400.0
        if limits.contains(item.intervalSeconds) { interval = .seconds(item.intervalSeconds) }
        if limits.contains(item.timeoutSeconds) { timeout = .seconds(item.timeoutSeconds) }
        thresholds.slow = item.slowSeconds.flatMap { limits.contains($0) ? .seconds($0) : nil }
    }
}
