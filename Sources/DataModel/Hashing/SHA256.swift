package import Foundation

/// The hash function SHA-256 of FIPS 180-4. For checksums and version hashes only; nothing secret goes through it.
package enum SHA256 {
    /// The 32 bytes of the hash of some data.
    package static func hash(_ data: Data) -> Data {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        var schedule = [UInt32](repeating: 0, count: 64)
        let message = MessagePadding.padded(data, blockSize: 64, lengthSize: 8)
        for block in stride(from: 0, to: message.count, by: 64) {
            for i in 0..<16 {
                let at = block + i * 4
                schedule[i] =
                    UInt32(message[at]) << 24 | UInt32(message[at + 1]) << 16 | UInt32(message[at + 2]) << 8
                    | UInt32(message[at + 3])
            }
            for i in 16..<64 {
                let x = schedule[i - 15]
                let y = schedule[i - 2]
                let s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >> 3)
                let s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >> 10)
                schedule[i] = schedule[i - 16] &+ s0 &+ schedule[i - 7] &+ s1
            }
            compress(&state, schedule)
        }
        return state.reduce(into: Data(capacity: 32)) { bytes, word in
            withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
        }
    }

    private static func compress(_ state: inout [UInt32], _ schedule: [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for i in 0..<64 {
            let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
            let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ constants[i] &+ schedule[i]
            let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
            let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
        }
        for (i, value) in [a, b, c, d, e, f, g, h].enumerated() { state[i] &+= value }
    }

    private static func rotate(_ x: UInt32, _ n: UInt32) -> UInt32 {
        x >> n | x << (32 - n)
    }

    private static let constants: [UInt32] = HashConstants.cubeRootFractions.prefix(64).map { UInt32($0 >> 32) }
}
