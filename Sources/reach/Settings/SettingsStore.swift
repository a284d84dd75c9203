import ReachBasics
import ReachDashboard
import ReachMonitoring
import ReachSettings

/// Performs the requests of the dashboard that concern the text of the settings: edits it, reads it and writes it.
struct SettingsStore: Sendable {
    /// The source of the targets, with the options of the command line and the lists that are not in the text.
    let source: TargetSource

    private var environment: [String: String] { source.environment }

    /// Performs a request. May block.
    ///
    /// - Throws: ``StartupError`` with all problems, if the file was to be read again and is invalid.
    func perform(_ request: EditRequest) throws(StartupError) -> EditResult {
        switch request {
        case .make(let edit, let document):
            return refusing { () throws(EditRefusal) in
                let edited = try adding(edit, to: document)
                let settings = try settings(of: edited, after: edit).keepingHistory(after: edit)
                return .made(edit, edited, settings)
            }
        case .undo(let edit, let document):
            return refusing { () throws(EditRefusal) in
                .undone(edit, document, try settings(of: document).keepingHistory(after: edit, isUndone: true))
            }
        case .fields(let name, let document):
            return refusing { () throws(EditRefusal) in
                .fields(try editor(for: document).fields(of: name, in: document.text), of: name)
            }
        case .rereadIfChanged(let document, let wasRefused):
            let conflict = conflict(of: document)
            // An unchanged file may include one that has changed, or have its text from before a refused one again.
            let isRead = conflict == nil ? wasRefused || hasIncludes(document) : document.unsaved == 0
            return isRead ? try reread(document) : .compared(conflict)
        case .reread(nil):
            return .reread(nil, try source.settings())
        case .reread(let document?):
            return try reread(document)
        case .write(let document):
            return write(document)
        case .overwriteEmpty(let document):
            return write(document, isEmpty: true)
        case .create(let document, let name):
            return create(document, name)
        }
    }

    // MARK: Editing

    private func reader(file: String) -> SettingsReader {
        SettingsReader(file: file, environment: environment, mayLackTargets: true)
    }

    private func editor(for document: SettingsDocument) -> SettingsEditor {
        SettingsEditor(reader(file: document.file ?? ""))
    }

    /// Returns a document with an edit. The interval of the command line is that of an added target in the file too, unless
    /// the target has it from its group or the defaults, or the settings are invalid with it.
    private func adding(_ edit: SettingsEdit, to document: SettingsDocument) throws(EditRefusal) -> SettingsDocument {
        let plain = try appending(edit, to: document)
        guard let interval = source.overrides.interval, case .add(var values, let neighbour) = edit,
            values[.interval] == nil,
            let read = try? settings(in: plain), let name = edit.nameAfter(in: read),
            read.targets.first(where: { $0.name == name })?.interval != interval
        else { return plain }
        values[.interval] = interval.settingsText
        let timed = try appending(.add(values, below: neighbour), to: document)
        return (try? settings(in: timed)) == nil ? plain : timed
    }

    private func appending(
        _ edit: SettingsEdit,
        to document: SettingsDocument
    ) throws(EditRefusal) -> SettingsDocument {
        var document = document
        var isNew = false
        if case .change(let name, _) = edit { isNew = document.hasAdded(name) }
        let text = try editor(for: document).text(
            document.text,
            with: edit,
            isNew: isNew,
            savedNames: document.savedNames
        )
        document.append(edit, text: text)
        return document
    }

    /// The settings in the text of a document, without the interval of the command line.
    private func settings(in document: SettingsDocument) throws(SettingsFailure) -> Settings {
        guard let file = document.file else {
            return try reader(file: "").settings(from: document.text)
        }
        return try SettingsFile(path: file).settings(from: document.text, environment: environment)
    }

    private func settings(
        of document: SettingsDocument,
        after edit: SettingsEdit? = nil
    ) throws(EditRefusal) -> Settings {
        do throws(SettingsFailure) {
            return completed(try settings(in: document))
        } catch {
            throw EditRefusal(error, of: edit?.target)
        }
    }

