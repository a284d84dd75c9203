import ReachMonitoring
import ReachSystem

/// How a layer changes the traces of paths.
struct PathLayer: Sendable {
    var isOn: Bool?
    var interval: Duration?
    var method: PathMethod?
    var maxHops: Int?

    /// Adds the changes of a nearer layer.
    mutating func apply(_ nearer: PathLayer) {
        isOn = nearer.isOn ?? isOn
        interval = nearer.interval ?? interval
        method = nearer.method ?? method
        maxHops = nearer.maxHops ?? maxHops
    }

    /// The settings of a target; nil if its path is not traced.
    var settings: PathSettings? {
        guard isOn ?? true else { return nil }
        var settings = PathSettings()
        if let interval { settings.interval = interval }
        settings.method = method
        if let maxHops { settings.maxHops = maxHops }
        return settings
    }
}

extension TableReader {
    private static let intervals = Duration.seconds(10)...(.seconds(365 * 86_400))
    private static let whyShortest = "each trace is up to 30 probes"

    /// Words for `false` and `true`.
    private static let switches = [
        "off": false, "no": false, "false": false, "never": false, "none": false, "on": true, "yes": true, "true": true,
    ]

    /// Reads `path = false`, `path = "30m"` or `path = { … }`; nil without the key, or for an invalid value.
    mutating func pathLayer(_ key: String) -> PathLayer? {
        var change = PathLayer()
        switch rawValue(key) {
        case nil where !isDescribing:
            _ = value(key)
            return nil
        case .boolean(let isOn)?:
            _ = value(key)
            change.isOn = isOn
        case .string(let word)? where Self.switches[word.lowercased()] != nil:
            _ = value(key)
            report(
                "\(word.quoted) is a text",
                hint: "write path = \(Self.switches[word.lowercased()] ?? false)",
                about: key
            )
            return nil
        case .string?:
            guard let interval = duration(key, in: Self.intervals, because: Self.whyShortest) else { return nil }
            (change.isOn, change.interval) = (true, interval)
        case nil, .table?:
            var table = self.table(key, example: "path = { every = \"30m\" }")
            change.isOn = true
            change.interval = table.duration("every", in: Self.intervals, because: Self.whyShortest)
            change.method = table.choice("method", of: PathMethod.self)
            change.maxHops = table.integer("max_hops", in: 1...255)
            table.reportUnknownKeys()
        case .some(let other):
            _ = value(key)
            let hint = "such as path = false, path = \"30m\" or path = { method = \"udp\" }"
            reportType(of: key, found: other, expected: "false, a duration or a table", hint: hint)
            return nil
        }
        schema?.add(.boolean, to: key)
        schema?.add(.duration, to: key)
        return change
    }

    /// Reads the table `[path]`.
    mutating func pathsSettings() -> PathsSettings {
        var settings = PathsSettings()
        settings.rate = integer("rate", in: 1...10_000)
        if let other = rawValue("asn"), other.type != "a string" {
            _ = value("asn")
            let hint = "such as asn = \"ip2asn-combined.tsv\""
            reportType(of: "asn", found: other, expected: "the name of a file", hint: hint)
        } else if let file = file("asn") {
            do throws(AutonomousSystemsError) {
                settings.systems = try AutonomousSystems(file: file)
            } catch {
                report(error.message, hint: error.hint, about: "asn")
            }
        }
        reportUnknownKeys(elsewhere: Self.keysOfTargets)
        return settings
    }

    private static let keysOfTargets = Dictionary(
        uniqueKeysWithValues: ["every", "method", "max_hops"].map {
            ($0, "write path = { \($0) = … } below [defaults], [group.NAME] or [[target]]")
        }
    )
}

/// Why a file of autonomous systems cannot be read, and the fix.
package struct AutonomousSystemsError: Error, Sendable, Hashable {
    /// The file with the number of the line, and the problem.
    package let message: String
    /// The fix; nil if the message has it.
    package let hint: String?
}

extension AutonomousSystems {
    /// The largest file that is read, in bytes.
    private static let maxFileSize = 256 << 20

    /// Reads a file. May block.
    package init(file: String) throws(AutonomousSystemsError) {
        let content: [UInt8]
        do throws(SystemError) {
            let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw SystemError() }
            defer { close(descriptor) }
            content = try readAll(from: descriptor, limit: Self.maxFileSize + 1)
        } catch {
            throw AutonomousSystemsError(message: "\(file): \(error)", hint: "name ip2asn-combined.tsv of iptoasn.com")
        }
        guard content.count <= Self.maxFileSize else {
            throw AutonomousSystemsError(
                message: "\(file): larger than 256 MiB",
                hint: "use ip2asn-combined.tsv of iptoasn.com"
            )
        }
        do throws(Problem) {
            self = try AutonomousSystems(reading: content)
        } catch {
            let line = error.line.map { ":\($0)" } ?? ""
            throw AutonomousSystemsError(message: "\(file)\(line): \(error)", hint: nil)
        }
    }
}
