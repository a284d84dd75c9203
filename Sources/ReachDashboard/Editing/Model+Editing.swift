import ReachBasics
public import ReachMonitoring
import ReachScreen

/// Editing targets: keys, the form, and the results of requests.
extension Model {
    /// The targets that unsaved edits have renamed, with their names in the file. The history then has them by these names,
    /// which the next run has.
    public var targetsBeforeRenaming: [Target.ID: Target] {
        let names = editing.document?.savedNames ?? [:]
        guard !names.isEmpty else { return [:] }
        let renamed = roster.states.compactMap { state -> (Target.ID, Target)? in
            guard let name = names[state.target.name] else { return nil }
            var target = state.target
            (target.name, target.formerly) = (name, state.target.name)
            return (state.id, target)
        }
        return Dictionary(renamed) { first, _ in first }
    }

    // MARK: Keys

    /// Opens the prompt for a new target, which is added below the selected one or at the end of the selected group.
    mutating func openTargetPrompt() {
        guard hasDocument() else { return }
        let last = selectedTargets.filter(\.target.question.method.probes).max {
            (roster.position(of: $0.id) ?? 0) < (roster.position(of: $1.id) ?? 0)
        }
        prompts.openTargetPrompt(below: last?.target.name)
    }

    /// Opens the form with the values of the selected target.
    mutating func openForm() -> [Effect] {
        guard isSelectionInFile(), hasDocument(), let document = editing.document else { return [] }
        guard let target = selectedTarget?.target else {
            showStatus("select a target to edit it")
            return []
        }
        return [.edit(.fields(of: target.name, in: document))]
    }

    /// Asks whether to remove the selected target.
    mutating func askToRemove() {
        guard isSelectionInFile(), hasDocument() else { return }
        guard let target = selectedTarget?.target else {
            showStatus("select a target to remove it")
            return
        }
        let rows = roster.states.count { $0.target.name == target.name }
        let extent = rows > 1 ? ", all \(rows) rows, with their history?" : ", with its history?"
        prompts.ask(Confirmation(subject: .remove(target.name), text: "remove \(target.name)\(extent)"))
    }

    /// Undoes the last edit.
    mutating func undo() -> [Effect] {
        guard hasDocument() else { return [] }
        guard let (document, edit) = editing.document?.undone() else {
            showStatus("no edit to undo")
            return []
        }
        return [.edit(.undo(edit, document))]
    }

    /// Writes the edits to the settings file, and the chosen columns. If the targets are not in a file yet, asks for its
    /// name.
    mutating func write() -> [Effect] {
        guard hasDocument() else { return [] }
        // A choice of columns is not worth a question at the end of the program, so it becomes an edit only here.
        return columns.isChanged ? request(.columns(columns.shown)) : writeEdits()
    }

    private mutating func writeEdits() -> [Effect] {
        guard let document = editing.document else { return [] }
        guard let file = document.file else {
            prompts.openFilePrompt()
            return []
        }
        guard document.unsaved > 0 else {
            showStatus("no edits to write to \(file)")
            return []
        }
        return [.edit(.write(document))]
    }

    /// Reads the settings file again. Edits that are not in it are kept.
    mutating func reload() -> [Effect] {
        guard let document = editing.document else { return [.edit(.reread(nil))] }
        guard document.file == nil else { return [.edit(.reread(document))] }
        guard document.unsaved == 0 else {
            showStatus("the targets are not in a file yet – W writes one")
            return []
        }
        return [.edit(.reread(nil))]
    }

    /// Reads the settings file again after it has changed on disk, unless it still has the text that was read from it.
    func rereadChangedFile() -> [Effect] {
        guard let document = editing.document else { return [.edit(.reread(nil))] }
        return document.file == nil ? [] : [.edit(.rereadIfChanged(document, wasRefused: !live.refusal.isEmpty))]
    }

    /// Asks whether to quit without writing the edits.
    ///
    /// - Returns: Whether there are edits to ask about.
    mutating func askAboutUnsaved() -> Bool {
        guard editing.unsaved > 0 else { return false }
        let edits = editing.unsaved == 1 ? "1 edit is" : "\(editing.unsaved) edits are"
        prompts.ask(Confirmation(subject: .quit, text: "\(edits) not written (W) – quit anyway?"))
        return true
    }

    /// Whether the selected target can be in the settings file. One of the fleet is not; the footer then says where it is.
    private mutating func isSelectionInFile() -> Bool {
        guard let target = selectedTarget?.target, !target.question.method.probes else { return true }
        showStatus("\(target.label) is not in the file but in Prometheus – change it where it is probed")
        return false
    }

