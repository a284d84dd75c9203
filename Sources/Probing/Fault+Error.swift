import Monitoring

/// Inside this module, a fault ends an attempt to ask; it leaves the module as an outcome.
extension Fault: Error {}
