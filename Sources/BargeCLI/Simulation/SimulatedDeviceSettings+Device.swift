import Barge
import BargePeripheral
import BluetoothSimulation

extension SimulatedDeviceSettings {
    /// What the device says of itself.
    func profile(name: String) -> DeviceProfile {
        var profile = DeviceProfile(serial: Self.serial(name), localName: name)
        profile.model = "barge-sim"
        profile.blockBytes = UInt16(clamping: blockBytes)
        profile.windowBits = UInt8(clamping: windowBits)
        profile.logName = "device.log"
        profile.security = pairing.security
        if !hasChannels { profile.psm = nil }
        return profile
    }

    /// What its radio and its stack are like.
    ///
    /// - Parameter state: decides which of its addresses it has.
    func configuration(name: String, _ state: DeviceState) -> DeviceConfiguration {
        var configuration = DeviceConfiguration(peer: PeerID("sim:" + name))
        pairing.apply(to: &configuration)
        oddities.apply(
            to: &configuration, name: name, address: state.addressNumber)
        configuration.attMTU = attMTU
        configuration.hasChannels = hasChannels
        if isUnlimited {
            configuration.link = .unlimited
        } else {
            configuration.link.phy = phy
            configuration.link.dataLengthBytes = dataLengthBytes
            configuration.link.connectionIntervalMicroseconds = intervalMicroseconds
            configuration.link.packetLossProbability = loss
        }
        return configuration
    }

    /// A power failure that leaves damage of a kind that the seed decides.
    func powerCut(afterBytes: Int) -> PowerCut {
        let kinds = PowerCut.Damage.allCases
        let damage = kinds[Int(seed % UInt64(kinds.count))]
        return PowerCut(afterBytes: afterBytes, damage: damage, seed: seed)
    }

    /// The name, or where that is too long for a serial number its beginning and its FNV-1a hash.
    private static func serial(_ name: String) -> String {
        let whole = "SIM-" + name
        guard whole.utf8.count > 32 else { return whole }
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        return "SIM-\(name.prefix(10))-\(String(hash, radix: 16))"
    }
}
