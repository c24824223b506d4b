import Foundation

/// The addresses of objects by key: pages, each for 512 keys that follow one another, and a directory that finds them.
///
///     directory ─► page 0 │ keys 0…511     │ 512 addresses, each at its key's place
///               ─► page 1 │ keys 512…1023  │ 512 addresses
///               ─► page 9 │ keys 4608…5119 │ a list of up to 32 addresses, and their places
///
/// Keys are given in order, and objects are mostly made, looked up and freed in the order of their keys. So an access costs
/// a comparison with the number of the page that was used last, and a load. A full page takes eight bytes for each object.
/// Nothing moves when objects are added, except for the directory, which has one entry for up to 512 of them.
///
/// Keys from outside may be anything. A page with few objects is a short list, so that a lonely key takes about a hundred
/// bytes, and a page without objects is freed.
///
/// Its owner guards it with a lock.
struct ObjectPages {
    typealias Object = UnsafeMutableRawPointer

    /// What stands before a page's addresses.
    private struct Page {
        let number: Int64
        /// `ObjectPages.pageSize` if each address stands at its key's place; less for a list, whose places stand behind the
        /// addresses.
        let capacity: Int
        var count = 0

        static let addresses = MemoryLayout<Page>.stride
    }

    private struct Entry {
        var number: Int64
        var page: UnsafeMutablePointer<Page>?
    }

    private static let pageSize = 512
    private static let pageBits: Int64 = 9
    private static let smallestList = 4
    /// The places of so many objects fill one line of the processor's cache.
    private static let largestList = 32
    private static let smallestDirectory = 4

    private var directory: UnsafeMutablePointer<Entry>
    private var directorySize: Int
    private var pageCount = 0
    /// The page that was used last. It is kept when its last object goes, as the next one often comes to it.
    private var last: UnsafeMutablePointer<Page>?

    init() { self.init(directorySize: Self.smallestDirectory) }

    private init(directorySize: Int) {
        self.directorySize = directorySize
        directory = Self.zeroed(directorySize * MemoryLayout<Entry>.stride).assumingMemoryBound(to: Entry.self)
    }

    func deallocate() {
        for index in 0..<directorySize { free(directory[index].page) }
        free(directory)
    }

    private static func zeroed(_ size: Int) -> UnsafeMutableRawPointer {
        guard let memory = calloc(1, size) else { fatalError("Out of memory") }
        return memory
    }

    // MARK: Objects

    var isEmpty: Bool { pageCount == 0 || pageCount == 1 && last?.pointee.count == 0 }

    /// Where a key's address is; nil if it has none. Valid until the next change.
    @inline(__always) mutating func place(of key: Int64) -> UnsafeMutablePointer<Object?>? {
        guard let page = page(key >> Self.pageBits) else { return nil }
        return Self.place(of: key, in: page)
    }

    /// Adds the object of a key that has none.
    @inline(__always) mutating func add(_ object: Object, key: Int64) {
        let number = key >> Self.pageBits
        var page = page(number) ?? addPage(number)
        if page.pointee.count == page.pointee.capacity { page = enlarge(page) }
        let offset = Int(key & Int64(Self.pageSize - 1))
        let addresses = Self.addresses(page)
        if page.pointee.capacity == Self.pageSize {
            addresses[offset] = object
        } else {
            addresses[page.pointee.count] = object
            Self.places(page)[page.pointee.count] = UInt16(truncatingIfNeeded: offset)
        }
        page.pointee.count += 1
    }

    /// Removes an object, unless another one has its key now.
    mutating func remove(_ object: Object, key: Int64) {
        guard let page = page(key >> Self.pageBits), let place = Self.place(of: key, in: page), place.pointee == object else {
            return
        }
        page.pointee.count -= 1
        guard page.pointee.capacity != Self.pageSize else {
            place.pointee = nil
            return
        }
        let (addresses, end) = (Self.addresses(page), page.pointee.count)
        place.pointee = addresses[end]
        addresses[end] = nil
        Self.places(page)[place - addresses] = Self.places(page)[end]
    }

    /// Calls the function with each object.
    func forEach(_ body: (Object) -> Void) {
        for index in 0..<directorySize {
            guard let page = directory[index].page else { continue }
            let addresses = Self.addresses(page)
            for place in 0..<page.pointee.capacity {
                if let object = addresses[place] { body(object) }
            }
        }
    }

    /// The memory that pages and directory take.
    var byteCount: Int {
        (0..<directorySize).reduce(directorySize * MemoryLayout<Entry>.stride) {
            $0 + (directory[$1].page.map { Self.byteCount(capacity: $0.pointee.capacity) } ?? 0)
        }
    }

    // MARK: Pages

    @inline(__always) private static func addresses(_ page: UnsafeMutablePointer<Page>) -> UnsafeMutablePointer<Object?> {
        (UnsafeMutableRawPointer(page) + Page.addresses).assumingMemoryBound(to: Object?.self)
    }

