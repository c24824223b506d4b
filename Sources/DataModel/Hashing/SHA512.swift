package import Foundation

/// The hash function SHA-512 of FIPS 180-4. For checksums only; nothing secret goes through it.
package enum SHA512 {
    /// The 64 bytes of the hash of some data.
    package static func hash(_ data: Data) -> Data {
        var state: [UInt64] = [
            0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
            0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
        ]
        var schedule = [UInt64](repeating: 0, count: 80)
        let message = MessagePadding.padded(data, blockSize: 128, lengthSize: 16)
        for block in stride(from: 0, to: message.count, by: 128) {
            for i in 0..<16 {
                var word: UInt64 = 0
                for k in 0..<8 { word = word << 8 | UInt64(message[block + i * 8 + k]) }
                schedule[i] = word
            }
            for i in 16..<80 {
                let x = schedule[i - 15]
                let y = schedule[i - 2]
                let s0 = rotate(x, 1) ^ rotate(x, 8) ^ (x >> 7)
                let s1 = rotate(y, 19) ^ rotate(y, 61) ^ (y >> 6)
                schedule[i] = schedule[i - 16] &+ s0 &+ schedule[i - 7] &+ s1
            }
            compress(&state, schedule)
        }
        return state.reduce(into: Data(capacity: 64)) { bytes, word in
            withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
        }
    }

    private static func compress(_ state: inout [UInt64], _ schedule: [UInt64]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for i in 0..<80 {
            let s1 = rotate(e, 14) ^ rotate(e, 18) ^ rotate(e, 41)
            let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ HashConstants.cubeRootFractions[i] &+ schedule[i]
            let s0 = rotate(a, 28) ^ rotate(a, 34) ^ rotate(a, 39)
            let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
        }
        for (i, value) in [a, b, c, d, e, f, g, h].enumerated() { state[i] &+= value }
    }

    private static func rotate(_ x: UInt64, _ n: UInt64) -> UInt64 {
        x >> n | x << (64 - n)
    }
}
