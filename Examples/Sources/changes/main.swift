// Print each change of reachability.
//
//     changes NAME|ADDRESS|URL …
//
// Prints a line for each change until it is interrupted. Exits with status 2 if an argument is invalid.
import Foundation
import ReachKit

do {
    let subjects = try CommandLine.arguments.dropFirst().map { try Reachability.Subject($0) }
    await withDiscardingTaskGroup { group in
        for subject in subjects {
            group.addTask {
                let host = Reachability(of: subject)
                for await status in host.changes {
                    write("\(subject): \(status)")
                }
            }
        }
    }
} catch {
    write("\(error)")
    exit(2)
}

/// Writes a line without buffering, even if standard output is not a terminal.
nonisolated func write(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
