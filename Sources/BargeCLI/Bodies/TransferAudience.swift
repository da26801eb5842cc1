import Barge

/// Whoever is told of one transfer: alone on the screen, or a row among many.
protocol TransferAudience {
    /// Something happened.
    func report(_ event: ReportedEvent)
    /// The link was lost, and is tried again after so many seconds.
    func retries(after error: BargeError, pauseSeconds: Double)
    /// Something is odd, and does not stop the transfer.
    func warn(_ text: String)
}

/// The screen of one transfer.
struct SingleAudience: TransferAudience {
    let console: Console
    let reporter: Reporter

    init(console: Console, device: String) {
        self.console = console
        reporter = Reporter(console: console, device: device)
    }

    func report(_ event: ReportedEvent) { reporter.report(event) }

    func retries(after error: BargeError, pauseSeconds: Double) {
        console.errorLine(
            "\(error.what.printable): \(error.why.printable); trying again in "
                + Quantity.time(pauseSeconds))
    }

    func warn(_ text: String) { console.errorLine("warning: \(text)") }
}

/// A row of the table of many.
struct FleetAudience: TransferAudience {
    let console: Console
    let table: FleetTable
    let device: String

    func report(_ event: ReportedEvent) { table.report(event, of: device) }

    func retries(after error: BargeError, pauseSeconds: Double) {
        table.retries(device, after: error, pauseSeconds: pauseSeconds)
    }

    func warn(_ text: String) {
        console.errorLine("warning: \(device.printable): \(text)")
    }
}
