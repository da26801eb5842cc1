import BargePeripheral
import Testing

@Suite("The flash model is strict")
struct FlashModelTests {
    typealias Flash = FlashModel<MemoryFlashMedium>

    static func flash(
        programUnit: Int = 4, erasedValue: UInt8 = 0xFF, filledWith value: UInt8? = nil
    ) throws -> Flash {
        let geometry = try FlashGeometry(
            size: 256, sectorSize: 64, programUnit: programUnit, erasedValue: erasedValue,
            eraseSectorMicroseconds: 500, programUnitMicroseconds: 7, readBytesPerMicrosecond: 4)
        return try Flash(
            geometry: geometry,
            medium: MemoryFlashMedium(size: 256, filledWith: value ?? erasedValue))
    }

    static func program(_ bytes: [UInt8], at address: Int, _ flash: inout Flash) throws(FlashError)
    {
        var result: Result<Void, FlashError> = .success(())
        bytes.withUnsafeBytes { buffer in
            do throws(FlashError) {
                try flash.program(buffer, at: address)
            } catch {
                result = .failure(error)
            }
        }
        try result.get()
    }

    @Test("What was programmed reads back, and an erase takes the whole sector and no more")
    func programAndErase() throws {
        var flash = try Self.flash()
        try Self.program(pattern(128, seed: 1), at: 32, &flash)
        #expect(try flash.read(32..<160) == pattern(128, seed: 1))
        try flash.erase(sector: 1)
        #expect(try flash.read(64..<128) == [UInt8](repeating: 0xFF, count: 64))
        #expect(try flash.read(32..<64) == Array(pattern(128, seed: 1)[..<32]))
        #expect(try flash.read(128..<160) == Array(pattern(128, seed: 1)[96...]))
    }

