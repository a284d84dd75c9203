import Foundation

/// The letter that the kernel has for a process's state; nil for one that has ended, reaped or not.
func state(of process: Int32) -> String? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return nil }
    let state = text.split(separator: ")").last?.split(separator: " ").first.map(String.init)
    return state == "Z" || state == "X" ? nil : state
}
