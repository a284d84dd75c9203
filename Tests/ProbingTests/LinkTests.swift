import Monitoring
import Testing

@testable import Probing

@Suite(.timeLimit(.minutes(1)))
struct LinkTests {
    /// What is said of one question.
    private func outcome(of question: Question) async throws -> Outcome {
        let tower = Watchtower()
        tower.watch([question])
        let observation = try #require(await tower.observations(1).first)
        await tower.engine.shutdown()
        return observation.outcome
    }

    @Test(.enabled(if: loopback != nil, "no loopback interface here"))
    func `the loopback interface is up, without a round trip`() async throws {
        let name = try #require(loopback)
        #expect(try await outcome(of: .link(interface: name)) == .reply(Reply(roundTrip: nil, detail: "loopback")))
    }

    @Test func `whether there is a way out is told at the start`() async throws {
        let tower = Watchtower()
        tower.watch([.link(interface: nil)])
        var batch = await tower.batch()
        while !batch.isEmpty {
            for case .link(let isUp, _) in batch {
                #expect(try isUp == (LocalNetwork.read().exit != nil))
                await tower.engine.shutdown()
                return
            }
            batch = await tower.batch()
        }
        Issue.record("nothing was told")
    }

    @Test func `an interface that is not there is down`() async throws {
        let failure = Failure(.linkDown, detail: "nowhere0 does not exist")
        #expect(try await outcome(of: .link(interface: "nowhere0")) == .failure(failure))
    }

    @Test(.enabled(if: loopback != nil, "no loopback interface here"))
    func `packets for this machine leave by its loopback interface`() async throws {
        let name = try #require(loopback)
        let detail = "\(name), loopback, from 127.0.0.1"
        #expect(try await outcome(of: .route(host: "127.0.0.1")) == .reply(Reply(roundTrip: nil, detail: detail)))
    }

    @Test func `whether there is a way out agrees with the interfaces`() async throws {
        let exit = try LocalNetwork.read().exit
        switch try await outcome(of: .link(interface: nil)) {
        case .reply(let reply): #expect(reply.detail?.hasPrefix(exit?.name ?? "?") == true)
        case let other: #expect(exit == nil, "\(other)")
        }
    }

    @Test func `a name without an address has no route either`() async throws {
        let tower = Watchtower(resolve: { _ in .failure(Failure(.nameNotFound)) })
        tower.watch([.route(host: "nas")])
        #expect(await tower.observations(1).first?.outcome == .failure(Failure(.nameNotFound)))
        await tower.engine.shutdown()
    }
}

private let loopback = try? LocalNetwork.read().interfaces.first { $0.isLoopback && $0.isUp }?.name
