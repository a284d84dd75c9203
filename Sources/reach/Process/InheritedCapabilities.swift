#if os(Linux)
import CReachCapabilities
#endif

/// The Linux capabilities that this process inherited and would pass on to programs that it executes.
struct InheritedCapabilities: Sendable {
    #if os(Linux)
    private let ambient = capabilities_ambient()
    private let inheritable = capabilities_inheritable()
    #endif

    /// Stops passing capabilities on; the process keeps its own. Applies to this thread and all that it creates.
    func drop() {
        #if os(Linux)
        if ambient != 0 { _ = capabilities_clear_ambient() }
        if inheritable != 0 { _ = capabilities_set_inheritable(0) }
        #endif
    }

    /// Passes the capabilities on to the program that this thread executes next.
    func restore() {
        #if os(Linux)
        if inheritable != 0 { _ = capabilities_set_inheritable(inheritable) }
        if ambient != 0 { capabilities_raise_ambient(ambient) }
        #endif
    }
}
