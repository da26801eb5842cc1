import BargeProtocol
import Bluetooth

/// The device's own log: a file among its files, a line for each notable event, so that there is
/// something to pull that grows while it is read.
extension BargeDevice {
    /// Where the log grows beyond this, it starts anew.
    static var maximumLogBytes: Int { 256 * 1024 }

    /// Writes a line, if the profile names a log. What goes wrong with it stays here: no session
    /// fails for the sake of the log.
    func note(_ text: @autoclosure () -> String, at now: LinkInstant) {
        guard let logName = profile.logName, let name = try? FileName(logName) else { return }
        let line = Array("boot \(bootID), \(Self.seconds(now)) s: \(text())\n".utf8)
        _ = try? storage.withFiles { (files) throws(StorageError) in
            let size = try files.attributes(of: name)?.size ?? 0
            if size + line.count > Self.maximumLogBytes { try files.remove(name) }
            try files.append(line, to: name)
        }
    }

    func noteBoot(_ report: BootReport, at now: LinkInstant) {
        note(
            "booted slot \(report.slot) (\(report.reason.rawValue)): \(report.image.length) bytes, "
                + "SHA-256 \(report.image.sha256)", at: now)
    }

    func noteWritten(_ request: WriteRequest, at now: LinkInstant) {
        switch request.object.kind {
        case .firmware:
            note(
                "verified an image of \(request.length) bytes, SHA-256 "
                    + "\(ContentDigest(request.digest))", at: now)
        case .file:
            note(
                "wrote \(String(decoding: request.object.name.bytes, as: UTF8.self)), "
                    + "\(request.length) bytes", at: now)
        case .sink, .source: break
        }
    }

    /// Seconds with three digits behind the point, on the stack's clock.
    private static func seconds(_ now: LinkInstant) -> String {
        let milliseconds = now.microseconds / 1000
        let digits = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
