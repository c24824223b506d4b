/// The fault whose initializer is running and has not yet called `super`. It is empty if there is none. For the code
/// that `@Entity` generates.
public struct _AwaitedFault {
    let registry: ObjectRegistry?
}
