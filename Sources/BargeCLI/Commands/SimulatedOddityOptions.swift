import Barge

/// Options of `barge sim create`: what the device says on the air, and how it misbehaves.
enum SimulatedOddityOptions {
    static let rssi = Option(
        "rssi", ValueKind.signed(SimulatedOddities.strengths, placeholder: "DBM"), default: "-50",
        "The strength at which it is heard, in dBm")
    static let manufacturer = Option(
        "manufacturer", ValueKind.manufacturer,
        "Advertise a company's data, such as 0x0059:01FF")
    static let serviceData = Option(
        "service-data", ValueKind.serviceData, "Advertise a service's data, such as FEAA:10EB")
    static let changesAddress = Option(
        flag: "changes-address", "Have another address after each reset")
    static let staleName = Option(
        "stale-name", ValueKind.integer(SimulatedOddities.staleNames, placeholder: "MS"),
        default: "0", "Advertise another name for so many milliseconds after each reset")
    static let reboots = Option(
        "reboots",
        ValueKind.duration(
            .milliseconds(SimulatedOddities.reboots.lowerBound)
                ... .milliseconds(SimulatedOddities.reboots.upperBound)),
        "Reboot without being asked, at random, after this time in the mean")

    static let group = OptionGroup(
        title: "Oddities",
        options: [
            rssi.declaration, manufacturer.declaration, serviceData.declaration,
            changesAddress.declaration, staleName.declaration, reboots.declaration,
        ])

    /// What the device says and does besides, by a command line.
    static func settings(_ arguments: ParsedArguments) -> SimulatedOddities {
        SimulatedOddities(
            changesAddress: arguments[changesAddress],
            staleNameMilliseconds: arguments[staleName],
            rebootMilliseconds: arguments[reboots].map { Int($0 / .milliseconds(1)) },
            rssiDBm: arguments[rssi], manufacturer: arguments[manufacturer],
            serviceData: arguments[serviceData])
    }
}
