import Foundation

/// The padding that both hash functions put after a message: a one bit, zeros, and the length in bits.
enum MessagePadding {
    static func padded(_ data: Data, blockSize: Int, lengthSize: Int) -> [UInt8] {
        var message = [UInt8](data)
        let bits = UInt64(message.count) * 8
        message.append(0x80)
        while message.count % blockSize != blockSize - lengthSize { message.append(0) }
        message.append(contentsOf: [UInt8](repeating: 0, count: lengthSize - 8))
        withUnsafeBytes(of: bits.bigEndian) { message.append(contentsOf: $0) }
        return message
    }
}
