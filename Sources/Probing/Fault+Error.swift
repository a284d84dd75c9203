import Monitoring

/// Inside this module, a fault ends an attempt to ask; it leaves the module as an outcome.
extension Fault: Error {}

/// Inside this module, a failure may end an attempt as an error does; it leaves the module as an outcome.
extension Failure: Error {}
