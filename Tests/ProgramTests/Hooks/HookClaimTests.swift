import Foundation
import ReachMonitoring
import ReachSystem
import Testing

@testable import reach

/// Which of the processes with the same settings runs their hooks. The claims of one process compete as those of several do.
@Suite struct HookClaimTests {
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "claims-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    private static let all = HookSet(settings: "/etc/reach/dashboard.toml")
    private let other = HookOwner.process(getpid())

    private func claim(_ choice: HookClaim.Choice = .first, of set: HookSet? = Self.all) -> HookClaim {
        HookClaim(choice, of: set, in: folder)
    }

    /// Makes the claims, in this order, and returns whether each runs the hooks, after the second try of all.
    private func owners(_ claims: HookClaim...) -> [HookOwner] {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var claims = claims
        for index in claims.indices { _ = claims[index].update() }
        return claims.indices.map { claims[$0].update() }
    }

    @Test func `the first one runs hooks, and the next one when it has ended`() {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var (first, second, third): (HookClaim?, HookClaim, HookClaim) = (claim(), claim(), claim())
        #expect(first?.update() == .thisProcess)
        #expect(second.update() == other && third.update() == other)
        #expect(first?.update() == .thisProcess)
        first = nil
        #expect(third.update() == .thisProcess && second.update() == other)
        third.release()
        #expect(second.update() == .thisProcess)
    }

    @Test func `without a settings file, there is nothing to decide`() {
        #expect(owners(claim(of: nil), claim(of: nil)) == [.thisProcess, .thisProcess])
    }

    @Test func `other settings and other shards have their own hooks`() {
        let shards = ["1/2", "2/2"].map { HookSet(settings: Self.all.settings, shard: try? Shard($0)) }
        let claims = owners(claim(of: HookSet(settings: "/a")), claim(of: shards[0]), claim(of: shards[1]), claim())
        #expect(claims == Array(repeating: .thisProcess, count: 4))
        #expect(Set(shards.map { $0.path(.first, in: "") }).count == 2)
    }

    @Test func `a chosen one runs hooks, also after another, which stops`() {
        #expect(owners(claim(), claim(.always)) == [other, .thisProcess])
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        #expect(owners(claim(.always), claim(.always)) == [.thisProcess, .unknown("another process has --hooks too")])
    }

    @Test func `without hooks, another one runs them`() {
        #expect(owners(claim(.never), claim()) == [.disabled, .thisProcess])
    }

    @Test func `all targets come before a selection, which comes before the same selection`() {
        let some = HookSet(settings: Self.all.settings, selection: ["@NAS"])
        let more = HookSet(settings: Self.all.settings, selection: ["@tag:db"])
        #expect(owners(claim(of: some), claim()) == [other, .thisProcess])
        let claims = [claim(of: some), claim(of: some), claim(of: more)]
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        #expect(owners(claims[0], claims[1], claims[2]) == [.thisProcess, other, .thisProcess])
    }

    @Test func `a chosen one with all targets comes before a selection`() {
        let some = HookSet(settings: Self.all.settings, selection: ["@NAS"])
        #expect(owners(claim(.always), claim(of: some)) == [.thisProcess, other])
    }

    @Test func `where no lock can be made, hooks run`() {
        var claim = HookClaim(.first, of: Self.all, in: "\(folder)/none")
        guard case .unknown(let reason) = claim.update() else { return #expect(Bool(false)) }
        #expect(reason.hasPrefix("cannot lock \(folder)/none/reach-hooks-"))
        #expect(reason.hasSuffix(".lock: No such file or directory"))
    }

    @Test func `other targets have another lock`() {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var (first, second) = (claim(), claim())
        #expect(first.update() == .thisProcess && second.update() == other)
        first.use(Self.all)
        #expect(second.update() == other)
        first.use(HookSet(settings: "/b"))
        #expect(second.update() == .thisProcess && first.update() == .thisProcess)
    }

    @Test func `a removed lock is made again`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var (first, second) = (claim(), claim())
        #expect(first.update() == .thisProcess)
        unlink(Self.all.path(.first, in: folder))
        #expect(first.update() == .thisProcess && second.update() == other)
    }
}
