#ifndef CSWIFTRUNTIME_H
#define CSWIFTRUNTIME_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The Swift runtime's conditional retain: answers null for an object that is already being destroyed.
/// Declared here because the runtime has no header for it; used by `ObjectRegistry` and `ContextReference` alone.
void *_Nullable swift_tryRetain(void *_Nonnull object);

/// A pointer that each thread has for itself: the context queue that it is on; used by `ContextQueue` alone.
void *_Nullable CSwiftThreadQueue(void);
void CSwiftSetThreadQueue(void *_Nullable queue);

/// Reads the arguments in a list, each as its kind says: 'p' a pointer, 'i' an int, 'l' an integer of 64 bits, 'd' a double; used by
/// `NSPredicate(format:arguments:)` alone.
void CSwiftReadArguments(va_list list, const char *_Nonnull kinds, size_t count, uint64_t *_Nonnull values);

#if defined(__ELF__)
typedef struct {
    const void *_Nullable start;
    size_t length;
} CSwiftSectionRange;

/// The beginning of what the runtime tells of each loaded image; used by `LoadedModules` alone.
typedef struct {
    uintptr_t version;
    const void *_Nullable baseAddress;
    const void *_Nullable reserved[2];
    CSwiftSectionRange protocols;
    CSwiftSectionRange conformances;
    CSwiftSectionRange types;
} CSwiftImageSections;

typedef bool (*CSwiftImageBody)(const CSwiftImageSections *_Nonnull sections, void *_Nullable context);

void swift_enumerateAllMetadataSections(CSwiftImageBody _Nonnull body, void *_Nullable context);
#endif

#endif
