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
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.filter(\.isNumber)) }
}
