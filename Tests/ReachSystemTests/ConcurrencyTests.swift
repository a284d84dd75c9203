import Dispatch
import ReachSystem
import Testing

struct ConcurrencyTests {
    @Test func `an operation that ends before the limit cancels it`() async {
        let (value, isLate) = await withLimit({ try? await Task.sleep(for: .seconds(3_600)) }) { 7 }
        #expect(value == 7 && !isLate)
    }

    @Test func `an operation that exceeds the limit is cancelled, and its result is returned`() async {
        let (isCancelled, isLate) = await withLimit({}) {
            try? await Task.sleep(for: .seconds(3_600))
            return Task.isCancelled
        }
        #expect(isCancelled && isLate)
    }

    @Test func `a timeout has no result`() async {
        #expect(await withTimeout(.seconds(3_600)) { 7 } == 7)
        let late = await withTimeout(.zero, clock: .suspending) { () -> Int in
            try? await Task.sleep(for: .seconds(3_600))
            return 7
        }
        #expect(late == nil)
    }

    @Test func `all steps of a task run where its executor puts them`() async {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "test")
        queue.setSpecific(key: key, value: true)
        let executor = SerialTaskExecutor { queue.async(execute: $0) }
        let task = Task(executorPreference: executor) {
            var isOnQueue = [DispatchQueue.getSpecific(key: key)]
            for _ in 0..<3 {
                await Task.yield()
                isOnQueue.append(DispatchQueue.getSpecific(key: key))
            }
            return isOnQueue
        }
        #expect(await task.value == [true, true, true, true])
    }
}
