import Foundation

/// Whether a process is there and has not ended: a zombie that nobody reaps has.
func isRunning(_ process: Int32) -> Bool {
    guard kill(process, 0) == 0 else { return false }
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
        return FileManager.default.fileExists(atPath: "/proc/self") ? false : true
    }
    return !stat.contains(") Z ")
}
