// Whoever uses the library names devices, security levels and link parameters, and looks into
// images: one import brings it all.
@_exported public import Bluetooth
@_exported public import FirmwareImage