    @Test(
        "Programming a unit twice is refused, even with bits that could still change",
        arguments: [0x00, 0xFF])
    func twice(erased: UInt8) throws {
        var flash = try Self.flash(erasedValue: erased)
        try Self.program([erased, erased, erased, 0x0F], at: 4, &flash)
        for bytes in [[erased, erased, erased, 0x0F], [erased, erased, erased, erased]] {
            #expect(throws: FlashError.notErased(address: 4)) {
                try Self.program(bytes + bytes, at: 4, &flash)
            }
        }
        try flash.erase(sector: 0)
        try Self.program([1, 2, 3, 4], at: 4, &flash)
    }

    @Test("A flash that holds something needs an erase first")
    func used() throws {
        var flash = try Self.flash(filledWith: 0xA5)
        #expect(throws: FlashError.notErased(address: 0)) {
            try Self.program([1, 2, 3, 4], at: 0, &flash)
        }
    }

    @Test("Addresses and lengths off the unit or off the flash are refused before anything changes")
    func misuse() throws {
        var flash = try Self.flash(programUnit: 8)
        #expect(throws: FlashError.unaligned(address: 4, count: 8)) {
            try Self.program(pattern(8, seed: 1), at: 4, &flash)
        }
        #expect(throws: FlashError.unaligned(address: 8, count: 4)) {
            try Self.program(pattern(4, seed: 1), at: 8, &flash)
        }
        #expect(throws: FlashError.outOfRange(address: 248, count: 16)) {
            try Self.program(pattern(16, seed: 1), at: 248, &flash)
        }
        #expect(throws: FlashError.outOfRange(address: 256, count: 64)) {
            try flash.erase(sector: 4)
        }
        #expect(throws: FlashError.outOfRange(address: -64, count: 64)) {
            try flash.erase(sector: -1)
        }
        #expect(throws: FlashError.outOfRange(address: 250, count: 7)) {
            try flash.read(250..<257)
        }
        #expect(flash.counters == FlashCounters())
        #expect(flash.medium.bytes == [UInt8](repeating: 0xFF, count: 256))
    }

    @Test("The time adds up from the chip's figures")
    func time() throws {
        var flash = try Self.flash()
        try flash.erase(sector: 2)
        try Self.program(pattern(12, seed: 1), at: 0, &flash)
        _ = try flash.read(0..<40)
        #expect(flash.elapsedMicroseconds == 500 + 3 * 7 + 10)
    }

    @Test("A cut with a clean prefix programs exactly the bytes before it")
    func cleanPrefix() throws {
        for byte in 0..<16 {
            var flash = try Self.flash()
            flash.cutPower(PowerCut(afterBytes: byte, damage: .cleanPrefix))
            #expect(throws: FlashError.powerLost) {
                try Self.program(pattern(16, seed: 2), at: 64, &flash)
            }
            #expect(throws: FlashError.powerLost) { try flash.read(0..<1) }
            #expect(throws: FlashError.powerLost) { try flash.erase(sector: 0) }
            flash.powerOn()
            let expected = Array(pattern(16, seed: 2)[..<byte])
            #expect(
                try flash.read(64..<80) == expected + [UInt8](repeating: 0xFF, count: 16 - byte))
        }
    }

    @Test(
        "A half-programmed unit has only bits of the erased and of the intended value"
    )
    func halfProgrammed() throws {
        for seed in UInt64(0)..<32 {
            var flash = try Self.flash()
            flash.cutPower(PowerCut(afterBytes: 5, damage: .halfProgrammedUnit, seed: seed))
            #expect(throws: FlashError.powerLost) {
                try Self.program([1, 2, 3, 4, 0x0F, 0xF0, 0x55, 0xAA, 9, 9, 9, 9], at: 0, &flash)
            }
            flash.powerOn()
            let found = try flash.read(0..<12)
            #expect(found[..<4] == [1, 2, 3, 4])
            for (byte, intended) in zip(found[4..<8], [UInt8(0x0F), 0xF0, 0x55, 0xAA]) {
                #expect(byte & intended == intended)
            }
            #expect(found[8...] == [0xFF, 0xFF, 0xFF, 0xFF])
        }
    }

    @Test("A torn unit that reads as erased is not erased")
    func readsAsErased() throws {
        var flash = try Self.flash()
        flash.cutPower(PowerCut(afterBytes: 4, damage: .eraseInterrupted))
        #expect(throws: FlashError.powerLost) {
            try Self.program([1, 2, 3, 4, 5, 6, 7, 8], at: 0, &flash)
        }
        flash.powerOn()
        #expect(try flash.read(0..<8) == [1, 2, 3, 4, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: FlashError.notErased(address: 4)) {
            try Self.program([5, 6, 7, 8], at: 4, &flash)
        }
        try Self.program([5, 6, 7, 8], at: 8, &flash)
    }

    @Test(
        "An interrupted erase leaves old and erased bits, never a sector to program"
    )
    func interruptedErase() throws {
        var readsAsErased = 0
        for seed in UInt64(0)..<32 {
            var flash = try Self.flash(filledWith: 0x0F)
            flash.cutPower(PowerCut(afterBytes: 10, damage: .eraseInterrupted, seed: seed))
            #expect(throws: FlashError.powerLost) { try flash.erase(sector: 1) }
            flash.powerOn()
            let found = try flash.read(0..<256)
            #expect(found[64..<128].allSatisfy { $0 & 0x0F == 0x0F })
            #expect((found[..<64] + found[128...]).allSatisfy { $0 == 0x0F })
            if found[64..<128].allSatisfy({ $0 == 0xFF }) { readsAsErased += 1 }
            #expect(throws: FlashError.notErased(address: 64)) {
                try Self.program([1, 2, 3, 4], at: 64, &flash)
            }
        }
        #expect((1..<32).contains(readsAsErased))
    }

    @Test("Equal seeds give equal damage, and other seeds other damage")
    func seeds() throws {
        let damaged = try [UInt64(7), 7, 8].map { seed in
            var flash = try Self.flash(programUnit: 32)
            flash.cutPower(PowerCut(afterBytes: 3, damage: .garbageUnit, seed: seed))
            #expect(throws: FlashError.powerLost) {
                try Self.program(pattern(32, seed: 1), at: 0, &flash)
            }
            return flash.medium.bytes
        }
        #expect(damaged[0] == damaged[1])
        #expect(damaged[0] != damaged[2])
    }

    @Test("A cut counts bytes over several operations")
    func budget() throws {
        var flash = try Self.flash()
        flash.cutPower(PowerCut(afterBytes: 72, damage: .cleanPrefix))
        try flash.erase(sector: 0)
        try Self.program(pattern(8, seed: 1), at: 0, &flash)
        #expect(throws: FlashError.powerLost) { try Self.program([1, 2, 3, 4], at: 8, &flash) }
    }

    @Test(
        "A planned failure strikes at its call, once or for ever, and calls for an erase"
    )
    func failures() throws {
        var flash = try Self.flash()
        flash.fail(.program, atCall: 1)
        try Self.program([1, 2, 3, 4], at: 0, &flash)
        #expect(throws: FlashError.failed(.program, address: 4)) {
            try Self.program([1, 2, 3, 4], at: 4, &flash)
        }
        #expect(throws: FlashError.notErased(address: 4)) {
            try Self.program([1, 2, 3, 4], at: 4, &flash)
        }
        flash.fail(.read, atCall: 0, persistently: true)
        for _ in 0..<3 {
            #expect(throws: FlashError.failed(.read, address: 8)) { try flash.read(8..<9) }
        }
        flash.clearFailures()
        #expect(try flash.read(0..<4) == [1, 2, 3, 4])
    }

    @Test("Figures that no flash can have are refused by name")
    func geometries() {
        #expect(throws: FlashGeometryError.programUnit(3)) {
            try FlashGeometry(size: 4096, programUnit: 3)
        }
        #expect(throws: FlashGeometryError.sectorSize(10, programUnit: 4)) {
            try FlashGeometry(size: 4096, sectorSize: 10)
        }
        #expect(throws: FlashGeometryError.size(4097, sectorSize: 4096)) {
            try FlashGeometry(size: 4097)
        }
        #expect(throws: FlashGeometryError.erasedValue(1)) {
            try FlashGeometry(size: 4096, erasedValue: 1)
        }
        #expect(throws: FlashGeometryError.pace) {
            try FlashGeometry(size: 4096, eraseSectorMicroseconds: -1)
        }
    }
}
