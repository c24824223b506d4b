import BenchmarkKit
import OpenCoreData

/// An object of 64 attributes.
@Entity final class Sheet: NSManagedObject {
    var i0: Int64
    var i1: Int64
    var i2: Int64
    var i3: Int64
    var i4: Int64
    var i5: Int64
    var i6: Int64
    var i7: Int64
    var i8: Int64
    var i9: Int64
    var i10: Int64
    var i11: Int64
    var i12: Int64
    var i13: Int64
    var i14: Int64
    var i15: Int64
    var i16: Int64
    var i17: Int64
    var i18: Int64
    var i19: Int64
    var i20: Int64
    var i21: Int64
    var i22: Int64
    var i23: Int64
    var i24: Int64
    var i25: Int64
    var i26: Int64
    var i27: Int64
    var i28: Int64
    var i29: Int64
    var i30: Int64
    var i31: Int64
    var i32: Int64
    var i33: Int64
    var i34: Int64
    var i35: Int64
    var i36: Int64
    var i37: Int64
    var i38: Int64
    var i39: Int64
    var d0: Double
    var d1: Double
    var d2: Double
    var d3: Double
    var d4: Double
    var d5: Double
    var d6: Double
    var d7: Double
    var d8: Double
    var d9: Double
    var d10: Double
    var d11: Double
    var t0: String
    var t1: String
    var t2: String
    var t3: String
    var t4: String
    var t5: String
    var t6: String
    var t7: String
    var t8: String
    var t9: String
    var t10: String
    var t11: String
}

extension Sheet {
    /// By key, so that the attributes are not listed once more.
    func set(_ values: SheetValues) {
        for (index, value) in values.integers.enumerated() { setValue(value, forKey: "i\(index)") }
        for (index, value) in values.doubles.enumerated() { setValue(value, forKey: "d\(index)") }
        for (index, value) in values.texts.enumerated() { setValue(value, forKey: "t\(index)") }
    }

    /// Reads every attribute.
    func add(to checksum: inout Checksum) {
        checksum.add(i0)
        checksum.add(i1)
        checksum.add(i2)
        checksum.add(i3)
        checksum.add(i4)
        checksum.add(i5)
        checksum.add(i6)
        checksum.add(i7)
        checksum.add(i8)
        checksum.add(i9)
        checksum.add(i10)
        checksum.add(i11)
        checksum.add(i12)
        checksum.add(i13)
        checksum.add(i14)
        checksum.add(i15)
        checksum.add(i16)
        checksum.add(i17)
        checksum.add(i18)
        checksum.add(i19)
        checksum.add(i20)
        checksum.add(i21)
        checksum.add(i22)
        checksum.add(i23)
        checksum.add(i24)
        checksum.add(i25)
        checksum.add(i26)
        checksum.add(i27)
        checksum.add(i28)
        checksum.add(i29)
        checksum.add(i30)
        checksum.add(i31)
        checksum.add(i32)
        checksum.add(i33)
        checksum.add(i34)
        checksum.add(i35)
        checksum.add(i36)
        checksum.add(i37)
        checksum.add(i38)
        checksum.add(i39)
        checksum.add(d0)
        checksum.add(d1)
        checksum.add(d2)
        checksum.add(d3)
        checksum.add(d4)
        checksum.add(d5)
        checksum.add(d6)
        checksum.add(d7)
        checksum.add(d8)
        checksum.add(d9)
        checksum.add(d10)
        checksum.add(d11)
        checksum.add(t0)
        checksum.add(t1)
        checksum.add(t2)
        checksum.add(t3)
        checksum.add(t4)
        checksum.add(t5)
        checksum.add(t6)
        checksum.add(t7)
        checksum.add(t8)
        checksum.add(t9)
        checksum.add(t10)
        checksum.add(t11)
    }
}
