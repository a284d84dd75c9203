// Tell me when it changes.
//
//     changes NAME|ADDRESS|URL …
//
// A line for each change, until it is interrupted. Status 2 if an argument names nothing.
import Foundation
import ReachKit

do {
    let subjects = try CommandLine.arguments.dropFirst().map { try Reachability.Subject($0) }
    await withDiscardingTaskGroup { group in
        for subject in subjects {
            group.addTask {
                let host = Reachability(of: subject)
                for await status in host.changes(startingWithCurrent: true) {
                    write("\(subject): \(status)")
                }
            }
        }
    }
} catch {
    write("\(error)")
    exit(2)
}

/// Writes a line at once, whatever standard output is.
nonisolated func write(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