    /// Completes settings of a text by the lists of sources, the options of the command line and the shard.
    private func completed(_ settings: Settings) -> Settings {
        var settings = settings
        source.discover(in: &settings)
        source.applyOptions(to: &settings)
        return settings
    }

    private func refusing(_ result: () throws(EditRefusal) -> EditResult) -> EditResult {
        do throws(EditRefusal) {
            return try result()
        } catch {
            return .refused(error.description)
        }
    }

    // MARK: Reading

    /// Reads the file of a document again, and makes its unsaved edits in the new text.
    private func reread(_ document: SettingsDocument) throws(StartupError) -> EditResult {
        guard let path = document.file else { return .refused("the targets are not in a file yet – W writes one") }
        var (text, settings): (String, Settings)
        do throws(SettingsFailure) {
            (text, settings) = try SettingsFile(path: path).readText(environment: environment, mayLackTargets: true)
        } catch {
            throw StartupError(lines: error.lines)
        }
        // A file that an editor has just emptied does not end the probing of everything.
        if settings.targets.isEmpty, !document.saved.isBlank,
            let blank = WatchedFiles(path: path, environment: environment).blankFile
        {
            throw StartupError("\(blank): the file is empty")
        }
        settings = completed(settings)
        let mode = SettingsFile(path: path).mode
        var new = text == document.saved ? document : SettingsDocument(file: path, text: text, mode: mode)
        guard document.unsaved > 0 else { return .reread(new, settings) }
        return refusing { () throws(EditRefusal) in
            if text != document.saved {
                for edit in document.unsavedEdits {
                    do throws(EditRefusal) {
                        new = try adding(edit, to: new)
                    } catch {
                        throw EditRefusal(conflict: error, of: edit.summary)
                    }
                }
            }
            return .reread(new, try self.settings(of: new))
        }
    }

    // MARK: Writing

    private func hasIncludes(_ document: SettingsDocument) -> Bool {
        document.file.map { WatchedFiles(path: $0, environment: environment).hasIncludes } ?? false
    }

    private func conflict(of document: SettingsDocument) -> FileConflict? {
        guard let path = document.file else { return nil }
        return switch SettingsFile(path: path).compared(with: document.saved) {
        case .same: nil
        case .changed: .changed
        case .empty: .emptied
        case .missing: .deleted
        }
    }

    private func write(_ document: SettingsDocument, isEmpty: Bool = false) -> EditResult {
        guard let path = document.file else { return .refused("the targets are not in a file yet") }
        let file = SettingsFile(path: path)
        do throws(WriteFailure) {
            if isEmpty {
                try file.replaceEmpty(with: document.text)
            } else {
                try file.replace(document.saved, with: document.text)
            }
            return .written(document.written(to: path))
        } catch .changed {
            return .conflict(conflict(of: document) ?? .changed)
        } catch {
            return .notWritten("\(path) not written: \(error)")
        }
    }

    private func create(_ document: SettingsDocument, _ name: String) -> EditResult {
        var path = name
        if path.hasPrefix("~/"), let home = environment["HOME"], !home.isEmpty { path = home + path.dropFirst() }
        do throws(WriteFailure) {
            // A file that was deleted gets its mode again.
            try SettingsFile(path: path).create(document.text, mode: path == document.file ? document.mode : nil)
            return .written(document.written(to: path))
        } catch {
            return .notWritten("\(path): \(error)")
        }
    }
}

extension Settings {
    /// The settings after an edit, with the former name of a renamed target even if the text lacks it: the history has
    /// followed the unsaved edits.
    ///
    /// - Parameter isUndone: whether the edit was undone.
    fileprivate func keepingHistory(after edit: SettingsEdit, isUndone: Bool = false) -> Settings {
        guard case .change(let old, let values) = edit, let new = values[.name], !new.isEmpty, new != old else {
            return self
        }
        let (name, formerly) = isUndone ? (old, new) : (new, old)
        var settings = self
        for index in settings.targets.indices where settings.targets[index].name == name {
            settings.targets[index].formerly = formerly
        }
        return settings
    }
}
