import ArgumentParser
import Monitoring

/// The option for a share of the targets.
struct ShardOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only the targets of this shard, such as 2/5: each of five processes with the same list probes its own share.",
            valueName: "shard"
        ),
        transform: Self.shard
    )
    var shard: Shard?

    private static func shard(_ text: String) throws -> Shard {
        do throws(Shard.Problem) {
            return try Shard(text)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
