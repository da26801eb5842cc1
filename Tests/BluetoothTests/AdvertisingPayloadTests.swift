import Bluetooth
import Testing

@Suite("Advertising payloads")
struct AdvertisingPayloadTests {
    private func advertisement(
        name: String? = nil, services: [BluetoothUUID] = [],
        data: [BluetoothUUID: [UInt8]] = [:], manufacturer: ManufacturerData? = nil
    ) -> Advertisement {
        var advertisement = Advertisement(peer: PeerID("x"))
        advertisement.localName = name
        advertisement.serviceUUIDs = services
        advertisement.serviceData = data
        advertisement.manufacturerData = manufacturer
        return advertisement
    }

    private let long = BluetoothUUID(high: 0xABDD_3056_28FA_441D, low: 0xA470_55A7_5A52_553A)

    /// The structures by type, as Core 5.4, Vol 3, Part C, 11 has them read.
    private func parse(_ bytes: [UInt8]) -> [UInt8: [UInt8]] {
        var (found, rest) = ([UInt8: [UInt8]](), bytes[...])
        while let length = rest.popFirst() {
            guard length > 0, let type = rest.popFirst() else { break }
            #expect(found[type] == nil, "one structure of each type in a packet")
            found[type] = Array(rest.prefix(Int(length) - 1))
            rest = rest.dropFirst(Int(length) - 1)
        }
        return found
    }

    /// Bytes after Core Specification Supplement 11, Part A, 2.1.2 and 1.2 to 1.11, by hand.
    @Test("Each part has its type, its length and its byte order")
    func layout() throws {
        let payload = try AdvertisingPayload(
            advertisement(
                name: "Pump", services: [BluetoothUUID(0x180A), BluetoothUUID(0xFE59)],
                data: [BluetoothUUID(0xFCB2): [7]],
                manufacturer: ManufacturerData(company: 0x0059, bytes: [1, 2])))
        #expect(
            payload.advertisingData == [
                0x02, 0x01, 0x06,
                0x05, 0x03, 0x0A, 0x18, 0x59, 0xFE,
                0x04, 0x16, 0xB2, 0xFC, 0x07,
                0x05, 0xFF, 0x59, 0x00, 0x01, 0x02,
                0x05, 0x09, 0x50, 0x75, 0x6D, 0x70,
            ])
        #expect(payload.scanResponseData.isEmpty)
        let wide = try AdvertisingPayload(advertisement(services: [long], data: [:]))
        #expect(
            wide.advertisingData == [
                0x02, 0x01, 0x06, 0x11, 0x07, 0x3A, 0x55, 0x52, 0x5A, 0xA7, 0x55, 0x70, 0xA4, 0x1D,
                0x44, 0xFA, 0x28, 0x56, 0x30, 0xDD, 0xAB,
            ])
    }

    @Test("Beside a service of 128 bits a name of 29 bytes fits, and one of 30 is refused")
    func longestName() throws {
        let longest = String(repeating: "n", count: 29)
        let payload = try AdvertisingPayload(advertisement(name: longest, services: [long]))
        #expect(parse(payload.advertisingData)[0x07] == long.bytesOnAir)
        #expect(parse(payload.scanResponseData)[0x09] == Array(longest.utf8))
        #expect(throws: BluetoothError.advertisementTooLong(bytes: 32, limit: 31)) {
            try AdvertisingPayload(advertisement(name: longest + "n", services: [long]))
        }
    }

    @Test("What does not fit both packets is refused, and says by how much")
    func tooLong() throws {
        let data = [BluetoothUUID(0xFCB2): [UInt8](repeating: 1, count: 20)]
        // Flags 3, service 18, its data 24, name 22.
        #expect(throws: BluetoothError.advertisementTooLong(bytes: 67, limit: 62)) {
            try AdvertisingPayload(
                advertisement(
                    name: String(repeating: "n", count: 20), services: [long], data: data))
        }
        // Flags 3, service 18, its data 24, company 17: 62 bytes, and no two packets of 31. The
        // company in one packet leaves 14 bytes there, and the service 10 in the other.
        #expect(throws: BluetoothError.advertisementTooLong(bytes: 24, limit: 14)) {
            try AdvertisingPayload(
                advertisement(
                    services: [long], data: data,
                    manufacturer: ManufacturerData(
                        company: 1, bytes: [UInt8](repeating: 1, count: 13))))
        }
    }

    @Test(
        "Whatever fits in any order is laid out whole, in packets of 31 bytes", arguments: 0..<300)
    func everything(seed: Int) throws {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func draw(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let services = (0..<draw(4)).map { BluetoothUUID(UInt16(0xFC00 + $0)) }
        let bytes = [UInt8](repeating: 9, count: draw(20))
        let said = advertisement(
            name: draw(2) == 0 ? nil : String(repeating: "n", count: draw(30)),
            services: services + (draw(2) == 0 ? [long] : []),
            data: draw(2) == 0 ? [:] : [services.first ?? long: bytes],
            manufacturer: draw(2) == 0 ? nil : ManufacturerData(company: 0x1234, bytes: bytes))
        // Every way to put the structures into two packets, flags in the first.
        var sizes: [Int] = []
        if !services.isEmpty { sizes.append(2 + 2 * services.count) }
        if said.serviceUUIDs.contains(long) { sizes.append(18) }
        for (service, bytes) in said.serviceData {
            sizes.append(2 + (service.short == nil ? 16 : 2) + bytes.count)
        }
        if said.manufacturerData != nil { sizes.append(4 + bytes.count) }
        if let name = said.localName { sizes.append(2 + name.utf8.count) }
        let fits = (0..<1 << sizes.count).contains { choice in
            let first = sizes.indices.filter { choice >> $0 & 1 == 1 }.map { sizes[$0] }
            let sum = first.reduce(0, +)
            return 3 + sum <= 31 && sizes.reduce(0, +) - sum <= 31
        }
        let payload = try? AdvertisingPayload(said)
        #expect((payload != nil) == fits)
        guard let payload else { return }
        #expect(payload.advertisingData.count <= 31 && payload.scanResponseData.count <= 31)
        #expect(
            payload.advertisingData.count + payload.scanResponseData.count
                == 3 + sizes.reduce(0, +))
        let all = parse(payload.advertisingData).merging(parse(payload.scanResponseData)) { a, _ in
            a
        }
        #expect(all[0x09] == said.localName.map { Array($0.utf8) })
        #expect(all[0x07] == (said.serviceUUIDs.contains(long) ? long.bytesOnAir : nil))
        #expect(all[0xFF] == said.manufacturerData.map { [0x34, 0x12] + $0.bytes })
    }
}
