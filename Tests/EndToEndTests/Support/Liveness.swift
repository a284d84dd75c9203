import Foundation

/// The kernel's letter for a process's state (`proc_pid_stat(5)`); nil for a process that has ended, reaped or not.
func state(of process: Int32) -> String? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return nil }
    let state = text.split(separator: ")").last?.split(separator: " ").first.map(String.init)
    return state == "Z" || state == "X" ? nil : state
}

/// The number of open descriptors of a process; zero for a process that has ended.
func descriptorCount(of process: Int32) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? 0
}

/// The soft limit of open descriptors of a process; nil for a process that has ended.
func descriptorLimit(of process: Int32) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("Max open files") }
    return line?.split(separator: " ").dropFirst(3).first.flatMap { Int($0) }
}

/// The resident memory of a process, in KiB; nil for a process that has ended.
func residentMemory(of process: Int32) -> Int? {
    memory("VmRSS", of: process)
}

/// The peak resident memory of a process, in KiB; nil for a process that has ended.
func peakMemory(of process: Int32) -> Int? {
    memory("VmHWM", of: process)
}

/// A field of `proc_pid_status(5)`, in KiB.
private func memory(_ field: String, of process: Int32) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(field):") }
    return line.flatMap { Int($0.filter(\.isNumber)) }
}
