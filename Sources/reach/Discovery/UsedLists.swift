import Monitoring

/// The settings of a command that probes a fixed set of targets, with the targets of the lists of sources, and what could not
/// be used of these lists.
struct UsedLists {
    /// The settings, with the targets of all lists that were read.
    let settings: Settings
    /// A line for each list that cannot be read, or none of whose targets can be probed.
    let problems: [String]
    /// A line for each other list with targets that were left out.
    let notes: [String]

    /// Reads the settings after the lists.
    ///
    /// - Parameters:
    ///   - unread: A line for each list that cannot be read.
    ///   - redaction: Gets the secrets of the settings.
    /// - Throws: ``StartupError`` if the settings are invalid, or a target of the command line is in no list.
    init(of source: TargetSource, unread: [String], _ redaction: SharedRedaction) throws(StartupError) {
        do throws(StartupError) {
            settings = try source.settings()
        } catch {
            // A target may be missing since its list is.
            throw StartupError(lines: unread + error.lines)
        }
        redaction.update(settings)
        let leftOut = source.updated(settings).leftOut
        var (problems, notes) = (unread, [String]())
        for source in settings.sources {
            guard let part = leftOut[source] else { continue }
            let line = redaction.current.text("\(source.title): \(part.summary)")
            guard !problems.contains(line), !notes.contains(line) else { continue }
            if part.count == part.total { problems.append(line) } else { notes.append(line) }
        }
        (self.problems, self.notes) = (problems, notes)
    }
}
