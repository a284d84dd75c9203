import ReachMonitoring
import ReachScreen
import TestSupport

@testable import ReachDashboard

/// A settings file and its editor without TOML: each text stands for the settings that it was made with.
struct SimulatedStore {
    private var versions: [String: Settings] = [:]
    /// The text of the file.
    var disk: String?
    /// The reason why writing fails.
    var failure: String?

    init() {}

    /// Creates a store whose file has the text of ``document``.
    init(_ settings: Settings) {
        disk = text(of: settings)
    }

    /// The document of the first text that a store makes.
    static let document = SettingsDocument(file: "dashboard.toml", text: "text 0")

    /// Returns a new text for settings.
    mutating func text(of settings: Settings) -> String {
        let text = "text \(versions.count)"
        versions[text] = settings
        return text
    }

    /// The settings that the file has.
    var settings: Settings? { disk.flatMap { versions[$0] } }

    mutating func perform(_ request: EditRequest) -> EditResult {
        switch request {
        case .make(let edit, var document):
            guard let new = edited(document.text, edit) else { return .refused("refused: \(edit.summary)") }
            document.append(edit, text: text(of: new))
            return .made(edit, document, new)
        case .undo(let edit, let document):
            return .undone(edit, document, versions[document.text] ?? Settings(targets: []))
        case .fields(let name, let document):
            guard let target = versions[document.text]?.targets.first(where: { $0.name == name }) else {
                return .refused("no target \"\(name)\"")
            }
            let isLocked = target.hooks.count > 1
            return .fields(
                TargetFields(
                    values: [.name: target.name, .url: target.question.url],
                    locked: isLocked ? [.whenReachable] : []
                ),
                of: name
            )
        case .rereadIfChanged(let document, let wasRefused):
            let conflict = disk == document.saved ? nil : conflict
            let isRead = conflict == nil ? wasRefused : document.unsaved == 0
            return isRead ? reread(document) : .compared(conflict)
        case .reread(let document):
            return document.map { reread($0) } ?? .refused("no document")
        case .write(let document):
            if let failure { return .notWritten(failure) }
            guard disk == document.saved else { return .conflict(conflict) }
            disk = document.text
            return .written(document.written(to: "dashboard.toml"))
        case .overwriteEmpty(let document):
            guard disk == "" else { return .conflict(conflict) }
            disk = document.text
            return .written(document.written(to: "dashboard.toml"))
        case .create(let document, let file):
            guard file != "taken" else { return .notWritten("taken: already exists") }
            disk = document.text
            return .written(document.written(to: file))
        }
    }

    private var conflict: FileConflict {
        disk.map { $0.isEmpty ? .emptied : .changed } ?? .deleted
    }

    private mutating func reread(_ document: SettingsDocument) -> EditResult {
        guard let disk, let settings = versions[disk] else { return .refused("no file") }
        guard disk != document.saved else { return .reread(document, versions[document.text] ?? settings) }
        var new = SettingsDocument(file: document.file, text: disk)
        for edit in document.unsavedEdits {
            guard let edited = edited(new.text, edit) else { return .refused("cannot be kept: \(edit.summary)") }
            new.append(edit, text: text(of: edited))
        }
        return .reread(new, versions[new.text] ?? settings)
    }

    private func edited(_ text: String, _ edit: SettingsEdit) -> Settings? {
        guard var settings = versions[text] else { return nil }
        switch edit {
        case .add(let values, let neighbour):
            guard let question = values[.url].flatMap({ try? ReachMonitoring.Question($0) }), let title = question.title
            else {
                return nil
            }
            let index = settings.targets.lastIndex { $0.name == neighbour }
            let target = Target(
                name: values[.name] ?? title,
                question: question,
                group: index.flatMap { settings.targets[$0].group }
            )
            settings.targets.insert(target, at: (index ?? settings.targets.count - 1) + 1)
        case .change(let name, let values):
            guard let index = settings.targets.firstIndex(where: { $0.name == name }) else { return nil }
            if let new = values[.name] { settings.targets[index].name = new }
            if let url = values[.url] {
                guard let question = try? ReachMonitoring.Question(url) else { return nil }
                settings.targets[index].question = question
            }
        case .remove(let name):
            settings.targets.removeAll { $0.name == name }
        case .columns(let columns):
            settings.columns = columns
        }
        let names = settings.targets.map(\.name)
        guard Set(names).count == names.count, !names.contains("") else { return nil }
        let known = Set(names.map(Dependency.target) + [.link])
        guard settings.targets.allSatisfy({ known.isSuperset(of: $0.dependsOn) }) else { return nil }
        return settings
    }
}

/// A dashboard whose requests a simulated store performs.
struct EditingScene {
    var scene: Scene
    var store: SimulatedStore
    private var performed = 0

    init(_ targets: [Target], file: String? = "dashboard.toml", columns: Int = 100, rows: Int = 30) {
        store = SimulatedStore()
        let text = store.text(of: Settings(targets: targets))
        store.disk = file == nil ? nil : text
        scene = Scene(targets, document: SettingsDocument(file: file, text: text), columns: columns, rows: rows)
    }

    var names: [String] { scene.model.roster.targets.map(\.name) }
    var footer: String {
        scene.screen.split(separator: "\n", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    }
    var header: String { scene.screen.split(separator: "\n").first.map(String.init) ?? "" }

    mutating func press(_ keys: Key...) {
        for key in keys {
            scene.press(key)
            settle()
        }
    }

    mutating func type(_ text: String) {
        for character in text { press(.character(character)) }
    }

    mutating func select(_ name: String) {
        scene.select(name)
    }

    mutating func send(_ event: Event.Kind) {
        scene.send(event)
        settle()
    }

    /// Replaces the file with these targets, as another program does.
    mutating func replaceFile(with targets: [Target]) {
        store.disk = store.text(of: Settings(targets: targets))
        send(.fileChanged)
    }

    /// Performs the requests of the model.
    mutating func settle() {
        while performed < scene.effects.count {
            let effect = scene.effects[performed]
            performed += 1
            guard case .edit(let request) = effect else { continue }
            scene.send(.edited(store.perform(request)))
        }
    }
}
