import Foundation
import Observation
import ReachKit
import Testing

/// A view model as an app for SwiftUI has it. Its macro names the module `Observation`.
@Observable private final class StatusModel {
    private(set) var status = Reachability.Status.unknown
    private(set) var transitions: [Monitor.Transition] = []
    private(set) var observations: [Monitor.Observation] = []

    func update(_ status: Reachability.Status) {
        self.status = status
    }
}

@Suite struct ObservableModelTests {
    @Test func `a view model with the macro Observable compiles beside ReachKit, and reports its changes`() async {
        let model = StatusModel()
        await confirmation { changed in
            withObservationTracking {
                _ = model.status
            } onChange: {
                changed()
            }
            model.update(.reachable(via: .wifi))
        }
        #expect(model.status == .reachable(via: .wifi))
    }

    @Test func `no name at the top level is one of a module of the system or of a protocol of SwiftUI`() throws {
        let list = URL(filePath: #filePath).appending(path: "../../../../Sources/ReachKit/API.txt").standardized
        let lines = try String(contentsOf: list, encoding: .utf8).components(separatedBy: "\n")
        let names = Set(lines.compactMap { $0.wholeMatch(of: /ReachKit\.(\w+): .*/)?.1 })
        #expect(names.contains("Reachability"))
        #expect(names.intersection(Self.modules) == [])
        #expect(names.intersection(Self.protocols) == [])
    }

    // Of the SDK of macOS 15 and the toolchain, those of one plain word.
    private static let modules: Set<Substring> = [
        "Accelerate", "Accessibility", "Accounts", "Charts", "Cocoa", "Combine", "Compression", "Contacts", "Darwin",
        "Dispatch", "Distributed", "Foundation", "Glibc", "Hypervisor", "Intents", "Messages", "Metal", "Musl",
        "Network", "Observation", "Photos", "Quartz", "Security", "Social", "Speech", "Swift", "Symbols",
        "Synchronization", "System", "Testing", "Translation", "Virtualization", "Vision", "XCTest",
    ]
    private static let protocols: Set<Substring> = [
        "Animatable", "App", "Commands", "Gesture", "Layout", "Scene", "Shape", "Transition", "View", "Widget",
    ]
}
