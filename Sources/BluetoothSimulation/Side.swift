/// The two ends of a link.
enum Side: UInt8 {
    case central
    case peripheral

    var other: Side { self == .central ? .peripheral : .central }
}

/// One value for each end of a link.
struct BothSides<Value> {
    var central: Value
    var peripheral: Value

    init(_ value: Value) {
        central = value
        peripheral = value
    }

    subscript(side: Side) -> Value {
        get { side == .central ? central : peripheral }
        set {
            switch side {
            case .central: central = newValue
            case .peripheral: peripheral = newValue
            }
        }
    }
}
