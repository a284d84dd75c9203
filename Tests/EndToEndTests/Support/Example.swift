import Foundation

/// The programs of Examples/, which are built beside the program itself.
enum Example {
    private static let names = ["reachable", "changes", "once", "fetch", "connection", "many", "network"]

    /// Whether they are there.
    static let areBuilt = names.allSatisfy { FileManager.default.isExecutableFile(atPath: path(of: $0)) }

    /// The path of one of them.
    static func path(of name: String) -> String {
        URL(filePath: Program.path).deletingLastPathComponent().appending(path: name).path
    }
}
