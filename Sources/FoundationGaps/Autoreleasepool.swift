/// Runs a block, and returns its result.
///
/// On Apple's systems Objective-C releases autoreleased objects at the end of the block. Elsewhere there are none,
/// so there is nothing to do. The function exists so that code which imports in portions compiles on all systems.
///
/// - Parameter body: The block.
/// - Returns: What the block returns.
/// - Throws: What the block throws.
@inlinable
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