    @inline(__always) private static func places(_ page: UnsafeMutablePointer<Page>) -> UnsafeMutablePointer<UInt16> {
        UnsafeMutableRawPointer(addresses(page) + page.pointee.capacity).assumingMemoryBound(to: UInt16.self)
    }

    @inline(__always)
    private static func place(of key: Int64, in page: UnsafeMutablePointer<Page>) -> UnsafeMutablePointer<Object?>? {
        let offset = Int(key & Int64(pageSize - 1))
        guard page.pointee.capacity == pageSize else { return listed(offset, in: page) }
        let place = addresses(page) + offset
        return place.pointee == nil ? nil : place
    }

    @inline(never)
    private static func listed(_ offset: Int, in page: UnsafeMutablePointer<Page>) -> UnsafeMutablePointer<Object?>? {
        let places = places(page)
        for index in 0..<page.pointee.count where Int(places[index]) == offset { return addresses(page) + index }
        return nil
    }

    private static func byteCount(capacity: Int) -> Int {
        let places = capacity == pageSize ? 0 : capacity * MemoryLayout<UInt16>.stride
        return Page.addresses + capacity * MemoryLayout<Object?>.stride + places
    }

    private static func makePage(_ number: Int64, capacity: Int) -> UnsafeMutablePointer<Page> {
        let memory = zeroed(byteCount(capacity: capacity))
        let page = memory.bindMemory(to: Page.self, capacity: 1)
        page.initialize(to: Page(number: number, capacity: capacity))
        return page
    }

    /// The page with a number. It becomes the one that was used last.
    @inline(__always) private mutating func page(_ number: Int64) -> UnsafeMutablePointer<Page>? {
        if let last, last.pointee.number == number { return last }
        return findPage(number)
    }

    @inline(never) private mutating func findPage(_ number: Int64) -> UnsafeMutablePointer<Page>? {
        guard let page = directory[index(of: number)].page else { return nil }
        use(page)
        return page
    }

    private mutating func use(_ page: UnsafeMutablePointer<Page>) {
        if let last, last.pointee.count == 0 { removePage(last) }
        last = page
    }

    @inline(never) private mutating func addPage(_ number: Int64) -> UnsafeMutablePointer<Page> {
        let page = Self.makePage(number, capacity: Self.smallestList)
        use(page)
        pageCount += 1
        if pageCount * 2 > directorySize { resizeDirectory(directorySize * 2) }
        directory[index(of: number)] = Entry(number: number, page: page)
        return page
    }

    /// Gives a page whose list is full a longer list, or a place for every key.
    @inline(never) private mutating func enlarge(_ page: UnsafeMutablePointer<Page>) -> UnsafeMutablePointer<Page> {
        let (number, count) = (page.pointee.number, page.pointee.count)
        let larger = Self.makePage(number, capacity: count < Self.largestList ? count * 2 : Self.pageSize)
        larger.pointee.count = count
        let (addresses, places) = (Self.addresses(page), Self.places(page))
        for index in 0..<count {
            if larger.pointee.capacity == Self.pageSize {
                Self.addresses(larger)[Int(places[index])] = addresses[index]
            } else {
                Self.addresses(larger)[index] = addresses[index]
                Self.places(larger)[index] = places[index]
            }
        }
        directory[index(of: number)].page = larger
        last = larger
        free(page)
        return larger
    }

    // MARK: Directory

    /// The entry of a page, or the free one for it. Half of the entries are free at least.
    private func index(of number: Int64) -> Int {
        var index = home(of: number)
        while directory[index].page != nil, directory[index].number != number { index = (index + 1) & (directorySize - 1) }
        return index
    }

    /// Scattered, so that numbers at regular distances don't pile up.
    private func home(of number: Int64) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15) >> 32) & (directorySize - 1)
    }

    @inline(never) private mutating func resizeDirectory(_ size: Int) {
        let (old, oldSize) = (directory, directorySize)
        directorySize = size
        directory = Self.zeroed(size * MemoryLayout<Entry>.stride).assumingMemoryBound(to: Entry.self)
        for position in 0..<oldSize where old[position].page != nil { directory[index(of: old[position].number)] = old[position] }
        free(old)
    }

    /// Frees an empty page. Later entries of the probe sequence move up, so that look-ups need no tombstones.
    @inline(never) private mutating func removePage(_ page: UnsafeMutablePointer<Page>) {
        let mask = directorySize - 1
        var gap = index(of: page.pointee.number)
        var next = (gap + 1) & mask
        while directory[next].page != nil {
            if (next &- home(of: directory[next].number)) & mask >= (next &- gap) & mask {
                directory[gap] = directory[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        directory[gap] = Entry(number: 0, page: nil)
        pageCount -= 1
        free(page)
        if directorySize > Self.smallestDirectory, pageCount * 8 < directorySize { resizeDirectory(directorySize / 2) }
    }
}
