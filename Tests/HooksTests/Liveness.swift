import Foundation

/// Whether a process is there and has not ended: a zombie that nobody reaps has.
func isRunning(_ process: Int32) -> Bool {
    guard kill(process, 0) == 0 else { return false }
    let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return status?.contains(") Z ") != true
}
