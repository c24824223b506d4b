#if !canImport(ObjectiveC)
    /// Runs a block, and gives what it returns.
    ///
    /// On Apple's systems objects that Objective-C keeps for the end of the block are let go of then. Swift keeps none elsewhere, so there is nothing to do: code
    /// that imports in portions can have the call everywhere.
    ///
    /// - Parameter body: The block.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    @inlinable
    public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
#endif
