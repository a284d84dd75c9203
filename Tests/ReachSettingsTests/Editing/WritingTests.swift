import Foundation
import ReachSystem
import Testing

@testable import ReachSettings

/// Writing a settings file: it is replaced as a whole, or stays as it is.
@Suite struct WritingTests {
    private let directory: TemporaryDirectory
    private let path: String
    private var file: SettingsFile { SettingsFile(path: path) }

    init() throws {
        directory = try TemporaryDirectory()
        path = try directory.write("old", mode: 0o640)
    }

    private func contents(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
    }

    @Test func `the file is replaced with its mode, and nothing else is left`() throws {
        try file.replace("old", with: "new")
        #expect(contents(path) == "new")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(names == ["dashboard.toml"])
    }

    @Test func `a symbolic link stays, and its file is replaced`() throws {
        let link = directory.path + "/link.toml"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "dashboard.toml")
        try SettingsFile(path: link).replace("old", with: "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "dashboard.toml")
        #expect(contents(path) == "new")
    }

    @Test func `a file that changed meanwhile is not overwritten`() throws {
        #expect(throws: WriteFailure.changed) { try file.replace("read before", with: "new") }
        #expect(contents(path) == "old")
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: WriteFailure.changed) { try file.replace("old", with: "new") }
        #expect(names.isEmpty)
    }

    @Test func `a file that its owner may not write stays`() throws {
        // Root may write everything.
        guard geteuid() != 0 else { return }
        chmod(path, 0o440)
        let failure = #expect(throws: WriteFailure.self) { try file.replace("old", with: "new") }
        #expect(failure == .failed("no permission to write it – chmod u+w, or run reach as its owner"))
        #expect(contents(path) == "old")
    }

    #if os(Linux)
    @Test func `without room for a new file, the old one stays`() throws {
        // No file can be created there, by root either.
        let text = contents("/proc/version")
        let failure = #expect(throws: WriteFailure.self) {
            try SettingsFile(path: "/proc/version").replace(text, with: "new")
        }
        #expect(failure != .changed)
        #expect(contents("/proc/version") == text)
    }
    #endif

    @Test func `a folder that takes no file is reported`() throws {
        let failure = #expect(throws: WriteFailure.self) {
            try SettingsFile(path: directory.path + "/none/a.toml").create("new")
        }
        #expect(failure?.description == "folder not found – mkdir -p \(directory.path)/none")
    }

    @Test func `a read-only file system is no missing permission`() {
        let readOnly = WriteFailure(errno: EROFS, folder: ".")
        #expect(readOnly.description == "the file system is read-only – choose another folder")
        #expect(WriteFailure(errno: EACCES, folder: "a").description == "no permission to write in a")
        #expect(WriteFailure(errno: EACCES, folder: ".").description == "no permission to write in this folder")
    }

    @Test func `a new file is for its owner only, and never replaces one`() throws {
        let new = directory.path + "/new.toml"
        try SettingsFile(path: new).create("text")
        #expect(contents(new) == "text")
        let mode = try FileManager.default.attributesOfItem(atPath: new)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try FileManager.default.removeItem(atPath: new)
        try SettingsFile(path: new).create("text", mode: 0o644)
        #expect(SettingsFile(path: new).mode == 0o644)
        let failure = #expect(throws: WriteFailure.self) { try SettingsFile(path: new).create("other") }
        #expect(failure?.description == "already exists, not overwritten – choose another name, or move the file away")
        #expect(contents(new) == "text")
    }

    @Test func `the signature changes with every replacement`() throws {
        let before = FileSignature(at: path)
        #expect(before != nil && before == FileSignature(at: path))
        try file.replace("old", with: "new")
        #expect(FileSignature(at: path) != before)
        try FileManager.default.removeItem(atPath: path)
        #expect(FileSignature(at: path) == nil)
    }
}
