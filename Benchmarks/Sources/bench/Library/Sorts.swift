import OpenCoreData

// Ten classes, of which an observer of one must not pay for the others.

@Entity class Sort: NSManagedObject { var number: Int32 = 0 }
@Entity final class Sort1: Sort {}
@Entity final class Sort2: Sort {}
@Entity final class Sort3: Sort {}
@Entity final class Sort4: Sort {}
@Entity final class Sort5: Sort {}
@Entity final class Sort6: Sort {}
@Entity final class Sort7: Sort {}
@Entity final class Sort8: Sort {}
@Entity final class Sort9: Sort {}
@Entity final class Sort10: Sort {}

enum Sorts {
    static let all: [Sort.Type] = [
        Sort1.self, Sort2.self, Sort3.self, Sort4.self, Sort5.self, Sort6.self, Sort7.self, Sort8.self, Sort9.self, Sort10.self,
    ]
}
