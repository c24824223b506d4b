#ifndef CSWIFTRUNTIME_H
#define CSWIFTRUNTIME_H

/// The Swift runtime's conditional retain: answers null for an object that is already being destroyed.
/// Declared here because the runtime has no header for it; used by `ObjectRegistry` alone.
void *swift_tryRetain(void *object);

#endif
