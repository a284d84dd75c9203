import Monitoring
import TestSupport
import Testing

@testable import Probing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct FamilyTests {
    private static let four = IPAddress(literal: "127.0.0.1")
    private static let six = IPAddress(literal: "::1")

    @Test func `only the addresses of the wanted family count`() throws {
        let (four, six) = (try #require(Self.four), try #require(Self.six))
        let both = Resolution.addresses([six, four])
        #expect(both.only(NameQuery("nas")) == both)
        #expect(both.only(NameQuery("nas", family: .v4)) == .addresses([four]))
        #expect(both.only(NameQuery("nas", family: .v6)) == .addresses([six]))
        let failure = Failure(.nameNotFound, detail: "nas.local has no IPv6 address")
        #expect(Resolution.addresses([four]).only(NameQuery("nas.local", family: .v6)) == .failure(failure))
        let unknown = Resolution.failure(Failure(.resolverFailed))
        #expect(unknown.only(NameQuery("nas", family: .v6)) == unknown)
    }

    @Test func `a numeric host is an address, or unusable in the other family`() throws {
        let four = try #require(Self.four)
        let question = Question.icmp(host: "127.0.0.1")
        #expect(TargetHost(of: Target(name: "a", question: question)) == .address(four))
        #expect(TargetHost(of: Target(name: "a", question: question, family: .v4)) == .address(four))
        let failure = Failure(.nameNotFound, detail: "127.0.0.1 is not an IPv6 address")
        #expect(TargetHost(of: Target(name: "a", question: question, family: .v6)) == .unusable(failure))
        #expect(TargetHost(of: Target(name: "a", question: .link(interface: nil), family: .v6)) == .none)
    }

    @Test func `the source address decides the family if the target allows any`() {
        func host(_ family: Family, from source: String) -> TargetHost {
            TargetHost(of: Target(name: "a", question: .icmp(host: "nas"), family: family, source: source))
        }
        #expect(host(.any, from: "192.0.2.1") == .name(NameQuery("nas", family: .v4)))
        #expect(host(.any, from: "2001:db8::1") == .name(NameQuery("nas", family: .v6)))
        #expect(host(.v6, from: "192.0.2.1") == .name(NameQuery("nas", family: .v6)))
        #expect(host(.any, from: "fe80::7%nowhere0") == .name(NameQuery("nas", family: .v6)), "also before it exists")
        #expect(host(.any, from: "eth0") == .name(NameQuery("nas", family: .any)))
    }

    @Test(arguments: [(Family.v4, "127.0.0.1"), (.v6, "::1")])
    func `the address of the wanted family is probed`(family: Family, address: String) async throws {
        let four = try await Listener.on()
        let harness = EngineHarness(resolve: { _ in .addresses([Self.six, Self.four].compactMap(\.self)) })
        harness.watch([.tcp(host: "here", port: four.port)], family: family)
        let observation = try #require(await harness.observations(1).first)
        #expect(observation.address == address)
        await harness.engine.shutdown()
        try await four.close()
    }

    @Test func `a name without an address of the family is a failure with the reason`() async throws {
        let harness = EngineHarness(resolve: { _ in .addresses([Self.four].compactMap(\.self)) })
        harness.watch([.tcp(host: "nas.local", port: 1), .icmp(host: "127.0.0.1")], family: .v6)
        let observations = await harness.observations { Set($0.map(\.target)).count == 2 }
        for observation in observations {
            let subject = observation.target == Target.ID(0) ? "nas.local has no" : "127.0.0.1 is not an"
            let failure = Failure(.nameNotFound, detail: "\(subject) IPv6 address")
            #expect(observation.outcome == .failure(failure))
            #expect(observation.address == nil)
        }
        await harness.engine.shutdown()
    }

    @Test func `the system's resolver queries the wanted family`() {
        #expect(Resolution.system(NameQuery("127.0.0.1", family: .v4)) == Self.four.map { .addresses([$0]) })
        let failure = Failure(.nameNotFound, detail: "127.0.0.1 has no IPv6 address")
        #expect(Resolution.system(NameQuery("127.0.0.1", family: .v6)) == .failure(failure))
    }
}
