import Foundation
import Testing

@testable import DataModel

@Suite("Hash functions")
struct HashingTests {
    private func hex(_ data: Data) -> String {
        data.map { String(format: "%02x", $0) }.joined()
    }

    // Vectors of NIST (FIPS 180-4 examples).
    @Test(
        "SHA-256 of the standard's examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func sha256(message: String, expected: String) {
        #expect(hex(SHA256.hash(Data(message.utf8))) == expected)
    }

    @Test("SHA-256 of a million letters")
    func sha256Long() {
        let message = Data(repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(hex(SHA256.hash(message)) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test(
        "SHA-512 of the standard's examples",
        arguments: [
            (
                "",
                "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
            ),
            (
                "abc",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
            ),
        ])
    func sha512(message: String, expected: String) {
        #expect(hex(SHA512.hash(Data(message.utf8))) == expected)
    }

    @Test(
        "Every length around the block size is padded right", arguments: [55, 56, 57, 63, 64, 65, 111, 112, 113, 127, 128, 129])
    func padding(length: Int) {
        // A change of the last byte must change the hash, and the padded length must be whole blocks.
        var message = Data(repeating: 7, count: length)
        let before = (SHA256.hash(message), SHA512.hash(message))
        message[length - 1] = 8
        #expect(SHA256.hash(message) != before.0)
        #expect(SHA512.hash(message) != before.1)
        #expect(MessagePadding.padded(message, blockSize: 64, lengthSize: 8).count % 64 == 0)
        #expect(MessagePadding.padded(message, blockSize: 128, lengthSize: 16).count % 128 == 0)
    }
}
