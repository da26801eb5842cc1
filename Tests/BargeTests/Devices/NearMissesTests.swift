import Barge
import Testing

@Suite("The names nearest to one that there is not")
struct NearMissesTests {
    @Test("Names that are a letter apart are near, others are not")
    func letters() {
        let near = NearMisses(of: "bench-3", among: ["bench-30", "cellar", "bench-03", "roof"])
        #expect(near.names == ["bench-03", "bench-30"])
        #expect(near.sentence == "no device is called 'bench-3'; near: bench-03, bench-30")
    }

    @Test("Without any, the sentence ends early")
    func none() {
        let near = NearMisses(of: "bench", among: ["cellar", "", "b"])
        #expect(near.names == [])
        #expect(near.sentence == "no device is called 'bench'")
    }

    @Test("What contains the word, or is contained, comes behind what is a slip away")
    func containing() {
        let names = ["kitchen sensor", "sensor of the cellar", "senser", "sen"]
        #expect(
            NearMisses(of: "sensor", among: names).names
                == ["senser", "sen", "kitchen sensor", "sensor of the cellar"])
    }

    @Test("Case does not count, and of a pattern its longest piece does")
    func patterns() {
        #expect(NearMisses(of: "BENCH", among: ["bench"]).names == ["bench"])
        #expect(NearMisses(of: "b?nch-*", among: ["bench-1", "roof"]).names == ["bench-1"])
        #expect(NearMisses(of: "*", among: ["bench"]).names == [])
    }

    @Test("There are at most five, each once")
    func bound() {
        let names = (0..<20).map { "bench-\($0 % 10)" }
        #expect(
            NearMisses(of: "bench-", among: names).names
                == ["bench-0", "bench-1", "bench-2", "bench-3", "bench-4"])
    }

    @Test("A name of any length is compared by its beginning")
    func long() {
        let long = String(repeating: "ab", count: 100_000)
        #expect(NearMisses(of: long, among: [long + "c"]).names == [long + "c"])
    }
}
