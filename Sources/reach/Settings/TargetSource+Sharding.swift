import Monitoring

extension TargetSource {
    /// Keeps the targets of the shard.
    func keepShard(of settings: inout Settings) {
        guard let shard else { return }
        if !needsParents {
            for index in settings.targets.indices { settings.targets[index].dependsOn = [] }
        }
        settings.keep(shard)
    }
}