    /// Whether the settings can be edited. If not, the footer says why.
    private mutating func hasDocument() -> Bool {
        guard editing.document == nil else { return true }
        showStatus("a selection of targets cannot be edited – run reach with the settings file alone")
        return false
    }

    // MARK: Prompts and form

    /// Adds the entered target. The prompt stays open until it is added.
    mutating func add(_ text: String, below neighbour: String?) -> [Effect] {
        switch AddLine(text) {
        case .empty:
            prompts.close()
            return []
        case .invalid(let problem):
            prompts.show(problem: problem)
            return []
        case .target(let values):
            let edit = SettingsEdit.add(values, below: neighbour)
            if let problem = duplicateName(in: edit) {
                prompts.show(problem: values[.name] == nil ? "\(problem) after the URL" : problem)
                return []
            }
            editing.isWaiting = true
            return request(edit)
        }
    }

    /// Returns the problem with an edit that gives a target the name of another one; nil if it does not. The settings would
    /// be invalid with it, but their problem has lines of a text that is not in the file.
    private func duplicateName(in edit: SettingsEdit) -> String? {
        var old: String?
        if case .change(let name, _) = edit { old = name }
        let settings = Settings(targets: roster.targets)
        guard let name = edit.nameAfter(in: settings), name != old,
            roster.targets.contains(where: { $0.name == name })
        else { return nil }
        return "another target is named \"\(name)\" – write another name"
    }

    /// Writes the settings to a new file. The prompt stays open until it is written.
    mutating func create(_ file: String) -> [Effect] {
        guard let document = editing.document else { return [] }
        guard !file.isEmpty else {
            prompts.close()
            return []
        }
        editing.isWaiting = true
        return [.edit(.create(document, file: file))]
    }

    /// Handles a key while the form is open.
    mutating func press(_ key: Key, in form: TargetForm) -> [Effect] {
        switch key {
        case .escape, .control("c"):
            staleness = .urgent
            editing.form = nil
            editing.isWaiting = false
        case _ where editing.isWaiting:
            return []
        case .enter:
            staleness = .urgent
            return enter(form)
        default:
            var form = form
            guard form.handle(key) else { return [] }
            staleness = .urgent
            editing.form = form
        }
        return []
    }

    private mutating func enter(_ form: TargetForm) -> [Effect] {
        let changes = form.changes
        guard !changes.isEmpty else {
            editing.form = nil
            return []
        }
        if let url = changes[.url], let problem = AddLine.problem(withURL: url) {
            editing.form?.problem = "URL: \(problem)"
            return []
        }
        let edit = SettingsEdit.change(form.target, changes)
        if let problem = duplicateName(in: edit) {
            editing.form?.problem = problem
            return []
        }
        editing.isWaiting = true
        return request(edit)
    }

    func request(_ edit: SettingsEdit) -> [Effect] {
        editing.document.map { [.edit(.make(edit, in: $0))] } ?? []
    }

    // MARK: Results

    /// Folds the result of a request into the model.
    mutating func receive(_ result: EditResult) -> [Effect] {
        staleness = .urgent
        defer { if result != .delayed { editing.isWaiting = false } }
        switch result {
        case .made(let edit, let document, let settings):
            closeWaiting()
            let effects = use(document, settings, edit: edit, summary: edit.summary)
            if case .columns = edit { return effects + writeEdits() }
            showStatus("\(edit.summary) – W writes it\(document.file.map { " to \($0)" } ?? ""), u undoes it")
            return effects
        case .undone(let edit, let document, let settings):
            return use(document, settings, edit: edit.undone, summary: "undone: \(edit.summary)")
        // While another line is open, the user has gone on.
        case .fields where isLineOrQuestionOpen: break
        case .fields(let fields, let name):
            let target = roster.states.first { $0.target.name == name }?.target
            editing.form = TargetForm(fields, of: name, interval: target?.interval)
        case .compared(let conflict):
            compared(conflict)
        case .reread(let document, let settings):
            if let document {
                editing.document = document
                editing.conflict = nil
            }
            return apply(settings)
        case .written(let document):
            return written(document)
        case .conflict(let conflict):
            return receive(conflict)
        case .delayed:
            let text = "the settings file does not answer yet"
            refuse(editing.isWaiting ? "\(text) – esc closes, other keys are ignored" : "\(text) – the result follows")
        case .refused(let reason):
            refuse(reason)
        case .notWritten(let reason):
            live.note(reason, isProblem: true)
            refuse(reason)
        }
        reconcile()
        return []
    }

