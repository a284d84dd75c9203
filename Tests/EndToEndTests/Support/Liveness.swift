import Foundation

/// The letter that the kernel has for a process's state; nil for one that has ended, reaped or not.
func state(of process: Int32) -> String? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return nil }
    let state = text.split(separator: ")").last?.split(separator: " ").first.map(String.init)
    return state == "Z" || state == "X" ? nil : state
}

/// How many descriptors a process has open; zero for one that has ended.
func descriptorCount(of process: Int32) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? 0
}

/// How many it may have open, by its soft limit; nil for one that has ended.
func descriptorLimit(of process: Int32) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("Max open files") }
    return line?.split(separator: " ").dropFirst(3).first.flatMap { Int($0) }
}

/// How much memory of a process is resident, in KiB; nil for one that has ended.
func residentMemory(of process: Int32) -> Int? {
    memory("VmRSS", of: process)
}

/// The most memory that a process has had resident so far, in KiB; nil for one that has ended.
func peakMemory(of process: Int32) -> Int? {
    memory("VmHWM", of: process)
}

/// A figure of proc_pid_status(5) in KiB.
private func memory(_ figure: String, of process: Int32) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(figure):") }
    return line.flatMap { Int($0.filter(\.isNumber)) }
}
