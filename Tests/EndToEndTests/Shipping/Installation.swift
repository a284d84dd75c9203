import Foundation
import Testing

/// The files of `make install` in a temporary folder, with the tested program.
final class Installation: Sendable {
    /// Created once, since the program is large.
    static let shared = Result { try Installation() }

    let scratch: Scratch
    /// The folder used as the file system's root.
    let root: String

    /// The folder of the sources.
    static let sources = URL(filePath: #filePath).appending(path: "../../../..").standardized.path

    private init() throws {
        scratch = try Scratch()
        root = scratch.file("root")
        try Self.make("install", out: scratch.file("out"), "DESTDIR=\(root)", "PREFIX=/opt/reach")
    }

    /// Runs a make target.
    @discardableResult
    static func make(_ target: String, out: String, _ words: String...) throws -> Tool {
        let words = ["make", "-s", "-C", sources, target, "BINARY=\(Program.path)", "OUT=\(out)"] + words
        let names = ["DEBFULLNAME": "Example", "DEBEMAIL": "somebody@debian.org"]
        let tool = try Tool.run(words, in: "/tmp", environment: names, within: .seconds(45))
        guard tool.status == 0 else { throw TestFailure(description: "make \(target): \(tool.errors)") }
        return tool
    }

    /// The path of an installed file.
    func file(_ path: String) -> String {
        "\(root)/opt/reach/\(path)"
    }

    /// The text of an installed file.
    func text(of path: String) throws -> String {
        try String(contentsOfFile: file(path), encoding: .utf8)
    }

    /// The paths of the installed files, relative to the prefix.
    var files: Set<String> {
        let all = FileManager.default.enumerator(atPath: file(""))?.compactMap { $0 as? String } ?? []
        var isFolder: ObjCBool = false
        return Set(
            all.filter {
                FileManager.default.fileExists(atPath: file($0), isDirectory: &isFolder) && !isFolder.boolValue
            }
        )
    }
}
