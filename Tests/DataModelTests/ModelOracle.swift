import DataModel
import Foundation
import TestSupport

/// Models as flat lists "entities/Movie/attributes/title/optional" → value, once by the independent reader and once by ours.
enum ModelOracle {
    /// The texts of all models, by path; a model that the oracle can't read has the single key "error".
    ///
    /// - Parameter isWhole: Whether also what our models don't have in that form is among them.
    static func read(_ paths: [String], isWhole: Bool = false) throws -> [String: [String: String]] {
        let folder = try TemporaryFolder()
        let script = try folder.write(program, to: "flatten.py")
        let list = try folder.write(paths.joined(separator: "\n"), to: "paths.txt")
        let outcome = try runProcess("python3", ["-B", script.path, Fixtures.tools.path, list.path] + (isWhole ? ["whole"] : []))
        guard outcome.status == 0, let json = try JSONSerialization.jsonObject(with: outcome.standardOutput) as? [String: Any]
        else {
            throw OracleFailure(text: outcome.errorText)
        }
        return json.compactMapValues { $0 as? [String: String] }
    }

    struct OracleFailure: Error { let text: String }

    private static let program = """
        import json, sys
        sys.path.insert(0, sys.argv[1])
        import model_oracle
        skipped = {"kind", "issues", "composites", "composite", "compoundIndexes",
                   "codeGeneration", "usesScalarType", "spotlightIndexed", "externalRecord"}
        whole = len(sys.argv) > 3
        if whole:
            skipped = {"kind", "issues", "composites", "composite"}
        def flatten(value, path, out):
            if isinstance(value, dict):
                names = path.endswith(("/attributes", "/relationships", "/fetchedProperties", "entities", "fetchRequestTemplates"))
                free = path.endswith("/userInfo") and not path.endswith(("/attributes/userInfo", "/relationships/userInfo"))
                for key, x in value.items():
                    if key not in skipped or names or free:
                        flatten(x, f"{path}/{key}" if path else key, out)
            elif isinstance(value, list):
                out[path + "/count"] = str(len(value))
                for i, x in enumerate(value):
                    flatten(x, f"{path}/{i}", out)
            elif path.endswith("/predicate") and not whole:
                out[path[:-9] + "hasPredicate"] = json.dumps(value is not None)
            elif isinstance(value, str):
                out[path] = "s:" + value
            else:
                out[path] = json.dumps(value)
        result = {}
        for path in open(sys.argv[2], encoding="utf-8").read().split("\\n"):
            try:
                if path.endswith(".cache"):
                    m = model_oracle.model_from_cache(open(path, "rb").read())
                else:
                    m = model_oracle.load_model(path)
                result[path] = {}
                flatten(m, "", result[path])
            except (model_oracle.ModelError, OSError) as error:
                result[path] = {"error": str(error)}
        print(json.dumps(result))
        """
}