    /// Shows why a request was refused: in the form or prompt that waits for the result, or else in the footer.
    private mutating func refuse(_ reason: String) {
        if !editing.isWaiting {
            showStatus(reason)
        } else if editing.form != nil {
            editing.form?.problem = reason
        } else {
            prompts.show(problem: reason)
        }
    }

    /// Closes the form or prompt that waits for the result. One that was opened meanwhile stays open.
    private mutating func closeWaiting() {
        guard editing.isWaiting else { return }
        prompts.close()
        editing.form = nil
    }

    /// Uses an edited document. The edited target is selected, and stays shown in the detail view if it is new by its name
    /// or URL.
    private mutating func use(
        _ document: SettingsDocument,
        _ settings: Settings,
        edit: SettingsEdit?,
        summary: String
    ) -> [Effect] {
        var shownName: String?
        if case .detail(let viewState) = navigation.view { shownName = roster[viewState.target]?.target.name }
        editing.document = document
        if document.unsaved == 0 { editing.conflict = nil }
        let before = navigation.view
        let effects = apply(settings, edit: summary)
        guard let name = edit?.nameAfter(in: settings),
            let state = roster.states.first(where: { $0.target.name == name })
        else { return effects }
        if selectedTarget?.target.name != name { selection.select(.target(state.id)) }
        if case .change(shownName, _)? = edit, case .detail = before {
            navigation.open(.detail(DetailViewState(state)))
        }
        reconcile()
        return effects
    }

    private mutating func written(_ document: SettingsDocument) -> [Effect] {
        closeWaiting()
        let edits = max(1, editing.unsaved).editsText
        let cause = editing.conflict.map { ", which was \($0)" } ?? ""
        editing.document = document
        editing.conflict = nil
        if let file = document.file {
            let summary = source == file ? "wrote \(edits) to \(file)\(cause)" : "wrote \(file)"
            source = file
            live.note(summary, isProblem: false)
            showStatus(summary)
        }
        reconcile()
        // The file had been refused, and is valid now.
        return live.refusal.isEmpty ? [] : [.edit(.reread(document))]
    }

    /// Reports that the file was not written because it is not as it was last read. A deleted file is written again, and an
    /// emptied one when the user knows that it is empty.
    private mutating func receive(_ conflict: FileConflict) -> [Effect] {
        guard let document = editing.document, let file = document.file else { return [] }
        let isKnown = editing.conflict == conflict
        editing.conflict = conflict
        switch conflict {
        case .deleted:
            return [.edit(.create(document, file: file))]
        case .emptied where isKnown:
            return [.edit(.overwriteEmpty(document))]
        case .changed, .emptied:
            let reason = "\(file) not written: another program has \(conflict) it – \(conflict.solution)"
            live.note(reason, isProblem: true)
            refuse(reason)
            reconcile()
            return []
        }
    }

    /// Warns of a file that another program has changed while there are unsaved edits.
    private mutating func compared(_ conflict: FileConflict?) {
        guard editing.conflict != conflict else { return }
        editing.conflict = conflict
        guard let conflict else { return }
        live.note(
            "\(editing.document?.file ?? "the settings file") was \(conflict) by another program",
            isProblem: true
        )
    }
}

/// The parsed input that adds a target: a URL as on the command line, then an optional name.
enum AddLine: Sendable, Hashable {
    /// An empty line.
    case empty
    /// The values of the new target.
    case target([TargetKey: String])
    /// An invalid line, with the problem.
    case invalid(String)

    init(_ text: String) {
        let text = text.trimmed
        guard !text.isEmpty else {
            self = .empty
            return
        }
        let url = String(text.prefix { $0 != " " })
        let name = String(text.dropFirst(url.count)).trimmed
        if let problem = Self.problem(withURL: url) {
            self = .invalid(problem)
        } else {
            self = .target(name.isEmpty ? [.url: url] : [.url: url, .name: name])
        }
    }

    /// Returns why a URL is invalid; nil if it is valid, or if it has variables, which only the settings can substitute.
    static func problem(withURL url: String) -> String? {
        guard !url.contains("${") else { return nil }
        do throws(URLProblem) {
            _ = try Question(url)
            return nil
        } catch {
            return error.description
        }
    }
}
