import Monitoring
import Testing

@testable import Probing

@Suite(.timeLimit(.minutes(1)))
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

    @Test func `an address is found at once, unless it is of the other family`() throws {
        let four = try #require(Self.four)
        let question = Question.icmp(host: "127.0.0.1")
        #expect(Place(of: Target(name: "a", question: question)) == .address(four))
        #expect(Place(of: Target(name: "a", question: question, family: .v4)) == .address(four))
        let failure = Failure(.nameNotFound, detail: "127.0.0.1 is no IPv6 address")
        #expect(Place(of: Target(name: "a", question: question, family: .v6)) == .unusable(failure))
        #expect(Place(of: Target(name: "a", question: .link(interface: nil), family: .v6)) == .none)
    }

    @Test func `an address to leave from decides the family where the target does not`() {
        func place(_ family: Family, from source: String) -> Place {
            Place(of: Target(name: "a", question: .icmp(host: "nas"), family: family, source: source))
        }
        #expect(place(.any, from: "192.0.2.1") == .name(NameQuery("nas", family: .v4)))
        #expect(place(.any, from: "2001:db8::1") == .name(NameQuery("nas", family: .v6)))
        #expect(place(.v6, from: "192.0.2.1") == .name(NameQuery("nas", family: .v6)))
        #expect(place(.any, from: "fe80::7%nowhere0") == .name(NameQuery("nas", family: .v6)), "also before it exists")
        #expect(place(.any, from: "eth0") == .name(NameQuery("nas", family: .any)))
    }

    @Test(arguments: [(Family.v4, "127.0.0.1"), (.v6, "::1")])
    func `the machine's own name is asked in the wanted family`(family: Family, address: String) async throws {
        let four = try await Listener.on()
        let tower = Watchtower(resolve: { _ in .addresses([Self.six, Self.four].compactMap(\.self)) })
        tower.watch([.tcp(host: "here", port: four.port)], family: family)
        let observation = try #require(await tower.observations(1).first)
        #expect(observation.address == address)
        await tower.engine.shutdown()
        try await four.close()
    }

    @Test func `a name without an address of the family is a failure that says so`() async throws {
        let tower = Watchtower(resolve: { _ in .addresses([Self.four].compactMap(\.self)) })
        tower.watch([.tcp(host: "nas.local", port: 1), .icmp(host: "127.0.0.1")], family: .v6)
        let observations = await tower.observations { Set($0.map(\.target)).count == 2 }
        for observation in observations {
            let subject = observation.target == Target.ID(0) ? "nas.local has" : "127.0.0.1 is"
            let failure = Failure(.nameNotFound, detail: "\(subject) no IPv6 address")
            #expect(observation.outcome == .failure(failure))
            #expect(observation.address == nil)
        }
        await tower.engine.shutdown()
    }

    @Test func `the system's resolver is asked in the family`() {
        #expect(Resolution.system(NameQuery("127.0.0.1", family: .v4)) == Self.four.map { .addresses([$0]) })
        let failure = Failure(.nameNotFound, detail: "127.0.0.1 has no IPv6 address")
        #expect(Resolution.system(NameQuery("127.0.0.1", family: .v6)) == .failure(failure))
    }
}
